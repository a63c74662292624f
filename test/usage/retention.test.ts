// The request log is kept for 30 days, a partition a day: created ahead, dropped when old, on any date.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropOldPartitions, makePartitions, makePartitionsAtStart } from '../../src/domain/usage/log-retention.ts';
import { rotateRequestLog } from '../../src/jobs/rotate-request-log.ts';
import { newId } from '../../src/kit/ids.ts';
import type { Statement } from '../../src/kit/sql.ts';
import { accountsWithErrors } from '../../src/panel/admin/home.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { planOf } from '../support/plans.ts';

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

describe('a partition', () => {
  test('has the row-level security of the table and its index, and is reached through it only', async () => {
    await keep('2029-05-01T12:00:00Z');
    const [row] =
      await admin.rows(`select c.relrowsecurity and c.relforcerowsecurity as walled, c.reloptions as options, c.relacl as acl,
        c.relowner = parent.relowner as same_owner, pg_get_expr(c.relpartbound, c.oid) as bounds,
        array(select polname || ' ' || polroles::regrole[]::text from pg_policy where polrelid = c.oid)
          = array['owner {' || current_user::text || '}'] as owners_policy,
        array(select x.inhparent::regclass::text from pg_index i join pg_inherits x on x.inhrelid = i.indexrelid
          where i.indrelid = c.oid) as indexes,
        array(select concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attstorage, attcompression) from pg_attribute
          where attrelid = c.oid and attnum > 0 order by attnum) = array(
          select concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attstorage, attcompression) from pg_attribute
          where attrelid = parent.oid and attnum > 0 order by attnum) as same_columns
      from pg_class c cross join pg_class parent where c.relname = 'request_logs_20290501' and parent.relname = 'request_logs'`);
    expect(row).toEqual({
      walled: true,
      options: ['autovacuum_vacuum_insert_scale_factor=0.05'],
      acl: null,
      same_owner: true,
      bounds: expect.stringMatching(/^FOR VALUES FROM \('2029-05-01 00:00:00\+00'\) TO \('2029-05-02 00:00:00\+00'\)$/),
      owners_policy: true,
      indexes: ['request_logs_pkey'],
      same_columns: true,
    });
  });

  test('is made while a backup reads the log; an old one is dropped after the backup', async () => {
    await keep('2029-06-01T12:00:00Z');
    const backup = await openSession(base.adminUrl);
    try {
      await backup.rows('begin; lock table request_logs in access share mode');
      const later = new Date('2029-07-15T12:00:00Z');
      await makePartitions(base.database, later);
      expect(await daysFrom('2029-07-15')).toEqual(expect.arrayContaining(range(-1, 7)));
      await dropOldPartitions(base.database, later);
      expect(await daysFrom('2029-06-01')).toContain(0);
      await backup.rows('commit');
      await dropOldPartitions(base.database, later);
      expect(await daysFrom('2029-06-01')).not.toContain(0);
    } finally {
      await backup.close();
    }
  });

  test('stays although the deletion of old counts fails', async () => {
    const other = await openSession(base.adminUrl);
    try {
      await other.rows('begin; lock table usage_calls in access exclusive mode');
      await expect(keep('2030-01-01T12:00:00Z')).rejects.toMatchObject({ code: '55P03' });
      expect(await daysFrom('2030-01-01')).toEqual(range(-1, 7));
    } finally {
      await other.close();
    }
  });

  test('of the coming days may be missing at a start, that of today not', async () => {
    const now = new Date();
    const today = now.toISOString().slice(0, 10).replaceAll('-', '');
    await admin.rows(`drop table if exists request_logs_${today}`);
    const reports: string[] = [];
    const start = () => makePartitionsAtStart(base.database, now, (line) => reports.push(line));
    const other = await openSession(base.adminUrl);
    try {
      await other.rows(`begin; select pg_advisory_xact_lock(hashtext('galeri.keep_request_log'))`);
      await expect(start()).rejects.toMatchObject({ code: '55P03' });
      expect(reports).toEqual([]);
      await other.rows('commit');
      await start();
      await other.rows(`begin; select pg_advisory_xact_lock(hashtext('galeri.keep_request_log'))`);
      await start();
      expect(reports).toEqual(['the partitions of the request log could not be made; the worker makes them']);
    } finally {
      await other.close();
    }
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

  test('are deleted in batches, each of which finds its rows by their hour; so does the home page of administrators', async () => {
    const now = new Date('2026-06-15T12:00:00Z');
    // The first counts are written in the order in which time passes. Among those within their time PostgreSQL finds no order in the second.
    for (const [table, more, hours, order] of [
      ['usage_calls', `'GET vehicles', '', 5`, 3000, 'h desc'],
      ['usage_latency', '40, 5', 2600, 'h > 2400 desc, random()'],
    ]) {
      await admin.rows(`truncate ${table}`);
      await admin.rows(
        `insert into ${table} select $1, gen_random_uuid(), $2::timestamptz - h * interval '4 hours', ${more}
          from generate_series(1, ${hours}) h cross join generate_series(1, 20) order by ${order}`,
        [ACCOUNT, now],
      );
      await admin.rows(`vacuum analyze ${table}`);
    }
    const sent: Statement[] = [];
    const watched = openDatabase({
      ...base.urls,
      watch: (statement) => {
        sent.push(statement);
        return statement;
      },
    });
    try {
      await rotateRequestLog(watched, now);
      await watched.onPlatform('read', (log) => accountsWithErrors(log, now));
    } finally {
      await watched.close();
    }
    const deletes = sent.filter(({ text }) => text.startsWith('delete from usage_'));
    // 12,000 rows are past their time, and 4,000.
    expect(deletes).toHaveLength(3 + 1);
    for (const table of ['usage_calls', 'usage_latency']) {
      const [left] = await admin.rows<{ n: number }>(
        `select count(*)::int as n from ${table} where hour < $1::timestamptz - interval '400 days'`,
        [now],
      );
      expect(left).toEqual({ n: 0 });
    }
    const read = sent.find(({ text }) => text.includes('from usage_calls') && text.includes('errors_24h'))!;
    for (const [statement, index] of [
      [deletes[0]!, 'usage_calls_hour'],
      [deletes.at(-1)!, 'usage_latency_hour'],
      [read, 'usage_calls_hour'],
    ] as const)
      expect(await indexesOf(sent, statement), statement.text).toContain(index);
  });
});

/** The indexes that a statement uses, with the settings of its transaction. */
async function indexesOf(sent: readonly Statement[], statement: Statement): Promise<string[]> {
  const platform = await openSession(base.urls.platformUrl);
  try {
    const before = sent[sent.indexOf(statement) - 1]!.text;
    await platform.rows(before.startsWith('set local') ? before.replace('local ', '') : 'reset all');
    await platform.rows('set random_page_cost = 1.1');
    const nodes = await planOf(platform, ACCOUNT, statement, true);
    return nodes.flatMap((node) => node['Index Name'] ?? []);
  } finally {
    await platform.close();
  }
}
