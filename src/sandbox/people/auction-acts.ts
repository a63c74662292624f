// Simulated dealers bid in the auctions of the world's dealer and outbid that dealer in their own, with the function that a real dealer's
// bid calls.

import { nextMinimum } from '../../domain/auctions/bid-rules.ts';
import { lookAtAuction, type NetworkAuction, type SeenAuction } from '../../domain/auctions/network-auction.ts';
import { bidInAuction } from '../../domain/auctions/network-auction-writes.ts';
import { NO_LINKS } from '../../domain/parties/vehicle-card.ts';
import { formatMoney, largerOf, parseMoney } from '../../kit/money.ts';
import type { NewEvent, Work } from '../../kit/work.ts';
import { type ActResult, asDealer, type NewAct, type RunAct, SECOND, simulatedDealers } from './act.ts';
import { type Outcome, outcomeOfAmount } from './rules.ts';

/** A bid of the last moment is placed this long before the end, and not earlier than `LAST_MS` before it. */
const BEFORE_END_MS = 20 * SECOND;
const LAST_MS = 30 * SECOND;

const lastMoment = (endsAt: Date): Date => new Date(endsAt.getTime() - BEFORE_END_MS);

/** The time to wait for if the end has moved since the bid was planned. */
const stillEarly = ({ ends_at, server_time }: SeenAuction): Date | null =>
  ends_at.getTime() - server_time.getTime() > LAST_MS ? lastMoment(ends_at) : null;

interface PlannedBid {
  readonly bidder: 0 | 1;
  /** Of the start price. */
  readonly percent: bigint;
  /** Quarters of the auction that have passed; 4: its last moment. */
  readonly quarter: 1 | 2 | 3 | 4;
}

const BIDS: Readonly<Record<Outcome<'network_auction'>, readonly PlannedBid[]>> = {
  no_bid: [],
  one_bidder: [{ bidder: 0, percent: 100n, quarter: 1 }],
  two_bidders: [
    { bidder: 0, percent: 100n, quarter: 1 },
    { bidder: 1, percent: 105n, quarter: 2 },
    { bidder: 0, percent: 110n, quarter: 3 },
  ],
  last_second: [
    { bidder: 0, percent: 100n, quarter: 1 },
    { bidder: 1, percent: 110n, quarter: 2 },
    { bidder: 0, percent: 120n, quarter: 4 },
  ],
};

/** Bids in an auction of the world's dealer, which has started. */
export async function planBids(work: Work, { id, object }: NewEvent): Promise<NewAct[]> {
  const { status, my_role, start_price, starts_at, ends_at } = object as NetworkAuction;
  if (status !== 'Canlı' || my_role !== 'seller') return [];
  const planned = BIDS[outcomeOfAmount('network_auction', start_price)];
  if (planned.length === 0) return [];
  const dealers = await simulatedDealers(work);
  const [start, starts, ends] = [parseMoney(start_price)!, Date.parse(starts_at), Date.parse(ends_at)];
  const limit = (start * planned.at(-1)!.percent) / 100n;
  return planned.flatMap(({ bidder, percent, quarter }): NewAct[] => {
    const dealerId = dealers[bidder];
    if (dealerId === undefined) return [];
    const isLast = quarter === 4;
    const dueAt = isLast ? lastMoment(new Date(ends)) : new Date(starts + Math.floor(((ends - starts) * quarter) / 4));
    const amount = String((start * percent) / 100n);
    return [{ kind: 'bid', recordId: id, dealerId, details: { amount, limit: String(limit), ...lastDetail(isLast) }, dueAt }];
  });
}

const lastDetail = (isLast: boolean): { readonly last?: string } => (isLast ? { last: 'yes' } : {});

const minimumOf = ({ start_price_minor, min_increment_minor, current_bid_minor }: SeenAuction): bigint =>
  nextMinimum({ start: start_price_minor, step: min_increment_minor, current: current_bid_minor });

const bid = async (dealer: Work, id: string, amount: bigint): Promise<null> => {
  await bidInAuction(dealer, id, amount, { linkTo: NO_LINKS, isDry: false });
  return null;
};

/** At least the minimum of that moment, and at most the limit of the two bidders. */
export const placeBid: RunAct = (work, { recordId, dealerId, details }) =>
  asDealer(work, dealerId!, async (dealer): Promise<ActResult> => {
    const seen = await lookAtAuction(dealer.db, recordId);
    const early = details.last === undefined || seen.status !== 'Canlı' ? null : stillEarly(seen);
    if (early !== null) return early;
    const amount = largerOf(BigInt(details.amount!), minimumOf(seen));
    return amount > BigInt(details.limit!) ? 'limit_reached' : bid(dealer, recordId, amount);
  });

/** A bid of the world's dealer. Its event is written by the database and carries the id of the auction only. */
export async function planOutbidding(work: Work, { id }: NewEvent): Promise<NewAct[]> {
  const seen = await lookAtAuction(work.db, id);
  const outcome = outcomeOfAmount('bid', formatMoney(seen.my_highest_minor!));
  const dealerId = (await simulatedDealers(work)).find((dealer) => dealer !== seen.seller_id);
  if (outcome === 'leading' || dealerId === undefined) return [];
  const isLast = outcome === 'outbid_last_second';
  const dueAt = isLast ? lastMoment(seen.ends_at) : work.now;
  return [{ kind: 'outbid', recordId: id, dealerId, details: lastDetail(isLast) as Record<string, string>, dueAt }];
}

/** By one step, unless the world's dealer does not lead any more. */
export const outbid: RunAct = async (work, { recordId, dealerId, details }) => {
  const seen = await lookAtAuction(work.db, recordId);
  if (!seen.is_leader) return 'not_leading';
  const early = details.last === undefined || seen.status !== 'Canlı' ? null : stillEarly(seen);
  return early ?? asDealer(work, dealerId!, (dealer) => bid(dealer, recordId, minimumOf(seen)));
};
