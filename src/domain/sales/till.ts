// The till of a branch: which branch money belongs to, and that none is taken for a day that is closed.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';

export interface Till {
  readonly branch_id: string;
  /** The last day that is closed. */
  readonly closed_through: string | null;
}

/** Shared with others who take money; closing a day waits for them and they for it. The first that is given and there counts, else the main branch. */
export const shareTill = (db: Db, branches: readonly (string | null | undefined)[]): Promise<Till> =>
  db.one<Till>(sql`select id as branch_id, closed_through from ${own('branches')}
    where id = coalesce(${firstOf(branches)}::uuid, (select id from ${own('branches')} where is_main)) for share`);

const firstOf = (branches: readonly (string | null | undefined)[]): string | null =>
  branches.find((one) => one !== null && one !== undefined) ?? null;

export function requireOpenDay({ closed_through }: Till, day: string): void {
  if (closed_through !== null && day <= closed_through) fail('day_closed', { words: { day: closed_through } });
}

/** A condition on collections: what really came into a till or left it. */
export const IS_TILL_MONEY = sql`method is not null and method <> 'Mahsup'`;
