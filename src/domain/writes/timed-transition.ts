// What ends by itself. A data set says when it has to be looked at next; then the sweeper looks, or the first request that would
// otherwise be shown a state the clock has already ended.
import type { Db } from '../../kit/db.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { SYSTEM, type WriteCall, type Writer } from './write.ts';

/** A kind of thing that ends: how the ended ones are ended, and when the next one does. */
export interface TimedTransition {
  run(work: Work): Promise<void>;
  next(db: Db, timezone: string): Promise<Date | null>;
}

/** A day ends at another moment in another time zone: what the data set waits for is reckoned anew. */
export async function setNextTransition(db: Db, timezone: string, transitions: readonly TimedTransition[]): Promise<void> {
  const ends: Date[] = [];
  // Locked before it is asked what comes next, as in runTransitions.
  await db.exec(sql`update data_sets set next_due_at = null where id = ${theAccount}`);
  for (const transition of transitions) ends.push(...[await transition.next(db, timezone)].filter((at) => at !== null));
  const soonest = ends.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
  await db.exec(sql`update data_sets set next_due_at = ${soonest}::timestamptz where id = ${theAccount}`);
}

/** Ends what has ended, once however many ask: whoever comes second finds nothing left to do. */
export async function runTransitions(
  writer: Writer,
  due: Omit<WriteCall, 'actor'>,
  transitions: readonly TimedTransition[],
): Promise<void> {
  await writer.write({ ...due, actor: SYSTEM }, async (work) => {
    for (const transition of transitions) await transition.run(work);
    // Locked before it is asked what comes next: a write that adds something earlier is either seen here or comes after.
    await work.db.exec(sql`update data_sets set next_due_at = null where id = ${theAccount}`);
    for (const transition of transitions) {
      const next = await transition.next(work.db, due.account.timezone);
      if (next !== null) work.endsAt(next);
    }
  });
}
