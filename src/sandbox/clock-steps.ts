// The steps of a moving clock. The agenda has the next time of every kind of transition in every data set of the world, so that a step runs
// only the kinds that are due. It is kept in memory: an interrupted move reads it again.
import { setTimeout as wait } from 'node:timers/promises';
import { runTransitions, setNextTransition, type TimedTransition } from '../domain/writes/timed-transition.ts';
import { SYSTEM, type WriteCall, type Writer } from '../domain/writes/write.ts';
import { allAnswers, isUnavailable } from '../kit/db.ts';
import { Failure, fail } from '../kit/errors.ts';
import { sql, theAccount } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';
import { failMove, type MoveUnderWay, nextStep } from './clock-row.ts';
import { JOBS_AS_TRANSITIONS } from './world-transitions.ts';

/** A data set of a world. */
export interface WorldDataSet {
  readonly dataSet: string;
  readonly timezone: string;
}

/** A write by the clock, which is not refused because the clock moves (writes/write.ts). */
export type ClockCall = Omit<WriteCall, 'actor'> & { readonly world: { id: string; offsetMs: number; isClock: true } };

export const callOf = ({ worldId }: MoveUnderWay, { dataSet, timezone }: WorldDataSet, now: Date): ClockCall => ({
  dataSet,
  account: { id: dataSet, timezone },
  now,
  world: { id: worldId, offsetMs: 0, isClock: true },
});

export interface Steps {
  readonly writer: Writer;
  readonly move: MoveUnderWay;
  readonly dataSets: readonly WorldDataSet[];
  readonly transitions: readonly TimedTransition[];
}

/** By data set and kind, in milliseconds. A kind that is not due again is absent. */
type Agenda = Map<string, Map<string, number>>;

/** More rounds at one instant mean that something is due again and again. */
const MAX_ROUNDS = 1000;
/** The pause after each step, relative to its duration, so that other accounts get the processor. */
const PAUSE_RATIO = 0.25;

export async function runSteps(steps: Steps): Promise<void> {
  const { writer, move, dataSets } = steps;
  const agenda = await startAgenda(steps);
  const ids = dataSets.map(({ dataSet }) => dataSet);
  let [at, rounds] = [0, 0];
  for (;;) {
    const from = performance.now();
    const next = earliest(agenda);
    const { reached, changed, failure } = await writer.database
      .onPlatform('write', (db) => nextStep(db, move, ids, next))
      .catch(explainLost);
    if (failure !== null) await failAt(steps, failure);
    for (const one of dataSets) if (changed.includes(one.dataSet)) agenda.set(one.dataSet, await readTimes(steps, one, reached));
    const due = dueAt(agenda, reached);
    if (due.length === 0 && reached >= move.target) break;
    rounds = reached.getTime() === at ? rounds + 1 : 1;
    at = reached.getTime();
    if (rounds > MAX_ROUNDS) await failAt(steps, `more than ${MAX_ROUNDS} rounds at ${reached.toISOString()}`);
    for (const one of dataSets) if (due.includes(one.dataSet)) await runDue(steps, one, reached, agenda.get(one.dataSet)!);
    await wait((performance.now() - from) * PAUSE_RATIO);
  }
  for (const one of dataSets)
    await write(steps, one, move.target, ({ db }) => setNextTransition(db, one.timezone, steps.transitions));
}

const write = <T>({ writer, move }: Steps, one: WorldDataSet, now: Date, run: (work: Work) => Promise<T>): Promise<T> =>
  writer.write({ ...callOf(move, one, now), actor: SYSTEM }, run);

const earliest = (agenda: Agenda): Date | null => {
  const times = [...agenda.values()].flatMap((kinds) => [...kinds.values()]);
  return times.length === 0 ? null : new Date(Math.min(...times));
};

const dueAt = (agenda: Agenda, now: Date): string[] =>
  [...agenda].filter(([, kinds]) => [...kinds.values()].some((at) => at <= now.getTime())).map(([dataSet]) => dataSet);

/**
 * Failures of earlier tries are forgotten, so that their records are due again. What no write announces is looked for at once: a record may
 * need it since the last look.
 */
async function startAgenda(steps: Steps): Promise<Agenda> {
  const { move, dataSets } = steps;
  const agenda: Agenda = new Map();
  for (const one of dataSets) {
    const times = await readTimes(steps, one, move.reached, true);
    for (const { kind } of JOBS_AS_TRANSITIONS) times.set(kind, move.reached.getTime());
    agenda.set(one.dataSet, times);
  }
  return agenda;
}

/** The stored time is cleared, so that a time that a later write sets is seen. */
function readTimes(steps: Steps, one: WorldDataSet, now: Date, isStart = false): Promise<Map<string, number>> {
  return write(steps, one, now, async ({ db }) => {
    if (isStart) db.send(sql`delete from transition_failures where account_id = ${theAccount}`);
    db.send(sql`update data_sets set next_due_at = null where id = ${theAccount}`);
    const times = await allAnswers(
      steps.transitions.map(async ({ kind, next }) => [kind, await next(db, one.timezone, [])] as const),
    );
    return new Map(times.flatMap(([kind, at]) => (at === null ? [] : [[kind, at.getTime()] as const])));
  });
}

/** In the order of the list, each kind in a transaction of its own. */
async function runDue(steps: Steps, one: WorldDataSet, now: Date, kinds: Map<string, number>): Promise<void> {
  const due = steps.transitions.filter(({ kind }) => (kinds.get(kind) ?? Number.POSITIVE_INFINITY) <= now.getTime());
  try {
    for (const transition of due) {
      const next = await write(steps, one, now, (work) => runKind(transition, work, one.timezone));
      if (next === null) kinds.delete(transition.kind);
      else kinds.set(transition.kind, next.getTime());
    }
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // The usual way isolates the record at fault and records it, with its error; the next step reads that.
    await runTransitions(steps.writer, callOf(steps.move, one, now), steps.transitions.map(counted));
  }
}

async function runKind(transition: TimedTransition, work: Work, timezone: string): Promise<Date | null> {
  const ids = await transition.due(work, []);
  if (ids.length > 0) await counted(transition).run(work, ids);
  return transition.next(work.db, timezone, []);
}

/** Counts what it changes in the move of the clock that runs it. */
const counted = (transition: TimedTransition): TimedTransition => ({
  ...transition,
  run: async (work, ids) => {
    await transition.run(work, ids);
    work.db.send(sql`select count_world_transitions(${transition.kind}, ${ids.length})`);
  },
});

const explainLost = (error: unknown): never => {
  if (error instanceof Failure && error.code === 'not_found') return fail('sandbox_reset');
  throw error;
};

/** The record is named in the row, and in the reply of the call. */
async function failAt({ writer, move }: Steps, failure: string): Promise<never> {
  await writer.database.onPlatform('write', (db) => failMove(db, move, failure));
  return fail('conflict', {
    message: {
      en: `The clock stopped because a transition failed: ${failure}`,
      tr: `Saat durdu, çünkü zamanı gelen bir işlem başarısız oldu: ${failure}`,
    },
  });
}
