// For administrators and metrics: failed timed transitions of every dealer.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

/** A record whose transition is overdue and failed. */
export interface TransitionFailure {
  readonly account_id: string;
  readonly account: string;
  readonly kind: string;
  readonly record_id: string;
  readonly error: string;
  readonly tries: number;
  readonly first_failed_at: string;
  readonly failed_at: string;
  readonly next_try_at: string;
  readonly overdue_transition: true;
}

export const listFailures = (db: Db, limit: number): Promise<TransitionFailure[]> =>
  db.rows<TransitionFailure>(sql`select d.account_id, a.name as account, f.kind, f.record_id, f.error, f.tries,
      utc_text(f.first_failed_at) as first_failed_at, utc_text(f.failed_at) as failed_at, utc_text(f.next_try_at) as next_try_at,
      true as overdue_transition
    from transition_failures f join data_sets d on d.id = f.account_id join accounts a on a.id = d.account_id
    order by f.first_failed_at, f.record_id limit ${limit}`);

export const countFailures = async (db: Db): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from transition_failures`)).count;
