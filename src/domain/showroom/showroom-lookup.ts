// Showrooms over all dealers: by their address, and those that search engines may list. With the platform role.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

/** The data set that an address leads to, or led to until `since`. */
export async function findShowroom(db: Db, slug: string, since: Date): Promise<{ readonly dataSet: string } | null> {
  const [found] = await db.rows<{ dataSet: string }>(
    sql`select account_id as "dataSet" from showroom_slugs where slug = ${slug} and (retired_at is null or retired_at > ${since})`,
  );
  return found ?? null;
}

/** Showrooms that search engines may list: switched on, of dealers in production. */
export const listShowrooms = (db: Db, max: number): Promise<{ readonly slug: string }[]> =>
  db.rows<{ slug: string }>(sql`select showrooms.slug from showrooms join accounts on accounts.id = showrooms.account_id
    where is_on and accounts.marketplace and accounts.status = 'Aktif' and not accounts.is_demo order by showrooms.slug limit ${max}`);
