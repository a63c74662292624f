// The deliveries of all dealers that are not made yet.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

export interface Backlog {
  /** Those that are retried later included. */
  readonly waiting: number;
  readonly due: number;
  readonly oldest_due_seconds: number;
}

/** Reads the index of waiting deliveries only. */
export const readBacklog = (db: Db, realNow: Date): Promise<Backlog> =>
  db.one<Backlog>(sql`select count(*)::int as waiting, (count(*) filter (where next_attempt_at <= ${realNow}))::int as due,
      greatest(0, coalesce(extract(epoch from ${realNow}::timestamptz - min(next_attempt_at)), 0))::float8 as oldest_due_seconds
    from webhook_deliveries where status = 'Bekliyor'`);
