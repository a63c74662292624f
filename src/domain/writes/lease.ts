// Work that any process may do and one does: its row is taken for a time. Until then nobody else takes it; who is killed with it loses
// it by itself, and who needs longer renews it.
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { rawSql, type Sql, sql } from '../../kit/sql.ts';

/** Well above what one attempt can take, well below the minute within which the work of a killed process must go on. */
export const LEASE_MS = 45_000;

/** Tables of dealers' work with `claimed_until`. */
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
  /** Name of the `with` query that chose account_id and id. */
  readonly from: string;
  /** What must still hold under the lock. */
  readonly still: Sql;
  /** `, attempts = attempts + 1` */
  readonly also?: Sql;
}

/** The chosen rows that are still free, taken: two parts of a `with`, the second called `claimed`. Locked last, so that no two take the same. */
export const taking = ({ table, from, still, also = sql`` }: Taking, realNow: Date): Sql => sql`
  locked as (
    select account_id, id from ${rawSql(table)} where (account_id, id) in (select account_id, id from ${rawSql(from)})
      and ${still} and ${isFree(realNow)} for update skip locked
  ), claimed as (
    update ${rawSql(table)} taken set claimed_until = ${leaseEnd(realNow)}${also} from locked
    where taken.account_id = locked.account_id and taken.id = locked.id returning taken.*
  )`;

/** What was taken and will not be done after all is anyone's again at once. */
export const releaseLeases = (db: Db, table: LeasedTable, leases: readonly Leased[]): Promise<number> =>
  db.exec(sql`update ${rawSql(table)} taken set claimed_until = null
    from unnest(${leases.map(({ account_id }) => account_id)}::uuid[], ${leases.map(({ id }) => id)}::uuid[],
      ${leases.map(({ claimed_until }) => claimed_until)}::timestamptz[]) as mine(account_id, id, until)
    where taken.account_id = mine.account_id and taken.id = mine.id and claimed_until = mine.until`);

/** For work that may take longer: renewed at a third of its time until it is stopped. One that fails is made up for by the next. */
export function keepRenewing(clock: Clock, renew: (until: Date) => Promise<unknown>): () => void {
  const timer = setInterval(() => {
    renew(leaseEnd(clock.realNow())).catch(() => {});
  }, LEASE_MS / 3);
  return () => clearInterval(timer);
}
