// How the log and usage are read, by the plans of the service's own statements: usage never reads the log, and the log is read
// from one key's index, in the requested days.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rotateRequestLog } from '../../src/jobs/rotate-request-log.ts';
import { newId, newRequestId } from '../../src/kit/ids.ts';
import type { Statement } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type PlanNode, planOf } from '../support/plans.ts';
import { type TestService, testService } from '../support/service.ts';

const DAY = 86_400_000;
const LINES_A_DAY = 300;
/** So that the newest day has many lines at any hour: for a day that has just started, PostgreSQL correctly reads everything. */
const EVENING = `date_trunc('day', now()) + interval '20 hours'`;
/** Of each key and hour. */
const ENDPOINTS = 4;
const BUCKETS = 8;
const CALLS = 5000;

let service: TestService;
let admin: Session;
let tenant: Session;
let accountId: string;
let key: { id: string; secret: string };
let sent: Statement[] = [];

beforeAll(async () => {
  const watch = (statement: Statement) => {
    sent.push(statement);
    return statement;
  };
  service = await testService({ database: { watch } });
  admin = await openSession(service.adminUrl);
  tenant = await openSession(service.urls.tenantUrl);
  accountId = await service.account();
  key = await service.key(accountId);
  const others = [key.id, newId(), newId()].map((id) => `('${accountId}'::uuid, '${id}'::uuid)`);
  for (let time = 0; time < 13; time += 1) others.push(`('${newId()}'::uuid, '${newId()}'::uuid)`);
  for (const days of [29, 21, 13, 5, 0]) await rotateRequestLog(service.database, new Date(Date.now() - days * DAY));
  // A month of sixteen keys' lines, and 90 days of their rollups, which represent tens of millions of requests.
  await admin.rows(`insert into request_logs (account_id, key_id, at, request_id, secret_id, method, path, endpoint, status, error_code, duration_ms, response_bytes)
    select account, key, at, 'req_' || lpad(n::text, 26, '0'), key, 'GET', '/api/v1/vehicles', 'GET vehicles',
      case when n % 50 = 0 then 404 else 200 end, case when n % 50 = 0 then 'not_found' end, 3, 1000
    from (values ${others}) as keys(account, key) cross join generate_series(0, ${29 * LINES_A_DAY}) n
    cross join lateral (select ${EVENING} - n * interval '1 day' / ${LINES_A_DAY} as at) times`);
  await admin.rows(`insert into usage_calls select account, key, date_trunc('hour', now()) - h * interval '1 hour', 'GET vehicles/' || e, case when e = 0 then 'not_found' else '' end, ${CALLS}
    from (values ${others}) as keys(account, key) cross join generate_series(0, ${90 * 24}) h cross join generate_series(0, ${ENDPOINTS - 1}) e`);
  await admin.rows(`insert into usage_latency select account, key, date_trunc('hour', now()) - h * interval '1 hour', 40 + b, 800
    from (values ${others}) as keys(account, key) cross join generate_series(0, ${90 * 24}) h cross join generate_series(0, ${BUCKETS - 1}) b`);
  await vacuumLog();
  await admin.rows('vacuum analyze usage_calls');
  await admin.rows('vacuum analyze usage_latency');
});
afterAll(async () => {
  await tenant?.close();
  await admin?.close();
  await service?.close();
});

/** Until every page is marked all-visible: while PostgreSQL analyzes another table, vacuum must leave recent rows. */
async function vacuumLog(): Promise<void> {
  for (let tries = 0; tries < 30; tries += 1) {
    await admin.rows('vacuum analyze request_logs');
    const [unseen] = await admin.rows<{ pages: string }>(
      `select sum(relpages - relallvisible)::text as pages from pg_class where relname like 'request_logs_2%' and relkind = 'r'`,
    );
    if (unseen!.pages === '0') return;
    await wait(500);
  }
  throw new Error('the log is never visible to all');
}

/** The tenant statements of one call. */
async function statementsOf(path: string): Promise<Statement[]> {
  await service.logged();
  sent = [];
  const { status } = await service.call(path, { key: key.secret });
  expect(status).toBe(200);
  return sent.filter(({ text }) => /request_logs|usage_/.test(text) && !/insert into/.test(text));
}

const scansOf = (nodes: readonly PlanNode[], table: string) => nodes.filter((node) => node['Relation Name']?.startsWith(table));
const rowsRead = (nodes: readonly PlanNode[]) =>
  nodes.reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0);
const partitionsOf = (nodes: readonly PlanNode[]) =>
  [...new Set(scansOf(nodes, 'request_logs').map((node) => node['Relation Name']!))].sort();
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

describe.each([
  ['planned for its values', false],
  ['planned once for all', true],
])('the log, %s', (_, generic) => {
  const read = async (query: string) => {
    const statements = await statementsOf(`developer/request-logs?${query}`);
    expect(statements).toHaveLength(1);
    const nodes = await planOf(tenant, accountId, statements[0]!, generic);
    const scans = scansOf(nodes, 'request_logs');
    expect(scans.length).toBeGreaterThan(0);
    return { nodes, scans, rows: rowsRead(scans) };
  };

  test('the first page reads only its own rows, of the newest days', async () => {
    const { nodes, rows } = await read('limit=25');
    expect(rows).toBeLessThan(200);
    expect(partitionsOf(nodes).length).toBeLessThanOrEqual(3);
    const sorted = nodes.filter((node) => node['Node Type'] === 'Sort');
    for (const sort of sorted) expect(sort['Actual Rows']).toBeLessThanOrEqual(26);
  });

  test('from and to are read in their own days only', async () => {
    const { nodes, rows } = await read(`limit=100&from=${ago(10.2)}&to=${ago(10)}`);
    expect(partitionsOf(nodes).length).toBeLessThanOrEqual(2);
    expect(rows).toBeLessThan(500);
    const day = await read(`limit=100&from=${ago(12).slice(0, 10)}&to=${ago(12).slice(0, 10)}`);
    // A day of the account overlaps two days of UTC.
    expect(partitionsOf(day.nodes).length).toBeLessThanOrEqual(2);
  });

  test('a request is found by its id without a search', async () => {
    const { nodes, rows } = await read(`request_id=${newRequestId(Date.now() - 7 * DAY)}`);
    expect(rows).toBe(0);
    expect(partitionsOf(nodes).length).toBeLessThanOrEqual(1);
  });

  test('a deep page uses only the index', async () => {
    const { scans } = await read('limit=20&offset=5000');
    const walked = scans.filter((node) => node['Node Type'] === 'Index Only Scan');
    expect(rowsRead(walked)).toBeGreaterThanOrEqual(5000);
    expect(rowsRead(scans.filter((node) => node['Node Type'] !== 'Index Only Scan'))).toBeLessThan(200);
  });

  test('a filter is applied to this key alone', async () => {
    const { rows } = await read('limit=100&status=599');
    // Of the sixteen keys' lines only this one's, except for a day so young that it is scanned.
    expect(rows).toBeLessThanOrEqual(30 * LINES_A_DAY + 3000);
  });
});

describe.each([
  ['planned for its values', false],
  ['planned once for all', true],
])('usage, %s', (_, generic) => {
  const read = async (query: string) => {
    const statements = await statementsOf(`developer/usage?${query}`);
    expect(statements.length).toBeGreaterThanOrEqual(3);
    expect(statements.filter(({ text }) => text.includes('request_logs'))).toEqual([]);
    const plans: PlanNode[] = [];
    for (const statement of statements) plans.push(...(await planOf(tenant, accountId, statement, generic)));
    expect(scansOf(plans, 'request_logs')).toEqual([]);
    return plans;
  };

  test('a day of 90 is read by the hour from the index', async () => {
    const plans = await read(`from=${ago(31).slice(0, 10)}&to=${ago(31).slice(0, 10)}`);
    // Two statements over the calls and one over the histograms, of 26 hours at most.
    expect(rowsRead(scansOf(plans, 'usage_calls'))).toBeLessThanOrEqual(2 * 26 * ENDPOINTS);
    expect(rowsRead(scansOf(plans, 'usage_latency'))).toBeLessThanOrEqual(26 * BUCKETS);
    for (const scan of [...scansOf(plans, 'usage_calls'), ...scansOf(plans, 'usage_latency')]) {
      expect(scan['Node Type']).toMatch(/^(Index|Bitmap)/);
    }
  });

  test('90 days are read from one key’s rollups, for any number of requests', async () => {
    const plans = await read(`from=${ago(89)}`);
    const ownCalls = (90 * 24 + 1) * ENDPOINTS + 50;
    expect(rowsRead(scansOf(plans, 'usage_calls'))).toBeLessThanOrEqual(2 * ownCalls);
    expect(rowsRead(scansOf(plans, 'usage_latency'))).toBeLessThanOrEqual((90 * 24 + 1) * BUCKETS + 50);
  });
});

test('tens of millions of requests are summed exactly', async () => {
  const { json } = await service.call(`developer/usage?from=${ago(89)}`, { key: key.secret });
  const hours = Math.ceil((89 * DAY) / 3_600_000);
  const calls = json.data.total_requests;
  expect(calls).toBeGreaterThan(40_000_000);
  expect(calls).toBeGreaterThan(hours * ENDPOINTS * CALLS);
  expect(calls).toBeLessThan((hours + 2) * ENDPOINTS * CALLS + 1000);
  expect(json.data.error_rate).toBeCloseTo(1 / ENDPOINTS, 3);
  expect(json.data.series.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(calls);
});
