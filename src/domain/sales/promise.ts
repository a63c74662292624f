// A customer's promise to pay an amount by a day: its fields, its database row, its API representation and its list filters.

import type { Moment } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import {
  columnsOf,
  currency,
  day,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { PROMISE_STATUSES, type PromiseStatus } from '../installments/sales-states.ts';
import {
  dayField,
  type Fields,
  moneyField,
  nullable,
  oneOfField,
  required,
  textField,
  uuidField,
  type Values,
} from '../records/fields.ts';
import { emitChange } from '../writes/record-events.ts';
import { daysBetween } from './sale-list.ts';

export const PROMISE_FIELDS = {
  sale_id: required(uuidField),
  amount: required(moneyField({ above: 0n })),
  promised_date: required(dayField()),
  installment_id: nullable(uuidField),
  note: nullable(textField(2000, { lines: true })),
  staff_id: nullable(uuidField),
} as const satisfies Fields;

export const PROMISE_EDIT_FIELDS = {
  amount: moneyField({ above: 0n }),
  promised_date: dayField(),
  note: nullable(textField(2000, { lines: true })),
  staff_id: nullable(uuidField),
  status: oneOfField(PROMISE_STATUSES),
} as const satisfies Fields;
export type PromiseEdit = Values<typeof PROMISE_EDIT_FIELDS>;

export const PaymentPromise = object({
  id: uuid(),
  customer_id: uuid(),
  sale_id: uuid(),
  installment_id: maybe(uuid()),
  promised_date: day(),
  amount: money(),
  currency: currency(),
  fulfilled_amount: money(),
  status: oneOf(PROMISE_STATUSES),
  note: maybe(text('Maaş günü ödeyecek.')),
  staff_id: maybe(uuid()),
  resolved_at: maybe(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type PaymentPromise = Of<typeof PaymentPromise>;

export const readPromise = (db: Db, id: string): Promise<PaymentPromise> =>
  db.last<PaymentPromise>(sql`select ${columnsOf(PaymentPromise)} from ${own('payment_promises')} where id = ${id}`);

export interface PromiseFilter {
  readonly status?: PromiseStatus | undefined;
  readonly customer_id?: string | undefined;
  readonly sale_id?: string | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

const SOONEST_FIRST = rawSql('promised_date, created_at, id');

export function listPromises(db: Db, filter: PromiseFilter, timezone: string, page: Paging): Promise<Page> {
  const where = daysBetween('promised_date', filter, timezone);
  for (const name of ['status', 'customer_id', 'sale_id'] as const)
    if (filter[name] !== undefined) where.push(sql`${rawSql(name)} = ${filter[name]}`);
  return listPage(db, { table: 'payment_promises', shows: PaymentPromise, where, order: SOONEST_FIRST }, page);
}

export interface StoredPromise {
  readonly id: string;
  readonly sale_id: string;
  readonly customer_id: string;
  readonly installment_id: string | null;
  readonly promised_date: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly fulfilled_amount: bigint;
  readonly status: PromiseStatus;
  readonly created_at: Date;
}

export const lockPromises = (db: Db, where: Sql): Promise<StoredPromise[]> =>
  db.rows<StoredPromise>(sql`select id, sale_id, customer_id, installment_id, promised_date, amount_minor as amount, currency,
      fulfilled_amount_minor as fulfilled_amount, status, created_at
    from ${own('payment_promises')} where ${where} order by created_at, id for update`);

export const emitPromiseEvent = (work: Work, verb: string, shown: PaymentPromise, before?: PaymentPromise): void =>
  emitChange(work, { kind: 'payment_promise', path: `payment-promises/${shown.id}` }, verb, shown, before);
