// Where a showroom and its cars are found, for links in the panel.
import type { Db } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';

/** `slug` is null while the showroom cannot be opened. */
export const findShowroomSlug = (db: Db): Promise<{ readonly slug: string | null; readonly can_publish: boolean }> =>
  db.one(sql`select marketplace as can_publish, case when marketplace and status = 'Aktif' then (select slug from ${own('showrooms')}
    where is_on) end as slug from ${own('accounts')}`);

/** Null while the showroom is off or does not show the car. */
export async function findPublicListing(
  db: Db,
  vehicleId: string,
): Promise<{ readonly slug: string; readonly listing_id: string } | null> {
  await db.one(sql`select from ${own('vehicles')} where id = ${vehicleId}`);
  const { slug } = await findShowroomSlug(db);
  if (slug === null) return null;
  const [listing] = await db.rows<{ id: string }>(
    sql`select id from ${own('listings')} where vehicle_id = ${vehicleId} and status = 'Yayında'`,
  );
  return listing === undefined ? null : { slug, listing_id: listing.id };
}
