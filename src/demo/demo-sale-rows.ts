// The sales of the demonstration as rows of the database.

import { addDays, addMonths } from '../domain/clock/days.ts';
import { paymentPair } from '../domain/exchange-rates/applied-rate.ts';
import { rateText } from '../domain/exchange-rates/rates.ts';
import { writtenSum } from '../domain/formats/written.ts';
import { paymentType } from '../domain/installments/totals.ts';
import type { Columns } from '../domain/records/record.ts';
import { formatMoney } from '../kit/money.ts';
import type { BookCollection, BookDay } from './demo-book.ts';
import type { DemoDealer } from './demo-dealer.ts';
import type { DemoDeposits } from './demo-deposits.ts';
import { type DemoNote, notesOfSale } from './demo-notes.ts';
import { idOf } from './demo-random.ts';
import type { DemoSale, DemoSales } from './demo-sales.ts';

/** The numbers of the two example sales and their notes in the current year. */
export const RESERVED_NUMBERS = 2;

/** Of receipts and notes in a world. */
const SANDBOX_PREFIX = 'S-';

/** The rows of every table. */
export interface DemoRows {
  readonly vehicles: Columns[];
  readonly customers: readonly Columns[];
  readonly sales: Columns[];
  readonly installments: Columns[];
  readonly reservations: Columns[];
  readonly collections: Columns[];
  readonly collection_allocations: Columns[];
  readonly payment_promises: Columns[];
  readonly customer_activity: Columns[];
  readonly notes: DemoNote[];
  /** The highest number of each series and year. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** Payments by the time they were recorded, with the text for the customer's activity. */
interface Entry {
  readonly at: Date;
  readonly columns: Columns;
  readonly note: ((receipt: string) => Columns) | null;
}

export interface SaleParts {
  readonly sales: DemoSales;
  readonly deposits: DemoDeposits;
}

/** The branches, the payee's name on notes, and how numbers are written. */
export interface DemoHouse {
  /** The main branch, which takes the money. */
  readonly branch_id: string;
  /** Every third car is sold there. */
  readonly other_branch_id?: string | null;
  readonly legal_name: string;
  /** In a world: receipts and notes have a prefix, and no number is reserved. */
  readonly isWorld?: boolean;
}

export function installmentsOfSales(
  dealer: DemoDealer,
  { sales: made, deposits }: SaleParts,
  day: BookDay,
  { branch_id: branchId, other_branch_id: other = null, legal_name: payee, isWorld = false }: DemoHouse,
): DemoRows {
  const branchOf = (place: number): string => (place % 3 === 2 && other !== null ? other : branchId);
  const { sales, customers } = made;
  const { next, numbers } = numberSeries(day.now.getUTCFullYear(), isWorld);
  const bySale = sales.toSorted((one, other) => one.book.sold_at.getTime() - other.book.sold_at.getTime());
  const saleNo = new Map(bySale.map(({ id, book }) => [id, next('S', book.sold_at).text]));
  const of = (sale: DemoSale) => (name: string) => idOf('sold', dealer.scope, sale.id, name);
  const entries = [
    ...sales.flatMap((sale) => sale.book.collections.map((one, place) => entryOf(of(sale), sale, one, place, branchId))),
    ...deposits.collections.map(({ at, columns }) => ({
      at,
      columns: { ...NO_MONEY, ...columns, branch_id: branchId },
      note: null,
    })),
  ];
  const money = entries
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map((entry) => ({ ...entry, number: next('T', entry.at) }));
  return {
    vehicles: [
      ...sales.flatMap(({ car, tradedIn }, place) =>
        [car, ...(tradedIn === null ? [] : [tradedIn])].map((one) => ({ ...one, branch_id: branchOf(place) })),
      ),
      ...deposits.vehicles,
    ],
    customers,
    sales: sales.map((sale, place) => ({ ...saleRow(of(sale), sale, saleNo.get(sale.id)!), branch_id: branchOf(place) })),
    installments: sales.flatMap((sale) => installmentRows(of(sale), sale, day.today)),
    reservations: [...sales.flatMap((sale) => reservationRows(of(sale), sale)), ...deposits.reservations],
    collections: money.map(({ columns, number }) => ({ ...columns, number: number.order, receipt_no: number.text })),
    collection_allocations: sales.flatMap((sale) => allocationRows(of(sale), sale)),
    payment_promises: sales.flatMap((sale) => promiseRows(of(sale), sale)),
    customer_activity: [
      ...sales.flatMap((sale) => activityOfSale(of(sale), sale, saleNo.get(sale.id)!)),
      ...money.flatMap(({ note, number }) => (note === null ? [] : [note(number.text)])),
    ],
    notes: bySale.flatMap((sale, place) => {
      const number = (at: Date) => next('N', at).text;
      return notesOfSale(sale, place, { id: of(sale), number, payee, place: dealer.city.name, day });
    }),
    numbers,
  };
}

function numberSeries(thisYear: number, isWorld: boolean) {
  const numbers = new Map<string, number>();
  const next = (series: 'S' | 'T' | 'N', at: Date): { text: string; order: bigint } => {
    const year = at.getUTCFullYear();
    const name = `${series}-${year}`;
    const number = (numbers.get(name) ?? (year === thisYear && !isWorld ? RESERVED_NUMBERS : 0)) + 1;
    numbers.set(name, number);
    const prefix = isWorld && series !== 'S' ? SANDBOX_PREFIX : '';
    return { text: `${prefix}${name}-${String(number).padStart(5, '0')}`, order: BigInt(year) * 1_000_000_000n + BigInt(number) };
  };
  return { next, numbers };
}

function entryOf(id: IdOf, sale: DemoSale, one: BookCollection, place: number, branchId: string): Entry {
  const columns = { ...NO_MONEY, ...collectionRow(id, sale, one, place), branch_id: branchId };
  if (one.type === 'Kapora' || one.type === 'Mahsup') return { at: one.at, columns, note: null };
  const words = (receipt: string) => `${one.type}: ${writtenSum(formatMoney(one.amount), one.currency).tr} (${receipt})`;
  const resource = ['collection', id(`collection ${place}`)] as const;
  return {
    at: one.at,
    columns,
    note: (receipt) => activity(id(`note of ${place}`), sale, { at: one.at, note: words(receipt), resource }),
  };
}

const allocationRows = (id: IdOf, { book }: DemoSale): Columns[] =>
  book.collections.flatMap(({ type, allocations }, place) =>
    allocations.map(({ seq, amount }, at) => ({
      collection_id: id(`collection ${place}`),
      place: at + 1,
      installment_id: id(`row ${seq}`),
      is_discount: type === 'İndirim',
      amount_minor: amount,
    })),
  );

type IdOf = (name: string) => string;

function saleRow(id: IdOf, { id: saleId, car, tradedIn, customerId, book, story }: DemoSale, sale_no: string): Columns {
  const { terms, cancelled } = book;
  const isOld = addDays(terms.sale_date, 20) < book.day.today && cancelled === null;
  return {
    id: saleId,
    plan_id: id('plan'),
    sale_no,
    vehicle_id: car.id,
    customer_id: customerId,
    sale_date: terms.sale_date,
    currency: terms.currency,
    sale_price_minor: terms.sale_price,
    trade_in_amount_minor: terms.trade_in_amount,
    trade_in_vehicle_id: tradedIn?.id ?? null,
    down_payment_minor: book.down_payment,
    finance_charge_minor: book.finance_charge,
    yearly_rate_minor: book.yearly_rate,
    late_rate_yearly_minor: terms.plan === null ? null : 3000,
    payment_type: paymentType(book.installments),
    status: book.status,
    period: terms.plan === null || 'installments' in terms.plan ? null : terms.plan.period,
    is_first_due_given: terms.plan !== null && !('installments' in terms.plan),
    collected_amount_minor: book.collected,
    discounted_amount_minor: book.discounted,
    restructured_at: book.restructured_at,
    cancelled_at: cancelled?.at ?? null,
    cancel_reason: cancelled?.reason ?? null,
    refunded_amount_minor: cancelled?.refunded ?? 0n,
    retained_amount_minor: cancelled?.retained ?? 0n,
    delivered_at: cancelled === null ? terms.sale_date : null,
    title_status: isOld ? 'Yapıldı' : 'Bekliyor',
    title_on: isOld ? addDays(terms.sale_date, 5) : null,
    legal_stage: story !== 'stopped' ? 'Yok' : terms.sale_date < addMonths(book.day.today, -9) ? 'Avukatta' : 'Yok',
    created_at: book.sold_at,
    updated_at: book.last,
  };
}

/** Past dates send no events again. Installments start unpaid: payments are applied afterwards. */
const installmentRows = (id: IdOf, { id: sale_id, customerId, book }: DemoSale, today: string): Columns[] =>
  book.installments.map((installment) => ({
    id: id(`row ${installment.seq}`),
    sale_id,
    plan_id: id('plan'),
    customer_id: customerId,
    currency: book.terms.currency,
    seq: installment.seq,
    kind: installment.kind,
    due_date: installment.due_date,
    original_due_date: installment.original_due_date,
    due_day: installment.due_day,
    amount_minor: installment.amount,
    paid_amount_minor: installment.paid_amount,
    discounted_amount_minor: installment.discounted_amount,
    status: installment.status,
    paid_at: installment.paid_at,
    postpone_count: installment.postpone_count,
    is_due_soon_told: installment.due_date <= addDays(today, 3),
    is_overdue_told: installment.due_date < today,
    created_at: book.sold_at,
    updated_at: book.last,
  }));

/** Every column of a collection, so that all rows have the same columns. */
const NO_MONEY: Columns = {
  status: 'Geçerli',
  sale_id: null,
  sale_currency: null,
  applied_amount_minor: null,
  late_interest_amount_minor: 0n,
  rate_pair: null,
  exchange_rate: null,
  rate_date: null,
  rate_source: null,
  method: 'Nakit',
  discount_reason: null,
  paired_id: null,
  reverses_id: null,
  reversed_by_id: null,
  reversal_reason: null,
  reason_code: null,
  vehicle_id: null,
  reservation_id: null,
  deposit_status: null,
  deposit_closed_on: null,
};

function collectionRow(id: IdOf, { id: saleId, customerId, car, book }: DemoSale, one: BookCollection, place: number): Columns {
  const { currency, sale_date } = book.terms;
  const at = (other: number | null): string | null => (other === null ? null : id(`collection ${other}`));
  const common = {
    id: id(`collection ${place}`),
    type: one.type,
    customer_id: customerId,
    amount_minor: one.amount,
    currency: one.currency,
    method: one.method,
    collected_on: one.on,
    paired_id: at(one.paired),
    created_at: one.at,
    updated_at: one.at,
  };
  if (one.type === 'Kapora' || one.type === 'Mahsup') {
    const closed = one.type === 'Kapora' ? { deposit_status: 'Mahsup Edildi', deposit_closed_on: sale_date } : {};
    return { ...common, ...closed, vehicle_id: car.id, reservation_id: id('reservation') };
  }
  const rate =
    one.rate === null
      ? {}
      : {
          rate_pair: paymentPair(currency, one.currency)!.pair,
          exchange_rate: rateText(one.rate),
          rate_date: one.on,
          rate_source: 'manuel',
        };
  const reversal = one.reason === null ? {} : { reversal_reason: one.reason, reason_code: 'Karşılıksız' };
  return {
    ...common,
    ...rate,
    ...reversal,
    sale_id: saleId,
    sale_currency: currency,
    applied_amount_minor: one.applied,
    late_interest_amount_minor: one.late,
    discount_reason: one.discount_reason,
    reverses_id: at(one.reverses),
    reversed_by_id: at(one.reversedBy),
    status: one.reversedBy === null ? 'Geçerli' : 'İptal Edildi',
  };
}

/** The reservation that the deposit was taken with. */
function reservationRows(id: IdOf, { car, customerId, book }: DemoSale): Columns[] {
  const [first] = book.collections;
  if (book.terms.deposit === undefined || first === undefined) return [];
  const times = { created_at: first.at, updated_at: book.sold_at };
  const of = { id: id('reservation'), vehicle_id: car.id, kind: 'Müşteri', status: 'Tamamlandı', customer_id: customerId };
  return [{ ...of, reserved_until: addDays(first.on, 14), ...times }];
}

const promiseRows = (id: IdOf, { id: sale_id, customerId, book }: DemoSale): Columns[] =>
  book.promises.map((one, place) => ({
    id: id(`promise ${place}`),
    customer_id: customerId,
    sale_id,
    promised_date: one.promised_date,
    amount_minor: one.amount,
    currency: book.terms.currency,
    fulfilled_amount_minor: one.fulfilled_amount,
    status: one.status,
    note: one.note,
    resolved_at: one.resolved_at,
    created_at: one.created_at,
    updated_at: one.resolved_at ?? one.created_at,
  }));

interface Noted {
  readonly at: Date;
  readonly note: string;
  readonly resource?: readonly [type: string, id: string];
  readonly kind?: 'Arama' | 'WhatsApp';
}

const activity = (id: string, { customerId }: DemoSale, { at, note, resource, kind }: Noted): Columns => ({
  id,
  customer_id: customerId,
  kind: kind ?? 'Sistem',
  note,
  occurred_at: at,
  source: kind === undefined ? 'system' : 'manual',
  resource_type: resource?.[0] ?? null,
  resource_id: resource?.[1] ?? null,
  created_at: at,
});

/** The sale itself, and the phone calls before each promise. */
function activityOfSale(id: IdOf, sale: DemoSale, saleNo: string): Columns[] {
  const { book } = sale;
  const resource = ['sale', sale.id] as const;
  return [
    activity(id('note of sale'), sale, { at: book.sold_at, note: `Satış yapıldı: ${saleNo}`, resource }),
    ...(book.restructured_at === null
      ? []
      : [
          activity(id('note of restructuring'), sale, {
            at: book.restructured_at,
            note: `Satış ${saleNo} yapılandırıldı`,
            resource,
          }),
        ]),
    ...(book.cancelled === null
      ? []
      : [
          activity(id('note of cancelling'), sale, {
            at: book.cancelled.at,
            note: `Satış ${saleNo} iptal edildi: ${book.cancelled.reason}`,
            resource,
          }),
        ]),
    ...book.promises.map((one, place) =>
      activity(id(`call ${place}`), sale, { at: one.created_at, note: `Arandı: ${one.note}`, kind: 'Arama' }),
    ),
  ];
}
