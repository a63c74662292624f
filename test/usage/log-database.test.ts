// LOG_DATABASE_URL beside the database of the dealers: each is looked after while the other cannot be used.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLogDatabase } from '../../src/commands/doctor/check-log.ts';
import { readConfig } from '../../src/config.ts';
import { drainWork, type WorkerParts } from '../../src/jobs/worker.ts';
import { createLog } from '../../src/kit/log.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { openLogDatabase } from '../../src/postgres/log-database.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';

let service: TestService;
let logs: TestDatabase;
let admin: Session;
beforeAll(async () => {
  service = await testService();
  logs = await testDatabase();
  admin = await openSession(logs.adminUrl);
});
afterAll(async () => {
  await admin?.close();
  await logs?.close();
  await service?.close();
});

/** Tries once, unless `retryMs` is given. */
const open = (url: string, report: (line: string, reason?: string) => void, retryMs = 1_000_000_000) =>
  openLogDatabase({ url, mainUrl: service.adminUrl, roles: service.secrets.roles, connections: 4, report, retryMs });

/** The partitions of today and of seven days. */
const days = async () =>
  (
    await admin.rows<{
      name: string;
    }>(`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_logs'::regclass
    and right(inhrelid::regclass::text, 8) >= to_char(now() at time zone 'UTC', 'YYYYMMDD') order by 1`)
  ).map(({ name }) => name);
const dropDays = async (names: readonly string[]) => {
  for (const name of names) await admin.rows(`drop table ${name}`);
};

test('a node starts although the name of the log server does not resolve', async () => {
  const reports: (string | undefined)[] = [];
  const database = await open('postgresql://postgres@log.invalid/galeri_log', (line, reason) => reports.push(line, reason));
  try {
    expect(reports).toEqual([
      'the log database does not answer; requests are answered, and their log waits in memory',
      expect.stringMatching(/^the database at LOG_DATABASE_URL \(log\.invalid\/galeri_log\) cannot be used: /),
    ]);
  } finally {
    await database.close();
  }
});

describe('a start while its partitions cannot be made', () => {
  let other: Session;
  beforeAll(async () => {
    other = await openSession(logs.adminUrl);
    await other.rows(`select pg_advisory_lock(hashtext('galeri.keep_request_log'))`);
  });
  afterAll(() => other.close());

  test('leaves no connection of an attempt open', async () => {
    const reports: string[] = [];
    const database = await open(logs.adminUrl, (line) => reports.push(line));
    try {
      expect(reports).toEqual(['the log database does not answer; requests are answered, and their log waits in memory']);
      const connections = async () =>
        (
          await admin.rows<{ n: number }>(`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and usename like 'galeri_platform%'`)
        )[0]!.n;
      await until(async () => (await connections()) === 0, 'they are closed');
    } finally {
      await database.close();
    }
  });

  test('uses the partition of today if it exists', async () => {
    await other.rows(`select pg_advisory_unlock(hashtext('galeri.keep_request_log'))`);
    await (await open(logs.adminUrl, () => {})).close();
    await dropDays((await days()).slice(3));
    await other.rows(`select pg_advisory_lock(hashtext('galeri.keep_request_log'))`);
    const reports: string[] = [];
    await (await open(logs.adminUrl, (line) => reports.push(line))).close();
    expect(reports).toEqual(['the partitions of the request log could not be made; the worker makes them']);
    expect(await days()).toHaveLength(3);
  });
});

test('galeri doctor counts the days that have a partition', async () => {
  const look = () =>
    checkLogDatabase(readConfig({ DATABASE_URL: service.adminUrl, LOG_DATABASE_URL: logs.adminUrl, GALERI_SECRET: TEST_SECRET }));
  await (await open(logs.adminUrl, () => {})).close();
  expect(await look()).toMatchObject({ status: 'ok' });
  const names = await days();
  await dropDays(names.slice(6));
  expect(await look()).toMatchObject({ status: 'warning', detail: expect.stringContaining('for 6 days only') });
  await dropDays(names.slice(1, 6));
  expect(await look()).toMatchObject({ status: 'broken' });
});

test('the log database is looked after while the dealers’ one is not', async () => {
  await dropDays(await days());
  const { writer, files } = service.service.parts;
  const parts: WorkerParts = {
    writer: { ...writer, database: { ...service.database, log: logs.database } },
    clock: service.clock,
    log: createLog('silent'),
    outbound: { loopback: true },
    pollMs: 1_000_000_000,
    smtpUrl: null,
    rateUrls: { TCMB: null, KKTCMB: null },
    files,
  };
  const busy = await openSession(service.adminUrl);
  try {
    await busy.rows('begin; lock table usage_calls in access exclusive mode');
    await expect(drainWork(parts)).rejects.toMatchObject({ code: '55P03' });
    expect(await days()).toHaveLength(8);
  } finally {
    await busy.close();
  }
});
