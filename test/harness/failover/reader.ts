// A reader of a dealer, through the balancer and so at any node: nothing that it is shown is older than what was known a second before it
// asked.
import { setTimeout as wait } from 'node:timers/promises';
import { dataOf } from '../ask.ts';
import type { Random } from '../random.ts';
import { AGAIN, type Caller } from './caller.ts';
import type { Known } from './known.ts';
import { type Books, numberOf } from './writer.ts';

export class Reader {
  readonly violations: string[] = [];
  answered = 0;
  private readonly caller: Caller;
  private readonly books: Books;
  private readonly random: Random;

  constructor(caller: Caller, books: Books, random: Random) {
    this.caller = caller;
    this.books = books;
    this.random = random;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (; !isOver() && this.violations.length < 5; await wait(20)) {
      const isCar = this.random.chance(0.7);
      const known = isCar ? this.books.cars : this.books.sales;
      if (known.length > 0) await this.read(isCar, this.random.pick(known));
    }
  }

  private async read(isCar: boolean, known: Known): Promise<void> {
    const floor = known.floor();
    const path = `${isCar ? 'vehicles' : 'sales'}/${known.id}`;
    const answer = await this.caller.ask({ method: 'GET', path, key: this.books.dealer.key }).catch(() => null);
    // It is asked again in the next round.
    if (answer === null || AGAIN.includes(answer.status)) return;
    this.answered += 1;
    if (answer.status !== 200) {
      const isTooEarly = answer.status === 404 && floor === null;
      if (!isTooEarly) this.violations.push(`GET ${path} was answered ${answer.status} ${answer.text.slice(0, 200)}`);
      return;
    }
    const { price, collected_amount } = dataOf(answer) as { price: string; collected_amount: string };
    const value = isCar ? numberOf(price) : Number(collected_amount);
    if (floor !== null && value < floor)
      this.violations.push(`stale: ${path} had ${floor} a second before, and was read as ${value}`);
    if (value > known.asked)
      this.violations.push(`${path} was read as ${value}, and no more than ${known.asked} was ever requested`);
    known.mark(value);
  }
}
