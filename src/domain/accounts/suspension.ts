// Suspending an account: a suspended account can still read, in the panel and with its keys, but it cannot change anything.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';

/** With the platform role. False if the account had that status already. */
export async function setSuspended(
  db: Db,
  accountId: string,
  suspended: boolean,
  reason: string | null,
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const [before, after] = suspended ? ['Aktif', 'Askıda'] : ['Askıda', 'Aktif'];
  const changed = await db.exec(
    sql`update accounts set status = ${after}, updated_at = ${now} where id = ${accountId} and status = ${before}`,
  );
  if (changed === 1)
    await audit(db, actor, suspended ? 'account.suspended' : 'account.unsuspended', accountId, {
      accountId,
      before: { status: before },
      after: { status: after, ...(reason === null ? {} : { reason }) },
    });
  return changed === 1;
}
