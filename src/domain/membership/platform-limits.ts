// A plan's limits with the platform role, where people join an account and keys are created.
import type { Db } from '../../kit/db.ts';
import { rawSql, sql } from '../../kit/sql.ts';
import { requireOneMore } from './plan-limits.ts';

/** One more active member, by the rule of plan-limits.ts. */
export const requireStaffPlace = (db: Db, accountId: string): Promise<void> =>
  requireOneMore(db, {
    what: 'staff',
    limit: rawSql('staff_limit'),
    account: sql`(select * from accounts where id = ${accountId}) accounts`,
    rows: sql`members where account_id = ${accountId} and active`,
  });

/** One more key that is not revoked: the plan's limit, or the platform's if that is lower. */
export const requireKeyPlace = (db: Db, accountId: string, keysPerAccount: number): Promise<void> =>
  requireOneMore(db, {
    what: 'keys',
    limit: sql`least(api_key_limit, ${keysPerAccount}::int)`,
    account: sql`(select * from accounts where id = ${accountId}) accounts`,
    rows: sql`api_keys where account_id = ${accountId} and revoked_at is null`,
  });
