// A lot of a live event as each dealer may see it.
import type { Db } from '../../kit/db.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import type { Page, Paging } from '../../kit/page.ts';
import {
  arrayOf,
  currency,
  flag,
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
import { type Sql, sql } from '../../kit/sql.ts';
import { requireCapability } from '../parties/capability.ts';
import { Party } from '../parties/party.ts';
import { type LinkTo, type NO_LINKS, type StoredCard, shownCard, VehicleCard } from '../parties/vehicle-card.ts';
import { AUCTION_ROLES, LOT_STATUSES, type LotStatus } from './auction-states.ts';
import { aliasOf, shownMinimum } from './bid-rules.ts';
import { bidsOfLot, LotBid } from './bids.ts';
import { lookAtEvent } from './live-event.ts';
import { pageOf, roleOf, WinnerShown, walkArguments } from './network-auction.ts';

const shape = {
  id: uuid(),
  event_id: uuid(),
  lot_no: integer(),
  vehicle_id: maybe(uuid()),
  vehicle: VehicleCard,
  seller: Party,
  my_role: oneOf(AUCTION_ROLES),
  currency: currency(),
  start_price: money('8000.00'),
  min_increment: money('100.00'),
  has_reserve: flag(),
  reserve_price: maybe(money('9000.00')),
  reserve_met: flag(),
  status: oneOf(LOT_STATUSES),
  current_bid: maybe(money('9000.00')),
  bid_count: integer(),
  next_min_bid: maybe(money('9100.00')),
  leader_alias: maybe(text('Katılımcı 1')),
  my_highest_bid: maybe(money('8000.00')),
  am_i_leading: flag(),
  opened_at: maybe(timestamp()),
  ended_at: maybe(timestamp()),
  chain_head: text('8b5dded79fcebb1657f9d88e72b527fd317a4e88f41e8f271379f711a5a08922'),
  server_time: timestamp(),
  winner: maybe(WinnerShown),
  created_at: timestamp(),
  updated_at: timestamp(),
};
export const LiveLot = object(shape);
export type LiveLot = Of<typeof LiveLot>;
export const LiveLotDetail = object({
  ...shape,
  bids: arrayOf(LotBid),
  /** The bid after which the next page of the whole log begins. */
  bids_cursor: maybe(text('0')),
});

/** A row of live_lot_seen. */
export interface SeenLot {
  readonly id: string;
  readonly seller_id: string;
  readonly operator_id: string;
  readonly event_id: string;
  readonly lot_no: number;
  readonly is_seller: boolean;
  readonly is_operator: boolean;
  readonly vehicle_id: string | null;
  readonly card: StoredCard;
  readonly seller: Party;
  readonly currency: Currency;
  readonly start_price_minor: bigint;
  readonly min_increment_minor: bigint;
  readonly reserve_price_minor: bigint | null;
  readonly has_reserve: boolean;
  readonly reserve_met: boolean;
  readonly status: LotStatus;
  readonly current_bid_minor: bigint | null;
  readonly bid_count: number;
  readonly leader_alias_no: number | null;
  readonly is_bidder: boolean;
  readonly my_highest_minor: bigint | null;
  readonly is_leader: boolean;
  readonly opened_at: Date | null;
  readonly ended_at: Date | null;
  readonly chain_head: string;
  readonly winner: Party | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly server_time: Date;
}

const moneyOrNull = (minor: bigint | null): string | null => (minor === null ? null : formatMoney(minor));

export function showLot(seen: SeenLot, linkTo: LinkTo | typeof NO_LINKS): LiveLot {
  const { start_price_minor: start, min_increment_minor: step, current_bid_minor: current, status } = seen;
  const alias = seen.leader_alias_no === null ? null : aliasOf(seen.leader_alias_no);
  const isStruck = status === 'Satıldı' || status === 'Bozuldu';
  const isOver = status !== 'Sırada' && status !== 'Açık';
  return {
    id: seen.id,
    event_id: seen.event_id,
    lot_no: seen.lot_no,
    vehicle_id: seen.vehicle_id,
    vehicle: shownCard(seen.card, linkTo),
    seller: seen.seller,
    my_role: roleOf(seen),
    currency: seen.currency,
    start_price: formatMoney(start),
    min_increment: formatMoney(step),
    has_reserve: seen.has_reserve,
    reserve_price: moneyOrNull(seen.reserve_price_minor),
    reserve_met: seen.reserve_met,
    status,
    current_bid: moneyOrNull(current),
    bid_count: seen.bid_count,
    next_min_bid: isOver ? null : shownMinimum({ start, step, current }),
    leader_alias: alias,
    my_highest_bid: moneyOrNull(seen.my_highest_minor),
    am_i_leading: seen.is_leader,
    opened_at: seen.opened_at?.toISOString() ?? null,
    ended_at: seen.ended_at?.toISOString() ?? null,
    chain_head: seen.chain_head,
    server_time: seen.server_time.toISOString(),
    winner: isStruck ? (seen.winner ?? { alias: alias! }) : null,
    created_at: seen.created_at.toISOString(),
    updated_at: seen.updated_at.toISOString(),
  };
}

const seenBy = (id: string): Sql => sql`select * from live_lot_seen(${id})`;
export const lookAtLot = (db: Db, id: string): Promise<SeenLot> => db.one<SeenLot>(seenBy(id));
/** The event of a lot; null if the caller may not see it. */
export async function eventOfLot(db: Db, id: string): Promise<string | null> {
  const [kept] = await db.rows<{ event_id: string }>(sql`select event_id from keeper_of_lot(${id})`);
  return kept?.event_id ?? null;
}

export const findLot = (db: Db, id: string): Promise<SeenLot[]> => db.rows<SeenLot>(seenBy(id));

export async function readLot(db: Db, id: string, cursor: number | undefined, linkTo: LinkTo): Promise<Of<typeof LiveLotDetail>> {
  await requireCapability(db, 'live_auctions');
  const seen = await lookAtLot(db, id);
  return { ...showLot(seen, linkTo), ...(await bidsOfLot(db, id, seen.bid_count, cursor)) };
}

export async function listLots(
  db: Db,
  eventId: string,
  status: LotStatus | undefined,
  page: Paging,
  linkTo: LinkTo,
): Promise<Page> {
  await requireCapability(db, 'live_auctions');
  await lookAtEvent(db, eventId);
  const walk = walkArguments(page);
  const rows = await db.rows<SeenLot & { readonly position_at: string }>(sql`select seen.*, page.position_at::text as position_at
    from live_lots_page(${eventId}, ${status ?? null}, ${walk.isWalk}, ${walk.afterAt}::timestamptz, ${walk.afterId}::uuid, ${page.limit + 1},
      ${page.offset}) with ordinality as page(id, position_at, place)
    cross join lateral live_lot_seen(page.id) seen order by place`);
  return pageOf(rows, page, (row) => showLot(row, linkTo));
}
