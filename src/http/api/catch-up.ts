// Runs timed transitions that are due before a request reads or writes, so that no reply shows a state that has already ended.
// Each node remembers when the next transition of a data set is due.

import { WorldChanged, type WorldRef } from '../../domain/worlds/enter-world.ts';
import { PendingTransitions } from '../../domain/writes/pending-transitions.ts';
import { isAway, runTransitions, type TimedTransition } from '../../domain/writes/timed-transition.ts';
import type { Writer } from '../../domain/writes/write.ts';
import { CLOSED_FOR_MOVE, sqlState, Unavailable } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Changes } from '../../postgres/changes.ts';

export interface CatchUp {
  /** Null: nothing is due. Otherwise a promise that resolves once the transitions that are due have run. */
  ensure(ref: DataSetRef, now: Date): Promise<void> | null;
  /** Runs `run`; if it finds due transitions of other dealers, runs those and then `run` again. */
  settled<T>(run: () => Promise<T>, now: Date, world?: WorldRef | null): Promise<T>;
}

/** Usually one retry is enough; more are needed only if further transitions become due during it. */
const MAX_LOOKS = 5;

interface DataSetRef {
  readonly dataSetId: string;
  readonly accountId: string;
  readonly timezone: string;
  /** The isolated sandbox that it belongs to. */
  readonly world?: WorldRef | null;
}

const MAX_KNOWN = 200_000;
const NEVER = Number.POSITIVE_INFINITY;

export function createCatchUp(
  writer: Writer,
  changes: Changes,
  transitions: readonly TimedTransition[],
  /** In worlds. */
  worldTransitions: readonly TimedTransition[] = transitions,
): CatchUp {
  const known = new Map<string, { readonly version: bigint; readonly due: number }>();
  const running = new Map<string, Promise<void>>();
  // Notifications of a data set may arrive out of order: the latest version counts.
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

  async function look(ref: DataSetRef, now: Date): Promise<void> {
    const { version, due } = await writer.database.inTenant(ref.dataSetId, 'read', (db) =>
      db.last<{ version: bigint; due: Date | null }>(sql`select version, next_due_at as due from ${own('data_sets')}`),
    );
    const at = due?.getTime() ?? NEVER;
    note(ref.dataSetId, version, at);
    if (at <= now.getTime()) await end(ref, now);
  }

  const end = (ref: DataSetRef, now: Date) => runDue(writer, ref, now, ref.world ? worldTransitions : transitions);

  const once = (ref: DataSetRef, work: () => Promise<void>): Promise<void> => {
    const { dataSetId } = ref;
    const under = running.get(dataSetId);
    if (under !== undefined) return under;
    const promise = work().finally(() => running.delete(dataSetId));
    running.set(dataSetId, promise);
    return promise;
  };

  return {
    async settled(run, now, world = null) {
      for (let looks = 1; ; looks += 1) {
        try {
          return await run();
        } catch (error) {
          if (!(error instanceof PendingTransitions)) throw error;
          if (looks === MAX_LOOKS) throw new Unavailable('what has ended could not be written yet', { cause: error });
          for (const dataSet of error.dataSets) {
            const ref = await refOf(writer, dataSet, world);
            await once(ref, () => end(ref, now));
          }
        }
      }
    },
    ensure(ref, now) {
      // The clock that moves runs the transitions of its world, in order of their time.
      if (ref.world?.status === 'advancing') return null;
      const due = changes.isCurrent() ? known.get(ref.dataSetId)?.due : undefined;
      if (due === undefined) return once(ref, () => look(ref, now));
      return due <= now.getTime() ? once(ref, () => end(ref, now)) : null;
    },
  };
}

async function runDue(writer: Writer, ref: DataSetRef, now: Date, transitions: readonly TimedTransition[]): Promise<void> {
  const { dataSetId: dataSet, accountId: id, timezone, world } = ref;
  const due = { dataSet, account: { id, timezone }, now, world: world ?? undefined };
  // A failed transition does not fail the request that triggered it, unless the database is unavailable. If the clock of the world has
  // begun to move, the clock runs the transitions. A dealer who is closed for a move is read as it was.
  await runTransitions(writer, due, transitions).catch((error) => {
    if (isAway(error) && !(error instanceof WorldChanged) && sqlState(error) !== CLOSED_FOR_MOVE) throw error;
  });
}

async function refOf({ database }: Writer, dataSetId: string, world: WorldRef | null): Promise<DataSetRef> {
  const { id: accountId, timezone } = await database.inTenant(dataSetId, 'read', (db) =>
    db.last<{ id: string; timezone: string }>(sql`select id, timezone from ${own('accounts')}`),
  );
  return { dataSetId, accountId, timezone, world };
}
