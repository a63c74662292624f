// A boost bought for a listing: its fields, its API representation, its list filters.
import type { Db } from '../../kit/db.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { oneOfParam, uuidParam } from '../../kit/params.ts';
import {
  columnsOf,
  currency,
  integer,
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
import { requireCapability } from '../parties/capability.ts';
import { type Fields, instantField, required, textField, uuidField, withDefault } from '../records/fields.ts';
import { emitChange } from '../writes/record-events.ts';
import { BOOST_STATUSES, type BoostStatus } from './boost-states.ts';

export const BOOST_ORDER_FIELDS = {
  listing_id: required(uuidField),
  package: required(textField(40)),
  starts_at: withDefault(instantField, 'now', 'şimdi'),
} as const satisfies Fields;

export const BoostOrder = object({
  id: uuid(),
  listing_id: uuid(),
  vehicle_id: uuid(),
  package: text('Vitrin-7'),
  days: integer(),
  price: money('1200.00'),
  currency: currency(),
  starts_at: timestamp(),
  ends_at: timestamp(),
  status: oneOf(BOOST_STATUSES),
  charge_transaction_id: uuid(),
  refund_transaction_id: maybe(uuid()),
  cancelled_at: maybe(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type BoostOrder = Of<typeof BoostOrder>;

export const BoostOrderFilters = { status: oneOfParam(BOOST_STATUSES), listing_id: uuidParam, vehicle_id: uuidParam } as const;

export interface BoostOrderFilter {
  readonly status?: BoostStatus | undefined;
  readonly listing_id?: string | undefined;
  readonly vehicle_id?: string | undefined;
}

export function listBoostOrders(db: Db, filter: BoostOrderFilter, page: Paging): Promise<Page> {
  // Without the capability the dealer's list is empty; orders bought before still run to their end.
  const where: Sql[] = [sql`exists (select from ${own('accounts')} where marketplace)`];
  for (const name of ['status', 'listing_id', 'vehicle_id'] as const)
    if (filter[name] !== undefined) where.push(sql`${rawSql(name)} = ${filter[name]}`);
  return listPage(db, { table: 'boost_orders', shows: BoostOrder, where }, page);
}

/** The order, without regard to the account's capabilities. */
export const showBoostOrder = (db: Db, id: string): Promise<BoostOrder> =>
  db.last<BoostOrder>(sql`select ${columnsOf(BoostOrder)} from ${own('boost_orders')} where id = ${id}`);

export async function readBoostOrder(db: Db, id: string): Promise<BoostOrder> {
  await requireCapability(db, 'marketplace');
  return showBoostOrder(db, id);
}

export interface StoredBoostOrder {
  readonly id: string;
  readonly package: string;
  readonly price: bigint;
  readonly status: BoostStatus;
  readonly charge_transaction_id: string;
}

/** Locked in the order of purchase. */
export const lockBoostOrders = (db: Db, where: Sql): Promise<StoredBoostOrder[]> =>
  db.rows<StoredBoostOrder>(sql`select id, package, price_minor as price, status, charge_transaction_id
    from ${own('boost_orders')} where ${where} order by created_at, id for update`);

export const emitBoostEvent = (
  work: Work,
  verb: 'created' | 'started' | 'finished' | 'cancelled',
  shown: BoostOrder,
  before?: BoostOrder,
): void => emitChange(work, { kind: 'boost_order', path: `boost-orders/${shown.id}` }, verb, shown, before);
