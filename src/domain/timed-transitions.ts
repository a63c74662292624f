// Everything that ends by time, in the order in which it is ended.
import { expireReservations, nextReservationEnd } from './stock/reservations.ts';
import type { Ending } from './writes/timed-transition.ts';

export const ENDINGS: readonly Ending[] = [{ run: expireReservations, next: nextReservationEnd }];
