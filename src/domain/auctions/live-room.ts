// The content of a live room, read once for all viewers: the event, the current lot, the bids, without names or the reserve. A
// position is a lot and the number of the last bid that the viewer has. One lot is open at a time and bids are committed in the
// order of their numbers, so reading on from a position has no gaps or duplicates.
import { allAnswers, type Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { sql } from '../../kit/sql.ts';
import { showWorlds } from '../worlds/world.ts';
import type { EventStatus, LotStatus } from './auction-states.ts';
import { aliasOf, shownMinimum } from './bid-rules.ts';

/** With `lotId` null, no lot had been opened yet. */
export interface RoomPosition {
  readonly lotId: string | null;
  readonly seq: number;
}

export const positionText = ({ lotId, seq }: RoomPosition): string => (lotId === null ? '0' : `${lotId}.${seq}`);

/** Null if the text is not a position. */
export function readPosition(text: string): RoomPosition | null {
  if (text === '0') return { lotId: null, seq: 0 };
  const [lotId = '', seq = '', ...more] = text.split('.');
  return isUuid(lotId) && /^\d{1,9}$/.test(seq) && more.length === 0 ? { lotId, seq: Number(seq) } : null;
}

/** The maximum number of bids in a message; the rest follow in the next one. */
const BIDS_AT_ONCE = 500;
/** Bids sent to a newly connected viewer. */
const BIDS_AT_FIRST = 20;

export interface RoomQuestion {
  readonly eventId: string;
  /** Null for a newly connected viewer. */
  readonly since: RoomPosition | null;
}

export interface RoomBid {
  readonly id: string;
  readonly lot_id: string;
  readonly bid_seq: number;
  readonly amount: string;
  readonly bidder_alias: string;
  readonly placed_at: string;
  readonly chain: string;
}

export interface RoomLot {
  readonly id: string;
  readonly lot_no: number;
  readonly status: LotStatus;
  readonly currency: Currency;
  readonly start_price: string;
  readonly min_increment: string;
  readonly has_reserve: boolean;
  readonly reserve_met: boolean;
  readonly current_bid: string | null;
  readonly bid_count: number;
  readonly next_min_bid: string | null;
  readonly leader_alias: string | null;
  /** The auctioneer's call on the highest bid: 0, 1, 2. */
  readonly call: number;
  readonly opened_at: string | null;
  readonly ended_at: string | null;
  readonly chain_head: string;
}

export interface RoomState {
  readonly event: {
    readonly id: string;
    readonly title: string;
    readonly starts_at: string;
    readonly status: EventStatus;
    readonly lot_count: number;
    readonly sold_count: number;
    readonly current_lot_id: string | null;
    readonly next_lot_id: string | null;
  };
  /** The open lot, otherwise the last opened one, otherwise the first one. */
  readonly lot: RoomLot | null;
  /** Changes when the list of lots changes. */
  readonly lots_version: string;
}

/** A message of the stream. */
export interface RoomMessage extends RoomState {
  readonly server_time: string;
  /** Oldest first. */
  readonly bids: readonly RoomBid[];
  /** The view starts with these bids and drops the ones it has. */
  readonly is_fresh: boolean;
}

export interface RoomNews {
  readonly message: RoomMessage;
  readonly position: RoomPosition;
  /** There are more bids than fit into one message. */
  readonly hasMore: boolean;
}

interface FoundBid {
  readonly id: string;
  readonly lot_id: string;
  readonly bid_seq: number;
  readonly amount_minor: string;
  readonly alias_no: number;
  readonly placed_at: string;
  readonly chain: string;
}

interface RoomRecord {
  readonly place: number;
  readonly server_time: Date;
  readonly is_known: boolean;
  readonly event_id: string;
  readonly title: string;
  readonly starts_at: Date;
  readonly event_status: EventStatus;
  readonly lot_count: number;
  readonly sold_count: number;
  readonly current_lot_id: string | null;
  readonly next_lot_id: string | null;
  readonly lots_version: string | null;
  readonly id: string | null;
  readonly lot_no: number;
  readonly status: LotStatus;
  readonly currency: Currency;
  readonly start_price_minor: bigint;
  readonly min_increment_minor: bigint;
  readonly has_reserve: boolean;
  readonly reserve_met: boolean;
  readonly current_bid_minor: bigint | null;
  readonly bid_count: number;
  readonly leader_alias_no: number | null;
  readonly call: number;
  readonly opened_at: Date | null;
  readonly ended_at: Date | null;
  readonly chain_head: string;
  readonly bids: readonly FoundBid[] | null;
}

/** The platform role has no account, so business_now() is production's. */
const SERVER_TIME = sql`case when event.world_id is null then business_now() else world_now(event.world_id) end`;

/**
 * With the platform role, in one statement, so that state and bids of a room are consistent. Results are in the order of the
 * questions.
 */
export async function readRooms(db: Db, questions: readonly RoomQuestion[], atOnce = BIDS_AT_ONCE): Promise<(RoomNews | null)[]> {
  const found = await db.rows<RoomRecord>(sql`
    with asked as (select event_id, lot_id, seq, place::int as place from unnest(${questions.map(({ eventId }) => eventId)}::uuid[],
      ${questions.map(({ since }) => since?.lotId ?? null)}::uuid[], ${questions.map(({ since }) => since?.seq ?? null)}::int[])
      with ordinality as given(event_id, lot_id, seq, place)),
    placed as (select asked.*, since.opened_at, seq is not null and (lot_id is null or since.id is not null) as is_known
      from asked left join live_lots since on since.id = asked.lot_id and since.event_id = asked.event_id and since.opened_at is not null)
    select placed.place, placed.is_known, ${SERVER_TIME} as server_time, event.id as event_id, event.title, event.starts_at,
      event.status as event_status, lots.*, shown.*, bids.bids
    from placed join live_events event on event.id = placed.event_id
    cross join lateral (select count(*)::int as lot_count, count(*) filter (where status in ('Satıldı', 'Bozuldu'))::int as sold_count,
        min(id::text) filter (where status = 'Açık') as current_lot_id,
        (array_agg(id order by lot_no) filter (where status = 'Sırada'))[1] as next_lot_id,
        md5(string_agg(concat(id, lot_no, status), ',' order by lot_no)) as lots_version
      from live_lots where event_id = event.id) lots
    left join lateral (select id, lot_no, status, currency, start_price_minor, min_increment_minor, reserve_price_minor is not null as has_reserve,
        bid_count > 0 and (reserve_price_minor is null or current_bid_minor >= reserve_price_minor) as reserve_met, current_bid_minor, bid_count,
        leader_alias_no, case when status = 'Açık' and call_seq = bid_count then call_no else 0 end as call, opened_at, ended_at, chain_head
      from live_lots where event_id = event.id and status <> 'Çekildi' order by opened_at desc nulls last, lot_no limit 1) shown on true
    left join lateral (select json_agg(bid order by bid.opened_at, bid.lot_id, bid.bid_seq) as bids from (
        (select bid.id, bid.item_id as lot_id, bid.bid_seq, bid.amount_minor::text, bid.alias_no, utc_text(bid.placed_at) as placed_at, bid.chain,
          lot.opened_at
        from live_lots lot join auction_bids bid on bid.item_id = lot.id
          and bid.bid_seq > case when lot.id = placed.lot_id then placed.seq else 0 end
        where placed.is_known and lot.event_id = event.id and lot.opened_at is not null
          and (placed.lot_id is null or (lot.opened_at, lot.id) >= (placed.opened_at, placed.lot_id))
        order by lot.opened_at, lot.id, bid.bid_seq limit ${atOnce + 1})
        union all (select bid.id, bid.item_id, bid.bid_seq, bid.amount_minor::text, bid.alias_no, utc_text(bid.placed_at), bid.chain, shown.opened_at
        from auction_bids bid where not placed.is_known and bid.item_id = shown.id order by bid.bid_seq desc limit ${BIDS_AT_FIRST})) bid) bids on true
    order by placed.place`);
  const byPlace = new Map(found.map((row) => [row.place, row]));
  return questions.map((_, index) => {
    const row = byPlace.get(index + 1);
    return row === undefined ? null : newsOf(row, atOnce);
  });
}

function newsOf(found: RoomRecord, atOnce: number): RoomNews {
  const all = (found.bids ?? []).map(showBid);
  const bids = all.slice(0, atOnce);
  const last = bids.at(-1);
  const here = found.opened_at === null ? { lotId: null, seq: 0 } : { lotId: found.id, seq: found.bid_count };
  const hasMore = all.length > bids.length;
  const position = hasMore && last !== undefined ? { lotId: last.lot_id, seq: last.bid_seq } : here;
  const message = { server_time: found.server_time.toISOString(), ...stateOf(found), bids, is_fresh: !found.is_known };
  return { message, position, hasMore };
}

const showBid = ({ amount_minor, alias_no, id, lot_id, bid_seq, placed_at, chain }: FoundBid): RoomBid => ({
  id,
  lot_id,
  bid_seq,
  amount: formatMoney(BigInt(amount_minor)),
  bidder_alias: aliasOf(alias_no),
  placed_at,
  chain,
});

const stateOf = (found: RoomRecord): RoomState => ({
  event: {
    id: found.event_id,
    title: found.title,
    starts_at: found.starts_at.toISOString(),
    status: found.event_status,
    lot_count: found.lot_count,
    sold_count: found.sold_count,
    current_lot_id: found.current_lot_id,
    next_lot_id: found.next_lot_id,
  },
  lot: found.id === null ? null : lotOf(found, found.id),
  lots_version: found.lots_version ?? '',
});

function lotOf(found: RoomRecord, id: string): RoomLot {
  const { start_price_minor: start, min_increment_minor: step, current_bid_minor: current, status } = found;
  const isOver = status !== 'Sırada' && status !== 'Açık';
  return {
    id,
    lot_no: found.lot_no,
    status,
    currency: found.currency,
    start_price: formatMoney(start),
    min_increment: formatMoney(step),
    has_reserve: found.has_reserve,
    reserve_met: found.reserve_met,
    current_bid: current === null ? null : formatMoney(current),
    bid_count: found.bid_count,
    next_min_bid: isOver ? null : shownMinimum({ start, step, current }),
    leader_alias: found.leader_alias_no === null ? null : aliasOf(found.leader_alias_no),
    call: found.call,
    opened_at: found.opened_at?.toISOString() ?? null,
    ended_at: found.ended_at?.toISOString() ?? null,
    chain_head: found.chain_head,
  };
}

/** One dealer's own position in a lot, visible only to that dealer. */
export interface RoomStanding {
  readonly lot_id: string;
  readonly alias: string;
  readonly highest_bid: string;
}

/** The viewers' permissions, and their own bids on these lots. */
export async function readWatchers(
  db: Db,
  accounts: readonly string[],
  lots: readonly string[],
): Promise<{ readonly allowed: ReadonlySet<string>; readonly standings: ReadonlyMap<string, RoomStanding> }> {
  // Rooms are also watched in isolated sandboxes.
  showWorlds(db);
  const [able, bidding] = await allAnswers([
    db.rows<{ id: string }>(sql`select id from accounts where id = any(${accounts}::uuid[]) and live_auctions`),
    db.rows<{
      account_id: string;
      item_id: string;
      alias_no: number;
      highest_minor: bigint;
    }>(sql`select account_id, item_id, alias_no,
      highest_minor from auction_bidders where account_id = any(${accounts}::uuid[]) and item_id = any(${lots}::uuid[])`),
  ]);
  const standings = bidding.map(({ account_id, item_id, alias_no, highest_minor }): [string, RoomStanding] => [
    `${account_id} ${item_id}`,
    { lot_id: item_id, alias: aliasOf(alias_no), highest_bid: formatMoney(highest_minor) },
  ]);
  return { allowed: new Set(able.map(({ id }) => id)), standings: new Map(standings) };
}
