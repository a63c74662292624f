// Everything that ends by time, in the order in which it is ended.
import type { Ending } from './due.ts';
import { expireReservations, nextReservationEnd } from './reservations.ts';

export const ENDINGS: readonly Ending[] = [{ run: expireReservations, next: nextReservationEnd }];
