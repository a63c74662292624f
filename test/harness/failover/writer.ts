// A writer of a dealer: adds cars, raises their prices and collects money, one write after the other, and journals each request and reply.
import { until } from '../../support/patience.ts';
import { type Answered, aCar, dataOf } from '../ask.ts';
import { type Journal, openJournal } from '../journal.ts';
import { createRandom, type Random } from '../random.ts';
import type { Dealer } from '../world.ts';
import type { Caller, CallerRequest } from './caller.ts';
import { Known } from './known.ts';

export type Act =
  | { readonly key: string; readonly asked: 'car'; readonly plate: string }
  | { readonly key: string; readonly asked: 'price'; readonly id: string; readonly value: number }
  | { readonly key: string; readonly asked: 'money'; readonly sale: string };
export type Entry = Act | { readonly key: string; readonly answered: number; readonly id: string };

/** What the writers and readers of a dealer share. */
export interface Books {
  readonly dealer: Dealer;
  /** Of the cars, the value is the number of the price; of the sales, the money collected. */
  readonly cars: Known[];
  readonly sales: Known[];
}

/** Prices rise by one, so that a reader recognizes an old one. */
const LOWEST_PRICE = 1000;
export const priceOf = (value: number): string => `${LOWEST_PRICE + value}.00`;
export const numberOf = (price: string): number => Number(price) - LOWEST_PRICE;

/** So many cars of a writer keep changing, and readers look at as many of each. */
const KEPT = 50;

export class Writer {
  readonly path: string;
  readonly books: Books;
  readonly violations: string[] = [];
  acknowledged = 0;
  /** When the last reply came, and when its request was sent for the first time. */
  last: { sent: number; answered: number };
  /** The longest time between two acknowledgements since `beginGap`. */
  private gap = 0;
  private readonly name: string;
  private readonly caller: Caller;
  private readonly random: Random;
  private readonly cars: Known[] = [];
  private sale: Known | null = null;
  private count = 0;

  constructor(caller: Caller, books: Books, path: string, name: string, seed: number) {
    this.caller = caller;
    this.books = books;
    this.path = path;
    this.name = name;
    this.random = createRandom(seed);
    this.last = { sent: performance.now(), answered: performance.now() };
  }

  async run(isOver: () => boolean): Promise<void> {
    const journal = await openJournal<Entry>(this.path);
    try {
      this.last = { sent: performance.now(), answered: performance.now() };
      while (!isOver() && this.violations.length === 0) await this.next(journal);
    } finally {
      await journal.close();
    }
  }

  beginGap(): void {
    this.gap = 0;
  }

  /** Up to now, the write in flight included. */
  gapMs(): number {
    return Math.max(this.gap, performance.now() - this.last.answered);
  }

  /** With a sale whose debt no writer can pay off. */
  async prepare(): Promise<void> {
    const post = async (path: string, body: unknown): Promise<string> => {
      const made = await this.send({ method: 'POST', path, body, idempotencyKey: `${this.name}-${path}` });
      if (made?.status !== 201) throw new Error(`POST ${path}: ${made?.status} ${made?.text}`);
      const { id } = dataOf(made) as { id: string };
      // A planted bug acknowledges before the commit.
      const isThere = async () => (await this.send({ method: 'GET', path: `${path}/${id}` }))?.status === 200;
      await until(isThere, `${path}/${id} exists`);
      return id;
    };
    const customer = await post('customers', { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '+905331234567' });
    const car = await post('vehicles', aCar(`SOLD ${this.name}`));
    const terms = { sale_price: '900000.00', currency: 'STG', installment_count: 24 };
    this.sale = new Known(await post('sales', { vehicle_id: car, customer_id: customer, ...terms }), 0);
    this.sale.mark(0);
    this.books.sales.push(this.sale);
  }

  private async next(journal: Journal<Entry>): Promise<void> {
    const act = this.choose();
    await journal.write(act);
    const sent = performance.now();
    const answer = await this.send({ ...requestFor(act), idempotencyKey: act.key });
    if (answer === null) return void this.violations.push(`${JSON.stringify(act)} was never answered`);
    if (answer.status !== (act.asked === 'price' ? 200 : 201))
      return void this.violations.push(`${JSON.stringify(act)} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
    const { id } = dataOf(answer) as { id: string };
    const answered = performance.now();
    this.gap = Math.max(this.gap, answered - this.last.answered);
    this.last = { sent, answered };
    this.acknowledged += 1;
    if (act.asked === 'car') this.keep(new Known(id, 0));
    const known = act.asked === 'money' ? this.sale! : this.cars.find((one) => one.id === id)!;
    known.mark(known.asked, answered);
    await journal.write({ key: act.key, answered: answer.status, id });
  }

  private choose(): Act {
    this.count += 1;
    const key = `${this.name}-${this.count}`;
    const dice = this.random.below(10);
    if (dice < 3 || this.cars.length === 0) return { key, asked: 'car', plate: `${this.name} ${this.count}` };
    const known = dice < 6 ? this.sale! : this.random.pick(this.cars);
    known.asked += 1;
    return dice < 6 ? { key, asked: 'money', sale: known.id } : { key, asked: 'price', id: known.id, value: known.asked };
  }

  private keep(car: Known): void {
    for (const list of [this.cars, this.books.cars]) {
      list.push(car);
      if (list.length > KEPT) list.shift();
    }
  }

  private send(request: Omit<CallerRequest, 'key'>): Promise<Answered | null> {
    return this.caller.untilAnswered({ ...request, key: this.books.dealer.key });
  }
}

function requestFor(act: Act): Omit<CallerRequest, 'key'> {
  if (act.asked === 'car') return { method: 'POST', path: 'vehicles', body: aCar(act.plate, { price: priceOf(0) }) };
  if (act.asked === 'price') return { method: 'PATCH', path: `vehicles/${act.id}`, body: { price: priceOf(act.value) } };
  return { method: 'POST', path: 'collections', body: { sale_id: act.sale, amount: '1.00', currency: 'STG' } };
}
