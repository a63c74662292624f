// Creates the next partitions of the request log, drops those past retention, and deletes old rollups.
import { keepPartitions } from '../domain/usage/log-retention.ts';
import type { Database } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

/** Usage reports cover 90 days at most; a year and a month lets a dealer compare with the same month of the year before. */
const ROLLUP_DAYS = 400;

/** When the last call was made that is in the dealers' database and is not shown, because the log has its own; null: there is none. */
export async function lastCallNotShown(database: Database, realNow: Date): Promise<Date | null> {
  if (database.log === null) return null;
  const since = new Date(realNow.getTime() - ROLLUP_DAYS * 86_400_000);
  const { at } = await database.onPlatform('read', (db) =>
    db.one<{ at: Date | null }>(sql`select max(last_used_at) as at from usage_secrets where last_used_at > ${since}`),
  );
  return at;
}

export async function rotateRequestLog(database: Database, realNow: Date): Promise<void> {
  await database.onPlatform('write', async (db) => {
    await keepPartitions(db, realNow);
    const oldest = new Date(realNow.getTime() - ROLLUP_DAYS * 86_400_000);
    await db.exec(sql`delete from usage_calls where hour < ${oldest}`);
    await db.exec(sql`delete from usage_latency where hour < ${oldest}`);
  });
}
