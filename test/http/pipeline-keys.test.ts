// Authentication: the Authorization header, keys in the wrong place, and the limit on failed attempts by address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret } from '../../src/domain/keys/key-secret.ts';
import { revokeKey } from '../../src/domain/keys/keys.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import type { Log } from '../../src/kit/log.ts';
import { sql } from '../../src/kit/sql.ts';
import { expectLimitHeaders, expectRefusal, expectSuccess } from '../contract/expect.ts';
import { type Sent, send } from '../contract/wire.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';

const logLines: string[] = [];
const keep = (message: string, facts: Record<string, unknown> = {}) => logLines.push(message, JSON.stringify(facts));
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

const FAILED_AUTH_LIMIT = 60;
let api: TestService;
let accountId: string;
let key: string;
let address = 1;

beforeAll(async () => {
  const env = { TRUST_PROXY: '127.0.0.1', FAILED_AUTH_LIMIT: String(FAILED_AUTH_LIMIT) };
  api = await testService({ env, log });
  accountId = await api.account();
  key = (await api.key(accountId)).secret;
});
afterAll(() => api.close());

/** From a separate address, so that failed attempts of one test do not count in another. */
function newAddress(): string {
  address += 1;
  return `198.51.${address >> 8}.${address & 255}`;
}

const ask = (target: string, headers: Sent['headers'] = {}, from = newAddress()) =>
  send(api.service.url, { target: `/api/v1/${target}`, headers: { 'x-forwarded-for': from, ...headers } });

describe('the Authorization header', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])('"%s" and a key is accepted', async (scheme) => {
    expectSuccess(await ask('account', { authorization: `${scheme} ${key}` }), { list: false });
  });

  test.each([undefined, '', ' ', 'Bearer', 'bearer ', 'BEARER   '])('%j is a missing key', async (authorization) => {
    const answer = await ask('account', authorization === undefined ? {} : { authorization });
    expectRefusal(answer, 'key_missing');
    expectLimitHeaders(answer, null);
  });

  test('any other malformed key is refused as malformed', async () => {
    const unknown = newSecret('sandbox');
    const values = [
      key,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Token ${key}`,
      `Bearer${key}`,
      `Bearer\t${key}`,
      `Bearer "${key}"`,
      `Bearer ${key} ${key}`,
      `Bearer ${key}, Bearer ${key}`,
      `Bearer ${key},`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key}0`,
      `Bearer ${key.toLowerCase()}`,
      `Bearer ${unknown.replace('sand', 'prod')}`,
      'Bearer null',
      'Bearer <API_KEY>',
      'Bearer gal_prod_',
      'Bearer é',
      'x',
    ];
    for (const authorization of values) {
      const answer = await ask('account', { authorization });
      expectRefusal(answer, 'key_malformed');
      expect(answer.text).not.toContain(key);
    }
  });

  test('sent twice is malformed, even with the same valid key', async () => {
    expectRefusal(await ask('account', { authorization: [`Bearer ${key}`, `Bearer ${key}`] }), 'key_malformed');
  });

  test('of a well-formed key that was never issued is invalid', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      expectRefusal(await ask('account', { authorization: `Bearer ${newSecret(environment)}` }), 'key_invalid');
    }
  });
});

describe('a key in the query', () => {
  const queries = (secret: string) => [
    `api_key=${secret}`,
    `key=${secret}`,
    `access_token=${secret}`,
    `authorization=Bearer%20${secret}`,
    `Authorization=Bearer+${secret}`,
    `limit=1&token=${secret}`,
  ];

  test('has no effect: without a header the key is missing', async () => {
    for (const query of queries(key)) expectRefusal(await ask(`vehicles?${query}`), 'key_missing');
  });

  test('is an unknown parameter beside a valid header, and the reply does not repeat it', async () => {
    for (const query of queries(key)) {
      const answer = await ask(`vehicles?${query}`, { authorization: `Bearer ${key}` });
      expectRefusal(answer, 'unknown_parameter');
      expect(answer.text).not.toContain(key);
    }
  });

  test('is in no log: neither of requests nor of the service', async () => {
    await api.logged();
    const logged = await api.call('developer/request-logs?limit=100', { key });
    expect(logged.json.data.length).toBeGreaterThan(5);
    expect(logged.text).not.toContain(key.slice(13));
    for (const { path } of logged.json.data) expect(path).not.toContain('?');
    const stored = await api.database.onPlatform('read', (db) =>
      db.rows(sql`select 1 from request_logs line where strpos(line::text, ${key.slice(13)}) > 0`),
    );
    expect(stored).toEqual([]);
    expect(logLines.join('\n')).not.toContain(key.slice(13));
  });
});

describe('failed attempts', () => {
  const failing = [
    {},
    { authorization: 'Bearer' },
    { authorization: 'Bearer junk' },
    { authorization: `Bearer ${newSecret('production')}` },
  ];

  test('have a separate limit by address, beyond which they return 429', async () => {
    const from = newAddress();
    for (let count = 0; count < FAILED_AUTH_LIMIT; count += 1) {
      expect((await ask('account', failing[count % failing.length], from)).status).toBe(401);
    }
    for (const headers of failing) {
      const answer = await ask('account', headers, from);
      expectRefusal(answer, 'too_many_failed_attempts');
      expect(answer.json.error.message).toContain(from);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expectLimitHeaders(answer, null);
    }
    expectRefusal(await ask('account', {}, newAddress()), 'key_missing');
  });

  test('never block a valid key from the same address', async () => {
    const from = newAddress();
    for (let count = 0; count < FAILED_AUTH_LIMIT; count += 1) await ask('account', {}, from);
    expectRefusal(await ask('account', {}, from), 'too_many_failed_attempts');
    expectSuccess(await ask('account', { authorization: `Bearer ${key}` }, from), { list: false });
    expectRefusal(await ask('account', {}, from), 'too_many_failed_attempts');
  });

  test('do not include a valid key', async () => {
    const from = newAddress();
    for (let count = 0; count < FAILED_AUTH_LIMIT + 5; count += 1) {
      expect((await ask('no-such-path', { authorization: `Bearer ${key}` }, from)).status).toBe(404);
    }
    expectRefusal(await ask('account', {}, from), 'key_missing');
  });

  test('with a mistyped key do not reach the database, and those with one unknown key reach it once', async () => {
    const { keyCache } = api.service.parts;
    await api.settled();
    const before = keyCache.reads();
    const good = newSecret('production');
    const mistyped = good.slice(0, 20) + (good[20] === 'x' ? 'y' : 'x') + good.slice(21);
    for (let count = 0; count < 10; count += 1)
      expectRefusal(await ask('account', { authorization: `Bearer ${mistyped}` }), 'key_malformed');
    expect(keyCache.reads() - before).toBe(0);
    for (let count = 0; count < 10; count += 1)
      expectRefusal(await ask('account', { authorization: `Bearer ${good}` }), 'key_invalid');
    expect(keyCache.reads() - before).toBe(1);
  });
});

describe('a key that is refused before the limiter', () => {
  const usedBy = async (secret: string, from: string) =>
    (await ask('developer/rate-limit', { authorization: `Bearer ${secret}` }, from)).json.data.used_in_last_minute;

  /** The key's own log about it, read once the key is valid again. */
  const logOf = async (secret: string, from: string) => {
    await api.logged();
    const to = new Date(Date.now() + 3_600_000).toISOString();
    const answer = await ask(`developer/request-logs?to=${to}`, { authorization: `Bearer ${secret}` }, from);
    return answer.json.data as { error_code: string | null; status: number; ip: string; path: string; endpoint: string | null }[];
  };

  test('for its address: its quota is unchanged and the refusal is logged', async () => {
    const home = newAddress();
    const away = newAddress();
    const { secret } = await api.key(accountId, { allowedIps: [parseRange(home)!], limitPerMinute: 10 });
    for (let count = 0; count < 20; count += 1) {
      expectRefusal(await ask('vehicles', { authorization: `Bearer ${secret}` }, away), 'ip_not_allowed');
    }
    expect(await usedBy(secret, home)).toBe(1);
    const refused = (await logOf(secret, home)).filter((line) => line.error_code === 'ip_not_allowed');
    expect(refused).toHaveLength(20);
    for (const line of refused) expect(line).toMatchObject({ status: 403, ip: away });
  });

  test('for its expiry: its quota is unchanged and the refusal is logged', async () => {
    const from = newAddress();
    const { secret } = await api.key(accountId, { expiresAt: new Date(Date.now() - 60_000), limitPerMinute: 10 });
    for (let count = 0; count < 20; count += 1) {
      expectRefusal(await ask('vehicles', { authorization: `Bearer ${secret}` }, from), 'key_expired');
    }
    api.clock.advance(-3_600_000);
    try {
      expect(await usedBy(secret, from)).toBe(1);
      const refused = (await logOf(secret, from)).filter((line) => line.error_code === 'key_expired');
      expect(refused).toHaveLength(20);
    } finally {
      api.clock.advance(3_600_000);
    }
  });

  test('for its revocation: the refusal is logged', async () => {
    const from = newAddress();
    const { id, secret } = await api.key(accountId);
    await api.database.onPlatform('write', (db) => revokeKey(db, id, TEST_ACTOR));
    expectRefusal(await ask('vehicles', { authorization: `Bearer ${secret}` }, from), 'key_revoked');
    await api.database.onPlatform('write', (db) => db.exec(sql`update api_keys set revoked_at = null where id = ${id}`));
    await api.settled();
    const [line] = await logOf(secret, from);
    expect(line).toMatchObject({ error_code: 'key_revoked', status: 401 });
  });

  test('is logged under the called endpoint, like any other call', async () => {
    const home = newAddress();
    const { secret } = await api.key(accountId, { allowedIps: [parseRange(home)!] });
    const away = newAddress();
    expectRefusal(await ask('vehicles.php', { authorization: `Bearer ${secret}` }, away), 'ip_not_allowed');
    expectRefusal(await ask('no-such-path', { authorization: `Bearer ${secret}` }, away), 'ip_not_allowed');
    const refused = (await logOf(secret, home)).filter((line) => line.ip === away);
    expect(new Map(refused.map((line) => [line.path, line.endpoint]))).toEqual(
      new Map([
        ['/api/v1/vehicles.php', 'GET vehicles'],
        ['/api/v1/no-such-path', null],
      ]),
    );
  });

  test('a revocation takes effect for the next request once it is known', async () => {
    const { id, secret } = await api.key(accountId);
    expectSuccess(await ask('account', { authorization: `Bearer ${secret}` }), { list: false });
    await api.database.onPlatform('write', (db) => revokeKey(db, id, TEST_ACTOR));
    await api.settled();
    expectRefusal(await ask('account', { authorization: `Bearer ${secret}` }), 'key_revoked');
  });
});
