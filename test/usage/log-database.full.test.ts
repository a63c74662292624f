// LOG_DATABASE_URL: the request log and usage in a database of their own, on another server that stops and returns under load.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLogDatabase } from '../../src/commands/doctor/check-log.ts';
import { readConfig } from '../../src/config.ts';
import { createLossReport } from '../../src/http/api/request-log.ts';
import { lastCallNotShown } from '../../src/jobs/rotate-request-log.ts';
import type { Database } from '../../src/kit/db.ts';
import type { Log } from '../../src/kit/log.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { openSession } from '../../src/postgres/database.ts';
import { openLogDatabase } from '../../src/postgres/log-database.ts';
import { type Browser, newPerson, signedIn } from '../panel/people.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/patience.ts';
import { isPostgres15Missing, type OldServer, startPostgres15 } from '../support/postgres15.ts';
import { type TestService, testService } from '../support/service.ts';

const keep: string[] = [];
const log: Log = {
  debug: () => {},
  info: (line) => keep.push(line),
  warn: (line) => keep.push(line),
  error: (line) => keep.push(line),
};

test('losses are logged at once, and then once a minute', () => {
  const lines: unknown[] = [];
  let [dropped, now] = [0, 0];
  const report = createLossReport(
    () => dropped,
    { ...log, warn: (_, facts) => lines.push(facts) },
    () => now,
  );
  report();
  dropped = 5000;
  report();
  dropped = 9000;
  now = 59_999;
  report();
  expect(lines).toEqual([{ calls: 5000, since_start: 5000 }]);
  now = 60_000;
  report();
  report();
  expect(lines).toEqual([
    { calls: 5000, since_start: 5000 },
    { calls: 4000, since_start: 9000 },
  ]);
});

test('the setting is checked like DATABASE_URL, and the same address is the default', () => {
  const url = 'postgresql://postgres@db/galeri';
  expect(() => readConfig({ DATABASE_URL: url, LOG_DATABASE_URL: 'mysql://db/log' })).toThrow(
    'LOG_DATABASE_URL: it must begin with postgres:// or postgresql://',
  );
  expect(readConfig({ DATABASE_URL: url }).logDatabaseUrl).toBeNull();
  expect(readConfig({ DATABASE_URL: url, LOG_DATABASE_URL: url }).logDatabaseUrl).toBeNull();
});

describe.skipIf(isPostgres15Missing())('a database of its own', () => {
  let port: number;
  let server: OldServer;
  let url: string;
  let main: TestDatabase;
  let logs: Database;
  let service: TestService;
  let dealer: { id: string; key: { id: string; secret: string }; owner: Browser };
  let other: typeof dealer;
  let admin: Browser;
  const servers: OldServer[] = [];

  const open = (address: string, report: (line: string) => void = () => {}) =>
    openLogDatabase({ url: address, mainUrl: main.adminUrl, roles: main.secrets.roles, connections: 4, report, retryMs: 50 });
  const newDealer = async (): Promise<typeof dealer> => {
    const id = await service.account();
    const owner = await signedIn(service, await newPerson(service, { accountId: id }));
    await service.vehicle(id);
    return { id, key: await service.key(id), owner };
  };

  beforeAll(async () => {
    port = await freePort();
    server = await startPostgres15({ port });
    servers.push(server);
    url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    main = await testDatabase();
    logs = await open(url);
    service = await testService({ log, database: { log: logs } });
    dealer = await newDealer();
    other = await newDealer();
    admin = await signedIn(service, await newPerson(service, { admin: true }));
  });
  afterAll(async () => {
    await service?.close();
    await main?.close();
    for (const one of servers) await one.stop();
  });

  const call = (times: number, key = dealer.key.secret) =>
    Promise.all(Array.from({ length: times }, async () => expect((await service.call('vehicles', { key })).status).toBe(200)));
  const restart = async () => {
    server = await startPostgres15({ port, copyOf: server.data });
    servers.push(server);
  };

  test('lines and usage are written there only, and every reader finds them', async () => {
    await call(5);
    await call(2, other.key.secret);
    await service.logged();
    const counts = sql`select (select count(*)::int from request_logs) as lines, (select count(*)::int from usage_calls) as usage,
      (select count(*)::int from usage_latency) as latency, (select count(*)::int from usage_secrets) as secrets`;
    expect(await service.database.onPlatform('read', (db) => db.one(counts))).toEqual({
      lines: 0,
      usage: 0,
      latency: 0,
      secrets: 0,
    });
    expect(await logs.onPlatform('read', (db) => db.one(counts))).toMatchObject({ lines: 7, usage: 2, secrets: 2 });

    const { json: usage } = await service.call('developer/usage', { key: dealer.key.secret });
    expect(usage.data).toMatchObject({ total_requests: 5, by_endpoint: [{ endpoint: 'GET vehicles', count: 5 }] });
    const { json: lines } = await service.call('developer/request-logs?limit=2', { key: dealer.key.secret });
    expect(lines.data).toHaveLength(2);

    await service.logged();
    const { json: page } = await dealer.owner.api('logs');
    expect(page.data.lines).toHaveLength(7);
    expect(page.data.lines[0]).toMatchObject({ key_id: dealer.key.id, environment: 'production' });
    const id = page.data.lines[0].request_id;
    expect((await dealer.owner.api(`logs/lines/${id}`)).json.data.line.request_id).toBe(id);
    expect((await dealer.owner.api('logs/timeline')).json.data.points.at(-1).ok).toBe(7);
    expect((await dealer.owner.api('usage')).json.data.totals.ok).toBe(7);
    expect((await dealer.owner.api('keys')).json.data[0]).toMatchObject({ calls_24h: 7, errors_24h: 0 });
    expect((await dealer.owner.api(`keys/${dealer.key.id}`)).json.data.secrets[0]).toMatchObject({ calls: 7 });
    expect((await dealer.owner.api('logs/export?form=csv')).text.trim().split('\n')).toHaveLength(8);
    await call(1);
    await service.logged();
    const news = await dealer.owner.api(`logs/news?since=${page.data.position}`);
    expect(news.json.data.lines).toHaveLength(1);
    const accounts = (await admin.api('admin/accounts')).json.data;
    expect(accounts.find(({ id: one }: { id: string }) => one === other.id).calls_24h).toBe(2);
    expect((await admin.api('admin/home')).json.data.troubled).toEqual([]);
  });

  test('row-level security and the filter of own() each keep dealers apart', async () => {
    await service.logged();
    const tables = ['request_logs', 'usage_calls', 'usage_latency', 'usage_secrets'] as const;
    const owners = (of: 'all' | 'own') =>
      logs.inTenant(dealer.id, 'read', async (db) => {
        const found = new Set<string>();
        for (const table of tables) {
          const from = of === 'own' ? own(table) : sql([table] as unknown as TemplateStringsArray);
          for (const row of await db.rows<{ id: string }>(sql`select distinct account_id as id from ${from}`)) found.add(row.id);
        }
        return [...found];
      });
    expect(await owners('all')).toEqual([dealer.id]);
    const session = await openSession(url);
    try {
      for (const table of tables) await session.rows(`alter table ${table} disable row level security`);
      expect((await owners('all')).sort()).toEqual([dealer.id, other.id].sort());
      expect(await owners('own')).toEqual([dealer.id]);
    } finally {
      for (const table of tables) await session.rows(`alter table ${table} enable row level security`);
      await session.close();
    }
    expect(await owners('all')).toEqual([dealer.id]);
    const write = logs.inTenant(dealer.id, 'write', (db) => db.exec(sql`delete from request_logs`));
    await expect(write).rejects.toThrow(/permission denied/);
  });

  test('while its server is stopped requests are answered, its screens answer 503, and nothing is lost', async () => {
    await service.logged();
    const before = (await service.call('developer/usage', { key: dealer.key.secret })).json.data.total_requests;
    await service.logged();
    const spare = await service.key(dealer.id, { name: 'Yedek' });
    await server.halt();
    await call(20);
    await until(() => keep.includes('the request log cannot be written; it is kept in memory'), 'the loss is logged');
    for (const path of ['developer/usage', 'developer/request-logs']) {
      const { status, headers } = await service.call(path, { key: dealer.key.secret });
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, expect.stringMatching(/^\d+$/)]);
    }
    for (const path of ['logs', 'logs/timeline', 'usage', `keys/${dealer.key.id}/usage`]) {
      const { status, headers } = await dealer.owner.api(path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, expect.stringMatching(/^\d+$/)]);
    }
    expect((await service.call('/readyz')).status).toBe(200);
    // What is not about usage stays usable.
    expect((await dealer.owner.api('keys')).json.data[0]).toMatchObject({ calls_24h: null, hours: null });
    expect((await dealer.owner.api('overview')).status).toBe(200);
    expect((await admin.api('admin/home')).json.data.troubled).toBeNull();
    const revoked = await dealer.owner.api(`keys/${spare.id}/revoke`, {
      method: 'POST',
      body: { typed_name: 'Yedek' },
    });
    expect([revoked.status, revoked.json.data.state]).toEqual([200, 'revoked']);

    await restart();
    await service.logged();
    await until(
      async () => (await service.call('developer/usage', { key: dealer.key.secret })).status === 200,
      'usage is read again',
    );
    await service.logged();
    const after = await logs.inTenant(dealer.id, 'read', (db) =>
      db.one<{ lines: number; calls: number }>(sql`select (select count(*)::int from ${own('request_logs')}
          where endpoint = 'GET vehicles') as lines, (select sum(calls)::int from ${own('usage_calls')}
          where endpoint = 'GET vehicles') as calls`),
    );
    expect(after.lines).toBe(after.calls);
    // Five and one before, twenty while it was stopped.
    expect(after.lines).toBe(26);
    expect(before).toBeGreaterThan(0);
    expect(service.service.parts.requestLog.dropped()).toBe(0);
  });

  test('the start reports calls from before that are not shown', async () => {
    expect(await lastCallNotShown(service.database, new Date())).toBeNull();
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`insert into usage_secrets (account_id, key_id, secret_id, calls, last_used_at)
        values (${dealer.id}, ${dealer.key.id}, ${dealer.key.id}, 3, '2026-01-01T10:00:00Z')`),
    );
    const at = new Date('2026-01-01T10:00:00Z');
    expect(await lastCallNotShown(service.database, new Date('2026-06-01T00:00:00Z'))).toEqual(at);
    expect(await lastCallNotShown({ ...service.database, log: null }, new Date('2026-06-01T00:00:00Z'))).toBeNull();
    expect(await lastCallNotShown(service.database, new Date('2027-06-01T00:00:00Z'))).toBeNull();
  });

  test('a service starts without it and uses it once it answers', async () => {
    await service.logged();
    await server.halt();
    const reports: string[] = [];
    const late = await open(url, (line) => reports.push(line));
    try {
      expect(reports).toEqual(['the log database does not answer; requests are answered, and their log waits in memory']);
      await expect(late.onPlatform('read', (db) => db.one(sql`select 1`))).rejects.toThrow(/LOG_DATABASE_URL.*cannot be used/);
      await restart();
      await until(() => reports.includes('the log database can be used'), 'it is prepared');
      await until(() => late.onPlatform('read', (db) => db.one(sql`select 1 as one`)).catch(() => null), 'it can be read');
    } finally {
      await late.close();
    }
  });

  test('what an operator has to correct is refused in one line', async () => {
    const refusal = (address: string) => open(address).then(String, ({ message }: Error) => message);
    expect(await refusal(url.replace(/postgres$/, 'missing'))).toMatch(
      /^the database at LOG_DATABASE_URL \(.*\) cannot be used: database "missing" does not exist$/,
    );
    expect(await refusal(service.adminUrl)).toBe(
      'LOG_DATABASE_URL: this database has the data of dealers; the log needs a database of its own',
    );
    const standby = await startPostgres15({
      copyOf: (await stopped()).data,
      prepare: (data) => closeSync(openSync(join(data, 'standby.signal'), 'a', 0o644)),
    });
    servers.push(standby);
    expect(await refusal(standby.url)).toMatch(/^the database at LOG_DATABASE_URL \(.*is a standby, which accepts no writes/);
    await restart();
  });
  const stopped = async () => {
    await server.halt();
    return server;
  };

  test('galeri doctor looks at it', async () => {
    const look = (LOG_DATABASE_URL: string) =>
      checkLogDatabase(readConfig({ DATABASE_URL: main.adminUrl, LOG_DATABASE_URL, GALERI_SECRET: TEST_SECRET }));
    expect(await look(url)).toMatchObject({ status: 'ok', detail: expect.stringMatching(/MB of request log and usage$/) });
    expect(await look(service.adminUrl)).toMatchObject({ status: 'broken' });
    expect(await look(main.adminUrl)).toMatchObject({ status: 'skipped' });
  });
});
