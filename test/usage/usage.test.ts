// developer/usage: a key's counts, from rollups that are written with the log.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { deadline } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let service: TestService;
let admin: Session;
let accountId: string;

beforeAll(async () => {
  service = await testService();
  admin = await openSession(service.adminUrl);
  accountId = await service.account({ country: 'KKTC' });
  await service.vehicle(accountId);
});
afterAll(async () => {
  await admin?.close();
  await service?.close();
});

async function readUsage(secret: string, query = '') {
  await service.logged();
  const { status, json } = await service.call(`developer/usage${query}`, { key: secret });
  expect(status).toBe(200);
  return json.data;
}

/** Rollups as the log writes them, for chosen hours. */
async function addCalls(
  keyId: string,
  rows: readonly [at: string | Date, calls: number, endpoint?: string, errorCode?: string][],
) {
  for (const [at, calls, endpoint = 'GET vehicles', errorCode = ''] of rows) {
    await admin.rows(
      `insert into usage_calls values ($1, $2, date_trunc('hour', $3::timestamptz), $4, $5, $6)
        on conflict (account_id, key_id, hour, endpoint, error_code) do update set calls = usage_calls.calls + excluded.calls`,
      [accountId, keyId, at, endpoint, errorCode, calls],
    );
  }
}

describe('counts', () => {
  test('counts every kind of reply, with exactly the fields of the contract', async () => {
    const { id, secret } = await service.key(accountId, { name: 'counted', limitPerMinute: 9 });
    const list = await service.call('vehicles', { key: secret });
    await service.call('vehicles', { key: secret, headers: { 'if-none-match': list.headers.get('etag')! } });
    await service.call('vehicles', { key: secret });
    await service.call('account', { key: secret });
    await service.call('vehicles?limit=0', { key: secret });
    await service.call('nothing', { key: secret });
    await service.call('sales', { key: secret });
    const usage = await readUsage(secret);
    const { period, p50_ms, p95_ms, last_used_at, series, ...rest } = usage;
    expect(rest).toEqual({
      key_id: id,
      key_name: 'counted',
      environment: 'production',
      // Not itself: a call is counted once it is finished.
      total_requests: 7,
      successful_requests: 4,
      client_errors: 2,
      server_errors: 1,
      rate_limited: 0,
      error_rate: 0.4286,
      by_endpoint: [
        { endpoint: 'GET vehicles', count: 4, error_rate: 0.25 },
        { endpoint: null, count: 1, error_rate: 1 },
        { endpoint: 'GET account', count: 1, error_rate: 0 },
        { endpoint: 'GET sales', count: 1, error_rate: 1 },
      ],
      by_error_code: [
        { code: 'endpoint_not_active', count: 1 },
        { code: 'invalid_parameter', count: 1 },
        { code: 'not_found', count: 1 },
      ],
    });
    expect(Object.keys(period)).toEqual(['from', 'to']);
    expect(Math.abs(Date.parse(period.to) - Date.parse(period.from) - 30 * DAY)).toBeLessThan(1000);
    expect(p50_ms).toBeGreaterThan(0);
    expect(p95_ms).toBeGreaterThanOrEqual(p50_ms);
    expect(Math.abs(Date.parse(last_used_at) - Date.now())).toBeLessThan(30_000);
    expect(series.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(7);
    expect(series.reduce((sum: number, { errors }: { errors: number }) => sum + errors, 0)).toBe(3);
    for (const entry of series) expect(Object.keys(entry)).toEqual(['at', 'count', 'errors']);
  });

  test('429s are client errors and also counted as rate_limited', async () => {
    const { secret } = await service.key(accountId, { limitPerMinute: 3 });
    for (let time = 0; time < 8; time += 1) await service.call('vehicles', { key: secret });
    await service.logged();
    // Its own limit is used up, so the rollups are read through another key of the account.
    const rows = await admin.rows(
      `select error_code, sum(calls)::int as calls from usage_calls u join key_secrets s using (account_id, key_id)
       where last_four = right('${secret}', 4) group by error_code order by error_code`,
    );
    expect(rows).toEqual([
      { error_code: '', calls: 3 },
      { error_code: 'rate_limit_exceeded', calls: 5 },
    ]);
    const key = await service.key(accountId);
    await addCalls(key.id, [
      [new Date(), 3],
      [new Date(), 5, 'GET vehicles', 'rate_limit_exceeded'],
      [new Date(), 2, 'GET vehicles', 'internal_error'],
    ]);
    expect(await readUsage(key.secret)).toMatchObject({
      total_requests: 10,
      successful_requests: 3,
      client_errors: 5,
      server_errors: 2,
      rate_limited: 5,
      error_rate: 0.7,
    });
  });

  test('an unused key has zeros and nulls', async () => {
    const { secret } = await service.key(accountId);
    expect(await readUsage(secret)).toMatchObject({
      total_requests: 0,
      error_rate: 0,
      p50_ms: null,
      p95_ms: null,
      last_used_at: null,
      by_endpoint: [],
      by_error_code: [],
      series: [],
    });
  });

  test('concurrent calls are counted exactly, also from two nodes on the same rows', async () => {
    const { id, secret } = await service.key(accountId);
    await Promise.all(
      Array.from({ length: 400 }, async (_, place) => {
        await service.call(place % 4 === 0 ? 'vehicles?limit=0' : 'account', { key: secret });
        if (place % 50 === 0) await service.logged();
      }),
    );
    await service.logged();
    // Before usage is requested: that call is counted too, once it is finished. What a busy database did not accept at once is
    // written by a later flush.
    const counted = () => admin.rows(`select sum(calls)::int as calls from usage_latency where key_id = '${id}'`);
    await expect.poll(counted).toEqual([{ calls: 400 }]);
    expect(await readUsage(secret)).toMatchObject({ total_requests: 400, client_errors: 100, error_rate: 0.25 });
  });

  test('at most two seconds late', async () => {
    const { secret } = await service.key(accountId);
    await service.call('vehicles', { key: secret });
    const isOver = deadline(2000);
    let seen = 0;
    while (seen === 0 && !isOver()) {
      seen = (await service.call('developer/usage', { key: secret })).json.data.by_endpoint.filter(
        ({ endpoint }: { endpoint: string }) => endpoint === 'GET vehicles',
      ).length;
    }
    expect(seen).toBe(1);
  });

  test('only the calling key; last_used_at is that of its newest call', async () => {
    const [mine, other] = await Promise.all([service.key(accountId), service.key(accountId)]);
    await service.call('vehicles', { key: other.secret });
    expect((await readUsage(mine.secret)).total_requests).toBe(0);
    const answer = await service.call('vehicles', { key: mine.secret });
    const ask = () =>
      service.call(`developer/request-logs?request_id=${answer.headers.get('x-request-id')}`, { key: mine.secret });
    let log = await ask();
    for (const isOver = deadline(); log.json.data.length === 0 && !isOver(); log = await ask()) {
      await service.logged();
    }
    const usage = await readUsage(mine.secret);
    expect(Date.parse(usage.last_used_at)).toBeGreaterThanOrEqual(Date.parse(log.json.data[0].timestamp));
    // Outside the period, the last use of the key is still known.
    expect((await readUsage(mine.secret, '?to=2026-01-31&from=2026-01-01')).last_used_at).not.toBeNull();
    expect(await readUsage(mine.secret, '?to=2026-01-31&from=2026-01-01')).toMatchObject({ total_requests: 0 });
  });
});

describe('the series', () => {
  test('by day, in the time zone of the account', async () => {
    const { id, secret } = await service.key(accountId);
    // Nicosia: +03:00 in summer, +02:00 in winter; the clocks go back on 25 October.
    await addCalls(id, [
      ['2026-10-23T20:00:00Z', 1],
      ['2026-10-23T21:00:00Z', 2],
      ['2026-10-24T20:00:00Z', 4, 'GET vehicles', 'not_found'],
      ['2026-10-24T21:00:00Z', 8],
      ['2026-10-25T21:00:00Z', 16],
      ['2026-10-25T22:00:00Z', 32],
    ]);
    const { series, total_requests } = await readUsage(secret, '?from=2026-10-23&to=2026-10-26');
    expect(total_requests).toBe(63);
    expect(series).toEqual([
      { at: '2026-10-22T21:00:00.000Z', count: 1, errors: 0 },
      { at: '2026-10-23T21:00:00.000Z', count: 6, errors: 4 },
      { at: '2026-10-24T21:00:00.000Z', count: 24, errors: 0 },
      { at: '2026-10-25T22:00:00.000Z', count: 32, errors: 0 },
    ]);
  });

  test('by hour', async () => {
    const { id, secret } = await service.key(accountId);
    await addCalls(id, [
      ['2026-10-20T09:00:00Z', 1],
      ['2026-10-20T10:00:00Z', 2, 'GET account', 'internal_error'],
      ['2026-10-20T12:00:00Z', 4],
    ]);
    const { series } = await readUsage(secret, '?from=2026-10-20&to=2026-10-20&group_by=hour');
    expect(series).toEqual([
      { at: '2026-10-20T09:00:00.000Z', count: 1, errors: 0 },
      { at: '2026-10-20T10:00:00.000Z', count: 2, errors: 2 },
      { at: '2026-10-20T12:00:00.000Z', count: 4, errors: 0 },
    ]);
  });

  test('by hour in the night the clocks go back: the repeated hour is two hours', async () => {
    const { id, secret } = await service.key(accountId);
    await addCalls(id, [
      ['2026-10-24T23:00:00Z', 1],
      ['2026-10-25T00:00:00Z', 2],
      ['2026-10-25T01:00:00Z', 4],
      ['2026-10-25T02:00:00Z', 8],
    ]);
    const { series } = await readUsage(secret, '?from=2026-10-25&to=2026-10-25&group_by=hour');
    expect(series.map(({ at, count }: { at: string; count: number }) => [at.slice(0, 13), count])).toEqual([
      ['2026-10-24T23', 1],
      ['2026-10-25T00', 2],
      ['2026-10-25T01', 4],
      ['2026-10-25T02', 8],
    ]);
  });

  test('an account in Istanbul has its own days', async () => {
    const other = await service.account({ country: 'TR' });
    const { id, secret } = await service.key(other);
    await admin.rows(
      `insert into usage_calls values ('${other}', '${id}', '2026-11-01T20:00Z', '', '', 5), ('${other}', '${id}', '2026-11-01T21:00Z', '', '', 7)`,
    );
    const { series } = await readUsage(secret, '?from=2026-11-01&to=2026-11-02');
    expect(series).toEqual([
      { at: '2026-10-31T21:00:00.000Z', count: 5, errors: 0 },
      { at: '2026-11-01T21:00:00.000Z', count: 7, errors: 0 },
    ]);
  });
});

describe('the period', () => {
  test('from and to as days and instants, ends included', async () => {
    const { id, secret } = await service.key(accountId);
    await addCalls(id, [
      ['2026-07-09T20:00:00Z', 1],
      ['2026-07-09T21:00:00Z', 2],
      ['2026-07-10T20:00:00Z', 4],
      ['2026-07-10T21:00:00Z', 8],
    ]);
    const day = await readUsage(secret, '?from=2026-07-10&to=2026-07-10');
    expect(day.total_requests).toBe(6);
    expect(day.period).toEqual({ from: '2026-07-09T21:00:00.000Z', to: '2026-07-10T20:59:59.999Z' });
    const instants = await readUsage(secret, '?from=2026-07-09T20:00:00Z&to=2026-07-10T20:59:59.999Z');
    expect(instants.total_requests).toBe(7);
    expect(instants.period).toEqual({ from: '2026-07-09T20:00:00.000Z', to: '2026-07-10T20:59:59.999Z' });
  });

  test('defaults to the last 30 days', async () => {
    const { id, secret } = await service.key(accountId);
    await addCalls(id, [
      [new Date(Date.now() - 2 * DAY), 1],
      [new Date(Date.now() - 29 * DAY), 2],
      [new Date(Date.now() - 31 * DAY), 4],
      [new Date(Date.now() - 80 * DAY), 8],
    ]);
    expect((await readUsage(secret)).total_requests).toBe(3);
    const from = new Date(Date.now() - 89 * DAY).toISOString();
    expect((await readUsage(secret, `?from=${from}`)).total_requests).toBeGreaterThanOrEqual(15);
  });

  test('is 90 days at most', async () => {
    const { secret } = await service.key(accountId);
    const ask = async (query: string) => (await service.call(`developer/usage?${query}`, { key: secret })).status;
    expect(await ask('from=2026-01-01&to=2026-03-31')).toBe(200);
    expect(await ask('from=2026-01-01T00:00:00Z&to=2026-04-01T00:00:00Z')).toBe(200);
    expect(await ask('from=2026-01-01&to=2026-04-03')).toBe(400);
    expect(await ask('from=2026-01-01T00:00:00Z&to=2026-04-02T12:00:00Z')).toBe(400);
    expect(await ask('from=2026-03-01&to=2026-02-01')).toBe(400);
    for (const query of ['from=x', 'group_by=week', 'limit=5', 'from=2026-01-01&from=2026-01-02'])
      expect(await ask(query), query).toBe(400);
  });
});
