// What must be in a till by the records: the last counted cash, what came in and what went out since. Cheques, transfers and cards
// are not carried over, because they do not stay in the till.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { CASH } from '../expenses/expenses-states.ts';
import { IS_TILL_MONEY } from '../sales/till.ts';

export interface ExpectedLine {
  readonly currency: Currency;
  readonly method: string;
  readonly count: number;
  /** Last counted. */
  readonly opening: bigint;
  readonly cash_in: bigint;
  readonly cash_out: bigint;
  readonly expected: bigint;
}

/** Collections by any method; expenses and transfers in cash. Amounts have the sign with which they change the till. */
const movements = (branchId: string): Sql => sql`(
  select currency, method, amount_minor as amount, collected_on as day from ${own('collections')} where branch_id = ${branchId} and ${IS_TILL_MONEY}
  union all select currency, method, -amount_minor, day from ${own('expenses')} where branch_id = ${branchId} and method = ${CASH}
  union all select currency, ${CASH}, -amount_minor, day from ${own('cash_transfers')} where from_branch_id = ${branchId}
  union all select currency, ${CASH}, amount_minor, day from ${own('cash_transfers')} where to_branch_id = ${branchId}) moved`;

/** The closing of the last closed day. */
const lastClosing = (branchId: string): Sql => sql`(select day, lines from ${own('till_closings')}
  where branch_id = ${branchId} and reopened_at is null order by day desc limit 1)`;

/** Through `day`; nothing if that day is closed. */
export const expectedLines = (db: Db, branchId: string, day: string): Promise<ExpectedLine[]> =>
  db.rows<ExpectedLine>(sql`with last as ${lastClosing(branchId)}, parts as (
      select currency, method, 1 as count, 0::bigint as opening, greatest(amount, 0) as cash_in, greatest(-amount, 0) as cash_out
        from ${movements(branchId)} where day <= ${day}::date and not exists (select from last where last.day >= moved.day)
      union all select line ->> 'currency', ${CASH}, 0, ((line ->> 'counted')::numeric * 100)::bigint, 0, 0
        from last cross join jsonb_array_elements(lines) line where line ->> 'method' = ${CASH} and last.day < ${day}::date)
    select currency, method, sum(count)::int as count, sum(opening)::bigint as opening, sum(cash_in)::bigint as cash_in,
      sum(cash_out)::bigint as cash_out, (sum(opening) + sum(cash_in) - sum(cash_out))::bigint as expected
    from parts group by currency, method having sum(count) > 0 or sum(opening) <> 0 order by currency, method`);
