// What simulated dealers own: published cars that the dealer of the world can make offers for.
import { openListings } from '../demo/demo-data.ts';
import type { DemoDealer } from '../demo/demo-dealer.ts';
import { newDemoVehicle } from '../demo/demo-vehicle.ts';
import { insertRecords } from '../domain/records/record.ts';
import type { Work } from '../kit/work.ts';

const CARS = 6;

export async function stockSimulated({ db }: Work, dealer: DemoDealer, now: Date): Promise<void> {
  const published = { status: 'Stokta', is_marketplace_visible: true, sold_at: null, sold_via: null };
  const cars = Array.from({ length: CARS }, (_, number) => ({ ...newDemoVehicle(dealer, number, now), ...published }));
  await insertRecords(db, 'vehicles', cars);
  await openListings(db, cars);
}
