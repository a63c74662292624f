// A world for tests: an account that was filled as a production account becomes one.
import { randomUUID } from 'node:crypto';
import { SYSTEM, type WriteCall } from '../../src/domain/writes/write.ts';
import { openSession } from '../../src/postgres/database.ts';

export interface TestWorld {
  readonly id: string;
  /** Business time of the world. */
  now(): Date;
  /** A write of the world at its present time. */
  call(): WriteCall;
  /** Only the clock, without what falls due on the way. */
  moveClock(days: number): Promise<void>;
  remove(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** From then on only domain functions reach its data: no production key does. */
export async function asWorld(adminUrl: string, accountId: string, timezone = 'Asia/Famagusta'): Promise<TestWorld> {
  const ownerId = randomUUID();
  let offsetMs = 0;
  const run = async (statement: string, values: readonly unknown[] = []): Promise<void> => {
    const admin = await openSession(adminUrl);
    await admin.rows(statement, [...values]);
    await admin.close();
  };
  await run(
    `insert into accounts (id, name, country, default_currency, timezone, rate_source)
     select $1, 'Owner', country, default_currency, timezone, rate_source from accounts where id = $2`,
    [ownerId, accountId],
  );
  await run(
    `insert into worlds (id, owner_id, data, data_version, created_at, started_at, last_used_at)
     values ($1, $2, 'empty', 1, now(), now(), now())`,
    [accountId, ownerId],
  );
  await run(`update accounts set world_id = id where id = $1`, [accountId]);
  await run(`update data_sets set kind = 'sandbox' where id = $1`, [accountId]);
  const now = () => new Date(Date.now() + offsetMs);
  return {
    id: accountId,
    now,
    call: () => ({ dataSet: accountId, account: { id: accountId, timezone }, actor: SYSTEM, now: now() }),
    moveClock: (days) => {
      offsetMs += days * DAY_MS;
      return run(`update worlds set offset_ms = $2 where id = $1`, [accountId, offsetMs]);
    },
    remove: () => run(`update worlds set removed_at = now() where id = $1`, [accountId]),
  };
}
