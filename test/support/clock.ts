// Moving business time, as `galeri clock` does it, under a service in this process.
import { setTestClock } from '../../src/domain/clock/test-clock.ts';
import { type Clock, dayIn, type Times } from '../../src/kit/clock.ts';
import type { Database } from '../../src/kit/db.ts';

/** A moment as the clocks of a deployment without a test clock have it: the same on both. */
export const unmoved = (at: Date): Times => ({ now: at, realNow: at });

/**
 * Sets business time for every process on the database, and for this one at once. Forward only once there is an account: a test that
 * begins in the past says so when it starts its service (`testService({ at: '2026-01-15T09:00:00Z' })`).
 */
export async function moveClock({ database, clock }: { database: Database; clock: Clock }, to: string | Date): Promise<void> {
  const { offset_ms } = await database.onPlatform('write', (db) => setTestClock(db, new Date(to)));
  clock.setOffset(offset_ms);
}

export const advanceClock = (service: { database: Database; clock: Clock }, milliseconds: number): Promise<void> =>
  moveClock(service, new Date(service.clock.now().getTime() + milliseconds));

/** `2026-08-08`, so many days from today, as the clocks of dealers in Northern Cyprus have it: for two or three hours a day it is not the day of UTC. */
export const dayFrom = (days: number): string => dayIn(new Date(Date.now() + days * 86_400_000), 'Asia/Famagusta');
