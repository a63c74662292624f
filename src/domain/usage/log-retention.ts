// How long the request log is kept. Its partitions are days, so that the end of a day's lines is a DROP.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

const DAYS_KEPT = 30;
/** Created in advance, so that no line is lost while the job that does this fails for a few days. */
const DAYS_AHEAD = 7;

/** Creates the next partitions and drops those past retention. */
export const keepPartitions = (db: Db, realNow: Date): Promise<number> =>
  db.exec(
    sql`select keep_request_log((${realNow}::timestamptz at time zone 'UTC')::date, ${DAYS_KEPT}::int, ${DAYS_AHEAD}::int)`,
  );
