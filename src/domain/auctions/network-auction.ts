// An auction among dealers as each of them may see it: only the seller sees the reserve; the two sides learn each other's names
// at the end. It is read through database functions that return no more than that (docs/decisions/0050-auctions.md).
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import type { Page, Paging } from '../../kit/page.ts';
import {
  currency,
  either,
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
import { own, type Sql, sql } from '../../kit/sql.ts';
import { requireCapability } from '../parties/capability.ts';
import { Party } from '../parties/party.ts';
import { type LinkTo, type NO_LINKS, type StoredCard, shownCard, VehicleCard } from '../parties/vehicle-card.ts';
import { PendingTransitions } from '../writes/pending-transitions.ts';
import { AUCTION_RESULTS, AUCTION_ROLES, AUCTION_STATUSES, type AuctionRole, type AuctionStatus } from './auction-states.ts';
import { aliasOf, shownMinimum } from './bid-rules.ts';

const shape = {
  id: uuid(),
  vehicle_id: maybe(uuid()),
  vehicle: VehicleCard,
  seller: Party,
  my_role: oneOf(AUCTION_ROLES),
  title: text('2018 Volkswagen Golf'),
  currency: currency(),
  start_price: money('8000.00'),
  min_increment: money('100.00'),
  reserve_price: maybe(money('9000.00')),
  has_reserve: flag(),
  reserve_met: flag(),
  starts_at: timestamp(),
  ends_at: timestamp(),
  original_ends_at: timestamp(),
  extension_count: integer(),
  status: oneOf(AUCTION_STATUSES),
  result: maybe(oneOf(AUCTION_RESULTS)),
  current_bid: maybe(money('9000.00')),
  leader_alias: maybe(text('Katılımcı 1')),
  bid_count: integer(),
  next_min_bid: maybe(money('9100.00')),
  my_highest_bid: maybe(money('8000.00')),
  am_i_leading: flag(),
  chain_head: text('8b5dded79fcebb1657f9d88e72b527fd317a4e88f41e8f271379f711a5a08922'),
  server_time: timestamp(),
  created_at: timestamp(),
  updated_at: timestamp(),
};
export const NetworkAuction = object(shape);
export type NetworkAuction = Of<typeof NetworkAuction>;

/** The result's winner: all fields for the two sides, the alias for other dealers. */
export const WinnerShown = either(Party, object({ alias: text('Katılımcı 1') }));

export const AuctionResult = object({
  sold: flag(),
  amount: maybe(money('9000.00')),
  winner: maybe(WinnerShown),
  seller: maybe(Party),
  is_me: flag(),
});

/** A row of network_auction_seen. */
export interface SeenAuction {
  readonly id: string;
  readonly seller_id: string;
  readonly is_seller: boolean;
  readonly vehicle_id: string | null;
  readonly card: StoredCard;
  readonly seller: Party;
  readonly title: string;
  readonly currency: Currency;
  readonly start_price_minor: bigint;
  readonly min_increment_minor: bigint;
  readonly reserve_price_minor: bigint | null;
  readonly has_reserve: boolean;
  readonly reserve_met: boolean;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly original_ends_at: Date;
  readonly extension_count: number;
  readonly status: AuctionStatus;
  readonly result: (typeof AUCTION_RESULTS)[number] | null;
  readonly current_bid_minor: bigint | null;
  readonly leader_alias_no: number | null;
  readonly bid_count: number;
  readonly chain_head: string;
  readonly is_bidder: boolean;
  readonly my_highest_minor: bigint | null;
  readonly is_leader: boolean;
  readonly winner: Party | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly server_time: Date;
}

const moneyOrNull = (minor: bigint | null): string | null => (minor === null ? null : formatMoney(minor));
const isOver = (status: AuctionStatus): boolean => status === 'Bitti' || status === 'İptal';

export const roleOf = ({ is_seller, is_bidder }: { is_seller: boolean; is_bidder: boolean }): AuctionRole =>
  is_seller ? 'seller' : is_bidder ? 'bidder' : 'viewer';

export function showAuction(seen: SeenAuction, linkTo: LinkTo | typeof NO_LINKS): NetworkAuction {
  const { start_price_minor: start, min_increment_minor: step, current_bid_minor: current } = seen;
  return {
    id: seen.id,
    vehicle_id: seen.vehicle_id,
    vehicle: shownCard(seen.card, linkTo),
    seller: seen.seller,
    my_role: roleOf(seen),
    title: seen.title,
    currency: seen.currency,
    start_price: formatMoney(start),
    min_increment: formatMoney(step),
    reserve_price: moneyOrNull(seen.reserve_price_minor),
    has_reserve: seen.has_reserve,
    reserve_met: seen.reserve_met,
    starts_at: seen.starts_at.toISOString(),
    ends_at: seen.ends_at.toISOString(),
    original_ends_at: seen.original_ends_at.toISOString(),
    extension_count: seen.extension_count,
    status: seen.status,
    result: seen.result,
    current_bid: moneyOrNull(current),
    leader_alias: seen.leader_alias_no === null ? null : aliasOf(seen.leader_alias_no),
    bid_count: seen.bid_count,
    next_min_bid: isOver(seen.status) ? null : shownMinimum({ start, step, current }),
    my_highest_bid: moneyOrNull(seen.my_highest_minor),
    am_i_leading: seen.is_leader,
    chain_head: seen.chain_head,
    server_time: seen.server_time.toISOString(),
    created_at: seen.created_at.toISOString(),
    updated_at: seen.updated_at.toISOString(),
  };
}

/** The clock has started or ended it, and the transition is not written yet. */
export const isLate = ({ status, starts_at, ends_at }: SeenAuction, at: Date): boolean =>
  (status === 'Canlı' && ends_at <= at) || (status === 'Planlandı' && starts_at <= at);

/** The stored state, without regard to the clock. */
export const lookAtAuction = (db: Db, id: string): Promise<SeenAuction> => db.one<SeenAuction>(seenBy(id));

/** Undefined if the caller may not see it. */
export const findAuction = (db: Db, id: string): Promise<SeenAuction[]> => db.rows<SeenAuction>(seenBy(id));

const seenBy = (id: string): Sql => sql`select * from network_auction_seen(${id})`;

/** A caller never sees a state that the clock has ended: the seller's data set is brought up to date first. */
export async function seenAuction(db: Db, id: string): Promise<SeenAuction> {
  await requireCapability(db, 'dealer_network');
  const seen = await lookAtAuction(db, id);
  if (isLate(seen, seen.server_time)) await requireMoved(db, id);
  return seen;
}

/** Throws if a timed transition is pending, unless it failed and waits for its next try: then the last state is shown. */
export async function requireMoved(db: Db, id: string): Promise<void> {
  const late = await db.rows<{ id: string }>(sql`select late_sellers as id from late_sellers(${id})`);
  if (late.length > 0) throw new PendingTransitions(late.map((seller) => seller.id));
}

export const readAuction = async (db: Db, id: string, linkTo: LinkTo): Promise<NetworkAuction> =>
  showAuction(await seenAuction(db, id), linkTo);

/** The car's current auction, or its last one. */
export async function readAuctionOf(db: Db, vehicleId: string, linkTo: LinkTo): Promise<NetworkAuction> {
  const { id } = await db.one<{ id: string }>(sql`select id from ${own('network_auctions')} where vehicle_id = ${vehicleId}
    order by status in ('Planlandı', 'Canlı') desc, created_at desc, id desc limit 1`);
  return readAuction(db, id, linkTo);
}

export async function readResult(db: Db, id: string): Promise<Of<typeof AuctionResult>> {
  const seen = await seenAuction(db, id);
  if (!isOver(seen.status)) fail('auction_not_ended');
  const isStruck = seen.result === 'Satıldı' || seen.result === 'Bozuldu';
  return {
    sold: seen.result === 'Satıldı',
    amount: isStruck ? moneyOrNull(seen.current_bid_minor) : null,
    winner: isStruck ? (seen.winner ?? { alias: aliasOf(seen.leader_alias_no!) }) : null,
    seller: isStruck ? seen.seller : null,
    is_me: isStruck && seen.is_leader,
  };
}

export interface AuctionFilter {
  readonly status?: AuctionStatus | undefined;
  readonly role?: AuctionRole | undefined;
  readonly brand?: string | undefined;
  readonly currency?: Currency | undefined;
  readonly ending_before?: Date | undefined;
}

/** Running auctions by their end; then scheduled ones; then ended ones. */
export async function listAuctions(db: Db, filter: AuctionFilter, page: Paging, linkTo: LinkTo): Promise<Page> {
  await requireCapability(db, 'dealer_network');
  const late = await db.rows<{ id: string }>(sql`select late_sellers as id from late_sellers(null)`);
  if (late.length > 0) throw new PendingTransitions(late.map(({ id }) => id));
  const { status = null, role = null, brand = null, currency: wanted = null, ending_before = null } = filter;
  const walk = walkArguments(page);
  const rows = await db.rows<
    SeenAuction & { readonly position_at: string }
  >(sql`select seen.*, page.position_at::text as position_at
    from network_auctions_page(${status}, ${role}, ${brand}, ${wanted}, ${ending_before}::timestamptz, ${walk.isWalk}, ${walk.afterAt}::timestamptz,
      ${walk.afterId}::uuid, ${page.limit + 1}, ${page.offset}) with ordinality as page(id, position_at, place)
    cross join lateral network_auction_seen(page.id) seen order by place`);
  return pageOf(rows, page, (row) => showAuction(row, linkTo));
}

/** The cursor of a walk by creation. */
export function walkArguments({ walk }: Paging) {
  const [afterAt = null, afterId = null] = walk?.after ?? [];
  return { isWalk: walk !== undefined, afterAt, afterId };
}

/** `rows` has one more than the page size if there is a next page. */
export function pageOf<R extends { readonly id: string; readonly position_at?: string }>(
  rows: readonly R[],
  { limit, walk }: Paging,
  show: (row: R) => unknown,
): Page {
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const end = shown.at(-1);
  const last = hasMore && end !== undefined ? [end.position_at!, end.id] : null;
  const json = JSON.stringify(shown.map(show));
  return { json, count: shown.length, hasMore, version: null, ...(walk === undefined ? {} : { last }) };
}
