// TEST_CLOCK at the start of the service.
import type { Config } from '../../config.ts';
import { ClockRefusal, readTestClock, startTestClock } from '../../domain/clock/test-clock.ts';
import type { Database } from '../../kit/db.ts';
import type { Log } from '../../kit/log.ts';
import { UsageError } from '../command.ts';

/** Before anything has a time: the demonstration is of the day on which the clock stands. */
export async function openTestClock({ testClock, databaseUrl }: Config, database: Database, log: Log): Promise<void> {
  if (testClock instanceof Date)
    await database
      .onPlatform('write', (db) => startTestClock(db, testClock))
      .catch((error) => {
        throw error instanceof ClockRefusal
          ? new UsageError(`TEST_CLOCK cannot be ${testClock.toISOString()}: ${error.message}`)
          : error;
      });
  const { now, offset_ms } = await database.onPlatform('read', readTestClock);
  if (testClock !== false) {
    log.warn(
      'TEST_CLOCK IS ON: business time is not real time here and anyone on this machine can move it; never so with real data',
      {
        now,
        offset_ms,
      },
    );
  } else if (offset_ms !== 0) {
    const next = databaseUrl === null ? 'set TEST_CLOCK=on to go on with it, or take another DATA_DIR' : 'take another database';
    throw new UsageError(`this is the data of a rehearsal, whose clock was moved to ${now.toISOString()}: ${next}`);
  }
}
