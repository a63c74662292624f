// When each data set has to be looked at next, as this node knows it: nobody is shown a state that the clock has already ended.

import { PendingTransitions } from '../../domain/writes/pending-transitions.ts';
import { isAway, runTransitions, type TimedTransition } from '../../domain/writes/timed-transition.ts';
import type { Writer } from '../../domain/writes/write.ts';
import { Unavailable } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Changes } from '../../postgres/changes.ts';

export interface CatchUp {
  /** null: nothing of it has ended since it was last looked at. Otherwise it is brought up to date first. */
  ensure(whose: DataSetRef, now: Date): Promise<void> | null;
  /** `run`, and where it finds that something of other dealers has ended, once more after they are brought up to date. */
  settled<T>(run: () => Promise<T>, now: Date): Promise<T>;
}

/** What ends meanwhile is found by the second look; more of them only where ends follow each other closely. */
const MAX_LOOKS = 5;

interface DataSetRef {
  readonly dataSetId: string;
  readonly accountId: string;
  readonly timezone: string;
}

const MAX_KNOWN = 200_000;
const NEVER = Number.POSITIVE_INFINITY;

export function createCatchUp(writer: Writer, changes: Changes, transitions: readonly TimedTransition[]): CatchUp {
  const known = new Map<string, { readonly version: bigint; readonly due: number }>();
  const running = new Map<string, Promise<void>>();
  // News of one data set may overtake each other: the later version counts.
  const note = (dataSet: string, version: bigint, due: number) => {
    if (version < (known.get(dataSet)?.version ?? 0n)) return;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(dataSet, { version, due });
  };
  changes.onRestored(() => known.clear());
  changes.onChange(({ topic, id, version, dueAt }) => {
    if (topic === 'data') note(id, version!, dueAt ?? NEVER);
  });
  writer.database.onWritten((id, { version, next_due_at }) => note(id, version, next_due_at?.getTime() ?? NEVER));

  async function look(whose: DataSetRef, now: Date): Promise<void> {
    const { version, due } = await writer.database.inTenant(whose.dataSetId, 'read', (db) =>
      db.last<{ version: bigint; due: Date | null }>(sql`select version, next_due_at as due from ${own('data_sets')}`),
    );
    const at = due?.getTime() ?? NEVER;
    note(whose.dataSetId, version, at);
    if (at <= now.getTime()) await end(whose, now);
  }

  async function end(whose: DataSetRef, now: Date): Promise<void> {
    const { dataSetId: dataSet, accountId: id, timezone } = whose;
    // What goes wrong here is not the answer to the request that met it; only a database that is away is, to any request.
    await runTransitions(writer, { dataSet, account: { id, timezone }, now }, transitions).catch((error) => {
      if (isAway(error)) throw error;
    });
  }

  const once = (whose: DataSetRef, work: () => Promise<void>): Promise<void> => {
    const { dataSetId } = whose;
    const under = running.get(dataSetId);
    if (under !== undefined) return under;
    const promise = work().finally(() => running.delete(dataSetId));
    running.set(dataSetId, promise);
    return promise;
  };

  const whoseOf = async (dataSetId: string): Promise<DataSetRef> => {
    const { id: accountId, timezone } = await writer.database.inTenant(dataSetId, 'read', (db) =>
      db.last<{ id: string; timezone: string }>(sql`select id, timezone from ${own('accounts')}`),
    );
    return { dataSetId, accountId, timezone };
  };

  return {
    async settled(run, now) {
      for (let looks = 1; ; looks += 1) {
        try {
          return await run();
        } catch (error) {
          if (!(error instanceof PendingTransitions)) throw error;
          if (looks === MAX_LOOKS) throw new Unavailable('what has ended could not be written yet', { cause: error });
          for (const dataSet of error.dataSets) {
            const whose = await whoseOf(dataSet);
            await once(whose, () => end(whose, now));
          }
        }
      }
    },
    ensure(whose, now) {
      const due = changes.isCurrent() ? known.get(whose.dataSetId)?.due : undefined;
      if (due === undefined) return once(whose, () => look(whose, now));
      return due <= now.getTime() ? once(whose, () => end(whose, now)) : null;
    },
  };
}
