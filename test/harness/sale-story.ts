// The expected state of a sale according to its writer's journal: the cents on its rows, the records of money, the promises, and
// its events, action by action.
import type { Currency } from '../../src/kit/money.ts';
import { CentLedger, free, isWeaker, nearest, type Share } from './cent-ledger.ts';
import { type PromiseRequest, PromiseStory } from './promise-story.ts';
import type { Outcome, Request, SaleRequest } from './sale-request.ts';

export interface Sell {
  readonly act: 'sell';
  readonly terms: SaleRequest;
  readonly vehicle: string;
  readonly customer: string;
  /** Null: the main one. */
  readonly branch: string | null;
  /** Of a traded-in vehicle that enters stock. */
  readonly plate: string | null;
  /** The buyer's deposit in the sale's currency; 0: none. It becomes the first payment. */
  readonly deposit: { readonly amount: bigint; readonly method: string };
  readonly day: string;
}

/** Fields of a money request that do not affect the rows. */
export interface Beside {
  readonly method?: string;
  readonly late?: bigint;
  readonly branch?: string | null;
  /** The half of a pair that is named. */
  readonly half?: 0 | 1;
  /** A refund in another currency. */
  readonly refund?: { readonly currency: Currency; readonly rate: bigint } | undefined;
  /** DELETE sales instead of cancelling it. */
  readonly isDeletion?: boolean;
}

export type SaleAct = Request | PromiseRequest;

interface MoneyRecord {
  readonly type: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly applied: bigint;
  readonly late: bigint;
  readonly method: string | null;
  readonly branch: string | null;
  readonly on: string;
  readonly allocations: Share;
}

export const lineOf = (
  { type, amount, currency, applied, late, method, branch, on, allocations }: MoneyRecord,
  mainBranch: string,
): string =>
  `${type} ${amount} ${currency} ${applied} ${late} ${method} ${branch ?? mainBranch} ${on} [${allocations.map((one) => one.join(':'))}]`;

const PLAIN = { act: 'collect', rate: null, discount: 0n, reason: null, chosen: null } as const;
export const OFFSET = 'Mahsup';
const DEPOSIT: Beside = { method: OFFSET };

export class SaleStory {
  readonly sold: Sell;
  readonly ledger: CentLedger;
  readonly promises: PromiseStory;
  readonly records: MoneyRecord[] = [];
  /** Events in their order, except those of the vehicle and of passing days. */
  readonly emitted: string[] = ['sale.created', 'installment_plan.created'];
  /** The number of entries in the customer's activity. */
  notes = 1;
  isRefunded = false;
  /** For each collection by its number in the ledger: the record of the payment or discount, and the other half. */
  private readonly halves: MoneyRecord[][] = [];

  constructor(sold: Sell) {
    this.sold = sold;
    this.ledger = new CentLedger(sold.terms);
    this.promises = new PromiseStory(this.ledger, (verb) => this.emitPromise(verb));
    const { amount } = sold.deposit;
    if (amount > 0n) this.perform({ ...PLAIN, on: sold.day, amount, currency: sold.terms.currency }, DEPOSIT, sold.day);
  }

  /** Whether the buyer's deposit is the payment it became. */
  isOffset(): boolean {
    return this.sold.deposit.amount > 0n && !this.ledger.collections[0]!.reversed;
  }

  private emitPromise(verb: string): void {
    this.emitted.push(`payment_promise.${verb}`);
    if (['created', 'kept', 'broken'].includes(verb)) this.notes += 1;
  }

  perform(request: SaleAct, beside: Beside, today: string): Outcome {
    if (request.act === 'promise' || request.act === 'change promise') return this.promises.perform(request, today);
    const before = this.ledger.installments.map((installment) => `${installment.due} ${this.ledger.sizeOf(installment)}`);
    const wasCompleted = this.ledger.status() === 'Tamamlandı';
    const cut = request.act === 'restructure' ? this.ledger.toCut(request.from, today).map(({ seq }) => seq) : [];
    const paid = this.ledger.paid();
    const outcome = this.ledger.perform(request);
    if (outcome !== 'done') return outcome;
    if (request.act === 'collect') this.collected(request, beside, today);
    else if (request.act === 'reverse') this.reversed(request, beside, today, wasCompleted);
    else if (request.act === 'restructure') {
      this.emitted.push('sale.restructured', 'installment_plan.updated');
      this.promises.endOpen(cut);
      this.notes += 1;
    } else if (request.act === 'cancel') this.cancelled(request, beside, today, paid);
    else {
      const changed = this.ledger.installments.filter(
        (installment, index) => `${installment.due} ${this.ledger.sizeOf(installment)}` !== before[index],
      );
      const ordered = [...changed.filter(({ seq }) => seq === request.seq), ...changed.filter(({ seq }) => seq !== request.seq)];
      const verb = request.act === 'postpone' ? 'postponed' : 'updated';
      for (const { seq } of ordered) this.emitted.push(`installment.${verb} ${seq}`);
      if (request.act === 'postpone') this.notes += 1;
    }
    return outcome;
  }

  /** Midnight. */
  dayPassed(today: string): void {
    this.promises.follow(today);
  }

  private collected(request: Request & { act: 'collect' }, { method = 'Nakit', late = 0n, branch }: Beside, today: string): void {
    const { ledger } = this;
    const number = ledger.collections.length - 1;
    const { money, discount, touched } = ledger.collections[number]!;
    // A deposit is in the till of the vehicle's branch.
    const till = method === OFFSET ? null : (branch ?? this.sold.branch);
    const both = { late: 0n, branch: till, on: request.on };
    const made: MoneyRecord[] = [];
    if (request.amount + late > 0n) {
      const applied = ledger.ownedBy(number, false);
      const amount = request.amount + late;
      made.push({ ...both, type: 'Tahsilat', amount, currency: request.currency, applied, late, method, allocations: money });
    }
    if (request.discount > 0n) {
      const { discount: amount } = request;
      const { currency } = this.sold.terms;
      made.push({ ...both, type: 'İndirim', amount, currency, applied: amount, method: null, allocations: discount });
    }
    this.halves.push(made);
    this.records.push(...made);
    this.notes += made.length;
    for (const _ of made) this.emitted.push('collection.created');
    for (const seq of touched) {
      const isPaid = free(ledger.installments.find((installment) => installment.seq === seq)!) === 0n;
      this.emitted.push(`installment.${isPaid ? 'paid' : 'partially_paid'} ${seq}`);
    }
    this.promises.follow(today);
    if (ledger.status() === 'Tamamlandı') this.emitted.push('sale.completed', 'installment_plan.completed');
  }

  private reversed(request: Request & { act: 'reverse' }, { half = 0 }: Beside, today: string, wasCompleted: boolean): void {
    const made = this.halves[request.number]!;
    for (const one of half === 1 ? made.toReversed() : made) {
      this.emitted.push('collection.reversed');
      const allocations = one.allocations.map(([seq, amount]) => [seq, -amount] as const);
      const { amount, applied, late } = one;
      const back = { amount: -amount, applied: -applied, late: -late, allocations };
      this.records.push({ ...one, ...back, type: 'Ters Kayıt', on: request.on });
    }
    this.notes += 1;
    for (const seq of this.ledger.collections[request.number]!.touched) this.emitted.push(`installment.reopened ${seq}`);
    this.promises.follow(today);
    if (wasCompleted && this.ledger.status() === 'Aktif') this.emitted.push('sale.reopened');
  }

  private cancelled(
    request: Request & { act: 'cancel' },
    { method = 'Nakit', refund }: Beside,
    today: string,
    paid: bigint,
  ): void {
    const { terms, branch } = this.sold;
    const ceiling = paid + (request.tradeIn === 'iade' ? 0n : terms.trade_in_amount);
    const given = request.refund ?? ceiling;
    this.emitted.push('sale.cancelled', 'installment_plan.cancelled');
    this.promises.endOpen(null);
    this.notes += 1;
    if (given === 0n) return;
    this.isRefunded = true;
    this.emitted.push('collection.refunded');
    const currency = refund?.currency ?? terms.currency;
    const amount = refund === undefined ? given : refundIn(given, refund, terms.currency);
    const plain = { late: 0n, allocations: [], branch, on: today };
    this.records.push({ ...plain, type: 'İade', amount: -amount, currency, applied: -given, method });
  }
}

/** A refund in a weaker currency is multiplied by the rate, in a stronger one divided. */
export const refundIn = (refund: bigint, { currency, rate }: { currency: Currency; rate: bigint }, debt: Currency): bigint =>
  isWeaker(currency, debt) ? nearest(refund * rate, 1_000_000n) : nearest(refund * 1_000_000n, rate);
