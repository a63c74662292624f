// The clock of a world as its row stores it. The row says which process moves the clock, how far it is and what has happened; each
// change names the claim of that process, so that a process which lost its claim changes nothing more.

import { randomUUID } from 'node:crypto';
import { showWorlds } from '../domain/worlds/world.ts';
import type { Db } from '../kit/db.ts';
import { fail } from '../kit/errors.ts';
import { sql } from '../kit/sql.ts';

/** To an instant, or forward by a number of milliseconds. */
export type ClockMove = Date | { readonly advanceMs: number };

/** A process that has not renewed its claim for this long is dead, and another may continue. */
const CLAIM_MS = 5000;
/** From the beginning of the world. */
const MAX_YEARS = 5;

interface Progress {
  readonly from: string;
  /** The move as it was asked for, to recognise the same call after an interruption. */
  readonly requested: string;
  /** The sequence of the dealer's events when the move began. */
  readonly sequence: number;
  readonly transitions: Readonly<Record<string, number>>;
}

interface ClockRow {
  readonly status: 'ready' | 'advancing' | 'failed';
  readonly reached_at: Date | null;
  readonly target_at: Date | null;
  readonly progress: string;
  readonly is_claimed: boolean;
  readonly latest: Date;
  readonly sequence: number;
}

export interface MoveUnderWay {
  readonly worldId: string;
  readonly claim: string;
  readonly target: Date;
  readonly reached: Date;
}

const REAL = sql`clock_timestamp()`;
const claimEnd = sql`${REAL} + ${CLAIM_MS} * interval '1 millisecond'`;

/**
 * Starts a move, or continues one that was interrupted or failed. Null: another process moves the clock. The row's lock waits for the
 * writes of the world that are under way.
 */
export async function beginMove(db: Db, worldId: string, move: ClockMove): Promise<MoveUnderWay | null> {
  const row = await lockRow(db, worldId);
  if (row.is_claimed) return null;
  // After the wait for those writes: nothing has read a later time.
  const { now } = await db.one<{ now: Date }>(sql`select stop_world_clock(${worldId}) as now`);
  const requested = move instanceof Date ? move.toISOString() : `+${move.advanceMs}`;
  const isSame = row.target_at !== null && (JSON.parse(row.progress) as Progress).requested === requested;
  const target = isSame ? row.target_at! : move instanceof Date ? move : new Date(now.getTime() + move.advanceMs);
  if (!isSame) requirePossible(now, row.latest, target);
  const started: Progress = { from: now.toISOString(), requested, sequence: row.sequence, transitions: {} };
  return claim(db, worldId, { target, reached: now, progress: isSame ? row.progress : JSON.stringify(started) });
}

/** Continues a move whose process is dead. Null: there is none. */
export async function continueMove(db: Db, worldId: string): Promise<MoveUnderWay | null> {
  const row = await lockRow(db, worldId);
  if (row.is_claimed || row.status !== 'advancing') return null;
  return claim(db, worldId, { target: row.target_at!, reached: row.reached_at!, progress: row.progress });
}

async function lockRow(db: Db, worldId: string): Promise<ClockRow> {
  const [row] = await db.rows<ClockRow>(sql`select status, reached_at, target_at, progress,
      status = 'advancing' and coalesce(clock_claimed_until > ${REAL}, false) as is_claimed,
      started_at + make_interval(years => ${MAX_YEARS}) as latest,
      (select sequence::float8 from data_sets where data_sets.id = worlds.id) as sequence
    from worlds where id = ${worldId} and removed_at is null for update`);
  return row ?? fail('sandbox_reset');
}

function requirePossible(now: Date, latest: Date, target: Date): void {
  if (target <= now) fail('clock_moves_forward', { words: { now: now.toISOString() } });
  if (target > latest) fail('clock_out_of_range', { words: { latest: latest.toISOString() } });
}

interface Claimed {
  readonly target: Date;
  readonly reached: Date;
  readonly progress: string;
}

async function claim(db: Db, worldId: string, { target, reached, progress }: Claimed): Promise<MoveUnderWay> {
  const mine = randomUUID();
  await db.exec(sql`update worlds set status = 'advancing', failure = null, target_at = ${target}, reached_at = ${reached},
      progress = ${progress}, clock_claim = ${mine}, clock_claimed_until = ${claimEnd} where id = ${worldId}`);
  return { worldId, claim: mine, target, reached };
}

const mine = ({ worldId, claim }: MoveUnderWay) =>
  sql`id = ${worldId} and clock_claim = ${claim} and status = 'advancing' and removed_at is null`;

export const renewClaim = (db: Db, move: MoveUnderWay): Promise<number> =>
  db.exec(sql`update worlds set clock_claimed_until = ${claimEnd} where ${mine(move)}`);

export interface ClockStep {
  readonly reached: Date;
  /** Data sets in which a write has set a time at which something is due. */
  readonly changed: readonly string[];
  /** A transition that failed. The clock has not moved on. */
  readonly failure: string | null;
}

/**
 * Moves the clock to `next`, to an earlier time that a write has set in one of the data sets, or to the target. Times are rounded up to
 * milliseconds, which is what the domain compares. The change waits for the disk, because readings show this time: after a crash the clock
 * is not before them. Not found: another process has the claim, or the world was reset.
 */
export function nextStep(db: Db, move: MoveUnderWay, dataSets: readonly string[], next: Date | null): Promise<ClockStep> {
  showWorlds(db);
  return db.last<ClockStep>(sql`
    with changed as (select id, next_due_at from data_sets where id = any(${dataSets}::uuid[]) and next_due_at is not null),
    failed as (select left(kind || ' ' || record_id || ': ' || error, 1000) as failure from transition_failures
      where account_id = any(${dataSets}::uuid[]) order by failed_at, kind, record_id limit 1),
    moved as (update worlds set clock_claimed_until = ${claimEnd}, reached_at = case when exists (select from failed) then reached_at
        else least(target_at, greatest(reached_at, least(target_at, ${next}::timestamptz,
          (select date_trunc('milliseconds', min(next_due_at) + interval '999 microseconds') from changed)))) end
      where ${mine(move)} returning reached_at as reached)
    select reached, array(select id from changed) as changed, (select failure from failed) as failure from moved`);
}

/** The clock stays where it is. The next call tries again from there. */
export const failMove = (db: Db, move: MoveUnderWay, failure: string): Promise<number> =>
  db.exec(sql`update worlds set status = 'failed', failure = ${failure.slice(0, 1000)}, clock_claim = null, clock_claimed_until = null
    where ${mine(move)}`);

export interface ClockMoved {
  readonly from: Date;
  readonly to: Date;
  /** How many records changed, by kind. */
  readonly transitions: Readonly<Record<string, number>>;
  /** Events of the dealer's own account. */
  readonly events: number;
}

export async function finishMove(db: Db, move: MoveUnderWay): Promise<ClockMoved> {
  const [done] = await db.rows<{ progress: string; sequence: number }>(sql`update worlds set status = 'ready', reached_at = null,
      target_at = null, clock_claim = null, clock_claimed_until = null,
      offset_ms = greatest(0, ceil(extract(epoch from target_at - ${REAL}) * 1000)::bigint)
    where ${mine(move)}
    returning progress, (select sequence::float8 from data_sets where data_sets.id = worlds.id) as sequence`);
  if (done === undefined) return fail('sandbox_reset');
  const { from, sequence, transitions } = JSON.parse(done.progress) as Progress;
  return { from: new Date(from), to: move.target, transitions, events: done.sequence - sequence };
}
