// Creates the next partitions of the request log, drops those past retention, and deletes old rollups.
import { keepPartitions } from '../domain/usage/log-retention.ts';
import type { Database } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

/** Usage reports cover 90 days at most; a year and a month lets a dealer compare with the same month of the year before. */
const ROLLUP_DAYS = 400;

export async function rotateRequestLog(database: Database, realNow: Date): Promise<void> {
  await database.onPlatform('write', async (db) => {
    await keepPartitions(db, realNow);
    const oldest = new Date(realNow.getTime() - ROLLUP_DAYS * 86_400_000);
    await db.exec(sql`delete from usage_calls where hour < ${oldest}`);
    await db.exec(sql`delete from usage_latency where hour < ${oldest}`);
  });
}
