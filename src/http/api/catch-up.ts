// When each data set has to be looked at next, as this node knows it: nobody is shown a state that the clock has already ended.
import { runTransitions, type TimedTransition } from '../../domain/writes/timed-transition.ts';
import type { Writer } from '../../domain/writes/write.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Changes } from '../../postgres/changes.ts';

export interface CatchUp {
  /** null: nothing of it has ended since it was last looked at. Otherwise it is brought up to date first. */
  ensure(whose: Whose, now: Date): Promise<void> | null;
}

interface Whose {
  readonly dataSetId: string;
  readonly accountId: string;
  readonly timezone: string;
}

const MAX_KNOWN = 200_000;
const NEVER = Number.POSITIVE_INFINITY;

export function createCatchUp(writer: Writer, changes: Changes, transitions: readonly TimedTransition[]): CatchUp {
  const known = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  const note = (dataSet: string, due: number) => {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(dataSet, due);
  };
  changes.onRestored(() => known.clear());
  changes.onChange(({ topic, id, dueAt }) => {
    if (topic === 'data') note(id, dueAt ?? NEVER);
  });

  async function look(whose: Whose, now: Date): Promise<void> {
    const due = await writer.database.inTenant(whose.dataSetId, 'read', (db) =>
      db.last<{ due: Date | null }>(sql`select next_due_at as due from ${own('data_sets')}`),
    );
    const at = due.due?.getTime() ?? NEVER;
    note(whose.dataSetId, at);
    if (at <= now.getTime()) await end(whose, now);
  }

  async function end(whose: Whose, now: Date): Promise<void> {
    const { dataSetId: dataSet, accountId: id, timezone } = whose;
    await runTransitions(writer, { dataSet, account: { id, timezone }, now }, transitions);
    // What comes next is told on the change channel; until then it is asked for.
    known.delete(dataSet);
  }

  const once = (whose: Whose, work: () => Promise<void>): Promise<void> => {
    const { dataSetId } = whose;
    const under = running.get(dataSetId);
    if (under !== undefined) return under;
    const promise = work().finally(() => running.delete(dataSetId));
    running.set(dataSetId, promise);
    return promise;
  };

  return {
    ensure(whose, now) {
      const due = changes.isCurrent() ? known.get(whose.dataSetId) : undefined;
      if (due === undefined) return once(whose, () => look(whose, now));
      return due <= now.getTime() ? once(whose, () => end(whose, now)) : null;
    },
  };
}
