// Adds banners to accounts (domain/notifications/banners.ts), with the platform role.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import type { NewBanner } from './banners.ts';

/** `personId`: only this person sees it and marks it as read. */
export async function addBanner(
  db: Db,
  accountId: string,
  { kind, data }: NewBanner,
  realNow: Date,
  personId: string | null = null,
): Promise<void> {
  await db.exec(sql`insert into notices (account_id, id, kind, data, person_id, created_at)
    values (${accountId}, ${newId(realNow.getTime())}, ${kind}, ${data}::jsonb, ${personId}, ${realNow})`);
}

/** Earlier banners about an endpoint are outdated once its status changes again. */
export async function forgetEndpointBanners(db: Db, endpoint: string, realNow: Date): Promise<void> {
  await db.exec(sql`update notices set read_at = ${realNow}
    where kind in ('row.opened', 'row.closed') and data->>'endpoint' = ${endpoint} and read_at is null`);
}
