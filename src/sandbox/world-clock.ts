// Moves the clock of a world forward. It stops at every instant at which something is due, in order, and runs there what the sweeper and
// the jobs would have run, with that instant as the business time. A step is a transaction of its own and can be repeated: an interrupted
// move continues from the last one.
import { setTimeout as wait } from 'node:timers/promises';
import { eraseOldPapers, hasOldPapers } from '../domain/documents/uploaded/document-erase.ts';
import { startDueRunsOf } from '../domain/imports/runs/claim-runs.ts';
import { createSemaphore } from '../domain/sharing/semaphore.ts';
import { WorldChanged } from '../domain/worlds/enter-world.ts';
import type { World } from '../domain/worlds/world.ts';
import { showWorlds } from '../domain/worlds/world.ts';
import type { TimedTransition } from '../domain/writes/timed-transition.ts';
import { SYSTEM, type Writer } from '../domain/writes/write.ts';
import { dayIn } from '../kit/clock.ts';
import { type Database, type Db, sqlState } from '../kit/db.ts';
import { fail } from '../kit/errors.ts';
import { sql } from '../kit/sql.ts';
import {
  beginMove,
  type ClockMove,
  type ClockMoved,
  continueMove,
  finishMove,
  type MoveUnderWay,
  renewClaim,
} from './clock-row.ts';
import { type ClockCall, callOf, runSteps, type WorldDataSet } from './clock-steps.ts';
import { WORLD_TRANSITIONS } from './world-transitions.ts';

export type { ClockMove, ClockMoved } from './clock-row.ts';

export interface ClockParts {
  readonly writer: Writer;
  /** Set by tests. */
  readonly transitions?: readonly TimedTransition[];
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

/** Null: another process moves the clock, or another change of the world took longer than a lock is waited for. */
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
    return move === null ? null : runMove(parts, move).catch(explainChange);
  });

/** Null: the lock of another change held the world for too long; the next try continues the move. */
function explainChange(error: unknown): null {
  if (!(error instanceof WorldChanged)) throw error;
  return error.isRemoved ? fail('sandbox_reset') : null;
}

async function runMove(parts: ClockParts, move: MoveUnderWay): Promise<ClockMoved> {
  const { database } = parts.writer;
  const renewing = setInterval(() => void database.onPlatform('write', (db) => renewClaim(db, move)).catch(() => {}), RENEW_MS);
  try {
    const dataSets = await readDataSets(database, move.worldId);
    await runSteps({ writer: parts.writer, move, dataSets, transitions: parts.transitions ?? WORLD_TRANSITIONS });
    await arrive(parts.writer, callOf(move, dataSets[0]!, move.target));
    return await database.onPlatform('write', (db) => finishMove(db, move));
  } finally {
    clearInterval(renewing);
  }
}

const PAPERS_AT_ONCE = 100;

/**
 * At the target: one run of each connector, however many of its times have passed, because each would fetch the same feed; and the erasure
 * of papers past their retention, which no event shows.
 */
async function arrive(writer: Writer, call: ClockCall): Promise<void> {
  await startDueRunsOf(writer, call);
  const today = dayIn(call.now, call.account.timezone);
  if (!(await writer.database.inTenant(call.dataSet, 'read', (db) => hasOldPapers(db, today)))) return;
  for (let erased = PAPERS_AT_ONCE; erased === PAPERS_AT_ONCE; )
    erased = await writer.write({ ...call, actor: SYSTEM }, (work) => eraseOldPapers(work, PAPERS_AT_ONCE));
}

/** The dealer's own first, then the simulated dealers by name: two worlds with the same records take the same order. */
export const readDataSets = (database: Database, worldId: string): Promise<WorldDataSet[]> =>
  database.onPlatform('read', (db) => {
    showWorlds(db);
    return db.rows<WorldDataSet>(sql`select data_sets.id as "dataSet", timezone
      from accounts join data_sets on data_sets.account_id = accounts.id
      where world_id = ${worldId} order by accounts.id <> ${worldId}, name, data_sets.id`);
  });
