// The book of one sale of the demonstration: the sale's history day by day, computed with the domain's own arithmetic, and the
// records that result. Each action is kept as the API request that does the same, so that a test can repeat it over HTTP and
// compare.

import { addDays } from '../domain/clock/days.ts';
import { appliedAmount, refundedAmount } from '../domain/exchange-rates/applied-rate.ts';
import { rateText } from '../domain/exchange-rates/rates.ts';
import {
  type Allocation,
  acceptedAmount,
  allocate,
  allocatedSum,
  applyAllocations,
  payableInstallments,
  reversed,
} from '../domain/installments/allocation.ts';
import { postpone } from '../domain/installments/installment-change.ts';
import { cancelInstallments, type PlanInstallment, remainingOf, withChanged } from '../domain/installments/plan-installment.ts';
import type { PlanInput } from '../domain/installments/plan-schedule.ts';
import { promiseOutcome } from '../domain/installments/promise-outcome.ts';
import { settleCancellation } from '../domain/installments/refund.ts';
import { restructure } from '../domain/installments/restructuring.ts';
import type { CollectionType, DiscountReason, PromiseStatus, SaleStatus } from '../domain/installments/sales-states.ts';
import { paymentType, saleStatus, totalReceivable } from '../domain/installments/totals.ts';
import { priceTerms } from '../domain/sales/sale-terms.ts';
import { startOfDay } from '../kit/clock.ts';
import { type Currency, formatMoney, sum } from '../kit/money.ts';

export interface BookTerms {
  readonly sale_date: string;
  readonly currency: Currency;
  readonly sale_price: bigint;
  readonly trade_in_amount: bigint;
  readonly down_payment: bigint;
  readonly finance_charge: bigint;
  readonly plan: PlanInput | null;
  /** A deposit in the sale's currency that was taken before. */
  readonly deposit?: { readonly on: string; readonly amount: bigint };
}

/** The day on which the demonstration is loaded, and where the dealer is. */
export interface BookDay {
  readonly now: Date;
  readonly today: string;
  readonly timezone: string;
  readonly country: 'KKTC' | 'TR';
}

export interface BookCollection {
  readonly type: CollectionType;
  readonly at: Date;
  readonly on: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly applied: bigint | null;
  readonly late: bigint;
  readonly rate: bigint | null;
  readonly method: string | null;
  readonly discount_reason: DiscountReason | null;
  readonly allocations: readonly Allocation[];
  /** The position in the book of the entry that it reverses, or of the other half of its pair. */
  readonly reverses: number | null;
  readonly paired: number | null;
  readonly reason: string | null;
  reversedBy: number | null;
}

export interface BookPromise {
  readonly created_at: Date;
  readonly promised_date: string;
  readonly amount: bigint;
  readonly note: string;
  status: PromiseStatus;
  fulfilled_amount: bigint;
  resolved_at: Date | null;
}

/** An API request that does the same; `row` and `collection` identify what its path needs. */
export interface BookAct {
  readonly at: Date;
  readonly does: 'reserve' | 'sell' | 'collect' | 'reverse' | 'postpone' | 'restructure' | 'promise' | 'cancel';
  readonly row?: number;
  readonly collection?: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Payment {
  readonly on: string;
  /** In the sale's currency; in another one the value is rounded to whole units. */
  readonly amount: bigint;
  readonly method?: string;
  readonly currency?: Currency;
  /** Millionths, as agreed. */
  readonly rate?: bigint;
  readonly late?: bigint;
  readonly discount?: bigint;
  readonly reason?: DiscountReason;
}

/** Changed by the functions below, in the order of days. */
export interface Book {
  readonly terms: BookTerms;
  readonly day: BookDay;
  readonly yearly_rate: bigint | null;
  readonly acts: BookAct[];
  readonly collections: BookCollection[];
  readonly promises: BookPromise[];
  sold_at: Date;
  installments: readonly PlanInstallment[];
  status: SaleStatus;
  collected: bigint;
  discounted: bigint;
  finance_charge: bigint;
  down_payment: bigint;
  restructured_at: Date | null;
  cancelled: { readonly at: Date; readonly reason: string; readonly refunded: bigint; readonly retained: bigint } | null;
  /** The time of the last action. */
  last: Date;
}

export function openBook(terms: BookTerms, day: BookDay): Book {
  const { installments, yearly_rate } = priceTerms(terms, { tradeIn: 'trade_in_amount', total: 'finance_charge' });
  const { finance_charge, down_payment, deposit } = terms;
  const book: Book = {
    terms,
    day,
    yearly_rate,
    installments,
    finance_charge,
    down_payment,
    acts: [],
    collections: [],
    promises: [],
    collected: 0n,
    discounted: 0n,
    restructured_at: null,
    cancelled: null,
    sold_at: day.now,
    last: new Date(0),
    status: saleStatus('Aktif', totalReceivable(terms)),
  };
  if (deposit !== undefined) takeDeposit(book, deposit);
  book.sold_at = momentOf(book, terms.sale_date);
  book.acts.push({ at: book.sold_at, does: 'sell', body: requestOf(terms) });
  if (deposit !== undefined) offsetDeposit(book, deposit.amount);
  return book;
}

const WORKDAY_STARTS = '07:00:00';
const WORKDAY_MINUTES = 360;
const MINUTE = 60_000;

/** Later than the previous action, during the working day, never after now. */
function momentOf(book: Book, on: string): Date {
  const start = Date.parse(`${on}T${WORKDAY_STARTS}Z`);
  const minutes = (Math.floor(start / 86_400_000) * 97 + Number((book.terms.sale_price / 100n) % 9973n)) % WORKDAY_MINUTES;
  const earliest = Math.max(start + minutes * MINUTE, book.last.getTime() + 11 * MINUTE);
  book.last = new Date(Math.min(book.day.now.getTime(), earliest));
  return book.last;
}

type NewCollection = Partial<BookCollection> & Pick<BookCollection, 'type' | 'at' | 'on' | 'amount'>;

/** Returns the position in the book. */
function add({ collections, terms }: Book, one: NewCollection): number {
  const plain = { currency: terms.currency, applied: one.amount, late: 0n, rate: null, method: 'Nakit', discount_reason: null };
  const none = { allocations: [], reverses: null, paired: null, reason: null, reversedBy: null };
  return collections.push({ ...plain, ...none, ...one }) - 1;
}

function takeDeposit(book: Book, { on, amount }: NonNullable<BookTerms['deposit']>): void {
  const at = momentOf(book, on);
  add(book, { type: 'Kapora', at, on, amount, applied: null });
  const body = { deposit_amount: formatMoney(amount), reserved_until: addDays(on, 14) };
  book.acts.push({ at, does: 'reserve', body });
}

function offsetDeposit(book: Book, amount: bigint): void {
  const on = book.terms.sale_date;
  const { money } = allocate(openInstallments(book), { money: amount })!;
  const both = { at: book.sold_at, on, method: 'Mahsup' };
  add(book, { ...both, type: 'Mahsup', amount: -amount, applied: null, paired: 2 });
  add(book, { ...both, type: 'Tahsilat', amount, allocations: money, paired: 1 });
  apply(book, money, [], on);
}

function openInstallments({ installments }: Book): readonly PlanInstallment[] {
  const payable = payableInstallments(installments, null);
  return 'refused' in payable ? [] : payable.installments;
}

export const outstandingOf = ({ installments }: Book): bigint => sum(installments.map(remainingOf));

/** The amount that should have been paid by a day. */
export const dueBy = ({ installments }: Book, day: string): bigint =>
  sum(installments.filter((installment) => installment.due_date <= day).map(remainingOf));

export function collect(book: Book, payment: Payment): void {
  const { terms, collections } = book;
  const { on, method = 'Nakit', currency = terms.currency, rate = null, late = 0n, discount = 0n, reason = null } = payment;
  passTo(book, on);
  const received = rate === null ? payment.amount : whole(refundedAmount(payment.amount, currency, terms.currency, rate));
  const open = openInstallments(book);
  const worth = appliedAmount(received, currency, terms.currency, rate);
  const applied = acceptedAmount(worth, discount, sum(open.map(remainingOf)), { currenciesDiffer: rate !== null });
  if (applied === null) throw new Error('the demonstration collects more than is owed');
  const { money, discount: forgiven } = allocate(open, { money: applied, discount, reason })!;
  const at = momentOf(book, on);
  const [first, isPair] = [collections.length, discount > 0n && received > 0n];
  if (received > 0n) {
    const paid = { type: 'Tahsilat', at, on, amount: received + late, currency, applied, late, rate, method } as const;
    add(book, { ...paid, allocations: money, paired: isPair ? first + 1 : null });
  }
  if (discount > 0n) {
    const waived = { type: 'İndirim', at, on, amount: discount, method: null, discount_reason: reason } as const;
    add(book, { ...waived, allocations: forgiven, paired: isPair ? first : null });
  }
  const body = {
    amount: formatMoney(received + late),
    currency,
    method,
    collected_on: on,
    ...(rate === null ? {} : { exchange_rate: rateText(rate) }),
    ...(late > 0n ? { late_interest_amount: formatMoney(late) } : {}),
    ...(discount > 0n ? { discount_amount: formatMoney(discount), discount_reason: reason } : {}),
  };
  book.acts.push({ at, does: 'collect', body });
  apply(book, money, forgiven, on);
  follow(book, on, at);
}

/** A payment that bounced; not half of a pair. */
export function reverse(book: Book, of: number, on: string, reason: string): void {
  passTo(book, on);
  const original = book.collections[of]!;
  const at = momentOf(book, on);
  const { amount, currency, applied, late, rate, method } = original;
  const allocations = reversed(original.allocations);
  original.reversedBy = add(book, {
    type: 'Ters Kayıt',
    at,
    on,
    amount: -amount,
    currency,
    applied: -applied!,
    late: -late,
    rate,
    method,
    reason,
    allocations,
    reverses: of,
  });
  book.acts.push({ at, does: 'reverse', collection: of, body: { reason, reason_code: 'Karşılıksız' } });
  apply(book, allocations, [], on);
  follow(book, on, at);
}

export function postponeInstallment(book: Book, on: string, seq: number, months: number, reason: string): void {
  passTo(book, on);
  const done = postpone(book.installments, seq, { months, shift_following: false }, on);
  if ('refused' in done) throw new Error(`the demonstration cannot postpone: ${done.refused}`);
  book.acts.push({ at: momentOf(book, on), does: 'postpone', row: seq, body: { months, reason } });
  book.installments = withChanged(book.installments, done.changed);
}

const LEAD_DAYS = 10;

export function restructureRest(book: Book, on: string, count: number, charge: bigint, reason: string): void {
  passTo(book, on);
  const from = addDays(on, LEAD_DAYS);
  const lastCollectedOn = (installment: PlanInstallment): string | null =>
    book.collections
      .filter((one) => one.type !== 'Ters Kayıt' && one.reversedBy === null)
      .filter(({ allocations }) => allocations.some(({ seq }) => seq === installment.seq))
      .map((one) => one.on)
      .sort()
      .at(-1) ?? null;
  const plan = { installment_count: count, period: 'Aylık' } as const;
  const request = { from, today: on, plan, add_finance_charge: charge, lastCollectedOn };
  const done = restructure(book, book.installments, request);
  if ('refused' in done) throw new Error(`the demonstration cannot restructure: ${done.refused}`);
  const at = momentOf(book, on);
  const body = { from, installment_count: count, add_finance_charge: formatMoney(charge), reason };
  book.acts.push({ at, does: 'restructure', body });
  book.installments = [...withChanged(book.installments, done.cut), ...done.added];
  Object.assign(book, { finance_charge: done.finance_charge, down_payment: done.down_payment, restructured_at: at });
}

export function promise(book: Book, on: string, amount: bigint, promised_date: string, note: string): void {
  passTo(book, on);
  const at = momentOf(book, on);
  const open = { status: 'Bekliyor', fulfilled_amount: 0n, resolved_at: null } as const;
  book.promises.push({ created_at: at, promised_date, amount, note, ...open });
  book.acts.push({ at, does: 'promise', body: { amount: formatMoney(amount), promised_date, note } });
}

/** With `refund` null, everything that was paid is refunded. */
export function cancel(book: Book, on: string, reason: string, refund: bigint | null): void {
  passTo(book, on);
  const { terms, day, installments } = book;
  const at = momentOf(book, on);
  const sale = {
    country: day.country,
    sale_date: terms.sale_date,
    payment_type: paymentType(installments),
    customerIsCompany: false,
    collected_amount: book.collected,
    trade_in_amount: terms.trade_in_amount,
  };
  const settled = settleCancellation(sale, { refund, tradeIn: 'iade', today: on });
  if ('refused' in settled) throw new Error(`the demonstration cannot cancel: ${settled.refused}`);
  const { refunded_amount: refunded, retained_amount: retained } = settled;
  const isPaidBack = refunded > 0n;
  if (isPaidBack) add(book, { type: 'İade', at, on, amount: -refunded, method: 'Havale/EFT' });
  const body = { reason, refund_amount: formatMoney(refunded), ...(isPaidBack ? { refund_method: 'Havale/EFT' } : {}) };
  book.acts.push({ at, does: 'cancel', body });
  book.installments = cancelInstallments(installments);
  book.collected -= refunded;
  Object.assign(book, { status: 'İptal', cancelled: { at, reason, refunded, retained } });
  for (const one of book.promises) if (one.status === 'Bekliyor') Object.assign(one, { status: 'İptal', resolved_at: at });
}

/** Promises whose day has passed are broken. */
export function passTo({ promises, day }: Book, to: string): void {
  for (const one of promises)
    if (one.status === 'Bekliyor' && one.promised_date < to)
      Object.assign(one, { status: 'Tutulmadı', resolved_at: startOfDay(addDays(one.promised_date, 1), day.timezone) });
}

function apply(book: Book, money: readonly Allocation[], forgiven: readonly Allocation[], on: string): void {
  book.installments = withChanged(book.installments, applyAllocations(book.installments, money, 'paid_amount', on));
  book.installments = withChanged(book.installments, applyAllocations(book.installments, forgiven, 'discounted_amount', on));
  book.collected += allocatedSum(money);
  book.discounted += allocatedSum(forgiven);
  book.status = saleStatus(book.status, outstandingOf(book));
}

/** Updates the promises after a payment. */
function follow(book: Book, today: string, at: Date): void {
  const money = book.collections
    .filter(({ type, reversedBy }) => type === 'Tahsilat' && reversedBy === null)
    .map((one) => ({ created_at: one.at, collected_on: one.on, applied: one.applied! }));
  for (const one of book.promises.filter(({ status }) => status === 'Bekliyor' || status === 'Tutuldu')) {
    const before = one.status;
    Object.assign(one, promiseOutcome(one, money, { today, sale: book.status, youngerIsOpen: false }));
    if (one.status !== before) one.resolved_at = one.status === 'Bekliyor' ? null : at;
  }
}

/** People pay in another currency with whole notes. */
const whole = (amount: bigint): bigint => amount - (amount % 100n);

function requestOf({ plan, deposit: _, trade_in_amount, ...terms }: BookTerms): Record<string, unknown> {
  const rows =
    plan === null
      ? {}
      : 'installments' in plan
        ? { installments: plan.installments.map((installment) => ({ ...installment, amount: formatMoney(installment.amount) })) }
        : plan;
  return {
    ...terms,
    sale_price: formatMoney(terms.sale_price),
    down_payment: formatMoney(terms.down_payment),
    finance_charge: formatMoney(terms.finance_charge),
    ...(trade_in_amount > 0n ? { trade_in: { amount: formatMoney(trade_in_amount) } } : {}),
    ...rows,
  };
}
