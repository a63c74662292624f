// Simulated consumers and dealers make offers on the listings of the world's dealer, with the functions that the public site and a real
// dealer's requests call.

import { receiveOffer } from '../../domain/marketplace/marketplace-offer-writes.ts';
import { makeOffer, withdrawOffer } from '../../domain/network/offer-writes.ts';
import type { Listing } from '../../domain/stock/listing-view.ts';
import { parseMoney } from '../../kit/money.ts';
import type { NewEvent, Work } from '../../kit/work.ts';
import { addActs, after, asDealer, DAY, HOUR, type NewAct, type RunAct, simulatedDealers } from './act.ts';
import { type Outcome, outcomeOfAmount } from './rules.ts';

/** Numbers that no operator assigns. */
const CONSUMERS = [
  { buyer_name: 'Selin Aydın', buyer_phone: '+905000000001' },
  { buyer_name: 'Kerem Yıldız', buyer_phone: '+905000000002' },
] as const;

interface PlannedOffer {
  readonly percent: bigint;
  readonly afterMs: number;
  /** The place in `CONSUMERS`; absent: a simulated dealer. */
  readonly consumer?: 0 | 1;
}

const OFFERS: Readonly<Record<Outcome<'listing'>, readonly PlannedOffer[]>> = {
  no_offer: [],
  low_offer: [{ percent: 90n, afterMs: HOUR, consumer: 0 }],
  three_offers: [
    { percent: 90n, afterMs: DAY, consumer: 0 },
    { percent: 95n, afterMs: 2 * DAY },
    { percent: 100n, afterMs: 3 * DAY, consumer: 1 },
  ],
  full_offer: [{ percent: 100n, afterMs: DAY, consumer: 0 }],
};

export async function planListingOffers(work: Work, { id, object }: NewEvent): Promise<NewAct[]> {
  const { price } = object as Listing;
  const planned = OFFERS[outcomeOfAmount('listing', price)];
  const [dealerId] = planned.some(({ consumer }) => consumer === undefined) ? await simulatedDealers(work) : [];
  return planned.flatMap(({ percent, afterMs, consumer }): NewAct[] => {
    const amount = String((parseMoney(price)! * percent) / 100n);
    const dueAt = after(work, afterMs);
    if (consumer !== undefined)
      return [{ kind: 'consumer_offer', recordId: id, details: { amount, consumer: String(consumer) }, dueAt }];
    return dealerId === undefined ? [] : [{ kind: 'dealer_offer', recordId: id, dealerId, details: { amount }, dueAt }];
  });
}

export const makeConsumerOffer: RunAct = async (work, { recordId, details }) => {
  await receiveOffer(work, recordId, { ...CONSUMERS[Number(details.consumer)]!, amount: BigInt(details.amount!) });
  return null;
};

/** Withdrawn 12 hours later. */
export const makeDealerOffer: RunAct = async (work, { recordId, dealerId, details }) => {
  const offerId = await asDealer(work, dealerId!, (dealer) =>
    makeOffer(dealer, { listing_id: recordId, amount: BigInt(details.amount!) }),
  );
  await addActs(work, [{ kind: 'offer_withdrawal', recordId: offerId, dealerId: dealerId!, dueAt: after(work, 12 * HOUR) }]);
  return null;
};

export const withdrawDealerOffer: RunAct = async (work, { recordId, dealerId }) => {
  await asDealer(work, dealerId!, (dealer) => withdrawOffer(dealer, recordId));
  return null;
};
