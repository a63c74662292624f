// The car of an auction, a lot or a request: whether it can be offered, and how it returns to stock.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Work } from '../../kit/work.ts';
import type { StoredVehicle } from '../stock/vehicle.ts';
import { changeVehicle } from '../stock/vehicle-change.ts';
import { isInAuction } from '../stock/vehicle-locks.ts';

/** `en` and `tr` state the requirement on the field. */
export const badField = (field: string, code: string, en: string, tr: string): never =>
  fail('validation_failed', {
    details: [{ field, code, message: { en: `${field} must be ${en}`, tr: `${field}, ${tr} olmalı` } }],
  });

/** The car is locked. Refuses a car that is not the dealer's or not free. */
export async function requireFree(db: Db, vehicle: StoredVehicle | null): Promise<StoredVehicle> {
  if (vehicle === null) {
    const message = { en: 'vehicle_id names no vehicle of this account', tr: 'vehicle_id bu hesabın bir aracı değil' };
    return fail('unknown_reference', {
      details: [{ field: 'vehicle_id', code: 'unknown_reference', message }],
      words: { field: 'vehicle_id' },
    });
  }
  if (vehicle.deleted_at !== null) fail('vehicle_deleted');
  if (vehicle.status === "Auction'da" && (await isInAuction(db, vehicle.id))) fail('auction_exists');
  if (vehicle.status !== 'Stokta') fail('vehicle_not_in_stock');
  return vehicle;
}

/** Unsold, withdrawn or cancelled: the car is in stock again, and its listing stays closed. */
export const returnFromAuction = (work: Work, vehicle: StoredVehicle) =>
  changeVehicle(work, vehicle, { columns: { status: 'Stokta' }, history: 'status_changed', events: ['status_changed'] });
