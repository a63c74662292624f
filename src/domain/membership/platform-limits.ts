// A plan's places on the platform door, where people join an account.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';

/** One more active member, as `requirePlace` of plan-limits.ts: the account is locked by both. */
export async function requireStaffPlace(db: Db, accountId: string): Promise<void> {
  const [limited] = await db.rows<{ staff_limit: number }>(
    sql`select staff_limit from accounts where id = ${accountId} and staff_limit is not null for no key update`,
  );
  if (limited === undefined) return;
  const { count } = await db.one<{ count: bigint }>(sql`select count(*) from members where account_id = ${accountId} and active`);
  if (count >= limited.staff_limit) fail('plan_limit_reached', { words: { limit: limited.staff_limit } });
}
