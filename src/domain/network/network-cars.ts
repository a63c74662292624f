// The cars of offers and swaps: found through the network's views, and locked in id order across dealers.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import { counterpartyRows } from '../parties/counterparty-rows.ts';
import { lockVehicle, type StoredVehicle } from '../stock/vehicle.ts';
import type { WorkByAccount } from './offer-events.ts';

export interface PublishedCar {
  readonly account_id: string;
  readonly id: string;
  readonly vehicle_id: string;
}

/** Another dealer's published listing. An unknown one, a closed one and one outside the network return the same error. */
export async function findPublished(db: Db, listingId: string): Promise<PublishedCar> {
  const [found] = await db.rows<PublishedCar>(
    sql`select account_id, id, vehicle_id from network_listings where id = ${listingId}`,
  );
  if (found !== undefined) return found;
  const [mine] = await db.rows(sql`select id from ${own('listings')} where id = ${listingId}`);
  return fail(mine === undefined ? 'listing_not_available' : 'own_listing');
}

export interface Car {
  readonly owner: string;
  readonly id: string;
}

/** In id order, so that two writes cannot deadlock. */
export async function lockCars(of: WorkByAccount, cars: readonly Car[]): Promise<Map<string, StoredVehicle>> {
  const locked = new Map<string, StoredVehicle>();
  for (const { owner, id } of cars.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    if (!locked.has(id)) locked.set(id, await lockVehicle(of(owner).db, id));
  return locked;
}

/** The car is locked. */
export async function isOnSale(db: Db, vehicle: StoredVehicle, listingId: string): Promise<boolean> {
  if (vehicle.status !== 'Stokta' || vehicle.deleted_at !== null) return false;
  const [open] = await db.rows(sql`select id from ${own('listings')} where id = ${listingId} and status = 'Yayında'`);
  return open !== undefined;
}

/** Dealers whose open offers and swaps end when a car leaves stock, queried by the car's owner. */
export async function concernedBy(db: Db, vehicleId: string): Promise<string[]> {
  const found = await db.rows<{ id: string }>(sql`
    select buyer_id as id from ${own('network_offers')} where vehicle_id = ${vehicleId} and status = 'Beklemede'
    union select requester_id from ${own('trade_requests')} where requested_vehicle_id = ${vehicleId} and status = 'Beklemede'
    union select account_id from ${counterpartyRows('trade_requests')} where offered_vehicle_id = ${vehicleId} and status = 'Beklemede'`);
  return found.map(({ id }) => id);
}
