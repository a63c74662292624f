// /sandbox/v1: who may use it, what it returns, and that a request with an Idempotency-Key acts once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { expectLimitHeaders, expectRefusal } from '../contract/expect.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { testSandbox } from '../support/worlds.ts';
import { aCar, dealerWith, openAll } from '../support/writer.ts';

const every = resources.flatMap(({ endpoints }) => endpoints).map(({ id }) => id);

let api: TestService;
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated' }, sandbox: testSandbox });
  await openAll(api);
});
afterAll(() => api.close());

const keyOf = async (accountId: string, environment: 'production' | 'sandbox' = 'sandbox', endpoints = every): Promise<string> =>
  (await api.key(accountId, { endpoints, environment })).secret;

const ask = (key: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  api.call(`/sandbox/v1${path}`, {
    key,
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('who may use it', () => {
  test('no one without a key', async () => {
    expectRefusal(await api.call('/sandbox/v1'), 'key_missing');
  });

  test('a sandbox key that holds a writing endpoint; no production key', async () => {
    const account = await api.account();
    expect((await ask(await keyOf(account), '')).status).toBe(200);
    expectRefusal(await ask(await keyOf(account, 'production'), ''), 'sandbox_control_not_allowed');
    const reader = await keyOf(
      account,
      'sandbox',
      every.filter((id) => id.startsWith('GET ')),
    );
    expectRefusal(await ask(reader, ''), 'sandbox_control_not_allowed');
    expectRefusal(await ask(reader, '/reset', {}), 'sandbox_control_not_allowed');
  });

  test('other paths and methods are refused as everywhere', async () => {
    const key = await keyOf(await api.account());
    expectRefusal(await ask(key, '/nothing'), 'not_found');
    const refused = await ask(key, '/rules', {});
    expectRefusal(refused, 'method_not_allowed');
    expect(refused.headers.get('allow')).toBe('GET');
    expectRefusal(await ask(key, '?no=1'), 'unknown_parameter');
  });

  test('requests count in the limit and in the log of the key', async () => {
    const account = await api.account();
    const key = await keyOf(account);
    expectLimitHeaders(await ask(key, '/clock'), 100_000);
    await api.logged();
    const { json } = await api.call('developer/request-logs', { key });
    expect(json.data).toMatchObject([{ method: 'GET', path: '/sandbox/v1/clock', status: 200, environment: 'sandbox' }]);
  });
});

describe('the world', () => {
  test('shows its clock, and its counts against the ceilings', async () => {
    const account = await api.account();
    const key = await keyOf(account);
    await dealerWith(api, account, key).post('vehicles', aCar());
    const { data, meta } = (await ask(key, '')).json;
    expect(data).toMatchObject({
      data: 'empty',
      data_version: 1,
      last_reset_at: null,
      clock: { status: 'ready', move: null, failure: null },
      counts: { vehicles: { count: 1, limit: 1000 }, webhooks: { count: 0, limit: 20 } },
    });
    expect(data.id).not.toBe(account);
    expect(meta.request_id).toMatch(/^req_/);
  });

  test('a reset gives a new world under the same keys', async () => {
    const account = await api.account();
    const key = await keyOf(account);
    const dealer = dealerWith(api, account, key);
    await dealer.post('vehicles', aCar());
    const before = (await ask(key, '')).json.data;
    const { status, json } = await ask(key, '/reset', { data: 'empty' });
    expect(status).toBe(200);
    expect(json.data.id).not.toBe(before.id);
    expect(json.data.last_reset_at).not.toBeNull();
    expect((await dealer.get('vehicles')).json.data).toEqual([]);
  });

  test('the body of a reset is checked', async () => {
    const key = await keyOf(await api.account());
    expectRefusal(await ask(key, '/reset', { data: 'all' }), 'validation_failed');
    expectRefusal(await ask(key, '/reset', { what: 1 }), 'validation_failed');
  });
});

test('a dry run of a reset or a move is refused and changes nothing', async () => {
  const key = await keyOf(await api.account());
  const { id, clock } = (await ask(key, '')).json.data;
  for (const [path, body] of [
    ['/reset', {}],
    ['/clock', { advance: '30d' }],
  ] as const)
    for (const value of ['true', 'ture']) expectRefusal(await ask(key, path, body, { 'x-dry-run': value }), 'invalid_parameter');
  const after = (await ask(key, '')).json.data;
  expect(after.id).toBe(id);
  expect(Date.parse(after.clock.now) - Date.parse(clock.now)).toBeLessThan(86_400_000);
  expect((await ask(key, '/clock', { advance: '1d' }, { 'x-dry-run': 'false' })).status).toBe(200);
});

describe('the clock', () => {
  test('moves by a duration, to a day or to an instant', async () => {
    const key = await keyOf(await api.account());
    const start = Date.parse((await ask(key, '/clock')).json.data.now);
    const { from, to } = (await ask(key, '/clock', { advance: '36h' })).json.data;
    expect(Date.parse(to) - Date.parse(from)).toBe(36 * 3_600_000);
    expect(Date.parse((await ask(key, '/clock')).json.data.now)).toBeGreaterThan(start + 35 * 3_600_000);
    const day = new Date(start + 40 * 86_400_000).toISOString().slice(0, 10);
    expect((await ask(key, '/clock', { to: day })).json.data.to.slice(0, 10) <= day).toBe(true);
    const instant = `${new Date(start + 50 * 86_400_000).toISOString().slice(0, 10)}T09:00:00.000Z`;
    expect((await ask(key, '/clock', { to: instant })).json.data.to).toBe(instant);
  });

  test.each([{}, { advance: '30d', to: '2030-01-01' }, { advance: 'soon' }, { advance: '0d' }, { advance: '-1d' }, { to: 'x' }])(
    '%j is refused',
    async (body) => {
      expectRefusal(await ask(await keyOf(await api.account()), '/clock', body), 'validation_failed');
    },
  );

  test('a repeated Idempotency-Key gets the first reply, and the clock moves once', async () => {
    const key = await keyOf(await api.account());
    const headers = { 'idempotency-key': 'move' };
    const first = await ask(key, '/clock', { advance: '1d' }, headers);
    const again = await ask(key, '/clock', { advance: '1d' }, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectRefusal(await ask(key, '/clock', { advance: '2d' }, headers), 'idempotency_key_reused');
    const { now, started_at } = (await ask(key, '/clock')).json.data;
    expect(Date.parse(now) - Date.parse(started_at)).toBeLessThan(1.5 * 86_400_000);
  });

  test('a key whose request is under way is refused; one whose request was refused is free', async () => {
    const account = await api.account();
    const key = await keyOf(account);
    const headers = { 'idempotency-key': 'reset' };
    const answers = await Promise.all([1, 2, 3].map(() => ask(key, '/reset', {}, headers)));
    const statuses = answers.map(({ status, json, headers }) =>
      status === 409 ? json.error.code : headers.get('idempotent-replayed') === 'true' ? 'replayed' : status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 'idempotency_in_progress', 'replayed'].includes(status))).toBe(true);
  });
});

test('rules and messages are lists', async () => {
  const key = await keyOf(await api.account());
  expect((await ask(key, '/rules')).json).toMatchObject({ success: true, data: [{ act: 'network_offer' }], meta: { count: 1 } });
  expect((await ask(key, '/messages?limit=5&channel=SMS')).json).toMatchObject({
    data: [],
    meta: { limit: 5, offset: 0, count: 0 },
  });
  expectRefusal(await ask(key, '/messages?channel=Fax'), 'invalid_parameter');
});
