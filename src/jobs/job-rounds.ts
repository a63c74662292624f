// Rounds of jobs that run once over all workers: the database holds when each may run next.
import type { Database } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

/** Below 1, because timers and clocks of processes differ a little. */
const SHARE = 0.9;

/** True for one process in `everyMs`. If it ends during the round, any other process has the next one. */
export async function claimRound(database: Database, job: string, everyMs: number, realNow: Date): Promise<boolean> {
  const next = new Date(realNow.getTime() + everyMs * SHARE);
  const claimed = await database.onPlatform('write', (db) =>
    db.exec(sql`insert into job_rounds (job, next_at) values (${job}, ${next})
      on conflict (job) do update set next_at = excluded.next_at where job_rounds.next_at <= ${realNow}`),
  );
  return claimed === 1;
}

/** After a failure: the job is due for any process. */
export async function releaseRound(database: Database, job: string, realNow: Date): Promise<void> {
  await database.onPlatform('write', (db) => db.exec(sql`update job_rounds set next_at = ${realNow} where job = ${job}`));
}
