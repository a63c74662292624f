// All timed transitions, in the order in which they run. The order matters: boosts before anything that stamps a car, because orders and
// wallets are not waited for after that; auctions before anything that locks the data set, because bids wait for it.

import { dueAuctions, nextAuctionMoment, runAuctions } from './auctions/network-auction-writes.ts';
import { dueBoosts, nextBoostMoment, runBoosts } from './boosts/boost-times.ts';
import { dueDocuments, expireDocuments, nextDocumentEnd } from './documents/generated/sale-document-expire.ts';
import { dueOffers, expireOffers, nextOfferEnd } from './marketplace/marketplace-offer-writes.ts';
import { dueNetworkOffers, expireNetworkOffers, nextNetworkOfferEnd } from './network/offer-reactions.ts';
import { dueTrades, expireTrades, nextTradeEnd } from './network/trade-reactions.ts';
import { dueInstallments, nextInstallmentDay, notifyDueInstallments } from './sales/installment-days.ts';
import { breakPromises, duePromises, nextPromiseEnd } from './sales/promise-reactions.ts';
import { dueReservations, expireReservations, nextReservationEnd } from './stock/reservations.ts';
import type { TimedTransition } from './writes/timed-transition.ts';

export const TIMED_TRANSITIONS: readonly TimedTransition[] = [
  { kind: 'boost_order', due: dueBoosts, run: runBoosts, next: nextBoostMoment },
  { kind: 'network_auction', due: dueAuctions, run: runAuctions, next: nextAuctionMoment },
  { kind: 'reservation', due: dueReservations, run: expireReservations, next: nextReservationEnd },
  { kind: 'marketplace_offer', due: dueOffers, run: expireOffers, next: nextOfferEnd },
  { kind: 'payment_promise', due: duePromises, run: breakPromises, next: nextPromiseEnd },
  { kind: 'installment', due: dueInstallments, run: notifyDueInstallments, next: nextInstallmentDay },
  { kind: 'sale_document', due: dueDocuments, run: expireDocuments, next: nextDocumentEnd },
  { kind: 'network_offer', due: dueNetworkOffers, run: expireNetworkOffers, next: nextNetworkOfferEnd },
  { kind: 'trade_request', due: dueTrades, run: expireTrades, next: nextTradeEnd },
];
