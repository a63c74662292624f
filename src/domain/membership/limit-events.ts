// Emits `membership.limit_reached` once a day, in its own transaction, because the refused write rolls back.
import { Failure } from '../../kit/errors.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { emitChange } from '../writes/record-events.ts';
import type { WriteCall, Writer } from '../writes/write.ts';
import { MEMBERSHIP_RESOURCE, readMembership } from './membership.ts';

/** The caller returns the refusal even if this fails. */
export async function emitIfLimitReached(writer: Writer, call: WriteCall, error: unknown): Promise<void> {
  if (!(error instanceof Failure) || error.code !== 'plan_limit_reached') return;
  await writer.write(call, emitOncePerDay).catch(() => {});
}

async function emitOncePerDay(work: Work): Promise<void> {
  const { db, today } = work;
  const updated = await db.exec(sql`update memberships set limit_told_on = ${today}
    where account_id = ${theAccount} and limit_told_on is distinct from ${today}::date`);
  if (updated === 1) emitChange(work, MEMBERSHIP_RESOURCE, 'limit_reached', await readMembership(db));
}
