// Payments, discounts and refunds: their API representation, list filters, and how they are recorded. Records are never edited: a
// wrong one is reversed by a second one.
import type { Db } from '../../kit/db.ts';
import type { Context } from '../../kit/endpoint.ts';
import { newId } from '../../kit/ids.ts';
import { CURRENCIES, type Currency, formatMoney } from '../../kit/money.ts';
import { listPage, type Page, type Paging, type WalkKey } from '../../kit/page.ts';
import { momentParam, oneOfParam, uuidParam } from '../../kit/params.ts';
import {
  arrayOf,
  columnsOf,
  currency,
  day,
  integer,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  rate,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { requireCustomer } from '../customers/customer-view.ts';
import { APPLIED_SOURCES, CANONICAL_PAIRS, rateText } from '../exchange-rates/rates.ts';
import type { Allocation } from '../installments/allocation.ts';
import {
  ALL_METHODS,
  COLLECTION_STATUSES,
  COLLECTION_TYPES,
  type CollectionStatus,
  type CollectionType,
  DEPOSIT_STATUSES,
  type DepositStatus,
  DISCOUNT_REASONS,
  type DiscountReason,
  REVERSAL_CODES,
} from '../installments/sales-states.ts';
import { keepNumber, nextNumbers, type SeriesNumber } from '../records/number-series.ts';
import { sendRecord, violatedConstraint } from '../records/record.ts';
import type { StoredInstallment } from './installment.ts';
import { badField } from './sale.ts';
import { daysBetween } from './sale-list.ts';

const head = {
  id: uuid(),
  receipt_no: text('T-2026-00001'),
  type: oneOf(COLLECTION_TYPES),
  status: oneOf(COLLECTION_STATUSES),
  sale_id: nullable(uuid()),
  customer_id: uuid(),
  branch_id: uuid(),
  amount: money(),
  currency: currency(),
  sale_currency: nullable(currency()),
  applied_amount: nullable(money()),
  late_interest_amount: money(),
  rate_pair: nullable(oneOf(CANONICAL_PAIRS)),
  exchange_rate: nullable(rate()),
  rate_date: nullable(day()),
  rate_source: nullable(oneOf(APPLIED_SOURCES)),
  method: nullable(oneOf(ALL_METHODS)),
};
const Instrument = object({ bank: text('Ziraat Bankası'), number: text('0042177'), due_on: day() });
const middle = { reference: nullable(text()), collected_on: day(), collected_by_id: nullable(uuid()), note: nullable(text()) };
const Allocated = object({ installment_id: uuid(), seq: integer(), amount: money() });
const tail = {
  discount_reason: nullable(oneOf(DISCOUNT_REASONS)),
  paired_id: nullable(uuid()),
  reservation_id: nullable(uuid()),
  vehicle_id: nullable(uuid()),
  deposit_status: nullable(oneOf(DEPOSIT_STATUSES)),
  deposit_closed_on: nullable(day()),
  reverses_id: nullable(uuid()),
  reversed_by_id: nullable(uuid()),
  reversal_reason: nullable(text('Havale iade edildi.')),
  reason_code: nullable(oneOf(REVERSAL_CODES)),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const Collection = object({
  ...head,
  instrument: nullable(Instrument),
  ...middle,
  allocations: arrayOf(Allocated),
  ...tail,
});
export type Collection = Of<typeof Collection>;

/** The select list of a collection named `chosen`. */
const SELECT_LIST: Sql = sql`${columnsOf(object(head))},
  case when instrument_bank is null then null
    else json_build_object('bank', instrument_bank, 'number', instrument_number, 'due_on', instrument_due_on) end as instrument,
  ${columnsOf(object(middle))},
  coalesce((select json_agg(json_build_object('installment_id', installment_id, 'seq', seq, 'amount', money_text(collection_allocations.amount_minor)) order by place)
    from ${own('collection_allocations')} join ${own('installments')} on installments.id = installment_id
    where collection_id = chosen.id), '[]'::json) as allocations, ${columnsOf(object(tail))}`;

const selectCollections = (where: Sql): Sql =>
  sql`select ${SELECT_LIST} from (select * from ${own('collections')} where ${where}) chosen`;

export const readCollection = (db: Db, id: string): Promise<Collection> =>
  db.last<Collection>(selectCollections(sql`id = ${id}`));

/** In the order of posting. */
export const readCollections = (db: Db, ids: readonly string[]): Promise<Collection[]> =>
  db.rows<Collection>(sql`${selectCollections(sql`id = any(${ids}::uuid[])`)} order by number`);

export const CollectionFilters = {
  sale_id: uuidParam,
  customer_id: uuidParam,
  from: momentParam,
  to: momentParam,
  currency: oneOfParam(CURRENCIES),
  method: oneOfParam(ALL_METHODS),
  type: oneOfParam(COLLECTION_TYPES),
  status: oneOfParam(COLLECTION_STATUSES),
  deposit_status: oneOfParam(DEPOSIT_STATUSES),
  branch_id: uuidParam,
  collected_by_id: uuidParam,
} as const;

const EQUAL = [
  'sale_id',
  'customer_id',
  'currency',
  'method',
  'type',
  'status',
  'deposit_status',
  'branch_id',
  'collected_by_id',
] as const;

type Query = Partial<Context<string, typeof CollectionFilters>['query']>;

/** Append-only, so cursors follow the order of creation. */
const BY_CREATION: WalkKey = { columns: { created_at: 'timestamptz', id: 'uuid' }, direction: 'desc' };

export function listCollections(
  db: Db,
  query: Query,
  timezone: string,
  page: Paging,
  order: 'newest' | 'oldest' = 'newest',
): Promise<Page> {
  const where = daysBetween('collected_on', query, timezone);
  for (const name of EQUAL) if (query[name] !== undefined) where.push(sql`${rawSql(name)} = ${query[name]}`);
  const by = rawSql(order === 'newest' ? 'collected_on desc, number desc, id desc' : 'collected_on, number, id');
  return listPage(db, { table: 'collections', shows: SELECT_LIST, where, order: by, walkedBy: BY_CREATION }, page);
}

export async function listCollectionsOf(db: Db, customerId: string, query: Query, timezone: string, page: Paging): Promise<Page> {
  await requireCustomer(db, customerId);
  return listCollections(db, { ...query, customer_id: customerId }, timezone, page);
}

export async function listCollectionsOfSale(
  db: Db,
  saleId: string,
  query: { type?: CollectionType | undefined; status?: CollectionStatus | undefined },
  timezone: string,
  page: Paging,
): Promise<Page> {
  await db.one(sql`select id from ${own('sales')} where id = ${saleId}`);
  return listCollections(db, { ...query, sale_id: saleId }, timezone, page, 'oldest');
}

/** The rate that converted the payment into the sale's currency, stored permanently. */
export interface KeptRate {
  readonly pair: string;
  /** Millionths. */
  readonly rate: bigint;
  readonly day: string;
  readonly source: string;
}

export interface NewCollection {
  readonly type: CollectionType;
  readonly sale?: { readonly id: string; readonly currency: Currency } | null;
  readonly customer_id: string;
  readonly branch_id: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly applied?: bigint | null;
  readonly late_interest?: bigint;
  readonly rate?: KeptRate | null;
  readonly method: string | null;
  readonly instrument?: { readonly bank: string; readonly number: string; readonly due_on: string } | null;
  readonly reference?: string | null;
  readonly collected_on: string;
  readonly collected_by_id?: string | null;
  readonly note?: string | null;
  readonly discount_reason?: DiscountReason | null;
  readonly reservation_id?: string | null;
  readonly vehicle_id?: string | null;
  readonly deposit_status?: DepositStatus | null;
  readonly reverses_id?: string | null;
  readonly reversal_reason?: string | null;
  readonly reason_code?: string | null;
  /** From another system; by default it gets the next one. */
  readonly receipt_no?: string | undefined;
  /** Where the amount is applied; the installments belong to its sale. */
  readonly allocations?: readonly Allocation[];
  readonly isDiscount?: boolean;
}

/**
 * Records collections that belong together, in this order; a pair refers to each other. Numbers are taken first, before the data
 * set is locked. Returns their representations.
 */
export async function insertCollections(
  work: Work,
  collections: readonly NewCollection[],
  installments: readonly StoredInstallment[],
  taken?: readonly SeriesNumber[],
): Promise<Collection[]> {
  const { db, now } = work;
  const ids = collections.map(() => newId(now.getTime()));
  const numbers = taken ?? (await nextNumbers(work, 'T', collections.length));
  const installmentIds = new Map(installments.map(({ seq, id }) => [seq, id]));
  const shown = collections.map((one, index) => {
    const { text, order } = numbers[index]!;
    const { receipt_no = text } = one;
    if (receipt_no !== text) keepNumber(work, 'T', receipt_no);
    const paired_id = collections.length === 2 ? ids[1 - index]! : null;
    const made = { id: ids[index]!, receipt_no, paired_id, created_at: now, updated_at: work.updatedAt() };
    sendRecord(db, 'collections', { ...columnsOfCollection(one), ...made, number: order }, refuseReceipt);
    return toCollection(one, made, installmentIds);
  });
  const parts = collections.flatMap(({ allocations = [], isDiscount = false }, index) =>
    allocations.map(({ seq, amount }, place) => ({
      collection: ids[index]!,
      place: place + 1,
      row: installmentIds.get(seq)!,
      isDiscount,
      amount,
    })),
  );
  if (parts.length > 0)
    db.send(sql`insert into collection_allocations (account_id, collection_id, place, installment_id, is_discount, amount_minor)
      select ${theAccount}, * from unnest(${parts.map(({ collection }) => collection)}::uuid[], ${parts.map(({ place }) => String(place))}::int[],
        ${parts.map(({ row }) => row)}::uuid[], ${parts.map((part) => String(part.isDiscount))}::boolean[], ${parts.map(({ amount }) => String(amount))}::bigint[])`);
  return shown;
}

interface Made {
  readonly id: string;
  readonly receipt_no: string;
  readonly paired_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A new record as a read would return it, without reading it again. */
const toCollection = (one: NewCollection, made: Made, installmentIds: ReadonlyMap<number, string>): Collection => ({
  id: made.id,
  receipt_no: made.receipt_no,
  type: one.type,
  status: 'Geçerli',
  sale_id: one.sale?.id ?? null,
  customer_id: one.customer_id,
  branch_id: one.branch_id,
  amount: formatMoney(one.amount),
  currency: one.currency,
  sale_currency: one.sale?.currency ?? null,
  applied_amount: one.applied == null ? null : formatMoney(one.applied),
  late_interest_amount: formatMoney(one.late_interest ?? 0n),
  rate_pair: (one.rate?.pair ?? null) as Collection['rate_pair'],
  exchange_rate: one.rate ? rateText(one.rate.rate) : null,
  rate_date: one.rate?.day ?? null,
  rate_source: (one.rate?.source ?? null) as Collection['rate_source'],
  method: one.method as Collection['method'],
  instrument: one.instrument ?? null,
  reference: one.reference ?? null,
  collected_on: one.collected_on,
  collected_by_id: one.collected_by_id ?? null,
  note: one.note ?? null,
  allocations: (one.allocations ?? []).map(({ seq, amount }) => ({
    installment_id: installmentIds.get(seq)!,
    seq,
    amount: formatMoney(amount),
  })),
  discount_reason: one.discount_reason ?? null,
  paired_id: made.paired_id,
  reservation_id: one.reservation_id ?? null,
  vehicle_id: one.vehicle_id ?? null,
  deposit_status: one.deposit_status ?? null,
  deposit_closed_on: null,
  reverses_id: one.reverses_id ?? null,
  reversed_by_id: null,
  reversal_reason: one.reversal_reason ?? null,
  reason_code: (one.reason_code ?? null) as Collection['reason_code'],
  created_at: made.created_at.toISOString(),
  updated_at: made.updated_at.toISOString(),
});

function refuseReceipt(error: unknown): never {
  if (violatedConstraint(error) !== 'collections_receipt') throw error;
  return badField('receipt_no', 'not_allowed', 'Another collection has this number', 'Bu numarayla başka bir tahsilat var');
}

const columnsOfCollection = (one: NewCollection) => ({
  type: one.type,
  sale_id: one.sale?.id ?? null,
  customer_id: one.customer_id,
  branch_id: one.branch_id,
  amount_minor: one.amount,
  currency: one.currency,
  sale_currency: one.sale?.currency ?? null,
  applied_amount_minor: one.applied ?? null,
  late_interest_amount_minor: one.late_interest ?? 0n,
  rate_pair: one.rate?.pair ?? null,
  exchange_rate: one.rate ? rateText(one.rate.rate) : null,
  rate_date: one.rate?.day ?? null,
  rate_source: one.rate?.source ?? null,
  method: one.method,
  instrument_bank: one.instrument?.bank ?? null,
  instrument_number: one.instrument?.number ?? null,
  instrument_due_on: one.instrument?.due_on ?? null,
  reference: one.reference ?? null,
  collected_on: one.collected_on,
  collected_by_id: one.collected_by_id ?? null,
  note: one.note ?? null,
  discount_reason: one.discount_reason ?? null,
  reservation_id: one.reservation_id ?? null,
  vehicle_id: one.vehicle_id ?? null,
  deposit_status: one.deposit_status ?? null,
  reverses_id: one.reverses_id ?? null,
  reversal_reason: one.reversal_reason ?? null,
  reason_code: one.reason_code ?? null,
});

export const emitCollectionEvent = (
  work: Work,
  verb: 'created' | 'reversed' | 'refunded' | 'deposit_kept',
  shown: Collection,
): void => work.emit({ kind: `collection.${verb}`, id: shown.id, path: `collections/${shown.id}`, object: shown });
