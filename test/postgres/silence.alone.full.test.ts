// Connections that go silent, as with a firewall that dropped them: no answer and no error ever comes, so our own deadline has to
// notice.
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Database, isUnavailable } from '../../src/kit/db.ts';
import { sql } from '../../src/kit/sql.ts';
import { openDatabase, openSession } from '../../src/postgres/database.ts';
import { type Cable, layCable } from '../support/cable.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let base: TestDatabase;
let cable: Cable;
const opened: Database[] = [];
beforeEach(async () => {
  base = await testDatabase();
  cable = await layCable(base.urls.platformUrl);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  await cable.close();
  await base.close();
});

function openThroughCable(deadlineMs: number): Database {
  // The cable leads to one server; the roles in the addresses differ.
  const tenantUrl = base.urls.tenantUrl.replace(new URL(base.urls.tenantUrl).host, new URL(cable.url).host);
  const database = openDatabase({ tenantUrl, platformUrl: cable.url, deadlineMs });
  opened.push(database);
  return database;
}

type Ask = (database: Database) => Promise<unknown>;
const CONNECTIONS: readonly (readonly [name: string, ask: Ask])[] = [
  ['platform', (database) => database.onPlatform('read', (db) => db.last(sql`select 1 as one`))],
  ['tenant', (database) => database.inTenant(randomUUID(), 'read', (db) => db.last(sql`select 1 as one`))],
];
const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

describe.each(CONNECTIONS)('the pool of the %s role', (_, ask) => {
  test('gives up silent connections, idle ones together with the one in use, and opens new ones', async () => {
    const database = openThroughCable(500);
    await Promise.all([ask(database), ask(database)]);
    expect(cable.connections()).toBe(2);
    cable.hang();
    cable.mend();
    expect(isUnavailable(await failureOf(ask(database)))).toBe(true);
    await expect.poll(() => cable.connections()).toBe(0);
    expect(await Promise.all([ask(database), ask(database)])).toEqual([{ one: 1 }, { one: 1 }]);
  });

  test('notices a half-closed connection without waiting for the deadline', async () => {
    const database = openThroughCable(600_000);
    await ask(database);
    cable.halfClose();
    expect(isUnavailable(await failureOf(ask(database)))).toBe(true);
    cable.mend();
    await expect.poll(() => ask(database).catch(String)).toEqual({ one: 1 });
  });

  test('waits for a slow connection that still answers', async () => {
    const database = openThroughCable(20_000);
    await ask(database);
    cable.slow(400);
    expect(await ask(database)).toEqual({ one: 1 });
    expect(cable.connections()).toBe(1);
  });
});

test('a pool with work waiting for 3 s without any answer makes no progress; one busy with a slow statement does', async () => {
  const database = openThroughCable(600_000);
  const ask = () => failureOf(database.onPlatform('read', (db) => db.last(sql`select 1 as one`)));
  let isSlowDone = false;
  const slow = database
    .onPlatform('read', (db) => db.last(sql`select pg_sleep(4)`))
    .finally(() => {
      isSlowDone = true;
    });
  while (!isSlowDone) {
    expect(await database.makesProgress()).toBe(true);
    await wait(50);
  }
  await slow;
  cable.hang();
  const waiting = [ask(), ask(), ask(), ask()];
  expect(await database.makesProgress()).toBe(true);
  await expect.poll(() => database.makesProgress()).toBe(false);
  cable.mend();
  await database.close();
  opened.splice(0);
  expect((await Promise.all(waiting)).map(isUnavailable)).toEqual([true, true, true, true]);
});

test('closing does not wait for hanging connections', async () => {
  const database = openThroughCable(600_000);
  const session = await openSession(cable.url, { deadlineMs: null });
  const ask = database.onPlatform('read', (db) =>
    db.one(sql`select pg_backend_pid() as pid`).then(() => db.one(sql`select 1 as one`)),
  );
  await ask;
  cable.hang();
  const hanging = failureOf(database.onPlatform('read', (db) => db.last(sql`select 1 as one`)));
  await session.close();
  await database.close();
  opened.splice(0);
  expect(isUnavailable(await hanging)).toBe(true);
  await expect.poll(() => cable.connections()).toBe(0);
});

test('a session fails after its deadline and reports that it is lost', async () => {
  const session = await openSession(cable.url, { deadlineMs: 500 });
  const lost = new Promise<void>((resolve) => session.onLost(resolve));
  await session.rows('select 1');
  cable.hang();
  expect(isUnavailable(await failureOf(session.rows('select 1')))).toBe(true);
  await lost;
  await session.close();
});

test('both sides of every connection use keep-alive', async () => {
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  try {
    const session = await openSession(cable.url);
    const database = openThroughCable(8000);
    const setting = `select reset_val as idle from pg_settings where name = 'tcp_keepalives_idle'`;
    expect(await session.rows(setting)).toEqual([{ idle: '10' }]);
    for (const [, ask] of CONNECTIONS) await ask(database);
    const ofPool = await database.onPlatform('read', (db) =>
      db.last(sql`select reset_val as idle from pg_settings where name = 'tcp_keepalives_idle'`),
    );
    expect(ofPool).toEqual({ idle: '10' });
    expect(keepAlive.mock.calls.filter(([on, delay]) => on === true && delay === 10_000)).toHaveLength(3);
    await session.close();
  } finally {
    keepAlive.mockRestore();
  }
});
