// What simulated dealers own: published cars that the dealer of the world can make offers for.
import { addDemoAuction } from '../demo/demo-auctions.ts';
import { openListings } from '../demo/demo-data.ts';
import type { DemoDealer } from '../demo/demo-dealer.ts';
import { newDemoVehicle } from '../demo/demo-vehicle.ts';
import { insertRecords } from '../domain/records/record.ts';
import type { Work } from '../kit/work.ts';

const CARS = 6;
const HOUR_MS = 3_600_000;

/** `auctionId`: the last car is in an auction that runs, instead of on the marketplace. */
export async function stockSimulated({ db }: Work, dealer: DemoDealer, auctionId: string | null, now: Date): Promise<void> {
  const published = { status: 'Stokta', is_marketplace_visible: true, sold_at: null, sold_via: null };
  const cars = Array.from({ length: CARS }, (_, number) => ({ ...newDemoVehicle(dealer, number, now), ...published }));
  const last = cars.at(-1)!;
  if (auctionId !== null) Object.assign(last, { is_marketplace_visible: false });
  await insertRecords(db, 'vehicles', cars);
  await openListings(db, dealer, cars);
  if (auctionId === null) return;
  const vehicle = { id: String(last.id), currency: last.currency, price_minor: last.price_minor };
  await addDemoAuction(db, { id: auctionId, vehicle, now: new Date(now.getTime() - HOUR_MS), length: 7 * 24 * HOUR_MS });
}
