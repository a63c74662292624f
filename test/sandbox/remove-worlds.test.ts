// Removed worlds leave no rows, files or messages, and idle worlds are removed after a notice.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDemo } from '../../src/demo/remove-demo.ts';
import { markAsDemo } from '../../src/domain/accounts/accounts.ts';
import { worldFigures } from '../../src/domain/worlds/figures.ts';
import { findWorldOf, type World } from '../../src/domain/worlds/world.ts';
import { audit } from '../../src/domain/writes/audit.ts';
import { drainWork } from '../../src/jobs/worker.ts';
import type { Db } from '../../src/kit/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { createLog } from '../../src/kit/log.ts';
import { own, sql, theAccount } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { clearRemovedWorlds, retireIdleWorlds } from '../../src/sandbox/remove-worlds.ts';
import { type TestWorlds, testWorlds } from '../support/test-worlds.ts';

let base: TestWorlds;
let admin: Session;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  base = await testWorlds();
  admin = await openSession(base.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

const AT_ONCE = { removedMs: 0, abandonedMs: 0 };
const clear = (realNow = base.times().realNow, ages = AT_ONCE) =>
  clearRemovedWorlds(base.database, async () => (await base.parts.files()).store, realNow, ages);

/** Rows of accounts in any table, by table. */
async function rowsOf(accounts: readonly string[]): Promise<Record<string, number>> {
  const tables = await admin.rows<{ name: string; column: string }>(`select c.relname as name, a.attname as column from pg_class c
    join pg_attribute a on a.attrelid = c.oid join pg_namespace n on n.oid = c.relnamespace where nspname = 'public' and relkind = 'r'
      and not attisdropped and atttypid = 'uuid'::regtype and attname in ('account_id', 'world_id', 'wallet_of', 'owner_id', 'id')`);
  const found: Record<string, number> = {};
  for (const { name, column } of tables) {
    const [row] = await admin.rows<{ count: number }>(
      `select count(*)::int as count from "${name}" where "${column}" = any($1::uuid[])`,
      [accounts],
    );
    if (row!.count > 0) found[`${name}.${column}`] = row!.count;
  }
  return found;
}

const accountsOf = async (world: World): Promise<string[]> =>
  (await admin.rows<{ id: string }>('select id from accounts where world_id = $1', [world.id])).map(({ id }) => id);

const filesIn = async (): Promise<string[]> =>
  (await readdir(join(base.folder, 'files'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

/** What only use brings into a world. The audit log has no reference to the account that would show what is left. */
async function addTraces(db: Db): Promise<void> {
  await audit(db, { type: 'system', name: 'test' }, 'sale.created', newId(), {
    accountId: (await db.one<{ id: string }>(sql`select id from ${own('accounts')}`)).id,
  });
  await db.exec(sql`insert into sandbox_acts (account_id, id, kind, record_id, due_at, created_at)
    values (${theAccount}, ${newId()}, 'offer_answer', ${newId()}, now(), now())`);
  await db.exec(sql`insert into sandbox_messages (account_id, id, channel, recipient, text_encrypted, created_at)
    values (${theAccount}, ${newId()}, 'E-posta', 'a@example.com', ${Buffer.from('x')}, now())`);
  const event = `evt_${newId().replaceAll('-', '').slice(0, 26)}`;
  await db.exec(sql`insert into events (account_id, id, kind, resource_kind, payload, created_at)
    values (${theAccount}, ${event}, 'vehicle.created', 'vehicle', '{}', now())`);
}

test('a removed world leaves no row in any table and no file', async () => {
  const owner = await base.owner();
  const before = await rowsOf([owner]);
  const old = await base.world(owner, 'sample');
  const accounts = await accountsOf(old);
  expect(accounts).toHaveLength(4);
  expect((await rowsOf(accounts))['sales.account_id']).toBe(10);
  expect((await filesIn()).length).toBeGreaterThan(50);
  await base.database.inTenant(old.id, 'write', addTraces);
  const present = await base.world(owner, 'empty');
  expect(await clear()).toBe(1);
  expect(await rowsOf(accounts)).toEqual({});
  expect(await filesIn()).toEqual([]);
  expect(await rowsOf([present.id])).not.toEqual({});
  // The present world is the only trace of them at the owner.
  const [reset] = await admin.rows('select reset_at is not null as is_known from worlds where id = $1', [present.id]);
  expect(reset).toEqual({ is_known: true });
  const { 'worlds.owner_id': worlds, ...others } = await rowsOf([owner]);
  expect(worlds).toBe(1);
  expect(others).toEqual(before);
});

test('a world is cleared only after a while, and one that is being made later still', async () => {
  const owner = await base.owner();
  await base.world(owner);
  await base.world(owner);
  const { realNow } = base.times();
  expect(await clearRemovedWorlds(base.database, () => Promise.reject(new Error('not needed')), realNow)).toBe(0);
  expect(await clear(new Date(realNow.getTime() + 120_000), { removedMs: 60_000, abandonedMs: DAY_MS })).toBe(1);
});

const later = (days: number) => {
  const { now, realNow } = base.times();
  return { now, realNow: new Date(realNow.getTime() + days * DAY_MS) };
};
const use = (owner: string, days: number) =>
  base.database.onPlatform('write', (db) =>
    db.exec(sql`update worlds set last_used_at = ${later(days).realNow} where owner_id = ${owner} and removed_at is null`),
  );
const noticesOf = (owner: string) =>
  base.database.inTenant(owner, 'read', (db) => db.rows(sql`select title from ${own('notifications')}`));
const worldOf = (owner: string) => base.database.onPlatform('read', (db) => findWorldOf(db, owner));
const NOTICE = { title: 'Sandbox ortamınız silinecek' };

test('a world without requests is removed after a notice to its owner, unless it is used again', async () => {
  const [owner, other] = [await base.owner(), await base.owner()];
  const made = await base.world(owner);
  await base.world(other);
  const { writer } = base.parts;
  await use(owner, 0);
  await use(other, 0);
  await retireIdleWorlds(writer, later(75));
  expect(await noticesOf(owner)).toEqual([]);
  await retireIdleWorlds(writer, later(77));
  await retireIdleWorlds(writer, later(78));
  expect(await noticesOf(owner)).toEqual([NOTICE]);
  await use(other, 80);
  await retireIdleWorlds(writer, later(90));
  expect((await worldOf(owner))?.id).toBe(made.id);
  await retireIdleWorlds(writer, later(92));
  expect(await worldOf(owner)).toBeNull();
  expect(await worldOf(other)).not.toBeNull();
});

test('a world that was closed on the day of its removal stays, and its owner is notified again', async () => {
  const owner = await base.owner();
  const made = await base.world(owner);
  await use(owner, 0);
  const { writer } = base.parts;
  await retireIdleWorlds(writer, later(77));
  for (const day of [200, 213]) await retireIdleWorlds(writer, later(day));
  expect(await noticesOf(owner)).toEqual([NOTICE, NOTICE]);
  expect((await worldOf(owner))?.id).toBe(made.id);
  await retireIdleWorlds(writer, later(214.5));
  expect(await worldOf(owner)).toBeNull();
});

test('the worker removes no world while sandboxes are closed, and notifies no owner', async () => {
  const owner = await base.owner();
  const made = await base.world(owner);
  const { writer } = base.parts;
  const closed = {
    writer,
    smtpUrl: null,
    files: await base.parts.files(),
    outbound: { loopback: true },
    rateUrls: { TCMB: null, KKTCMB: null },
    clock: writer.clock,
    log: createLog('silent'),
  };
  await use(owner, -100);
  await drainWork({ ...closed, worlds: false });
  expect(await noticesOf(owner)).toEqual([]);
  await drainWork({ ...closed, worlds: true });
  expect(await noticesOf(owner)).toEqual([NOTICE]);
  await base.database.onPlatform('write', (db) =>
    db.exec(sql`update worlds set noticed_at = ${later(-14.5).realNow} where owner_id = ${owner}`),
  );
  await drainWork({ ...closed, worlds: false });
  expect((await worldOf(owner))?.id).toBe(made.id);
  await drainWork({ ...closed, worlds: true });
  expect(await worldOf(owner)).toBeNull();
});

test('administrators see how many worlds there are and their size', async () => {
  const figures = () => base.database.onPlatform('read', worldFigures);
  const before = await figures();
  await base.world(await base.owner(), 'sample');
  const after = await figures();
  expect(after.worlds).toBe(before.worlds + 1);
  // Cars, customers, sales and documents of the dealer, and cars of the simulated dealers.
  expect(after.records).toBe(before.records + 24 + 16 + 10 + 8 + 18);
  expect(after.file_bytes).toBeGreaterThan(before.file_bytes);
});

test('the removal of the demonstration takes the worlds of its dealers', async () => {
  const owner = await base.owner();
  await base.database.onPlatform('write', (db) => markAsDemo(db, owner));
  const accounts = [owner, ...(await accountsOf(await base.world(owner)))];
  await base.world(owner);
  await removeDemo({ adminUrl: base.adminUrl, openStore: async () => (await base.parts.files()).store, force: true });
  expect(await rowsOf(accounts)).toEqual({ 'audit_log.account_id': 1 });
});
