// A writer of a dealer: lists possible actions between dealers and does one at random, until there were enough.
import { type Answered, aCar, askUntilAnswered, codeOf, dataOf, type HarnessRequest } from './ask.ts';
import { createRandom, type Random } from './random.ts';
import type { Dealer } from './world.ts';

/** What all writers share. */
export interface PartyTable {
  readonly api: () => string;
  readonly violations: string[];
  readonly verdicts: Record<string, number>;
  /** The number of answered actions, and the target. */
  answered: number;
  readonly goal: number;
}

type PlannedRequest = Omit<HarnessRequest, 'key' | 'idempotencyKey'>;
// biome-ignore lint/suspicious/noExplicitAny: harnesses read arbitrary JSON
type Shown = any;

const MAX_FOR_SALE = 5;
const PACKAGES = ['Vitrin-7', 'Üst Sıra-7', 'Acil-7'];
const post = (path: string, body?: unknown): PlannedRequest => ({
  method: 'POST',
  path,
  ...(body === undefined ? {} : { body }),
});

export class PartyWriter {
  private readonly table: PartyTable;
  private readonly dealer: Dealer;
  private readonly name: string;
  private readonly random: Random;
  private count = 0;

  constructor(table: PartyTable, dealer: Dealer, name: string, seed: number) {
    this.table = table;
    this.dealer = dealer;
    this.name = name;
    this.random = createRandom(seed);
  }

  async run(): Promise<void> {
    const { table } = this;
    try {
      while (table.answered < table.goal && table.violations.length === 0) await this.act();
    } catch (error) {
      table.violations.push(`${this.name}: ${(error as Error).message}`);
    }
  }

  async askForTopup(amount: string): Promise<string> {
    const answer = await this.send(post('wallet/topup-requests', { amount }));
    return dataOf(answer).id;
  }

  private async act(): Promise<void> {
    const request = await this.choose();
    if (request === null) return;
    const answer = await this.send(request);
    const verdict = `${request.method} ${request.path.replace(/[0-9a-f-]{36}/g, '…')}: ${answer.status < 300 ? 'done' : codeOf(answer)}`;
    const { table } = this;
    table.verdicts[verdict] = (table.verdicts[verdict] ?? 0) + 1;
    table.answered += 1;
    if (answer.status >= 300 && ![402, 404, 409].includes(answer.status))
      table.violations.push(`${this.name}: ${request.method} ${request.path}: ${answer.text}`);
  }

  private async send(choice: PlannedRequest): Promise<Answered> {
    this.count += 1;
    const request = { ...choice, key: this.dealer.key, idempotencyKey: `${this.name}-${this.count}` };
    const answer = await askUntilAnswered(this.table.api, request, () => {});
    if (answer === null) throw new Error(`${choice.method} ${choice.path} was never answered`);
    return answer;
  }

  private async read(path: string): Promise<Shown> {
    const answer = await askUntilAnswered(this.table.api, { method: 'GET', path, key: this.dealer.key }, () => {});
    if (answer?.status !== 200) throw new Error(`${path} was answered ${answer?.text}`);
    return dataOf(answer);
  }

  private one(from: readonly Shown[]): Shown | undefined {
    return from.length === 0 ? undefined : this.random.pick(from);
  }

  private choose(): Promise<PlannedRequest | null> {
    const { random } = this;
    const ways = [
      ...[
        () => this.offer(),
        () => this.offer(),
        () => this.offer(),
        () => this.answer(),
        () => this.answer(),
        () => this.answer(),
      ],
      ...[() => this.withdraw(), () => this.propose(), () => this.propose(), () => this.answerSwap(), () => this.withCar()],
      ...[() => this.withCar(), () => this.publish(), () => this.boost()],
    ];
    return random.pick(ways)();
  }

  private amount(): string {
    return `${9000 + this.random.below(5000)}.${10 + this.random.below(90)}`;
  }

  private async card(): Promise<Shown | undefined> {
    return this.one(await this.read('marketplace/listings?scope=network&limit=40'));
  }

  private async offer(): Promise<PlannedRequest | null> {
    const card = await this.card();
    return card === undefined ? this.publish() : post('network-offers', { listing_id: card.id, amount: this.amount() });
  }

  private async answer(): Promise<PlannedRequest | null> {
    const offer = this.one(await this.read('network-offers?awaiting_me=true&limit=40'));
    if (offer === undefined) return this.offer();
    const act = this.random.pick(['accept', 'counter', 'counter', 'reject'] as const);
    return post(`network-offers/${offer.id}/${act}`, act === 'counter' ? { amount: this.amount() } : {});
  }

  private async withdraw(): Promise<PlannedRequest | null> {
    const open: Shown[] = await this.read(`network-offers?status=${encodeURIComponent('Beklemede')}&limit=40`);
    const offer = this.one(open.filter(({ awaiting_me }) => !awaiting_me));
    return offer === undefined ? this.offer() : post(`network-offers/${offer.id}/withdraw`);
  }

  private async propose(): Promise<PlannedRequest | null> {
    const mine = this.one(await this.read('vehicles?status=Stokta&limit=20'));
    const card = await this.card();
    if (mine === undefined || card === undefined) return this.publish();
    const cash_difference = `${this.random.chance(0.5) ? '-' : ''}${this.random.below(900)}.50`;
    return post('trade-requests', { offered_vehicle_id: mine.id, requested_listing_id: card.id, cash_difference });
  }

  private async answerSwap(): Promise<PlannedRequest | null> {
    const swap = this.one(await this.read(`trade-requests?status=${encodeURIComponent('Beklemede')}&limit=40`));
    if (swap === undefined) return this.propose();
    if (swap.my_role === 'requester') return { method: 'DELETE', path: `trade-requests/${swap.id}` };
    return post(`trade-requests/${swap.id}/${this.random.pick(['accept', 'accept', 'reject'])}`);
  }

  /** A held vehicle is sold or released, which keeps or breaks an agreement; one in stock is reserved, sold or unpublished. */
  private async withCar(): Promise<PlannedRequest | null> {
    const isHeld = this.random.chance(0.7);
    const car = this.one(await this.read(`vehicles?status=${isHeld ? 'Rezerve' : 'Stokta'}&limit=20`));
    if (car === undefined) return this.publish();
    if (isHeld && this.random.chance(0.5)) return { method: 'PATCH', path: `vehicles/${car.id}`, body: { status: 'Stokta' } };
    if (isHeld) return post(`vehicles/${car.id}/mark-sold`, {});
    return post(`vehicles/${car.id}/${this.random.pick(['reserve', 'mark-sold', 'unpublish'])}`, {});
  }

  /** The one in stock that is not published, or a new one. */
  private async publish(): Promise<PlannedRequest | null> {
    const inStock: Shown[] = await this.read('vehicles?status=Stokta&limit=20');
    const hidden = this.one(inStock.filter(({ is_marketplace_visible }) => !is_marketplace_visible));
    if (hidden !== undefined) return post(`vehicles/${hidden.id}/publish`);
    if (inStock.length >= MAX_FOR_SALE) return this.withdraw();
    return post('vehicles', aCar(`${this.name} ${this.count}`));
  }

  private async boost(): Promise<PlannedRequest | null> {
    const listing = this.one(await this.read(`marketplace/listings?status=${encodeURIComponent('Yayında')}&limit=20`));
    if (listing === undefined) return this.publish();
    const orders: Shown[] = await this.read(`boost-orders?status=${encodeURIComponent('Beklemede')}`);
    const waiting = this.one(orders);
    if (waiting !== undefined && this.random.chance(0.5)) return { method: 'DELETE', path: `boost-orders/${waiting.id}` };
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const starts = this.random.chance(0.5) ? { starts_at: later } : {};
    return post('boost-orders', { listing_id: listing.id, package: this.random.pick(PACKAGES), ...starts });
  }
}
