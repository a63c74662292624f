// A dealer's request that the platform sells a car in a live event: its fields, its database row, its API representation.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import {
  columnsOf,
  currency,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { EMPTY_PAGE, hasCapability, requireCapability } from '../parties/capability.ts';
import { type Fields, moneyField, nullable, required, textField, uuidField, type Values } from '../records/fields.ts';
import { lockVehicle } from '../stock/vehicle.ts';
import { emitChange } from '../writes/record-events.ts';
import { REQUEST_STATUSES, type RequestStatus } from './auction-states.ts';

const prices = {
  reserve_price: nullable(moneyField({ above: 0n })),
  min_increment: nullable(moneyField({ above: 0n })),
  event_id: nullable(uuidField),
  note: nullable(textField(2000, { lines: true })),
} as const;

export const REQUEST_FIELDS = {
  vehicle_id: required(uuidField),
  start_price: required(moneyField({ above: 0n })),
  ...prices,
} as const satisfies Fields;

export const REQUEST_EDIT_FIELDS = { start_price: moneyField({ above: 0n }), ...prices } as const satisfies Fields;
export type RequestEdit = Values<typeof REQUEST_EDIT_FIELDS>;

export const AuctionRequest = object({
  id: uuid(),
  vehicle_id: uuid(),
  event_id: maybe(uuid()),
  start_price: money('8000.00'),
  reserve_price: maybe(money('9000.00')),
  min_increment: maybe(money('100.00')),
  currency: currency(),
  note: maybe(text('Bakımları yetkili serviste.')),
  status: oneOf(REQUEST_STATUSES),
  decision_note: maybe(text('12 numaralı lot.')),
  decided_at: maybe(timestamp()),
  lot_id: maybe(uuid()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type AuctionRequest = Of<typeof AuctionRequest>;

/** The request for any reader. */
export const showRequest = (db: Db, id: string): Promise<AuctionRequest> =>
  db.one<AuctionRequest>(sql`select ${columnsOf(AuctionRequest)} from ${own('auction_requests')} where id = ${id}`);

export async function readRequest(db: Db, id: string): Promise<AuctionRequest> {
  await requireCapability(db, 'live_auctions');
  return showRequest(db, id);
}

export interface RequestFilter {
  readonly status?: RequestStatus | undefined;
  readonly vehicle_id?: string | undefined;
}

export async function listRequests(db: Db, filter: RequestFilter, page: Paging): Promise<Page> {
  if (!(await hasCapability(db, 'live_auctions'))) return EMPTY_PAGE;
  const where = (['status', 'vehicle_id'] as const)
    .filter((name) => filter[name] !== undefined)
    .map((name) => sql`${rawSql(name)} = ${filter[name]}`);
  return listPage(db, { table: 'auction_requests', shows: AuctionRequest, where, timely: true }, page);
}

export interface StoredRequest {
  readonly id: string;
  readonly vehicle_id: string;
  readonly event_id: string | null;
  readonly start_price: bigint;
  readonly reserve_price: bigint | null;
  readonly min_increment: bigint | null;
  readonly currency: Currency;
  readonly note: string | null;
  readonly status: RequestStatus;
}

/** The car is locked first, because writes that take the car from stock lock it before they end its requests. */
export async function lockRequest(db: Db, id: string): Promise<StoredRequest> {
  const { vehicle_id } = await db.one<{ vehicle_id: string }>(
    sql`select vehicle_id from ${own('auction_requests')} where id = ${id}`,
  );
  await lockVehicle(db, vehicle_id);
  return db.one<StoredRequest>(sql`select id, vehicle_id, event_id, start_price_minor as start_price, reserve_price_minor as reserve_price,
      min_increment_minor as min_increment, currency, note, status
    from ${own('auction_requests')} where id = ${id} for update`);
}

export const emitRequestEvent = (work: Work, verb: string, shown: AuctionRequest, before?: AuctionRequest): void =>
  emitChange(work, { kind: 'auction_request', path: `auction-requests/${shown.id}` }, verb, shown, before);
