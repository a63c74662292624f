// Moves business time, as `galeri clock` does, in a service of this process.
import { setTestClock } from '../../src/domain/clock/test-clock.ts';
import { type Clock, dayIn, type Times } from '../../src/kit/clock.ts';
import type { Database } from '../../src/kit/db.ts';

/** A moment on the clocks of a deployment without a test clock: the same on both. */
export const unmoved = (at: Date): Times => ({ now: at, realNow: at });

/**
 * Sets business time for every process on the database, and for this one at once. Only forward once there is an account: a test
 * that starts in the past sets it when it starts its service (`testService({ at: '2026-01-15T09:00:00Z' })`).
 */
export async function moveClock({ database, clock }: { database: Database; clock: Clock }, to: string | Date): Promise<void> {
  const { offset_ms } = await database.onPlatform('write', (db) => setTestClock(db, new Date(to)));
  clock.setOffset(offset_ms);
}

export const advanceClock = (service: { database: Database; clock: Clock }, milliseconds: number): Promise<void> =>
  moveClock(service, new Date(service.clock.now().getTime() + milliseconds));

/**
 * `2026-08-08`, this many days from today in the time zone of Northern Cyprus: for two or three hours a day it is not the date in
 * UTC.
 */
export const dayFrom = (days: number): string => dayIn(new Date(Date.now() + days * 86_400_000), 'Asia/Famagusta');
