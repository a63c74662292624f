// All timed transitions, in the order in which they run.
import { expireOffers, nextOfferEnd } from './marketplace/marketplace-offer-writes.ts';
import { nextInstallmentDay, tellDueInstallments } from './sales/installment-days.ts';
import { breakPromises, nextPromiseEnd } from './sales/promise-follow.ts';
import { expireReservations, nextReservationEnd } from './stock/reservations.ts';
import type { TimedTransition } from './writes/timed-transition.ts';

export const TIMED_TRANSITIONS: readonly TimedTransition[] = [
  { run: expireReservations, next: nextReservationEnd },
  { run: expireOffers, next: nextOfferEnd },
  { run: breakPromises, next: nextPromiseEnd },
  { run: tellDueInstallments, next: nextInstallmentDay },
];
