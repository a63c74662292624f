// The simulated side of worlds, as the writer uses it.
import { runTransitions } from '../../domain/writes/timed-transition.ts';
import type { WorldPeople, WriteCall, Writer } from '../../domain/writes/write.ts';
import { WORLD_TRANSITIONS } from '../world-transitions.ts';
import { hasDueActs } from './act.ts';
import { planActs } from './plan.ts';

/** An act may lead to another that is due at once, as reading a document leads to signing it. */
const MAX_ROUNDS = 5;

/** Runs everything that is due in a data set of a world, for callers and for the worker. */
export async function runWorldTransitions(writer: Writer, due: Omit<WriteCall, 'actor'>): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    await runTransitions(writer, due, WORLD_TRANSITIONS);
    const isMore = await writer.database.inTenant(due.dataSet, 'read', (db) => hasDueActs({ db, now: due.now }));
    if (!isMore) return;
  }
}

export const WORLD_PEOPLE: WorldPeople = {
  plan: planActs,
  act: (writer, { dataSet, account, now, world }) => runWorldTransitions(writer, { dataSet, account, now, world }),
};
