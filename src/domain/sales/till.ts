// The till of a branch: which branch a payment belongs to, and the check that its day is not closed.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { refusedDay } from '../formats/written.ts';

export interface Till {
  readonly branch_id: string;
  /** The last closed day. */
  readonly closed_through: string | null;
}

/**
 * A shared lock: other collections do not wait for each other; closing a day waits for them and they for it. The branch that
 * `chosen` evaluates to, else the main one; null if there is no such branch.
 */
export const shareTillOf = async (db: Db, chosen: Sql): Promise<Till | null> =>
  (
    await db.rows<Till>(sql`select id as branch_id, closed_through from ${own('branches')}
      where id = coalesce(${chosen}, (select id from ${own('branches')} where is_main)) for share`)
  )[0] ?? null;

export const shareTill = async (db: Db, branchId: string | null): Promise<Till> =>
  (await shareTillOf(db, sql`${branchId}::uuid`))!;

export function requireOpenDay({ closed_through }: Till, day: string): void {
  if (closed_through !== null && day <= closed_through) fail('day_closed', { words: { day: refusedDay(closed_through) } });
}

/** A condition on collections: actual till movements. */
export const IS_TILL_MONEY = sql`method is not null and method <> 'Mahsup'`;
