// Adds banners to accounts (domain/notifications/banners.ts), on the platform door.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import type { NewBanner } from './banners.ts';

export async function addBanner(db: Db, accountId: string, { kind, data }: NewBanner, now: Date): Promise<void> {
  await db.exec(sql`insert into notices (account_id, id, kind, data, created_at)
    values (${accountId}, ${newId(now.getTime())}, ${kind}, ${data}::jsonb, ${now})`);
}

/** Earlier banners about a row are outdated once its status changes again. */
export async function forgetRowBanners(db: Db, endpoint: string, now: Date): Promise<void> {
  await db.exec(sql`update notices set read_at = ${now}
    where kind in ('row.opened', 'row.closed') and data->>'endpoint' = ${endpoint} and read_at is null`);
}
