// Publishing and closing a listing; the same as through the vehicle (stock/vehicle-writes.ts).
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { requireCapability } from '../parties/capability.ts';
import type { CreateBody } from '../records/body.ts';
import { type Fields, required, uuidField } from '../records/fields.ts';
import { refuseUnknown } from '../records/references.ts';
import { type Listing, readListing } from '../stock/listing-view.ts';
import { LISTING_FIELDS } from '../stock/listings.ts';
import { lockNamedVehicle, lockVehicle } from '../stock/vehicle.ts';
import { publishLocked, unpublishVehicle } from '../stock/vehicle-writes.ts';

export const NEW_LISTING_FIELDS = { vehicle_id: required(uuidField), ...LISTING_FIELDS } as const satisfies Fields;

export async function openListingOf(
  work: Work,
  { vehicle_id, ...text }: CreateBody<typeof NEW_LISTING_FIELDS>,
): Promise<Listing> {
  const { db } = work;
  await requireCapability(db, 'marketplace');
  const vehicle = await lockNamedVehicle(db, vehicle_id);
  if (vehicle === null || vehicle.deleted_at !== null) return refuseUnknown('vehicle_id');
  const { listing_id } = await publishLocked(work, vehicle, text);
  return readListing(db, listing_id!);
}

export async function closeListing(work: Work, id: string): Promise<Listing> {
  const { db } = work;
  await requireCapability(db, 'marketplace');
  const { vehicle_id } = await db.one<{ vehicle_id: string }>(sql`select vehicle_id from ${own('listings')} where id = ${id}`);
  await lockVehicle(db, vehicle_id);
  const { isClosed } = await db.one<{ isClosed: boolean }>(
    sql`select status = 'Kapandı' as "isClosed" from ${own('listings')} where id = ${id} for update`,
  );
  if (isClosed) fail('listing_closed');
  await unpublishVehicle(work, vehicle_id);
  return readListing(db, id);
}
