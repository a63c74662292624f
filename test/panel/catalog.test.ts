// The catalog in the panel: endpoints with the status in force, one endpoint in full, and votes that stay within their account.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slugOf } from '../../src/domain/catalog/catalog.ts';
import { sql } from '../../src/kit/sql.ts';
import type { CatalogView, EndpointDetail, VotesView } from '../../src/panel/developer/catalog.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { without } from '../support/unbuilt.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let otherId: string;
let owner: Browser;
let other: Browser;
let admin: Browser;
beforeAll(async () => {
  service = await testService({ resources: without('GET network-auctions') });
  accountId = await service.account({ name: 'Çınar Oto' });
  otherId = await service.account({ name: 'Ada Motors' });
  owner = await signedIn(service, await newPerson(service, { accountId }));
  other = await signedIn(service, await newPerson(service, { accountId: otherId, role: 'developer' }));
  admin = await signedIn(service, await newPerson(service, { admin: true }));
});
afterAll(() => service.close());

const SOON = 'get-network-auctions';
const vote = (who: Browser, body: unknown = { blocks_go_live: false }, slug = SOON) =>
  who.api(`catalog/${slug}/vote`, { method: 'POST', body });

describe('the list', () => {
  test('holds every endpoint of the catalog in its order, each with a unique name for addresses', async () => {
    const { rows: endpoints, categories } = (await owner.api('catalog')).json.data as CatalogView;
    const all = resources.flatMap((resource) => resource.endpoints);
    expect(endpoints.map((endpoint) => endpoint.id)).toEqual(all.map((endpoint) => endpoint.id));
    expect(endpoints).toHaveLength(185);
    expect(new Set(endpoints.map((endpoint) => slugOf(endpoint.id))).size).toBe(185);
    expect(categories).toHaveLength(28);
    expect(categories.every(({ name, note }) => name.tr !== '' && note.tr.length > 10 && note.en.length > 10)).toBe(true);
  });

  test('shows the status in force, not the one it ships with', async () => {
    await service.release('Yakında', 'GET vehicles');
    const closed = ((await owner.api('catalog')).json.data as CatalogView).rows.find(
      (endpoint) => endpoint.id === 'GET vehicles',
    );
    expect(closed?.status).toBe('Yakında');
    await service.release('Aktif', 'GET vehicles');
    const open = ((await owner.api('catalog')).json.data as CatalogView).rows.find((endpoint) => endpoint.id === 'GET vehicles');
    expect(open?.status).toBe('Aktif');
  });
});

describe('one endpoint', () => {
  const detail = async (who: Browser, slug: string) => (await who.api(`catalog/${slug}`)).json.data as EndpointDetail;

  test('shows its parameters and replies, in the terms of the reference', async () => {
    const endpoint = await detail(owner, 'get-vehicles');
    expect(endpoint.params.map((param) => param.name)).toEqual(expect.arrayContaining(['limit', 'offset', 'status']));
    expect(endpoint.params.find((param) => param.name === 'limit')).toMatchObject({ kind: 'integer', preset: '25', in: 'query' });
    expect(endpoint.reply?.list).toBe(true);
    expect(endpoint.reply?.fields.find((field) => field.path === 'price')).toMatchObject({ kinds: ['money'] });
    expect(JSON.stringify(endpoint.reply)).not.toMatch(/purchase_price|chassis_no/);
    expect(endpoint.api).toBe(`${service.service.url}/api/v1`);
  });

  test('has the parameters of its path, and no invented shape where it is not built', async () => {
    expect((await detail(owner, 'get-vehicles-vehicle_id')).params[0]).toMatchObject({
      in: 'path',
      kind: 'uuid',
      required: true,
    });
    const soon = await detail(owner, SOON);
    expect(soon).toMatchObject({ built: false, reply: null, takes: [], playground: 'soon' });
  });

  test('names the keys of this account that hold it, and of no other', async () => {
    const mine = await service.key(accountId, { name: 'Web sitesi', template: 'vehicle' });
    await service.key(otherId, { name: 'Yabancı', template: 'vehicle' });
    expect((await detail(owner, 'get-vehicles')).keys).toEqual([{ id: mine.id, name: 'Web sitesi', environment: 'production' }]);
  });

  test('shows whether it can be tried here, and why not', async () => {
    expect((await detail(owner, 'get-vehicles')).playground).toBe('open');
    expect((await detail(owner, 'get-developer-usage')).playground).toBe('needs_key');
    expect((await detail(owner, 'post-vehicles')).playground).toBe('soon');
    expect((await detail(admin, 'get-vehicles')).playground).toBe('no_account');
  });

  test('returns 404 under another name', async () => {
    expect((await owner.api('catalog/get-unicorns')).status).toBe(404);
  });
});

describe('the playground', () => {
  test('runs an open GET as the person, in the envelope that keys get', async () => {
    await service.vehicle(accountId, { brand: 'Fiat' });
    await service.vehicle(otherId, { brand: 'Yabancı' });
    const answer = await owner.api('try/vehicles?limit=5');
    expect(answer.status).toBe(200);
    expect(answer.json.data.map((vehicle: { brand: string }) => vehicle.brand)).toEqual(['Fiat']);
    expect(answer.json.meta).toEqual({ limit: 5, offset: 0, count: 1 });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('30');
    expect((await owner.api('try/vehicles?limit=0')).json.error).toMatchObject({ code: 'invalid_parameter', param: 'limit' });
  });

  test('shows what keys get: endpoints that are not open, endpoints about the key itself, unknown paths', async () => {
    expect((await owner.api('try/sales')).json.error.code).toBe('endpoint_not_active');
    await service.release('Yakında', 'GET customers');
    expect((await owner.api('try/customers')).json.error.code).toBe('endpoint_not_active');
    expect((await owner.api('v1/customers')).status).toBe(200);
    await service.release('Aktif', 'GET customers');
    expect((await owner.api('try/developer/usage')).json.error.code).toBe('not_permitted');
    expect((await owner.api('try/unicorns')).status).toBe(404);
    expect((await owner.api('try/vehicles', { method: 'POST', body: {} })).status).toBe(405);
  });

  test('allows thirty tries a minute per person, without limiting the screens', async () => {
    const busy = await signedIn(service, await newPerson(service, { accountId }));
    const answers = await Promise.all(Array.from({ length: 32 }, () => busy.api('try/account')));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(30);
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.map((answer) => answer.json.error.code)).toEqual(['playground_limit', 'playground_limit']);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await busy.api('v1/account')).status).toBe(200);
    expect((await owner.api('try/account')).status).toBe(200);
  });

  test('requires a session', async () => {
    const key = await service.key(accountId);
    expect((await service.call('/panel/api/try/vehicles', { key: key.secret })).status).toBe(401);
  });
});

describe('votes', () => {
  test('one per account, also with several voters at once', async () => {
    const second = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
    const answers = await Promise.all([vote(owner), vote(second), vote(owner), vote(second)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(((await owner.api('catalog/votes')).json.data as VotesView).counts['GET network-auctions']).toBe(1);
    await vote(other);
    expect(((await owner.api('catalog/votes')).json.data as VotesView).counts['GET network-auctions']).toBe(2);
  });

  test('show the number to all and the text to no other account', async () => {
    await vote(other, { use_case: 'Gizli planımız', blocks_go_live: true });
    const seen = await owner.api('catalog/votes');
    expect(seen.text).not.toContain('Gizli');
    expect((await owner.api(`catalog/${SOON}`)).text).not.toContain('Gizli');
    const mine = ((await other.api('catalog/votes')).json.data as VotesView).mine['GET network-auctions'];
    expect(mine).toEqual({ use_case: 'Gizli planımız', blocks_go_live: true });
    expect(((await owner.api('catalog/votes')).json.data as VotesView).mine['GET network-auctions']).toEqual({
      use_case: null,
      blocks_go_live: false,
    });
  });

  test('are withdrawn once, without affecting the other account', async () => {
    await vote(owner);
    expect((await owner.api(`catalog/${SOON}/vote`, { method: 'DELETE' })).status).toBe(200);
    expect((await owner.api(`catalog/${SOON}/vote`, { method: 'DELETE' })).status).toBe(404);
    const { counts, mine } = (await owner.api('catalog/votes')).json.data as VotesView;
    expect(counts['GET network-auctions']).toBe(1);
    expect(mine['GET network-auctions']).toBeUndefined();
  });

  test('accept 280 characters and no more, and none for an open endpoint', async () => {
    expect((await vote(owner, { use_case: 'ğ'.repeat(280), blocks_go_live: true })).status).toBe(200);
    const long = await vote(owner, { use_case: 'ğ'.repeat(281), blocks_go_live: true });
    expect(long.status).toBe(422);
    expect(long.json.error.details[0]).toMatchObject({ field: 'use_case', code: 'too_long' });
    expect((await vote(owner, { blocks_go_live: true }, 'get-vehicles')).status).toBe(409);
  });

  test('cannot be cast by a viewer', async () => {
    const viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
    expect((await vote(viewer)).status).toBe(403);
    expect((await viewer.api('catalog')).status).toBe(200);
  });

  test('rank the requested endpoints', async () => {
    await vote(owner, { blocks_go_live: true }, 'post-vehicles');
    await vote(other, { blocks_go_live: false }, 'post-vehicles');
    const place = async (slug: string) => ((await owner.api(`catalog/${slug}`)).json.data as EndpointDetail).rank;
    expect([await place('post-vehicles'), await place('get-wallet')]).toEqual([expect.any(Number), null]);
  });

  test('are audited with their previous text', async () => {
    const acts = await service.database.onPlatform('read', (db) =>
      db.rows<{ action: string; before: unknown; after: unknown }>(sql`select action, before, after from audit_log
        where account_id = ${otherId} and target = 'GET network-auctions' order by created_at, id`),
    );
    expect(acts.map((act) => act.action)).toEqual(['vote.cast', 'vote.changed']);
    expect(acts[1]).toMatchObject({
      before: { use_case: null, blocks_go_live: false },
      after: { use_case: 'Gizli planımız', blocks_go_live: true },
    });
  });
});
