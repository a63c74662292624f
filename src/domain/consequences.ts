// Which subjects react when something happens in another subject, and in which order; their events come in the same order. All
// reactions run in the transaction of what happened, so one that fails undoes everything.
import type { Consequences, Work } from '../kit/work.ts';
import { auctionFellThrough } from './auctions/auction-end.ts';
import { cancelRequestsFor } from './auctions/auction-request-writes.ts';
import { lotFellThrough } from './auctions/live-lot-writes.ts';
import { endBoostsOf } from './boosts/boost-times.ts';
import { forgetPageOf } from './customer-page/page-writes.ts';
import { renewPaymentPlan } from './documents/generated/sale-document-renew.ts';
import { voidDrafts, voidSaleDocuments } from './documents/generated/sale-document-void.ts';
import { eraseCustomerDocuments } from './documents/uploaded/document-erase.ts';
import { enquiryOfOffer } from './enquiries/enquiry-receive.ts';
import { forgetEnquiriesOf } from './enquiries/enquiry-writes.ts';
import { forgetRowErrors } from './imports/runs/import-run.ts';
import {
  forgetOffersOf,
  rejectOffersOfListing,
  rejectOffersOnCar,
  settleAgreedOffer,
} from './marketplace/marketplace-offer-writes.ts';
import { rejectNetworkOffersOnCar, rejectNetworkOffersOnListing, settleOffer } from './network/offer-reactions.ts';
import { endTradesOfCar, endTradesOfListing, settleSwap } from './network/trade-reactions.ts';
import { forgetHoldsOf } from './stock/reservations.ts';
import { forgetTasksOf } from './tasks/task-writes.ts';

type Id = { readonly id: string };
type Reaction<Args extends readonly unknown[]> = (work: Work, ...args: Args) => Promise<void>;

const inOrder =
  <Args extends readonly unknown[]>(...answers: readonly Reaction<Args>[]): Reaction<Args> =>
  async (work, ...args) => {
    for (const answer of answers) await answer(work, ...args);
  };

export const CONSEQUENCES: Consequences = {
  vehicleLeftStock: inOrder<[Id, { readonly except: string | null }]>(
    cancelRequestsFor,
    rejectNetworkOffersOnCar,
    rejectOffersOnCar,
    endTradesOfCar,
  ),
  listingClosed: inOrder(rejectOffersOfListing, rejectNetworkOffersOnListing, endTradesOfListing, endBoostsOf),
  offerReceived: enquiryOfOffer,
  reservationEnded: inOrder(settleAgreedOffer, settleOffer, settleSwap, auctionFellThrough, lotFellThrough),
  saleCancelled: inOrder(voidSaleDocuments),
  saleTermsChanged: inOrder(voidDrafts),
  saleRestructured: inOrder(renewPaymentPlan),
  customerErased: async (work, { id }) => {
    await forgetRowErrors(work, id);
    await forgetOffersOf(work, id);
    await forgetEnquiriesOf(work, id);
    await forgetPageOf(work, id);
    await eraseCustomerDocuments(work, id);
    const reservations = await forgetHoldsOf(work, id);
    return { reservations, tasks: await forgetTasksOf(work, id) };
  },
};
