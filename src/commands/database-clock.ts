// Commands use the database's time, as the service does, because they may run on another machine.
import { type Clock, createClock } from '../kit/clock.ts';
import type { Database } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

export async function databaseClock(database: Database): Promise<Clock> {
  const clock = createClock();
  const sent = Date.now();
  const { at } = await database.onPlatform('read', (db) => db.last<{ at: Date }>(sql`select clock_timestamp() as at`));
  clock.align(at.getTime(), sent, Date.now());
  return clock;
}
