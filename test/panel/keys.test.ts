// API keys in the panel: permissions, refusals, and that the API applies changes at once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { templateEndpoints } from '../../src/domain/keys/key-policy.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { sql } from '../../src/kit/sql.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, PASSWORD, signedIn } from './people.ts';

const rows = apiEndpoints(resources);
const MINUTE = 60_000;

let service: TestService;
let accountId: string;
let owner: Browser;
let developer: Browser;
let stranger: Browser;

beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  accountId = await service.account();
  const account = { accountId };
  owner = await signedIn(service, await newPerson(service, account));
  developer = await signedIn(service, await newPerson(service, { ...account, role: 'developer' }));
  stranger = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
});
afterAll(() => service.close());

const BASE = { name: 'Stok', environment: 'production', endpoints: ['GET vehicles', 'GET customers'] };
const SENSITIVE = 'GET reports/profit-loss';
const make = (browser: Browser, overrides: Record<string, unknown> = {}) =>
  browser.api('keys', { method: 'POST', body: { ...BASE, ...overrides } });
const patch = (browser: Browser, path: string, body: unknown) => browser.api(path, { method: 'PATCH', body });
const post = (browser: Browser, path: string, body: unknown) => browser.api(path, { method: 'POST', body });
const detail = async (id: string) => (await owner.api(`keys/${id}`)).json.data;
const fields = (answer: { json: { error: { details: { field: string }[] } } }) =>
  answer.json.error.details.map(({ field }) => field);

async function rotate(browser: Browser, id: string, overlap_seconds: number, more: Record<string, unknown> = {}) {
  const [secret] = (await detail(id)).secrets;
  return post(browser, `keys/${id}/rotate`, { overlap_seconds, secret_id: secret.id, ...more });
}

describe('creating a key', () => {
  test('returns a secret once that works on its endpoints and on nothing else', async () => {
    const made = await make(developer, { allowed_ips: ['127.0.0.1', '2001:db8::/32'], limit_per_hour: 500 });
    expect(made.status).toBe(200);
    expect(made.headers.get('cache-control')).toContain('no-store');
    const { id, secret } = made.json.data;
    expect((await service.call('vehicles', { key: secret })).status).toBe(200);
    expect((await service.call('account', { key: secret })).json.error.code).toBe('insufficient_scope');
    const read = await owner.api(`keys/${id}`);
    expect(read.text).not.toContain(secret);
    expect(read.json.data).toMatchObject({
      name: 'Stok',
      state: 'active',
      endpoints: ['GET vehicles', 'GET customers'],
      works_today: 2,
      risks: { read: 2, write: 0, destructive: 0, sensitive: 0 },
      allowed_ips: ['127.0.0.1/32', '2001:db8::/32'],
      limit_per_minute: 60,
      limit_per_hour: 500,
      secrets: [{ last_four: secret.slice(-4), works: true, expires_at: null }],
    });
    const history = await owner.api(`keys/${id}/history`);
    expect(history.text).not.toContain(secret);
    expect(history.json.data).toMatchObject([{ action: 'key.created', role: 'developer', outcome: 'done' }]);
  });

  test.each([
    [{ name: '' }, ['name']],
    [{ name: 'x'.repeat(61) }, ['name']],
    [{ endpoints: [] }, ['endpoints']],
    [{ endpoints: ['GET nothing'] }, ['endpoints']],
    [{ allowed_ips: ['10.0.0.1/8'] }, ['allowed_ips']],
    [{ allowed_ips: ['999.1.1.1'] }, ['allowed_ips']],
    [{ limit_per_minute: 61 }, ['limit_per_minute']],
    [{ expires_at: '2020-01-01' }, ['expires_at']],
    [{ environment: 'staging' }, ['environment']],
    [{ authorizations: ['network_auction_bid'] }, ['authorizations']],
  ])('refuses %j', async (input, wrong) => {
    const answer = await make(owner, input);
    expect(answer.status).toBe(422);
    expect(fields(answer)).toEqual(wrong);
  });

  test('refuses a name in use by another key of the account, until that one is revoked', async () => {
    const { id } = (await make(owner)).json.data;
    expect(fields(await make(owner))).toEqual(['name']);
    expect((await make(stranger)).status).toBe(200);
    await post(owner, `keys/${id}/revoke`, { typed_name: 'Stok' });
    expect((await make(owner)).status).toBe(200);
  });

  test('with destructive endpoints requires a confirmation', async () => {
    const body = { endpoints: ['DELETE vehicles/{vehicle_id}'] };
    expect(fields(await make(owner, body))).toEqual(['accepts_destructive']);
    expect((await make(owner, { ...body, accepts_destructive: true })).status).toBe(200);
  });

  test('with sensitive endpoints requires the owner, the name and the password', async () => {
    const body = { endpoints: [SENSITIVE], typed_name: 'Stok' };
    expect((await make(developer, body)).json.error.code).toBe('not_permitted');
    expect(fields(await make(owner, { ...body, typed_name: 'stok' }))).toEqual(['typed_name']);
    service.clock.advance(11 * MINUTE);
    expect((await make(owner, body)).json.error.code).toBe('reauthentication_required');
    expect((await post(owner, 'session/reauthenticate', { password: 'yanlış parola' })).json.error.code).toBe('wrong_password');
    expect((await make(owner, body)).json.error.code).toBe('reauthentication_required');
    await post(owner, 'session/reauthenticate', { password: PASSWORD });
    expect((await make(owner, body)).status).toBe(200);
  });

  test('requests more than the free limit from the administrator, in the same action', async () => {
    const { id } = (await make(owner, { ask_per_minute: 300, ask_reason: 'Gece eşitlemesi' })).json.data;
    expect(await detail(id)).toMatchObject({ limit_per_minute: 60, limit_request: { asked_per_minute: 300, status: 'pending' } });
    const again = await post(owner, `keys/${id}/limit-requests`, { asked_per_minute: 400, reason: 'yine' });
    expect(again.json.error.code).toBe('limit_request_pending');
  });
});

describe('changing a key', () => {
  test('takes effect in the API within a second, and is audited with before and after', async () => {
    const { id, secret } = (await make(owner)).json.data;
    expect((await service.call('vehicles', { key: secret })).status).toBe(200);
    const changed = await patch(owner, `keys/${id}`, { name: 'Stok 2', allowed_ips: ['203.0.113.0/24'], limit_per_minute: 30 });
    expect(changed.json.data).toMatchObject({ name: 'Stok 2', limit_per_minute: 30 });
    await service.settled();
    expect((await service.call('vehicles', { key: secret })).json.error.code).toBe('ip_not_allowed');
    const [event] = (await owner.api(`keys/${id}/history`)).json.data;
    expect(event).toMatchObject({
      action: 'key.changed',
      before: { name: 'Stok', allowed_ips: [], limit_per_minute: 60 },
      after: { name: 'Stok 2', allowed_ips: ['203.0.113.0/24'], limit_per_minute: 30 },
    });
  });

  test('keeps what an administrator granted, and nothing above', async () => {
    const { id } = (await make(owner)).json.data;
    await service.database.onPlatform('write', (db) => db.exec(sql`update api_keys set limit_per_minute = 300 where id = ${id}`));
    expect(fields(await patch(owner, `keys/${id}`, { limit_per_minute: 301 }))).toEqual(['limit_per_minute']);
    expect((await patch(owner, `keys/${id}`, { limit_per_minute: 100 })).status).toBe(200);
    expect(fields(await patch(owner, `keys/${id}`, { limit_per_minute: 101 }))).toEqual(['limit_per_minute']);
  });

  test('of its policy: removing needs no confirmation, adding needs it for the new endpoints', async () => {
    const { id } = (await make(owner, { endpoints: ['GET vehicles', 'DELETE vehicles/{vehicle_id}'], accepts_destructive: true }))
      .json.data;
    const policy = (endpoints: string[], more = {}) => patch(owner, `keys/${id}/policy`, { endpoints, ...more });
    expect((await policy(['GET vehicles'])).json.data).toEqual({
      added: [],
      removed: ['DELETE vehicles/{vehicle_id}'],
      requested: [],
    });
    expect(fields(await policy(['GET vehicles', 'DELETE vehicles/{vehicle_id}']))).toEqual(['accepts_destructive']);
    expect(fields(await policy(['GET vehicles', SENSITIVE]))).toEqual(['typed_name']);
    expect((await policy(['GET vehicles', SENSITIVE], { typed_name: 'Stok' })).json.data.added).toEqual([SENSITIVE]);
    const byDeveloper = await patch(developer, `keys/${id}/policy`, { endpoints: ['GET vehicles', SENSITIVE, 'GET customers'] });
    expect(byDeveloper.json.data.added).toEqual(['GET customers']);
  });

  test('with sensitive endpoints is limited to the owner, except removing and revoking', async () => {
    const { id } = (await make(owner, { endpoints: ['GET vehicles', SENSITIVE], typed_name: 'Stok' })).json.data;
    expect((await patch(developer, `keys/${id}`, { name: 'Başka' })).json.error.code).toBe('not_permitted');
    expect((await rotate(developer, id, 3600)).json.error.code).toBe('not_permitted');
    expect((await post(developer, `keys/${id}/revoke`, { typed_name: 'Stok' })).json.data.state).toBe('revoked');
  });
});

describe('rotation', () => {
  test('accepts both secrets during the overlap, then only the new one', async () => {
    const { id, secret: old } = (await make(owner)).json.data;
    const { secret } = (await rotate(owner, id, 3600)).json.data;
    await service.settled();
    for (const key of [old, secret]) expect((await service.call('vehicles', { key })).status).toBe(200);
    service.clock.advance(60 * MINUTE);
    expect((await service.call('vehicles', { key: old })).json.error.code).toBe('key_expired');
    expect((await service.call('vehicles', { key: secret })).status).toBe(200);
  });

  test('twice concurrently is one rotation', async () => {
    const { id } = (await make(owner)).json.data;
    const [{ id: secret_id }] = (await detail(id)).secrets;
    const click = () => post(owner, `keys/${id}/rotate`, { overlap_seconds: 3600, secret_id });
    const answers = await Promise.all([click(), click(), click()]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    expect((await detail(id)).secrets).toHaveLength(2);
  });

  test('without an overlap requires the typed name, and ends the old secret at once', async () => {
    const { id, secret: old } = (await make(owner)).json.data;
    expect(fields(await rotate(owner, id, 0))).toEqual(['typed_name']);
    expect((await rotate(owner, id, 0, { typed_name: 'Stok' })).status).toBe(200);
    await service.settled();
    expect((await service.call('vehicles', { key: old })).status).toBe(401);
  });

  test('is refused for an expired or revoked key and for other overlaps', async () => {
    const expires_at = new Date(service.clock.now().getTime() + 5 * MINUTE).toISOString();
    const { id } = (await make(owner, { expires_at })).json.data;
    expect(fields(await rotate(owner, id, 60))).toEqual(['overlap_seconds']);
    service.clock.advance(6 * MINUTE);
    expect((await rotate(owner, id, 3600)).json.error.code).toBe('key_ended');
    expect((await detail(id)).state).toBe('expired');
    await post(owner, `keys/${id}/revoke`, { typed_name: 'Stok' });
    expect((await rotate(owner, id, 3600)).json.error.code).toBe('key_ended');
  });

  test('shows who still uses the old secret', async () => {
    const { id, secret: old } = (await make(owner)).json.data;
    await rotate(owner, id, 86_400);
    await service.settled();
    await service.call('vehicles', { key: old });
    await expect.poll(async () => (await detail(id)).secrets.map(({ calls }: { calls: number }) => calls)).toEqual([0, 1]);
    expect((await detail(id)).concerns).toContain('old_secret');
  });
});

test('revoking requires the name, ends the key and keeps its record', async () => {
  const { id, secret } = (await make(owner)).json.data;
  expect(fields(await post(owner, `keys/${id}/revoke`, { typed_name: 'stok' }))).toEqual(['typed_name']);
  await post(owner, `keys/${id}/revoke`, { typed_name: 'Stok', reason: 'Sızdı' });
  await service.settled();
  expect((await service.call('vehicles', { key: secret })).json.error.code).toBe('key_revoked');
  expect((await patch(owner, `keys/${id}`, { name: 'Yine' })).json.error.code).toBe('key_ended');
  const [event] = (await owner.api(`keys/${id}/history`)).json.data;
  expect(event).toMatchObject({ action: 'key.revoked', after: { reason: 'Sızdı' } });
});

test('shows the current use of the limit, and reading it uses none', async () => {
  const { id, secret } = (await make(owner)).json.data;
  const window = async () => (await owner.api(`keys/${id}/window`)).json.data;
  expect(await window()).toMatchObject({ used_in_last_minute: 0 });
  for (let call = 0; call < 3; call += 1) await service.call('vehicles', { key: secret });
  const { limit_per_minute } = await detail(id);
  for (let asked = 0; asked < 3; asked += 1) expect(await window()).toEqual({ limit_per_minute, used_in_last_minute: 3 });
  const { headers } = await service.call('vehicles', { key: secret });
  expect(headers.get('x-ratelimit-remaining')).toBe(String(limit_per_minute - 4));
  const stranger = await service.key(await service.account());
  expect((await owner.api(`keys/${stranger.id}/window`)).status).toBe(404);
});

describe('the list', () => {
  test('counts risks, open endpoints, traffic and errors from the rollups', async () => {
    const { id, secret } = (
      await make(owner, { endpoints: templateEndpoints('read-only', rows).map((endpoint) => endpoint.id), typed_name: 'Stok' })
    ).json.data;
    for (const path of ['vehicles', 'vehicles', 'sales', 'nothing/here']) await service.call(path, { key: secret });
    const line = async () => (await owner.api('keys')).json.data.find((key: { id: string }) => key.id === id);
    await expect.poll(async () => (await line()).calls_24h).toBe(4);
    const shown = await line();
    expect(shown).toMatchObject({ risks: { read: 101, write: 0, destructive: 0, sensitive: 2 }, errors_24h: 1, works_today: 6 });
    expect(shown.hours).toHaveLength(24);
    expect(shown.hours.at(-1) + shown.hours.at(-2)).toBe(4);
    expect(shown.last_used_at).not.toBeNull();
    const use = (await owner.api(`keys/${id}/row-use`)).json.data;
    expect(use).toEqual([
      { endpoint: 'GET sales', calls_30d: 1, calls_7d: 1 },
      { endpoint: 'GET vehicles', calls_30d: 2, calls_7d: 2 },
    ]);
    expect((await owner.api(`keys/${id}/usage?days=1`)).json.data).toMatchObject({ total_requests: 4, client_errors: 1 });
  });

  test('supports search with Turkish letters folded, a state filter and pages', async () => {
    await make(owner, { name: 'İLAN Aktarımı' });
    await make(owner, { name: 'Muhasebe', environment: 'sandbox' });
    const expires_at = new Date(service.clock.now().getTime() + 3 * 86_400_000).toISOString();
    const { id } = (await make(owner, { name: 'Biten', expires_at })).json.data;
    const names = async (query: string) => (await owner.api(`keys?${query}`)).json.data.map(({ name }: { name: string }) => name);
    for (const q of ['ilan', 'ılan', 'İLAN', 'AKTARIMI'])
      expect(await names(`q=${encodeURIComponent(q)}`)).toEqual(['İLAN Aktarımı']);
    expect(await names('environment=sandbox')).toEqual(['Muhasebe']);
    expect(await names('state=expiring')).toEqual(['Biten']);
    expect(await names('state=active')).toEqual(['Muhasebe', 'İLAN Aktarımı']);
    await post(owner, `keys/${id}/revoke`, { typed_name: 'Biten' });
    expect(await names('')).toEqual(['Muhasebe', 'İLAN Aktarımı', 'Biten']);
    const page = (await owner.api('keys?limit=2&offset=1')).json;
    expect(page.data).toHaveLength(2);
    expect(page.meta).toMatchObject({ total: 3, has_more: false });
  });
});

test('another account finds none of it', async () => {
  const { id } = (await make(owner)).json.data;
  expect((await stranger.api('keys')).json.data).toEqual([]);
  for (const path of ['', '/usage', '/row-use', '/history'])
    expect((await stranger.api(`keys/${id}${path}`)).status, path).toBe(404);
  const acts: [string, string, unknown][] = [
    ['PATCH', '', { name: 'Çalıntı' }],
    ['PATCH', '/policy', { endpoints: ['GET vehicles'] }],
    ['POST', '/rotate', { overlap_seconds: 3600, secret_id: (await detail(id)).secrets[0].id }],
    ['POST', '/revoke', { typed_name: 'Stok' }],
    ['POST', '/limit-requests', { asked_per_minute: 100, reason: 'x' }],
  ];
  for (const [method, path, body] of acts)
    expect((await stranger.api(`keys/${id}${path}`, { method, body })).status, path).toBe(404);
  expect(await detail(id)).toMatchObject({ name: 'Stok', state: 'active' });
});
