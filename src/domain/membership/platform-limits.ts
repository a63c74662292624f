// A plan's places on the platform door, where people join an account.
import type { Db } from '../../kit/db.ts';
import { rawSql, sql } from '../../kit/sql.ts';
import { requireOneMore } from './plan-limits.ts';

/** One more active member, by the rule of plan-limits.ts. */
export const requireStaffPlace = (db: Db, accountId: string): Promise<void> =>
  requireOneMore(db, {
    limit: rawSql('staff_limit'),
    account: sql`(select * from accounts where id = ${accountId}) accounts`,
    rows: sql`members where account_id = ${accountId} and active`,
  });
