// Runs due timed transitions of data sets that get no requests.
import { TIMED_TRANSITIONS } from '../domain/timed-transitions.ts';
import { runTransitions } from '../domain/writes/timed-transition.ts';
import type { Writer } from '../domain/writes/write.ts';
import { sql } from '../kit/sql.ts';

const MAX_AT_ONCE = 100;

/** Returns how many data sets were handled; a full batch means that there may be more. */
export async function runTimedTransitions(writer: Writer, now: Date): Promise<number> {
  const due = await writer.database.onPlatform('read', (db) =>
    db.rows<{ dataSet: string; id: string; timezone: string }>(sql`
      select d.id as "dataSet", a.id, a.timezone from data_sets d join accounts a on a.id = d.account_id
      where d.next_due_at <= ${now} and not is_closed(a.id) order by d.next_due_at limit ${MAX_AT_ONCE}`),
  );
  let failure: unknown = null;
  for (const { dataSet, id, timezone } of due)
    await runTransitions(writer, { dataSet, account: { id, timezone }, now }, TIMED_TRANSITIONS).catch((error) => {
      // A data set that fails does not delay the others.
      failure ??= error;
    });
  if (failure !== null) throw failure;
  return due.length;
}
