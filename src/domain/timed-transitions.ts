// All timed transitions, in the order in which they run.

import { nextAuctionMoment, runAuctions } from './auctions/network-auction-writes.ts';
import { nextBoostMoment, runBoosts } from './boosts/boost-times.ts';
import { expireDocuments, nextDocumentEnd } from './documents/sale-document-expire.ts';
import { expireOffers, nextOfferEnd } from './marketplace/marketplace-offer-writes.ts';

import { expireNetworkOffers, nextNetworkOfferEnd } from './network/offer-follow.ts';
import { expireTrades, nextTradeEnd } from './network/trade-follow.ts';
import { nextInstallmentDay, tellDueInstallments } from './sales/installment-days.ts';
import { breakPromises, nextPromiseEnd } from './sales/promise-follow.ts';
import { expireReservations, nextReservationEnd } from './stock/reservations.ts';
import type { TimedTransition } from './writes/timed-transition.ts';

export const TIMED_TRANSITIONS: readonly TimedTransition[] = [
  // First, because the others stamp cars, after which orders and wallets are no longer waited for.
  { run: runBoosts, next: nextBoostMoment },
  // Auctions first: they are locked before anything holds the data set, for which bids on them wait.
  { run: runAuctions, next: nextAuctionMoment },
  { run: expireReservations, next: nextReservationEnd },
  { run: expireOffers, next: nextOfferEnd },
  { run: breakPromises, next: nextPromiseEnd },
  { run: tellDueInstallments, next: nextInstallmentDay },
  { run: expireDocuments, next: nextDocumentEnd },
  { run: expireNetworkOffers, next: nextNetworkOfferEnd },
  { run: expireTrades, next: nextTradeEnd },
];
