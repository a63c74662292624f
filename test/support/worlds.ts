// Worlds of the isolated sandbox for tests of requests: inserted directly, empty, with one simulated dealer.
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { findWorldOf, showWorlds, type World } from '../../src/domain/worlds/world.ts';
import type { Times } from '../../src/kit/clock.ts';
import type { Database, Db } from '../../src/kit/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import type { Actor } from '../../src/kit/work.ts';
import { SANDBOX_RULES } from '../../src/sandbox/people/rules.ts';
import type { OpenSandbox } from '../../src/sandbox/sandbox-actions.ts';

const ACTOR: Actor = { type: 'system', name: 'test' };

export async function insertWorld(database: Database, ownerId: string, { now, realNow }: Times): Promise<World> {
  return database.onPlatform('write', async (db) => {
    showWorlds(db);
    const id = newId(realNow.getTime());
    await db.exec(sql`insert into worlds (id, owner_id, data, data_version, created_at, started_at, last_used_at)
      values (${id}, ${ownerId}, 'empty', 1, ${realNow}, ${now}, ${realNow})`);
    await insertDealer(db, id, id, now);
    await insertDealer(db, id, newId(realNow.getTime()), now);
    return (await findWorldOf(db, ownerId))!;
  });
}

async function insertDealer(db: Db, worldId: string, id: string, now: Date): Promise<void> {
  await createAccount(db, { id, name: 'Sandbox Oto', legal_name: 'Sandbox Oto Ltd.' }, ACTOR, now);
  await db.exec(sql`update accounts set world_id = ${worldId} where id = ${id}`);
  await db.exec(sql`update data_sets set kind = 'sandbox' where id = ${id}`);
}

/** Out of reach, as after a reset. */
export const removeWorld = (database: Database, ownerId: string, realNow: Date): Promise<number> =>
  database.onPlatform('write', (db) =>
    db.exec(sql`update worlds set removed_at = ${realNow} where owner_id = ${ownerId} and removed_at is null`),
  );

/** The clock of the world, without what happens on the way. */
export const setWorldClock = (
  database: Database,
  id: string,
  clock: Partial<Record<'offsetMs', number>> & { status?: World['status']; reachedAt?: Date; targetAt?: Date },
): Promise<number> =>
  database.onPlatform('write', (db) =>
    db.exec(sql`update worlds set offset_ms = coalesce(${clock.offsetMs ?? null}::bigint, offset_ms), status = ${clock.status ?? 'ready'},
      reached_at = ${clock.reachedAt ?? null}, target_at = ${clock.targetAt ?? null}, failure = null where id = ${id}`),
  );

/** Directly inserted worlds; moves of the clock run nothing on the way. */
export const testSandbox: OpenSandbox = ({ writer: { database } }) => ({
  ensure: (ownerId, times) => insertWorld(database, ownerId, times),
  reset: async (ownerId, _, times) => {
    await removeWorld(database, ownerId, times.realNow);
    const { id } = await insertWorld(database, ownerId, times);
    await database.onPlatform('write', (db) => db.exec(sql`update worlds set reset_at = ${times.realNow} where id = ${id}`));
  },
  advance: async (world, target) => {
    const from = new Date(Date.now() + world.offsetMs);
    const to = target instanceof Date ? target : new Date(from.getTime() + target.advanceMs);
    await setWorldClock(database, world.id, { offsetMs: world.offsetMs + to.getTime() - from.getTime() });
    return { from, to, transitions: {}, events: 0 };
  },
  messages: async () => [],
  rules: SANDBOX_RULES.slice(0, 1),
});
