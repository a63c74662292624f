// The request log is kept for 30 days, a partition a day: created ahead, dropped when old, on any date.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rotateRequestLog } from '../../src/jobs/rotate-request-log.ts';
import { newId } from '../../src/kit/ids.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const DAY = 86_400_000;
const ACCOUNT = newId();
const KEY = newId();

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

/** The days that have a partition, as distances from a day. */
async function daysFrom(today: string): Promise<number[]> {
  const rows = await admin.rows<{ day: number }>(
    `select to_date(right(relname, 8), 'YYYYMMDD') - $1::date as day from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'request_logs'::regclass order by 1`,
    [today],
  );
  return rows.map(({ day }) => day);
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => from + place);

const keep = (now: string) => rotateRequestLog(base.database, new Date(now));

async function addLine(at: Date): Promise<void> {
  await admin.rows(
    `insert into request_logs (account_id, key_id, at, request_id, method, path, status, duration_ms, response_bytes)
      values ($1, $2, $3, $4, 'GET', '/', 200, 1, 1)`,
    [ACCOUNT, KEY, at, `req_${at.getTime()}`],
  );
}
const lines = async (): Promise<string[]> =>
  (await admin.rows<{ at: Date }>('select at from request_logs order by at')).map(({ at }) => at.toISOString().slice(0, 10));

describe('partitions', () => {
  test('yesterday, today and the seven days to come', async () => {
    await keep('2026-02-03T12:00:00Z');
    expect(await daysFrom('2026-02-03')).toEqual(range(-1, 7));
  });

  test('a day starts at midnight UTC', async () => {
    await keep('2026-02-03T23:59:59.999Z');
    expect(await daysFrom('2026-02-03')).toEqual(range(-1, 7));
    await keep('2026-02-04T00:00:00Z');
    expect(await daysFrom('2026-02-04')).toEqual(range(-2, 7));
    for (const at of ['2026-02-04T00:00:00.000Z', '2026-02-04T23:59:59.999Z']) await addLine(new Date(at));
    const [row] = await admin.rows<{ n: number }>('select count(*)::int as n from request_logs_20260204');
    expect(row).toEqual({ n: 2 });
  });

  test('30 days are kept, older ones are dropped with their lines', async () => {
    const start = Date.parse('2026-02-05T12:00:00Z');
    for (const day of range(0, 6)) await addLine(new Date(start + day * DAY));
    expect((await lines()).length).toBe(9);
    // The day on which 4 February is 30 days ago, and the one after.
    await keep('2026-03-06T12:00:00Z');
    expect((await lines())[0]).toBe('2026-02-04');
    await keep('2026-03-07T12:00:00Z');
    expect((await lines())[0]).toBe('2026-02-05');
    expect((await lines()).length).toBe(7);
    expect(await daysFrom('2026-03-07')).toEqual([...range(-30, -24), ...range(-2, 7)]);
  });

  test('days on which nothing ran leave no trace, and running twice changes nothing', async () => {
    await keep('2027-01-01T12:00:00Z');
    expect(await daysFrom('2027-01-01')).toEqual(range(-1, 7));
    expect(await lines()).toEqual([]);
    await Promise.all(range(1, 5).map(() => keep('2027-01-01T13:00:00Z')));
    expect(await daysFrom('2027-01-01')).toEqual(range(-1, 7));
  });

  test.each(['nestloop', 'hashjoin', 'indexscan'])('for any query plan: without %s', async (way) => {
    const name = new URL(base.adminUrl).pathname.slice(1);
    await admin.rows(`alter database ${name} set enable_${way} = off`);
    const other = openDatabase(base.urls);
    try {
      await rotateRequestLog(other, new Date('2027-06-01T12:00:00Z'));
      expect(await daysFrom('2027-06-01')).toEqual(range(-1, 7));
    } finally {
      await other.close();
      await admin.rows(`alter database ${name} reset enable_${way}`);
    }
  });

  test('every day of a year has its partition in time', async () => {
    const start = Date.parse('2028-01-01T00:00:00Z');
    for (let day = 0; day < 366; day += 6) {
      const now = new Date(start + day * DAY);
      await rotateRequestLog(base.database, now);
      for (const ahead of range(-1, 7)) await addLine(new Date(now.getTime() + ahead * DAY + day));
    }
    expect((await daysFrom('2028-12-26')).length).toBeLessThanOrEqual(30 + 8 + 6);
  });
});

describe('rollups', () => {
  test('are kept a year and a month, and outlive the lines', async () => {
    const now = Date.parse('2026-06-15T12:00:00Z');
    const hourOf = (days: number) => new Date(now - days * DAY);
    await rotateRequestLog(base.database, new Date(now));
    for (const days of [1, 90, 399, 401, 800]) {
      await admin.rows(`insert into usage_calls values ($1, $2, $3, '', '', 5)`, [ACCOUNT, KEY, hourOf(days)]);
      await admin.rows('insert into usage_latency values ($1, $2, $3, 40, 5)', [ACCOUNT, KEY, hourOf(days)]);
    }
    await admin.rows('insert into usage_secrets values ($1, $2, $3, 5, $4)', [ACCOUNT, KEY, newId(), hourOf(800)]);
    await rotateRequestLog(base.database, new Date(now));
    for (const table of ['usage_calls', 'usage_latency']) {
      const left = await admin.rows<{ hour: Date }>(`select hour from ${table} order by hour`);
      expect(
        left.map(({ hour }) => Math.round((now - hour.getTime()) / DAY)),
        table,
      ).toEqual([399, 90, 1]);
    }
    expect(await admin.rows('select calls::int from usage_secrets')).toEqual([{ calls: 5 }]);
  });
});
