// A lease: a row that one process at a time works on, claimed for a limited time. Until then no other process claims it. If the
// process is killed, the lease expires; work that takes longer renews it.
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { rawSql, type Sql, sql } from '../../kit/sql.ts';

/** Well above the duration of one attempt, well below the minute after which the work of a killed process must continue. */
export const LEASE_MS = 45_000;

/** Tenant tables with `claimed_until`. */
type LeasedTable = 'webhook_deliveries' | 'import_runs';

export interface Leased {
  readonly account_id: string;
  readonly id: string;
  readonly claimed_until: Date;
}

export const leaseEnd = (realNow: Date): Date => new Date(realNow.getTime() + LEASE_MS);
export const isFree = (realNow: Date): Sql => sql`(claimed_until is null or claimed_until <= ${realNow})`;
export const isTaken = (realNow: Date): Sql => sql`claimed_until > ${realNow}`;

export interface Taking {
  readonly table: LeasedTable;
  /** Name of the `with` query that selected account_id and id. */
  readonly from: string;
  /** A condition that must still hold under the lock. */
  readonly still: Sql;
  /** `, attempts = attempts + 1` */
  readonly also?: Sql;
}

/**
 * Claims the selected rows that are still free: two parts of a `with`, the second named `claimed`. Rows are locked last, so that
 * two processes never claim the same.
 */
export const taking = ({ table, from, still, also = sql`` }: Taking, realNow: Date): Sql => sql`
  locked as (
    select account_id, id from ${rawSql(table)} where (account_id, id) in (select account_id, id from ${rawSql(from)})
      and ${still} and ${isFree(realNow)} for update skip locked
  ), claimed as (
    update ${rawSql(table)} taken set claimed_until = ${leaseEnd(realNow)}${also} from locked
    where taken.account_id = locked.account_id and taken.id = locked.id returning taken.*
  )`;

/** Releases a claim on work that will not be done, so that another process can claim it at once. */
export const releaseLeases = (db: Db, table: LeasedTable, leases: readonly Leased[]): Promise<number> =>
  db.exec(sql`update ${rawSql(table)} taken set claimed_until = null
    from unnest(${leases.map(({ account_id }) => account_id)}::uuid[], ${leases.map(({ id }) => id)}::uuid[],
      ${leases.map(({ claimed_until }) => claimed_until)}::timestamptz[]) as mine(account_id, id, until)
    where taken.account_id = mine.account_id and taken.id = mine.id and claimed_until = mine.until`);

/** For longer work: renewed after a third of its time until it is stopped. A failed renewal is made up for by the next. */
export function keepRenewing(clock: Clock, renew: (until: Date) => Promise<unknown>): () => void {
  const timer = setInterval(() => {
    renew(leaseEnd(clock.realNow())).catch(() => {});
  }, LEASE_MS / 3);
  return () => clearInterval(timer);
}
