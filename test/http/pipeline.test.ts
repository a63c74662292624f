// The fixed order of steps: a request that violates two rules gets the refusal of the earlier one.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret } from '../../src/domain/keys/key-secret.ts';
import { type NewKey, revokeKey } from '../../src/domain/keys/keys.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import { get, post, resource } from '../../src/kit/endpoint.ts';
import { fail } from '../../src/kit/errors.ts';
import { integerParam } from '../../src/kit/params.ts';
import { object, text } from '../../src/kit/schema.ts';
import { sql } from '../../src/kit/sql.ts';
import { expectLimitHeaders, expectRefusal, REQUEST_ID } from '../contract/expect.ts';
import { type Sent, send } from '../contract/wire.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';

const Done = object({ done: text() });
const done = { returns: Done, run: async () => ({ done: 'yes' }) };

const catalog = [
  resource('Things', 'Şeyler', [
    get('things', 'tasks:read', 'read', 'Aktif', ['List', 'Listele'], { ...done, query: { size: integerParam(1, 9) } }),
    post('things', 'tasks:write', 'write', 'Yakında', ['Add', 'Ekle'], done),
    get('things/{thing_id}', 'tasks:read', 'read', 'Aktif', ['Read', 'Oku'], {
      returns: Done,
      run: async () => fail('not_found'),
    }),
    get('later', 'tasks:read', 'read', 'Yakında', ['Later', 'Sonra'], done),
    post('later', 'tasks:write', 'write', 'Yakında', ['Write later', 'Sonra yaz'], done),
    post('now', 'tasks:write', 'write', 'Aktif', ['Write now', 'Şimdi yaz'], done),
    post('network-auctions/{auction_id}/bid', 'network-auctions:write', 'sensitive', 'Aktif', ['Bid', 'Teklif ver'], done),
    get('broken', 'tasks:read', 'read', 'Aktif', ['Break', 'Boz'], {
      returns: Done,
      run: () => Promise.reject<{ done: string }>(new Error('the secret ingredient is missing')),
    }),
    get('away', 'tasks:read', 'read', 'Aktif', ['Away', 'Uzakta'], {
      returns: Done,
      run: () => Promise.reject<{ done: string }>(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    }),
  ]),
];
const every = catalog.flatMap(({ endpoints }) => endpoints.map((endpoint) => endpoint.id));
const BID = `network-auctions/${randomUUID()}/bid`;
const ELSEWHERE = '198.51.100.7';

let api: TestService;
let accountId: string;
let suspendedId: string;
let full: string;
let bare: string;

beforeAll(async () => {
  api = await testService({ resources: catalog, env: { TRUST_PROXY: '127.0.0.1' } });
  accountId = await api.account();
  suspendedId = await api.account();
  await api.database.onPlatform('write', (db) => db.exec(sql`update accounts set status = 'Askıda' where id = ${suspendedId}`));
  full = await keyWith({});
  bare = await keyWith({ endpoints: [] });
});
afterAll(() => api.close());

const keyWith = async ({ accountId: owner = accountId, ...rest }: Partial<NewKey>): Promise<string> =>
  (await api.key(owner, { endpoints: every, ...rest })).secret;

const ask = (path: string, key: string | undefined, more: Partial<Sent> = {}) =>
  send(api.service.url, { target: `/api/v1/${path}`, key, ...more });

describe('the earlier step wins', () => {
  test('size of the address before the Authorization header', async () => {
    const long = `things?size=${'1'.repeat(8200)}`;
    expectRefusal(await ask(long, undefined), 'uri_too_long');
    expectRefusal(await ask(long, 'junk'), 'uri_too_long');
    expectRefusal(await ask(long, full), 'uri_too_long');
  });

  test('shape of the Authorization header before the lookup', async () => {
    const unknown = newSecret('production');
    const doubled = await ask('things', undefined, { headers: { authorization: [`Bearer ${unknown}`, `Bearer ${unknown}`] } });
    expectRefusal(doubled, 'key_malformed');
    expectRefusal(await ask('things', unknown), 'key_invalid');
  });

  test('an unknown key before path, method and parameters', async () => {
    expectRefusal(await ask('no-such-path?nope=1', newSecret('production'), { method: 'PUT' }), 'key_invalid');
  });

  test('revoked before expired', async () => {
    const { id, secret } = await api.key(accountId, { endpoints: every, expiresAt: new Date(Date.now() - 1000) });
    await api.database.onPlatform('write', (db) => revokeKey(db, id, TEST_ACTOR));
    expectRefusal(await ask('things', secret), 'key_revoked');
  });

  test('expired before the list of addresses', async () => {
    const key = await keyWith({ expiresAt: new Date(Date.now() - 1000), allowedIps: [parseRange(ELSEWHERE)!] });
    expectRefusal(await ask('things', key), 'key_expired');
  });

  test('the list of addresses before the limit', async () => {
    const key = await keyWith({ limitPerMinute: 1, allowedIps: [parseRange(ELSEWHERE)!] });
    const there = { headers: { 'x-forwarded-for': ELSEWHERE } };
    expect((await ask('things', key, there)).status).toBe(200);
    expectRefusal(await ask('things', key, there), 'rate_limit_exceeded');
    const elsewhere = await ask('things', key);
    expectRefusal(elsewhere, 'ip_not_allowed');
    expectLimitHeaders(elsewhere, null);
  });

  test('the limit before path, method, policy, release and parameters', async () => {
    const key = await keyWith({ limitPerMinute: 1, endpoints: [] });
    expectRefusal(await ask('things', key), 'insufficient_scope');
    for (const [method, path] of [
      ['GET', 'no-such-path'],
      ['PUT', 'things'],
      ['GET', 'things'],
      ['GET', 'later'],
      ['GET', 'things?nope=1'],
    ] as const) {
      expectRefusal(await ask(path, key, { method }), 'rate_limit_exceeded');
    }
  });

  test('an unknown path before a method that no endpoint has', async () => {
    expectRefusal(await ask('no-such-path', full, { method: 'PUT' }), 'not_found');
    expectRefusal(await ask('no-such-path', bare, { method: 'POST' }), 'not_found');
  });

  test('the method before the policy', async () => {
    expectRefusal(await ask('things', bare, { method: 'PUT' }), 'method_not_allowed');
    expectRefusal(await ask('things', bare, { method: 'POST' }), 'method_not_allowed');
    expectRefusal(await ask('later', bare, { method: 'DELETE' }), 'method_not_allowed');
  });

  test('the policy before the release status', async () => {
    expectRefusal(await ask('later', bare), 'insufficient_scope');
    expectRefusal(await ask('later', bare, { method: 'POST' }), 'insufficient_scope');
  });

  test('the policy before a suspended account, the sandbox and parameters', async () => {
    const key = await keyWith({ accountId: suspendedId, environment: 'sandbox', endpoints: [] });
    expectRefusal(await ask('now?nope=1', key, { method: 'POST' }), 'insufficient_scope');
    expectRefusal(await ask('things?nope=1', bare), 'insufficient_scope');
  });

  test('the release status before a suspended account, the sandbox and parameters', async () => {
    const key = await keyWith({ accountId: suspendedId, environment: 'sandbox' });
    expectRefusal(await ask('later', key, { method: 'POST' }), 'endpoint_not_active');
    expectRefusal(await ask('later?nope=1', full), 'endpoint_not_active');
  });

  test('a suspended account before the sandbox and the special authorization', async () => {
    const key = await keyWith({ accountId: suspendedId, environment: 'sandbox' });
    expectRefusal(await ask('now', key, { method: 'POST' }), 'account_suspended');
    expectRefusal(await ask(BID, key, { method: 'POST' }), 'account_suspended');
  });

  test('the sandbox before the special authorization', async () => {
    const key = await keyWith({ environment: 'sandbox' });
    expectRefusal(await ask(BID, key, { method: 'POST' }), 'sandbox_read_only');
  });

  test('suspended, sandbox and special authorization before body and parameters', async () => {
    const bad = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{' };
    const suspended = await keyWith({ accountId: suspendedId });
    const sandbox = await keyWith({ environment: 'sandbox' });
    expectRefusal(await ask('now?nope=1', suspended, bad), 'account_suspended');
    expectRefusal(await ask('now?nope=1', sandbox, bad), 'sandbox_read_only');
    expectRefusal(await ask(`${BID}?nope=1`, full, bad), 'special_authorization_required');
  });

  test('parameters before the endpoint itself', async () => {
    expectRefusal(await ask(`things/${randomUUID()}?nope=1`, full), 'unknown_parameter');
    expectRefusal(await ask(`things/${randomUUID()}`, full), 'not_found');
    expectRefusal(await ask('things?size=0', full), 'invalid_parameter');
    expectRefusal(await ask('now?nope=1', full, { method: 'POST' }), 'unknown_parameter');
  });
});

describe('every reply', () => {
  test('has a unique request id, regardless of one that the caller sends', async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 50; count += 1) {
      const answer = await ask(count % 2 === 0 ? 'things' : 'nowhere', full, { headers: { 'x-request-id': 'req_mine' } });
      expect(answer.headers.get('x-request-id')).toMatch(REQUEST_ID);
      expect(answer.json.meta.request_id).toBe(answer.headers.get('x-request-id'));
      ids.add(answer.json.meta.request_id);
    }
    expect(ids.size).toBe(50);
  });

  test('has the time of the request, with an explicit offset', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000 - 1000;
    const { json } = await ask('things', full);
    expect(json.meta.timestamp).toMatch(/\+00:00$/);
    expect(Date.parse(json.meta.timestamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(json.meta.timestamp)).toBeLessThanOrEqual(Date.now() + 1000);
  });

  test('reveals nothing about internal failures', async () => {
    const answer = await ask('broken', full);
    expectRefusal(answer, 'internal_error');
    expect(answer.text).not.toContain('ingredient');
    expectLimitHeaders(answer, 100_000);
  });

  test('asks to retry when a backend is unavailable', async () => {
    const answer = await ask('away', full);
    expectRefusal(answer, 'service_unavailable');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

describe('messages', () => {
  test.each(['tr', 'TR', 'tr-TR', 'tr-TR,tr;q=0.9,en;q=0.8', 'en;q=0.5, tr;q=0.9', 'fr, tr;q=0.3', 'tr, en'])(
    'are Turkish under Accept-Language: %s, and codes stay',
    async (language) => {
      const headers = { 'accept-language': language };
      expectRefusal(await ask('things', undefined, { headers }), 'key_missing', { locale: 'tr' });
      expectRefusal(await ask('no-such-path', full, { headers }), 'not_found', { locale: 'tr' });
      const bad = await ask('things?size=0', full, { headers });
      expectRefusal(bad, 'invalid_parameter', { locale: 'tr' });
      expect(bad.json.error.message).toBe('size, 1–9 arasında bir tam sayı olmalı');
    },
  );

  test.each(['', 'en', 'en-GB,tr;q=0.5', 'de', '*', 'tr;q=0', 'trx', 'tr;q=x', ',;q=', 'en, tr'])(
    'are English under Accept-Language: "%s"',
    async (language) => {
      const headers = { 'accept-language': language };
      expectRefusal(await ask('no-such-path', full, { headers }), 'not_found', { locale: 'en' });
    },
  );

  test('name the specifics: the scope, the address, the expiry, the methods', async () => {
    const scope = await ask('things', bare);
    expect(scope.json.error.message).toBe('This API key does not include GET things; it requires the scope tasks:read');
    expect(scope.json.error.required_scope).toBe('tasks:read');
    const walled = await keyWith({ allowedIps: [parseRange(ELSEWHERE)!] });
    const seen = await ask('things', walled, { headers: { 'x-forwarded-for': '203.0.113.50' } });
    expect(seen.json.error.message).toContain('203.0.113.50');
    const past = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
    expect((await ask('things', await keyWith({ expiresAt: past }))).json.error.message).toContain('2026-01-02T03:04:05.000Z');
    expect((await ask('things', full, { method: 'PUT' })).json.error.message).toBe('PUT is not available here; allowed: GET');
  });
});
