// Placing a bid on an auction or a lot, and reading the log of bids. The state, including the database's clock, is read under the
// lock; the database then checks every rule again (take_bid).
import { allAnswers, type Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { formatMoney } from '../../kit/money.ts';
import type { Page, Paging } from '../../kit/page.ts';
import type { Param } from '../../kit/params.ts';
import { flag, integer, nullable as maybe, money, type Of, object, text, timestamp, uuid } from '../../kit/schema.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { writtenMoney } from '../formats/written.ts';
import { requireMembership } from '../membership/membership.ts';
import { hasCapability, refuseCapability } from '../parties/capability.ts';
import { Party } from '../parties/party.ts';
import { moneyField, required } from '../records/fields.ts';
import { requireStorable } from '../records/stored-amount.ts';
import { aliasOf, type BidState, bidOf, nextMinimum, refuseBid } from './bid-rules.ts';

const shape = {
  bid_seq: integer(),
  amount: money('9000.00'),
  bidder_alias: text('Katılımcı 1'),
  is_mine: flag(),
  placed_at: timestamp(),
  chain: text('8b5dded79fcebb1657f9d88e72b527fd317a4e88f41e8f271379f711a5a08922'),
  /** The winner's bid, after the end, for the seller. */
  bidder: maybe(Party),
};
export const AuctionBid = object({ id: uuid(), auction_id: uuid(), ...shape });
export const LotBid = object({ id: uuid(), lot_id: uuid(), ...shape });
export type AuctionBid = Of<typeof AuctionBid>;
export type LotBid = Of<typeof LotBid>;

export const BID_FIELDS = { amount: required(moneyField({ above: 0n })) } as const;

/** The auction or lot. */
export interface Item {
  readonly id: string;
  readonly isLot: boolean;
}

interface Locked {
  readonly seller_id: string;
  /** The caller is the seller, or operates the lot's auction. */
  readonly is_own: boolean;
  readonly is_leader: boolean;
  readonly status: string;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly extension_count: number | null;
  readonly start_price_minor: bigint;
  readonly min_increment_minor: bigint;
  readonly current_bid_minor: bigint | null;
  readonly bid_count: number;
  readonly alias_no: number;
  readonly chain_head: string;
  readonly reserve_met: boolean;
  readonly would_meet_reserve: boolean;
  readonly at: Date;
}

/**
 * The locked state and the representation are read together, so that a bid takes two round trips; the lock comes last, so that it
 * is held as short as possible. Fields that bids change are taken from the locked state.
 */
export async function lockForBid<Seen>(
  db: Db,
  { id, isLot }: Item,
  amount: bigint,
  look: (db: Db, id: string) => Promise<Seen[]>,
): Promise<{ locked: Locked; seen: Seen }> {
  const capability = isLot ? 'live_auctions' : 'dealer_network';
  const [isEnabled, [looked], [locked]] = await allAnswers([
    hasCapability(db, capability),
    look(db, id),
    db.rows<Locked>(sql`select * from lock_bidding(${id}, ${isLot}, ${amount})`),
    requireMembership(db),
  ]);
  if (!isEnabled) refuseCapability(capability);
  if (locked === undefined || looked === undefined) return fail('not_found');
  const { status, starts_at, ends_at, extension_count, bid_count, reserve_met } = locked;
  const clock = isLot ? {} : { starts_at, ends_at, extension_count };
  return { locked, seen: { ...looked, status, bid_count, reserve_met, ...clock } };
}

const bidStateOf = (locked: Locked): BidState => ({
  start: locked.start_price_minor,
  step: locked.min_increment_minor,
  current: locked.current_bid_minor,
  isOwn: locked.is_own,
  isLeader: locked.is_leader,
  seq: locked.bid_count + 1,
  aliasNo: locked.alias_no,
  chainHead: locked.chain_head,
  at: locked.at,
});

/** It is open for bids and locked. The bid is sent without waiting, with the last statements of the write. */
export function placeBid({ db, now }: Work, { id, isLot }: Item, locked: Locked, amount: bigint): Omit<AuctionBid, 'auction_id'> {
  const state = bidStateOf(locked);
  const refusal = refuseBid(state, amount);
  if (refusal === 'own') fail(isLot ? 'own_lot' : 'own_auction');
  if (refusal === 'already_highest_bidder') fail('already_highest_bidder');
  if (refusal === 'bid_too_low') refuseLow(nextMinimum(state));
  // The bid after it must be possible too.
  requireStorable('amount', amount + state.step);
  const bid = bidOf(state, amount);
  const bidId = newId(now.getTime());
  db.send(sql`insert into auction_bids (account_id, id, item_id, is_lot, bid_seq, amount_minor, alias_no, placed_at, chain)
    values (${theAccount}, ${bidId}, ${id}, ${isLot}, ${bid.bid_seq}, ${amount}, ${state.aliasNo}, ${state.at}, ${bid.chain})`);
  const { bid_seq, bidder_alias, placed_at, chain } = bid;
  return {
    id: bidId,
    bid_seq,
    amount: bid.amount,
    bidder_alias,
    is_mine: true,
    placed_at,
    chain,
    bidder: null,
  };
}

/** The auction or lot after the accepted bid, for the bidder. A dry run does not reveal whether an amount meets the reserve. */
export const standingAfter = (
  seen: { readonly reserve_met: boolean },
  { alias_no, would_meet_reserve, at }: Locked,
  { bid_seq, chain }: Pick<AuctionBid, 'bid_seq' | 'chain'>,
  amount: bigint,
  { isDry }: { readonly isDry: boolean },
) => ({
  current_bid_minor: amount,
  leader_alias_no: alias_no,
  bid_count: bid_seq,
  chain_head: chain,
  my_highest_minor: amount,
  is_leader: true,
  is_bidder: true,
  reserve_met: isDry ? seen.reserve_met : would_meet_reserve,
  server_time: at,
  updated_at: at,
});

function refuseLow(minimum: bigint): never {
  requireStorable('amount', minimum);
  return fail('bid_too_low', { words: { next_min_bid: writtenMoney(formatMoney(minimum)) } });
}

interface SeenBid {
  readonly id: string;
  readonly bid_seq: number;
  readonly amount_minor: bigint;
  readonly alias_no: number;
  readonly is_mine: boolean;
  readonly placed_at: Date;
  readonly chain: string;
  readonly bidder: Party | null;
}

const showBid = (bid: SeenBid): Omit<AuctionBid, 'id' | 'auction_id'> => ({
  bid_seq: bid.bid_seq,
  amount: formatMoney(bid.amount_minor),
  bidder_alias: aliasOf(bid.alias_no),
  is_mine: bid.is_mine,
  placed_at: bid.placed_at.toISOString(),
  chain: bid.chain,
  bidder: bid.bidder,
});

const seenBids = (db: Db, id: string, before: number | null, limit: number, offset: number): Promise<SeenBid[]> =>
  db.rows<SeenBid>(sql`select * from bids_seen(${id}, ${before}, ${limit}, ${offset})`);

/** Highest first; a cursor walk has the same order. */
export async function listBids(db: Db, auctionId: string, { limit, offset, walk }: Paging): Promise<Page> {
  const before = walk?.after ? Number(walk.after[0]) : null;
  const rows = await seenBids(db, auctionId, before, limit + 1, offset);
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const json = JSON.stringify(shown.map((bid) => ({ id: bid.id, auction_id: auctionId, ...showBid(bid) })));
  const last = hasMore ? [String(shown.at(-1)!.bid_seq)] : null;
  return { json, count: shown.length, hasMore, version: null, ...(walk === undefined ? {} : { last }) };
}

export interface LotBids {
  readonly bids: LotBid[];
  /** The `bids_cursor` of the next page; null after the last bid. */
  readonly bids_cursor: string | null;
}

export const bidsCursor: Param<number> = {
  allowed: { en: '`0`, or the value of `bids_cursor` in an answer', tr: '`0` ya da yanıttaki `bids_cursor` değeri' },
  schema: { type: 'string', pattern: '^\\d{1,9}$' },
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};

const NEWEST_BIDS = 20;
const BIDS_A_PAGE = 100;

/**
 * The bids of a lot with `count` bids: the newest, or, with a cursor, a page in order from the first. A cursor is the number of
 * the bid before the page. Bids after `count` are left out, so that the last bid of a walk matches `chain_head` of the same
 * response.
 */
export async function bidsOfLot(db: Db, lotId: string, count: number, cursor: number | undefined): Promise<LotBids> {
  const show = (bid: SeenBid): LotBid => ({ id: bid.id, lot_id: lotId, ...showBid(bid) });
  if (cursor === undefined) return { bids: (await seenBids(db, lotId, count + 1, NEWEST_BIDS, 0)).map(show), bids_cursor: '0' };
  const last = Math.min(cursor + BIDS_A_PAGE, count);
  const page = last <= cursor ? [] : await seenBids(db, lotId, last + 1, last - cursor, 0);
  return { bids: page.map(show).toReversed(), bids_cursor: last < count ? String(last) : null };
}
