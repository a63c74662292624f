// The clocks of a process, set by the database: its time is everyone's real time, and it keeps the offset of business time.
import { type Clock, createClock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

export async function alignClock(database: Database, clock: Clock): Promise<void> {
  const sent = Date.now();
  const before = performance.now();
  const { at, offset_ms } = await database.onPlatform('read', (db) =>
    db.last<{ at: Date; offset_ms: bigint }>(sql`select clock_timestamp() as at, offset_ms from test_clock`),
  );
  clock.align(at.getTime(), sent, Date.now());
  clock.setOffset(Number(offset_ms), before);
}

export async function databaseClock(database: Database): Promise<Clock> {
  const clock = createClock();
  await alignClock(database, clock);
  return clock;
}
