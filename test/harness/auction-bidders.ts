// Dealers who bid, and the replies they received: the client side of the harness `auction`.
import { type Answered, askUntilAnswered, codeOf, dataOf, type HarnessRequest } from './ask.ts';
import type { Random } from './random.ts';
import type { Dealer } from './world.ts';

export interface Item {
  readonly id: string;
  readonly isLot: boolean;
  readonly car: string;
}

/** A bid that was answered 201. */
export interface Accepted {
  readonly item: Item;
  readonly bidder: string;
  readonly seq: number;
  readonly amount: string;
  readonly chain: string;
}

const STEP = 50;
const BIDS_EACH = 2;
/** Refusals after which a dealer may bid again; anything else is a violation. */
const USUAL = ['bid_too_low', 'already_highest_bidder', 'auction_ended', 'lot_not_open'];

export class AuctionTable {
  readonly violations: string[] = [];
  readonly verdicts: Record<string, number> = {};
  readonly accepted: Accepted[] = [];
  readonly items: Item[] = [];
  readonly random: Random;
  readonly seller: Dealer;
  readonly operator: Dealer;
  readonly bidders: readonly Dealer[];
  readonly api: () => string;
  /** The minimum of the next bid, as far as the replies have shown. */
  private readonly minimum = new Map<string, number>();
  private readonly sent = new Map<string, number>();
  private readonly over = new Set<string>();
  private count = 0;

  constructor(random: Random, [seller, operator, ...bidders]: readonly Dealer[], api: () => string) {
    this.random = random;
    this.api = api;
    this.seller = seller!;
    this.operator = operator!;
    this.bidders = bidders;
  }

  /** Repeated until there is a reply, with one key. */
  async ask(request: Omit<HarnessRequest, 'idempotencyKey'>): Promise<Answered> {
    this.count += 1;
    const idempotencyKey = `a-${this.count}-${this.random.below(2 ** 31)}`;
    const answer = await askUntilAnswered(this.api, { ...request, idempotencyKey }, () => {});
    if (answer === null) throw new Error(`${request.path} was never answered`);
    return answer;
  }

  async done(request: Omit<HarnessRequest, 'idempotencyKey'>) {
    const answer = await this.ask(request);
    if (answer.status >= 300) throw new Error(`${request.method} ${request.path}: ${answer.text}`);
    return dataOf(answer);
  }

  add(item: Item): void {
    this.items.push(item);
    this.minimum.set(item.id, 1000);
  }

  ended(items: readonly Item[]): void {
    for (const { id } of items) this.over.add(id);
  }

  operate(lot: Item, act: 'start' | 'end') {
    return this.done({ method: 'POST', path: `live-auctions/lots/${lot.id}/${act}`, key: this.operator.key });
  }

  /** Each dealer a few times, one after the other at random. */
  async bidAtRandom(items: readonly Item[]): Promise<void> {
    await Promise.all(
      this.bidders.map(async (bidder) => {
        for (let bid = 0; bid < BIDS_EACH; bid += 1) await this.bid(bidder, this.random.pick(items));
      }),
    );
  }

  /** All dealers at once, and once more. */
  async burst(items: readonly Item[]): Promise<void> {
    await Promise.all(
      this.bidders.map(async (bidder, place) => {
        await this.bid(bidder, items[place % items.length]!);
        await this.bid(bidder, this.random.pick(items));
      }),
    );
  }

  private raise(id: string, least: number): void {
    this.minimum.set(id, Math.max(this.minimum.get(id)!, least));
  }

  /** Most bid above what others have just sent, so that many are accepted; some do not know of it. */
  private choose(id: string, least: number): number {
    const sent = this.sent.get(id) ?? 0;
    const amount = this.random.chance(0.7) ? Math.max(least, sent + STEP) : least + STEP * this.random.below(20);
    this.sent.set(id, Math.max(sent, amount));
    return amount;
  }

  private async bid({ key, accountId }: Dealer, item: Item): Promise<void> {
    const { id, isLot } = item;
    const least = this.minimum.get(id)!;
    const isLow = this.random.chance(0.1);
    const amount = isLow ? least - 1 : this.choose(id, least);
    const isOver = this.over.has(id);
    const path = isLot ? `live-auctions/lots/${id}/bid` : `network-auctions/${id}/bid`;
    const answer = await this.ask({ method: 'POST', path, key, body: { amount: `${amount}.00` } });
    const verdict = answer.status === 201 ? 'accepted' : (codeOf(answer) ?? String(answer.status));
    this.verdicts[verdict] = (this.verdicts[verdict] ?? 0) + 1;
    if (answer.status !== 201) {
      // The refusal contains the minimum.
      if (verdict === 'bid_too_low') this.raise(id, Number(/\d+[.,]\d\d/.exec(answer.text)?.[0].replace(',', '.') ?? 0));
      if (answer.status !== 409 || !USUAL.includes(verdict)) this.violations.push(`${path}: ${answer.text}`);
      return;
    }
    if (isLow) this.violations.push(`${path}: ${amount} was accepted, and ${least} was the least`);
    if (isOver) this.violations.push(`${path}: accepted after the end`);
    const { bid, auction, lot } = dataOf(answer);
    this.raise(id, Number((auction ?? lot).next_min_bid));
    this.accepted.push({ item, bidder: accountId, seq: bid.bid_seq, amount: bid.amount, chain: bid.chain });
  }
}
