// The per-minute limit as a client sees it: what counts, what does not, and the headers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitKey } from '../../src/domain/keys/keys.ts';
import { expectLimitHeaders, expectRefusal, expectSuccess } from '../contract/expect.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';

let api: TestService;
let accountId: string;
beforeAll(async () => {
  api = await testService();
  accountId = await api.account();
});
afterAll(() => api.close());

const keyWith = (limitPerMinute: number, more = {}) => api.key(accountId, { limitPerMinute, ...more });
const rateOf = async (key: string) => (await api.call('developer/rate-limit', { key })).json.data;
const setLimit = async (id: string, perMinute: number) => {
  await api.database.onPlatform('write', (db) => limitKey(db, id, perMinute, TEST_ACTOR));
  await api.settled();
};

describe('what counts', () => {
  test('developer/rate-limit counts itself', async () => {
    const { secret } = await keyWith(60, { limitPerHour: 1000, limitPerDay: null });
    for (const used of [1, 2, 3]) {
      expect(await rateOf(secret)).toEqual({
        limit_per_minute: 60,
        used_in_last_minute: used,
        remaining: 60 - used,
        window_seconds: 60,
        limit_per_hour: 1000,
        limit_per_day: null,
      });
    }
  });

  test('every reply after the limiter counts: successes, conditional ones, and refusals', async () => {
    const { secret: key } = await keyWith(100, {
      endpoints: ['GET vehicles', 'GET account', 'GET developer/rate-limit', 'GET sales'],
    });
    const etag = (await api.call('vehicles', { key })).headers.get('etag')!;
    expect((await api.call('vehicles', { key, headers: { 'if-none-match': etag } })).status).toBe(304);
    expectSuccess(await api.call('account.php', { key }), { list: false });
    expectRefusal(await api.call('vehicles?limit=0', { key }), 'invalid_parameter');
    expectRefusal(await api.call('customers', { key }), 'insufficient_scope');
    expectRefusal(await api.call('sales', { key }), 'endpoint_not_active');
    expectRefusal(await api.call('vehicles', { key, method: 'POST' }), 'method_not_allowed');
    expectRefusal(await api.call('no-such-path', { key }), 'not_found');
    expect(await rateOf(key)).toMatchObject({ used_in_last_minute: 9, remaining: 91 });
  });

  test('one key does not use the limit of another, not even in the same account', async () => {
    const { secret: one } = await keyWith(2);
    const { secret: other } = await keyWith(2);
    await api.call('account', { key: one });
    await api.call('account', { key: one });
    expectRefusal(await api.call('account', { key: one }), 'rate_limit_exceeded');
    expect((await rateOf(other)).used_in_last_minute).toBe(1);
  });

  test('hour and day limits are shown and never enforced', async () => {
    const { secret: key } = await keyWith(50, { limitPerHour: 1, limitPerDay: 2 });
    for (let count = 0; count < 10; count += 1) expectSuccess(await api.call('account', { key }), { list: false });
    expect(await rateOf(key)).toMatchObject({ limit_per_hour: 1, limit_per_day: 2 });
  });

  test('concurrent requests are admitted exactly up to the limit', async () => {
    const { secret: key } = await keyWith(7);
    const answers = await Promise.all(Array.from({ length: 30 }, () => api.call('account', { key })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(23);
  });
});

describe('beyond the limit', () => {
  test('the refusal names the limit and the retry time, in both languages', async () => {
    const { secret: key } = await keyWith(3);
    for (let count = 0; count < 3; count += 1) await api.call('account', { key });
    const answer = await api.call('vehicles', { key });
    expectRefusal(answer, 'rate_limit_exceeded');
    expect(answer.json.error.message).toContain('3 requests per minute');
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expectLimitHeaders(answer, 3);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    const turkish = await api.call('vehicles', { key, headers: { 'accept-language': 'tr' } });
    expectRefusal(turkish, 'rate_limit_exceeded', { locale: 'tr' });
    expect(turkish.json.error.message).toContain('Dakikada 3 istek');
  });

  test('refusals do not count in the window, and a higher limit keeps it', async () => {
    const { id, secret: key } = await keyWith(3);
    for (let count = 0; count < 3; count += 1) await api.call('account', { key });
    for (let count = 0; count < 5; count += 1) expectRefusal(await api.call('account', { key }), 'rate_limit_exceeded');
    await setLimit(id, 10);
    expect(await rateOf(key)).toMatchObject({ limit_per_minute: 10, used_in_last_minute: 4, remaining: 6 });
  });

  test('a lower limit keeps the window too: remaining is never below zero', async () => {
    const { id, secret: key } = await keyWith(10);
    for (let count = 0; count < 6; count += 1) await api.call('account', { key });
    await setLimit(id, 2);
    const answer = await api.call('account', { key });
    expectRefusal(answer, 'rate_limit_exceeded');
    expectLimitHeaders(answer, 2);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    await setLimit(id, 8);
    expect(await rateOf(key)).toMatchObject({ used_in_last_minute: 7, remaining: 1 });
  });

  test('refusals are in the log and in the usage of the key', async () => {
    const { id, secret: key } = await keyWith(2);
    await api.call('vehicles', { key });
    await api.call('vehicles', { key });
    for (let count = 0; count < 4; count += 1) expectRefusal(await api.call('vehicles', { key }), 'rate_limit_exceeded');
    await setLimit(id, 100);
    await api.logged();
    const { data } = (await api.call('developer/usage', { key })).json;
    expect(data).toMatchObject({
      total_requests: 6,
      successful_requests: 2,
      client_errors: 4,
      rate_limited: 4,
      error_rate: 0.6667,
    });
    expect(data.by_error_code).toEqual([{ code: 'rate_limit_exceeded', count: 4 }]);
    const logged = await api.call('developer/request-logs?status=429', { key });
    expect(logged.json.data).toHaveLength(4);
  });

  test('refusals are logged under the called endpoint', async () => {
    const { id, secret: key } = await keyWith(1);
    await api.call('account', { key });
    expectRefusal(await api.call('vehicles', { key }), 'rate_limit_exceeded');
    expectRefusal(await api.call('no-such-path', { key }), 'rate_limit_exceeded');
    await setLimit(id, 100);
    await api.logged();
    const { json } = await api.call('developer/request-logs?status=429', { key });
    const endpoints = json.data.map((line: { path: string; endpoint: string | null }) => [line.path, line.endpoint]);
    expect(Object.fromEntries(endpoints)).toEqual({ '/api/v1/vehicles': 'GET vehicles', '/api/v1/no-such-path': null });
  });
});

describe('the headers', () => {
  test('count down with each request, and agree with developer/rate-limit', async () => {
    const { secret: key } = await keyWith(5);
    for (const remaining of [4, 3, 2]) {
      const answer = await api.call('account', { key });
      expectLimitHeaders(answer, 5);
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(remaining));
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"minute";r=${remaining};t=\\d+$`));
    }
    const answer = await api.call('developer/rate-limit', { key });
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(answer.json.data.remaining));
  });

  test('give the same reset time as seconds and as a timestamp', async () => {
    const { secret: key } = await keyWith(5);
    const before = Math.floor(Date.now() / 1000);
    const { headers } = await api.call('account', { key });
    const seconds = Number(/t=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    const reset = Number(headers.get('x-ratelimit-reset'));
    expect(reset - seconds).toBeGreaterThanOrEqual(before - 1);
    expect(reset - seconds).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 1);
  });
});
