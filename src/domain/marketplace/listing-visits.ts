// Views, saves and contacts of a listing, counted by day in the dealer's time. The public site sends many of them, so counting is
// separate from the dealer's writes: no event, no new version, and no row that all of them wait for.
import { dayIn } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { rawSql, sql } from '../../kit/sql.ts';
import type { VisitKind } from './marketplace-states.ts';

const SLOTS = 16;

const COLUMNS: Readonly<Record<VisitKind, string>> = { view: 'views', favorite: 'favorites', contact: 'contacts' };

interface ListingRecord {
  readonly account_id: string;
  readonly timezone: string;
}

/** With the platform role. Visits of a listing that has closed are not counted, even if the site does not know yet. */
export async function countVisits(
  db: Db,
  { listingId, kind, count }: { readonly listingId: string; readonly kind: VisitKind; readonly count: number },
  now: Date,
): Promise<void> {
  const [found] = await db.rows<ListingRecord>(sql`select listings.account_id, accounts.timezone
    from listings join data_sets on data_sets.id = listings.account_id join accounts on accounts.id = data_sets.account_id
    where listings.id = ${listingId} and listings.status <> 'Kapandı'`);
  if (found === undefined) fail('listing_not_available');
  const column = rawSql(COLUMNS[kind]);
  const slot = Math.floor(Math.random() * SLOTS);
  await db.exec(sql`insert into listing_visits as counted (account_id, listing_id, day, slot, ${column})
    values (${found.account_id}, ${listingId}, ${dayIn(now, found.timezone)}, ${slot}, ${count})
    on conflict (account_id, listing_id, day, slot) do update set ${column} = counted.${column} + excluded.${column}`);
}

/** The owner of the listing, for a write on that dealer's data. With the platform role. */
export async function findOwner(db: Db, listingId: string): Promise<string | null> {
  const [found] = await db.rows<{ account_id: string }>(sql`select account_id from listings where id = ${listingId}`);
  return found?.account_id ?? null;
}

export interface Visits {
  readonly listingId: string;
  readonly views: number;
  readonly contacts: number;
}

/** Visits of many listings in one statement, in the order of their ids, so that two processes cannot deadlock. With the platform role. */
export async function countManyVisits(db: Db, visits: readonly Visits[], now: Date): Promise<void> {
  const slot = Math.floor(Math.random() * SLOTS);
  const of = <K extends keyof Visits>(name: K) => visits.map((visit) => visit[name]);
  await db.exec(sql`insert into listing_visits as counted (account_id, listing_id, day, slot, views, contacts)
    select listings.account_id, listings.id, (${now}::timestamptz at time zone accounts.timezone)::date, ${slot}, seen.views, seen.contacts
    from unnest(${of('listingId')}::uuid[], ${of('views')}::bigint[], ${of('contacts')}::bigint[]) seen (id, views, contacts)
      join listings on listings.id = seen.id join data_sets on data_sets.id = listings.account_id
      join accounts on accounts.id = data_sets.account_id
    where listings.status <> 'Kapandı' order by listings.account_id, listings.id
    on conflict (account_id, listing_id, day, slot) do update set views = counted.views + excluded.views,
      contacts = counted.contacts + excluded.contacts`);
}
