// Moves the clock of a world forward. It stops at every instant at which something is due, in order, and runs there what the sweeper and
// the jobs would have run, with that instant as the business time. A step is a transaction of its own and can be repeated: an interrupted
// move continues from the last one.
import { setTimeout as wait } from 'node:timers/promises';
import { startDueRunsOf } from '../domain/imports/runs/claim-runs.ts';
import { createSemaphore } from '../domain/sharing/semaphore.ts';
import type { World } from '../domain/worlds/world.ts';
import { showWorlds } from '../domain/worlds/world.ts';
import { runTransitions, setNextTransition, type TimedTransition } from '../domain/writes/timed-transition.ts';
import { SYSTEM, type WriteCall, type Writer } from '../domain/writes/write.ts';
import { type Database, type Db, sqlState } from '../kit/db.ts';
import { fail } from '../kit/errors.ts';
import { sql, theAccount } from '../kit/sql.ts';
import {
  beginMove,
  type ClockMove,
  type ClockMoved,
  continueMove,
  failMove,
  finishMove,
  type MoveUnderWay,
  nextStep,
  renewClaim,
} from './clock-row.ts';
import { counted, WORLD_TRANSITIONS } from './world-transitions.ts';

export type { ClockMove, ClockMoved } from './clock-row.ts';

export interface ClockParts {
  readonly writer: Writer;
  /** Set by tests. */
  readonly transitions?: readonly TimedTransition[];
}

/** A data set of a world. */
export interface WorldDataSet {
  readonly dataSet: string;
  readonly timezone: string;
}

/** A move costs processor time, so one process makes few at a time; worlds take turns. */
const turns = createSemaphore({
  atOnce: 2,
  each: 1,
  waiting: 200,
  waitingEach: 20,
  waitMs: 120_000,
  what: 'moves of sandbox clocks',
});
/** How long a call waits for a move by another process. */
const MAX_WAIT_MS = 60_000;
const POLL_MS = 100;
const RENEW_MS = 1500;
/** More rounds at one instant mean that something is due again and again. */
const MAX_ROUNDS = 1000;
/** The pause after each step, relative to its duration, so that other accounts get the processor. */
const PAUSE_RATIO = 0.25;

/**
 * Returns when everything that was due on the way is committed. Calls for one world run one after the other: a move by a duration begins
 * where the one before it ended. The same call after an interruption or a failure continues the interrupted move.
 */
export async function advanceClock(parts: ClockParts, world: Pick<World, 'id'>, to: ClockMove): Promise<ClockMoved> {
  const until = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const moved = await inTurn(parts, world.id, (db) => beginMove(db, world.id, to));
    if (moved !== null) return moved;
    if (performance.now() > until) fail('clock_moving', { headers: { 'retry-after': '5' } });
    await wait(POLL_MS);
  }
}

/** For the worker: finishes a move whose process ended and whose caller did not repeat the call. Null: there is none. */
export const finishAbandonedMove = (parts: ClockParts, worldId: string): Promise<ClockMoved | null> =>
  inTurn(parts, worldId, (db) => continueMove(db, worldId));

/** Null: another process moves the clock, or a write of the world took longer than a lock is waited for. */
const inTurn = (
  parts: ClockParts,
  worldId: string,
  begin: (db: Db) => Promise<MoveUnderWay | null>,
): Promise<ClockMoved | null> =>
  turns.take(worldId, async () => {
    const move = await parts.writer.database.onPlatform('write', begin).catch((error) => {
      if (sqlState(error) === '55P03') return null;
      throw error;
    });
    return move === null ? null : runMove(parts, move);
  });

async function runMove(parts: ClockParts, move: MoveUnderWay): Promise<ClockMoved> {
  const { database } = parts.writer;
  const renewing = setInterval(() => void database.onPlatform('write', (db) => renewClaim(db, move)).catch(() => {}), RENEW_MS);
  try {
    const dataSets = await readDataSets(database, move.worldId);
    const transitions = (parts.transitions ?? WORLD_TRANSITIONS).map(counted);
    await lookAgain(parts, move, dataSets, transitions);
    await runSteps({ parts, move, dataSets, transitions });
    // Once, however many of their times have passed: each run would fetch the same feed.
    await startDueRunsOf(parts.writer, callOf(move, dataSets[0]!, move.target));
    return await database.onPlatform('write', (db) => finishMove(db, move));
  } finally {
    clearInterval(renewing);
  }
}

/** The dealer's own first, then the simulated dealers by name: two worlds with the same records take the same order. */
export const readDataSets = (database: Database, worldId: string): Promise<WorldDataSet[]> =>
  database.onPlatform('read', (db) => {
    showWorlds(db);
    return db.rows<WorldDataSet>(sql`select data_sets.id as "dataSet", timezone
      from accounts join data_sets on data_sets.account_id = accounts.id
      where world_id = ${worldId} order by accounts.id <> ${worldId}, name, data_sets.id`);
  });

/** A write by the clock, which is not refused because the clock moves (writes/write.ts). */
export type ClockCall = Omit<WriteCall, 'actor'> & { readonly world: { id: string; offsetMs: number; isClock: true } };

export const callOf = (
  { worldId }: Pick<MoveUnderWay, 'worldId'>,
  { dataSet, timezone }: WorldDataSet,
  now: Date,
): ClockCall => ({
  dataSet,
  account: { id: dataSet, timezone },
  now,
  world: { id: worldId, offsetMs: 0, isClock: true },
});

/**
 * Records of the world have changed since its next times were computed, and the simulated side may be new. Failures of earlier tries are
 * forgotten: their records are due again at once.
 */
async function lookAgain(
  { writer }: ClockParts,
  move: MoveUnderWay,
  dataSets: readonly WorldDataSet[],
  transitions: readonly TimedTransition[],
): Promise<void> {
  for (const one of dataSets)
    await writer.write({ ...callOf(move, one, move.reached), actor: SYSTEM }, async ({ db }) => {
      db.send(sql`delete from transition_failures where account_id = ${theAccount}`);
      await setNextTransition(db, one.timezone, transitions);
    });
}

interface Steps {
  readonly parts: ClockParts;
  readonly move: MoveUnderWay;
  readonly dataSets: readonly WorldDataSet[];
  readonly transitions: readonly TimedTransition[];
}

async function runSteps(steps: Steps): Promise<void> {
  const { parts, move, dataSets } = steps;
  const { database } = parts.writer;
  const ids = dataSets.map(({ dataSet }) => dataSet);
  let [at, rounds] = [0, 0];
  for (;;) {
    const from = performance.now();
    const { reached, due, failure } = await database.onPlatform('write', (db) => nextStep(db, move, ids));
    if (failure !== null) await failAt(steps, failure);
    if (due.length === 0) return;
    rounds = reached.getTime() === at ? rounds + 1 : 1;
    at = reached.getTime();
    if (rounds > MAX_ROUNDS) await failAt(steps, `more than ${MAX_ROUNDS} rounds at ${reached.toISOString()}`);
    await runDue(steps, reached, due);
    await wait((performance.now() - from) * PAUSE_RATIO);
  }
}

async function runDue({ parts, move, dataSets, transitions }: Steps, now: Date, due: readonly string[]): Promise<void> {
  for (const one of dataSets)
    if (due.includes(one.dataSet)) await runTransitions(parts.writer, callOf(move, one, now), transitions);
}

/** The record is named in the row, and in the reply of the call. */
async function failAt({ parts, move }: Steps, failure: string): Promise<never> {
  await parts.writer.database.onPlatform('write', (db) => failMove(db, move, failure));
  return fail('conflict', {
    message: {
      en: `The clock stopped because a transition failed: ${failure}`,
      tr: `Saat durdu, çünkü zamanı gelen bir işlem başarısız oldu: ${failure}`,
    },
  });
}
