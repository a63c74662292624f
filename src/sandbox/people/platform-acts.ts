// The platform of a world decides on top-up and auction requests, with the functions that administrators' decisions call. As on the command
// line no administrator decides, so the rules for two administrators are untouched.
import { type AuctionRequest, showRequest } from '../../domain/auctions/auction-request.ts';
import { approveRequest, rejectRequest } from '../../domain/auctions/auction-request-writes.ts';
import { planEvent } from '../../domain/auctions/live-event-writes.ts';
import { readTopup } from '../../domain/wallet/topup.ts';
import { approveTopup, rejectTopup } from '../../domain/wallet/topup-decision.ts';
import type { NewEvent, Work } from '../../kit/work.ts';
import { after, asDealer, DAY, type NewAct, type RunAct, simulatedDealers } from './act.ts';
import { outcomeOfAmount } from './rules.ts';

const REFUSED = 'Sandbox: kuruşu 01 olan talepler reddedilir.';

export async function planTopupDecision({ db, now }: Work, { id }: NewEvent): Promise<NewAct | null> {
  const { amount } = await readTopup(db, id);
  const outcome = outcomeOfAmount('wallet_topup', amount);
  return outcome === 'pending' ? null : { kind: 'topup_decision', recordId: id, details: { outcome }, dueAt: now };
}

export const decideTopup: RunAct = async (work, { recordId, details }) => {
  if (details.outcome === 'rejected') await rejectTopup(work, recordId, { note: REFUSED, personId: null });
  else await approveTopup(work, recordId, { note: null, personId: null, twoDecide: false, first: null });
  return null;
};

/** A new request, or an edited one that was left pending. */
export function planRequestDecision({ now }: Work, { id, object }: NewEvent): NewAct | null {
  const { reserve_price, start_price } = object as AuctionRequest;
  const outcome = outcomeOfAmount('auction_request', reserve_price ?? start_price);
  return outcome === 'pending' ? null : { kind: 'auction_decision', recordId: id, details: { outcome }, dueAt: now };
}

export const decideRequest: RunAct = async (work, { recordId, details }) => {
  if (details.outcome === 'rejected') {
    await rejectRequest(work, recordId, REFUSED);
    return null;
  }
  const { event_id } = await showRequest(work.db, recordId);
  await approveRequest(work, recordId, { event_id: event_id ?? (await newEvent(work)) });
  return null;
};

/** In 7 days, operated by the first simulated dealer. */
async function newEvent(work: Work): Promise<string> {
  const [operator] = await simulatedDealers(work);
  const { id } = await asDealer(work, operator!, (dealer) =>
    planEvent(dealer, { title: 'Sandbox müzayedesi', starts_at: after(work, 7 * DAY) }),
  );
  return id;
}
