// In the transaction of a write in a world: what the simulated side will do about the events of the write.
import type { NewEvent, Work } from '../../kit/work.ts';
import { addActs, type NewAct } from './act.ts';
import { planBids, planOutbidding } from './auction-acts.ts';
import { planListingOffers } from './listing-acts.ts';
import { planOfferAnswer, planTradeAnswer } from './network-acts.ts';
import { planRequestDecision, planTopupDecision } from './platform-acts.ts';
import { planSignatures } from './signing-acts.ts';

type Planned = readonly NewAct[] | NewAct | null;
type Planner = (work: Work, event: NewEvent) => Planned | Promise<Planned>;

const PLANNERS: Readonly<Record<string, Planner>> = {
  'network_offer.created': planOfferAnswer,
  'trade_request.created': planTradeAnswer,
  'listing.published': planListingOffers,
  'network_auction.created': planBids,
  'network_auction.started': planBids,
  'network_auction.bid_placed': planOutbidding,
  'wallet_topup.requested': planTopupDecision,
  'auction_request.created': planRequestDecision,
  'auction_request.updated': planRequestDecision,
  'sale_document.sent': planSignatures,
};

/** `work` is that of the world's dealer. Returns whether something is due at once. */
export async function planActs(work: Work, events: readonly NewEvent[]): Promise<boolean> {
  const acts: NewAct[] = [];
  for (const event of events) {
    const planned = (await PLANNERS[event.kind]?.(work, event)) ?? [];
    acts.push(...('kind' in planned ? [planned] : planned));
  }
  await addActs(work, acts);
  return acts.some(({ dueAt }) => dueAt <= work.now);
}
