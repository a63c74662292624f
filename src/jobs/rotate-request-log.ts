// Creates the next partitions of the request log, drops those past retention, and deletes old rollups.
import { dropOldPartitions, makePartitions } from '../domain/usage/log-retention.ts';
import type { Database } from '../kit/db.ts';
import { type Sql, sql } from '../kit/sql.ts';

/** Usage reports cover 90 days at most; a year and a month lets a dealer compare with the same month of the year before. */
const ROLLUP_DAYS = 400;
const BATCH = 5000;

/** When the last call was made that is in the dealers' database and is not shown, because the log has its own; null: there is none. */
export async function lastCallNotShown(database: Database, realNow: Date): Promise<Date | null> {
  if (database.log === null) return null;
  const since = new Date(realNow.getTime() - ROLLUP_DAYS * 86_400_000);
  const { at } = await database.onPlatform('read', (db) =>
    db.one<{ at: Date | null }>(sql`select max(last_used_at) as at from usage_secrets where last_used_at > ${since}`),
  );
  return at;
}

/** Each step has transactions of its own, so that a slow one does not undo the partitions of the coming days. */
export async function rotateRequestLog(database: Database, realNow: Date): Promise<void> {
  await makePartitions(database, realNow);
  await dropOldPartitions(database, realNow);
  const oldest = new Date(realNow.getTime() - ROLLUP_DAYS * 86_400_000);
  for (const batch of [
    sql`delete from usage_calls where ctid = any(array(select ctid from usage_calls where hour < ${oldest} limit ${BATCH}))`,
    sql`delete from usage_latency where ctid = any(array(select ctid from usage_latency where hour < ${oldest} limit ${BATCH}))`,
  ])
    await deleteInBatches(database, batch);
}

async function deleteInBatches(database: Database, batch: Sql): Promise<void> {
  for (;;) {
    const count = await database.onPlatform('write', (db) => {
      // The plan is made without the value, expects old rows everywhere and would search the table for them.
      db.send(sql`set local enable_seqscan = off`);
      return db.exec(batch);
    });
    if (count < BATCH) return;
  }
}
