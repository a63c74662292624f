// All timed transitions, in the order in which they run.
import { expireReservations, nextReservationEnd } from './stock/reservations.ts';
import type { TimedTransition } from './writes/timed-transition.ts';

export const TIMED_TRANSITIONS: readonly TimedTransition[] = [{ run: expireReservations, next: nextReservationEnd }];
