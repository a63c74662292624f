// A reset replaces a world in one moment: the old one is out of reach, writes under way end first, and webhooks stay.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { sealSecret, tryOpenSecret } from '../../src/domain/webhooks/webhook-secrets.ts';
import { newWebhookSecret } from '../../src/domain/webhooks/webhook-signing.ts';
import { findWorld, findWorldOf } from '../../src/domain/worlds/world.ts';
import type { Database } from '../../src/kit/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, sql, theAccount } from '../../src/kit/sql.ts';
import { MAX_UNCLEARED, resetWorld, type WorldParts } from '../../src/sandbox/create-world.ts';
import { clearRemovedWorlds } from '../../src/sandbox/remove-worlds.ts';
import { until } from '../support/patience.ts';
import { type TestWorlds, testWorlds } from '../support/test-worlds.ts';
import { testWriter } from '../support/test-writer.ts';

let base: TestWorlds;
let parts: WorldParts;

const times = () => base.times();
const newOwner = () => base.owner();

beforeAll(async () => {
  base = await testWorlds();
  ({ parts } = base);
});
afterAll(() => base.close());

async function addWebhook(worldId: string, secret: string): Promise<string> {
  const id = newId();
  const sealed = sealSecret(sealingKeys(base.secrets, worldId), 'secret_encrypted', id, secret);
  await base.database.inTenant(worldId, 'write', (db) =>
    db.exec(sql`insert into webhooks (account_id, id, url, events, secret_encrypted, secret_hint)
      values (${theAccount}, ${id}, 'https://example.com/hook', ${['sale.*']}, ${sealed}, ${secret.slice(-4)})`),
  );
  return id;
}

const webhooksOf = (worldId: string) =>
  base.database.inTenant(worldId, 'read', (db) =>
    db.rows<{ id: string; url: string; secret: Buffer }>(sql`select id, url, secret_encrypted as secret from ${own('webhooks')}`),
  );

test('keeps webhooks with their secrets, unless they are not wanted', async () => {
  const owner = await newOwner();
  const first = await base.world(owner);
  const secret = newWebhookSecret();
  const id = await addWebhook(first.id, secret);
  const second = await resetWorld(parts, owner, { data: 'empty', keepWebhooks: true }, times());
  expect(second).toMatchObject({ ownerId: owner, data: 'empty', offsetMs: 0, status: 'ready' });
  expect(second.id).not.toBe(first.id);
  const [kept, ...others] = await webhooksOf(second.id);
  expect(others).toEqual([]);
  expect(kept).toMatchObject({ id, url: 'https://example.com/hook' });
  expect(tryOpenSecret(sealingKeys(base.secrets, second.id), 'secret_encrypted', id, kept!.secret)).toBe(secret);
  const third = await resetWorld(parts, owner, { data: 'empty', keepWebhooks: false }, times());
  expect(await webhooksOf(third.id)).toEqual([]);
  const { found, present } = await base.database.onPlatform('read', async (db) => ({
    found: [await findWorld(db, first.id), await findWorld(db, second.id)],
    present: await findWorldOf(db, owner),
  }));
  expect(found).toEqual([null, null]);
  expect(present?.id).toBe(third.id);
});

test('waits for a write under way, whose world is then removed', async () => {
  const owner = await newOwner();
  const world = await base.world(owner);
  const entered = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const order: string[] = [];
  const enter = sql`select is_removed from enter_world()`;
  const write = base.database
    .inTenant(world.id, 'write', async (db) => {
      await db.one(enter);
      entered.resolve();
      await go.promise;
    })
    .then(() => order.push('write'));
  await entered.promise;
  const reset = resetWorld(parts, owner, { data: 'empty', keepWebhooks: true }, times()).then(() => order.push('reset'));
  await untilWaiting();
  go.resolve();
  await Promise.all([write, reset]);
  expect(order).toEqual(['write', 'reset']);
  expect(await base.database.inTenant(world.id, 'write', (db) => db.one(enter))).toEqual({ is_removed: true });
});

/** Until a statement waits for the lock of another transaction. */
const untilWaiting = () =>
  until(async () => {
    const waiting = await base.database.onPlatform('read', (db) =>
      db.rows(sql`select from pg_locks where not granted and locktype = 'transactionid'`),
    );
    return waiting.length > 0;
  });

test('resets at the same time, by several processes, leave one world', async () => {
  const owner = await newOwner();
  await base.world(owner);
  const reset = (database: Database) =>
    resetWorld({ ...parts, writer: testWriter({ ...base, database }) }, owner, { data: 'empty', keepWebhooks: true }, times());
  await Promise.all([base.database, base.reopen({}), base.reopen({})].map(reset));
  const open = await base.database.onPlatform('read', (db) =>
    db.rows(sql`select id from worlds where owner_id = ${owner} and removed_at is null`),
  );
  expect(open).toHaveLength(1);
});

test('a process makes one world at a time, and accounts take turns', async () => {
  const [greedy, other] = [await newOwner(), await newOwner()];
  const started: string[] = [];
  const go = new Map<string, () => void>();
  const reset = (name: string, owner: string) => {
    const files = async () => {
      started.push(name);
      await new Promise<void>((resolve) => go.set(name, resolve));
      throw new Error('its files are not needed here');
    };
    return resetWorld({ ...parts, files }, owner, { data: 'sample', keepWebhooks: true }, times());
  };
  const resets = ['first', 'second', 'third'].map((name) => reset(name, greedy));
  resets.push(reset('other', other));
  const ended = Promise.allSettled(resets);
  const begun = () =>
    base.database.onPlatform('read', (db) => db.rows(sql`select id from worlds where owner_id in (${greedy}, ${other})`));
  for (const [before, name] of ['first', 'second', 'other', 'third'].entries()) {
    await until(() => go.has(name));
    expect(await begun()).toHaveLength(before + 1);
    go.get(name)!();
  }
  await ended;
  expect(started).toEqual(['first', 'second', 'other', 'third']);
});

test('refuses further resets of an account until its removed sandboxes are cleared away', async () => {
  const [greedy, other] = [await newOwner(), await newOwner()];
  await base.world(greedy);
  const uncleared = (count: number) =>
    base.database.onPlatform('write', (db) =>
      db.exec(sql`insert into worlds (id, owner_id, data, data_version, created_at, started_at, last_used_at, removed_at, opened_at)
        select gen_random_uuid(), ${greedy}, 'empty', 1, now(), now(), now(), now() - interval '1 hour', now()
        from generate_series(1, ${count})`),
    );
  await uncleared(MAX_UNCLEARED - 1);
  await base.world(greedy);
  const refused = { code: 'rate_limit_exceeded', facts: { headers: { 'Retry-After': '60' } } };
  await expect(base.world(greedy)).rejects.toMatchObject(refused);
  await base.world(other);
  await clearRemovedWorlds(base.database, async () => (await parts.files()).store, times().realNow);
  await base.world(greedy);
});
