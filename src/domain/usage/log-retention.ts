// How long the request log is kept. Its partitions are days, so that the end of a day's lines is a DROP.
import { type Database, type Db, sqlState } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

const DAYS_KEPT = 30;
/** Created in advance, so that no line is lost while the job that does this fails for a few days. */
const DAYS_AHEAD = 7;

const keepPartitions = (database: Database, realNow: Date, daysKept: number | null): Promise<number> =>
  database.onPlatform('write', (db) =>
    db.exec(
      sql`select keep_request_log((${realNow}::timestamptz at time zone 'UTC')::date, ${daysKept}::int, ${DAYS_AHEAD}::int)`,
    ),
  );

/** Creates those of the coming days, also while lines are written and a backup reads the log. */
export const makePartitions = (database: Database, realNow: Date): Promise<number> => keepPartitions(database, realNow, null);

/** A start needs the partition of today only; the worker makes those of the coming days within an hour. */
export async function makePartitionsAtStart(
  database: Database,
  realNow: Date,
  report: (line: string, reason: string) => void,
): Promise<void> {
  try {
    await makePartitions(database, realNow);
  } catch (error) {
    if (!(await database.onPlatform('read', hasPartitionOfToday).catch(() => false))) throw error;
    report('the partitions of the request log could not be made; the worker makes them', (error as Error).message);
  }
}

export async function hasPartitionOfToday(db: Db): Promise<boolean> {
  const { has } = await db.one<{ has: boolean }>(
    sql`select to_regclass('public.request_logs_' || to_char(now() at time zone 'UTC', 'YYYYMMDD')) is not null as has`,
  );
  return has;
}

/** Drops those past retention. A DROP needs the whole log for a moment: while a backup reads it, it is left to the next round. */
export async function dropOldPartitions(database: Database, realNow: Date): Promise<void> {
  try {
    await keepPartitions(database, realNow, DAYS_KEPT);
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
