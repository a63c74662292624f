// The test clock: moves business time, for tests and rehearsals. The offset is a row of the database, so that every process and every
// command agrees on it, also after a restart (docs/decisions/0039-test-clock.md).
import type { Db } from '../../kit/db.ts';
import { readDay, readInstant } from '../../kit/params.ts';
import { sql } from '../../kit/sql.ts';

export class ClockRefusal extends Error {}

export interface TestClock {
  /** Business time. */
  readonly now: Date;
  readonly offset_ms: number;
}

/** Four-digit years everywhere. */
const FIRST = new Date('2000-01-01T00:00:00Z');
const LAST = new Date('2200-01-01T00:00:00Z');

const isPossible = (at: Date): boolean => at >= FIRST && at < LAST;

export const CLOCK_TIME = 'an instant such as 2026-01-15T09:00:00Z (from 2000 to 2199; a date alone is its midnight in UTC)';

/** Null if the text is not an instant, or is outside the clock's range. */
export function readClockTime(text: string): Date | null {
  const at = readInstant(readDay(text) === null ? text : `${text}T00:00:00Z`);
  return at !== null && isPossible(at) ? at : null;
}

interface Stored {
  readonly offset_ms: bigint;
  readonly started_at: Date | null;
  readonly real_now: Date;
}

const STORED = sql`select offset_ms, started_at, clock_timestamp() as real_now from test_clock`;

const clockOf = ({ offset_ms, real_now }: Pick<Stored, 'offset_ms' | 'real_now'>): TestClock => ({
  now: new Date(real_now.getTime() + Number(offset_ms)),
  offset_ms: Number(offset_ms),
});

export const readTestClock = async (db: Db): Promise<TestClock> => clockOf(await db.last<Stored>(STORED));

/** Concurrent moves add up: each waits for the one before it. */
const lockTestClock = (db: Db): Promise<Stored> => db.one<Stored>(sql`${STORED} for update`);

export async function advanceTestClock(db: Db, milliseconds: number): Promise<TestClock> {
  const { offset_ms, real_now } = await lockTestClock(db);
  return move(db, real_now, Number(offset_ms) + milliseconds);
}

export async function setTestClock(db: Db, at: Date): Promise<TestClock> {
  const stored = await lockTestClock(db);
  const { now } = clockOf(stored);
  if (at < now && (await holdsWrites(db)))
    throw new ClockRefusal(`the clock is at ${now.toISOString()} and there is data already: it moves forward only`);
  return move(db, stored.real_now, at.getTime() - stored.real_now.getTime());
}

/** TEST_CLOCK with an instant. A restart with the same setting does not reset the clock. */
export async function startTestClock(db: Db, at: Date): Promise<void> {
  const { started_at } = await lockTestClock(db);
  if (started_at?.getTime() === at.getTime() && (await holdsWrites(db))) return;
  await setTestClock(db, at);
  await db.exec(sql`update test_clock set started_at = ${at}`);
}

async function move(db: Db, real_now: Date, offset: number): Promise<TestClock> {
  const moved = clockOf({ offset_ms: BigInt(Math.round(offset)), real_now });
  if (!isPossible(moved.now)) throw new ClockRefusal('the clock cannot be set to this time: it must be from 2000 to 2199');
  await db.exec(sql`update test_clock set offset_ms = ${moved.offset_ms}`);
  return moved;
}

/** An account is the first record with a business time. */
async function holdsWrites(db: Db): Promise<boolean> {
  const { held } = await db.one<{ held: boolean }>(sql`select exists (select from accounts) as held`);
  return held;
}
