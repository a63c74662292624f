// How many mails an account may queue: all mail for a dealer counts, from every entry point and job.
import type { Db } from '../../kit/db.ts';
import { type Sql, sql } from '../../kit/sql.ts';

/** An eighth of the mails that one worker sends in a minute (jobs/worker.ts). */
export const MAILS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/** Counts mails of the account (`theAccount` with the tenant role, its id with the platform role). False if they are too many. */
export async function takeMailBudget(db: Db, account: Sql | string, count: number, realNow: Date): Promise<boolean> {
  const minuteAgo = new Date(realNow.getTime() - MINUTE_MS);
  const taken =
    await db.exec(sql`insert into mail_budgets as budget (account_id, since, used) values (${account}, ${realNow}, ${count})
    on conflict (account_id) do update set since = case when budget.since > ${minuteAgo} then budget.since else ${realNow} end,
      used = excluded.used + case when budget.since > ${minuteAgo} then budget.used else 0 end
    where budget.since <= ${minuteAgo} or budget.used + excluded.used <= ${MAILS_PER_MINUTE}`);
  return taken > 0;
}
