// A connection that PostgreSQL ends in the middle of a transaction: that work fails, and nothing else does. (An unhandled error
// event would end the whole service; here it fails the run.)
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isUnavailable, sqlState } from '../../src/kit/db.ts';
import { sql } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

describe('a connection lost in use', () => {
  let base: TestDatabase;
  let admin: Session;
  beforeAll(async () => {
    base = await testDatabase();
    admin = await openSession(base.adminUrl);
  });
  afterAll(async () => {
    await admin.close();
    await base.close();
  });

  it.each(['between two statements', 'during one'])('fails its own work only: %s', async (when) => {
    const lost = base.database.onPlatform('write', async (db) => {
      const { pid } = await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      const running = when === 'during one' ? db.one(sql`select pg_sleep(30)`) : null;
      running?.catch(() => {});
      await admin.rows('select pg_terminate_backend($1, 5000)', [pid]);
      if (running === null) await wait(100);
      return running ?? db.one(sql`select 1 as one`);
    });
    expect(isUnavailable(await lost.catch((error) => error))).toBe(true);
    expect(await base.database.onPlatform('read', (db) => db.last(sql`select 1 as one`))).toEqual({ one: 1 });
  });

  it.each(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', '57P01', '08006'])('is distinguished from an error of ours: %s', (code) => {
    expect(isUnavailable(Object.assign(new Error('write'), { code }))).toBe(true);
    expect(sqlState(Object.assign(new Error('write'), { code }))).toBe(code.startsWith('E') ? null : code);
  });
});

it('a server at its limit of connections: requests wait for the connections that there are', async () => {
  const base = await testDatabase();
  const admin = await openSession(base.adminUrl);
  const who = () => base.database.onPlatform('read', (db) => db.one<{ name: string }>(sql`select current_user::text as name`));
  const { name } = await who();
  const held = Promise.withResolvers<void>();
  try {
    const [row] = await admin.rows<{ open: number }>('select count(*)::int as open from pg_stat_activity where usename = $1', [
      name,
    ]);
    await admin.rows(`alter role ${name} connection limit ${row!.open}`);
    const asked = Array.from({ length: row!.open }, () =>
      base.database.onPlatform('read', async (db) => {
        await db.one(sql`select 1 as one`);
        await held.promise;
      }),
    );
    const waiting = who();
    waiting.catch(() => {});
    await admin.rows('select 1');
    held.resolve();
    await Promise.all(asked);
    expect(await waiting).toEqual({ name });
  } finally {
    held.resolve();
    await admin.rows(`alter role ${name} connection limit -1`);
    await admin.close();
    await base.close();
  }
});

it('a database that accepts no connections, as during maintenance, is unavailable: no error of ours', async () => {
  const base = await testDatabase();
  const { pathname, href } = new URL(base.adminUrl);
  const outside = await openSession(href.replace(pathname, '/postgres'));
  const name = pathname.slice(1);
  try {
    await outside.rows(`alter database ${name} allow_connections false`);
    await outside.rows('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
    const asks = [
      () => base.database.onPlatform('read', (db) => db.last(sql`select 1 as one`)),
      () => base.database.inTenant(randomUUID(), 'write', (db) => db.one(sql`select 1 as one`)),
    ];
    for (const ask of asks) expect(isUnavailable(await ask().catch((error) => error))).toBe(true);
  } finally {
    await outside.rows(`alter database ${name} allow_connections true`);
    await outside.close();
    await base.close();
  }
});
