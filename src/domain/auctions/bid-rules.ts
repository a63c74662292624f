// The rules of bidding, for network auctions and lots: the minimum of the next bid, when the end moves, the bidder's alias, and
// the hash chain with which anyone can verify the log of bids.
import { createHash } from 'node:crypto';
import { formatMoney, MAX_AMOUNT } from '../../kit/money.ts';

/** A bid this close to the end extends the auction. */
export const SOFT_CLOSE_MS = 120_000;

export interface Prices {
  readonly start: bigint;
  readonly step: bigint;
  /** The highest bid so far. */
  readonly current: bigint | null;
}

export const nextMinimum = ({ start, step, current }: Prices): bigint => (current === null ? start : current + step);

/** Null if no amount that can be represented is high enough. */
export function shownMinimum(prices: Prices): string | null {
  const minimum = nextMinimum(prices);
  return minimum > MAX_AMOUNT ? null : formatMoney(minimum);
}

/** A bid at exactly 120 s counts as an extension, although the end stays the same: the database counts it too (`take_bid`). */
export const extendsEnd = (endsAt: Date, placedAt: Date): boolean => endsAt.getTime() - placedAt.getTime() <= SOFT_CLOSE_MS;

/** The end after an accepted bid. */
export const endAfterBid = (endsAt: Date, placedAt: Date): Date =>
  extendsEnd(endsAt, placedAt) ? new Date(placedAt.getTime() + SOFT_CLOSE_MS) : endsAt;

export const isReserveMet = (current: bigint | null, reserve: bigint | null): boolean =>
  current !== null && (reserve === null || current >= reserve);

/** Numbered in the order of first bids. */
export const aliasOf = (place: number): string => `Katılımcı ${place}`;

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The start of the chain of an auction or lot. */
export const firstLink = (id: string): string => sha256(id);

export interface ChainedBid {
  readonly bid_seq: number;
  readonly amount: string;
  readonly bidder_alias: string;
  readonly placed_at: string;
}

export const nextLink = (previous: string, { bid_seq, amount, bidder_alias, placed_at }: ChainedBid): string =>
  sha256([previous, bid_seq, amount, bidder_alias, placed_at].join('\n'));

/** The state that a bid is checked against, read under the lock. */
export interface BidState extends Prices {
  /** The bidder is the seller, or operates the lot's auction. */
  readonly isOwn: boolean;
  readonly isLeader: boolean;
  /** The number of the next bid. */
  readonly seq: number;
  readonly aliasNo: number;
  readonly chainHead: string;
  readonly at: Date;
}

export type BidRefusal = 'own' | 'already_highest_bidder' | 'bid_too_low';

/** The caller has checked that it is open for bids. */
export function refuseBid(state: BidState, amount: bigint): BidRefusal | null {
  if (state.isOwn) return 'own';
  if (state.isLeader) return 'already_highest_bidder';
  return amount < nextMinimum(state) ? 'bid_too_low' : null;
}

/** The bid as it is stored and shown. */
export function bidOf(state: BidState, amount: bigint): ChainedBid & { readonly chain: string } {
  const bid = {
    bid_seq: state.seq,
    amount: formatMoney(amount),
    bidder_alias: aliasOf(state.aliasNo),
    placed_at: state.at.toISOString(),
  };
  return { ...bid, chain: nextLink(state.chainHead, bid) };
}

/** Verifies a whole log, oldest first. Returns the number of the first bid that does not match, or null. */
export function firstBroken(id: string, bids: readonly (ChainedBid & { readonly chain: string })[]): number | null {
  let link = firstLink(id);
  for (const [index, bid] of bids.entries()) {
    link = nextLink(link, bid);
    if (bid.bid_seq !== index + 1 || bid.chain !== link) return index + 1;
  }
  return null;
}
