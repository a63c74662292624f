// A key holds no endpoint that its creator may not use in the panel, unless an owner confirmed it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import type { BannerLine } from '../../src/panel/account/banners.ts';
import type { ReviewedKey } from '../../src/panel/keys/keys.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const rows = apiEndpoints(resources);
const MONEY = 'GET collections';
const SENSITIVE = 'GET reports/profit-loss';
/** A developer uses these in the panel; a key that holds them gets events of all kinds, of money too. */
const BRINGS_EVENTS = [
  'POST webhooks',
  'PATCH webhooks/{webhook_id}',
  'GET webhooks/{webhook_id}/deliveries',
  'GET webhooks/{webhook_id}/deliveries/{delivery_id}',
];

let service: TestService;
let accountId: string;
let owner: Browser;
let developer: Browser;
beforeAll(async () => {
  service = await testService({ env: { KEYS_PER_ACCOUNT: '1000' } });
  accountId = await service.account();
  owner = await signedIn(service, await newPerson(service, { accountId }));
  developer = await signedIn(service, await newPerson(service, { accountId, role: 'developer' }));
});
afterAll(() => service.close());

const post = (who: Browser, path: string, body: unknown = {}) => who.api(path, { method: 'POST', body });
const make = (who: Browser, endpoints: readonly string[], more: object = {}) =>
  post(who, 'keys', { name: newId(), environment: 'production', endpoints, accepts_destructive: true, ...more });
const detail = async (id: string) => (await owner.api(`keys/${id}`)).json.data;
const codeOf = ({ status, json }: Awaited<ReturnType<typeof post>>): string => (status < 300 ? 'ok' : json.error.code);

describe('what a developer gives a key', () => {
  test('equals their rights in the panel, for each endpoint of the catalog', async () => {
    expect(rows.length).toBe(185);
    const { id } = (await make(owner, ['GET vehicles'])).json.data;
    const differ: string[] = [];
    for (const endpoint of rows) {
      const path = endpoint.path.replace(/\{\w+\}/g, newId());
      const called = codeOf(await developer.api(`v1/${path}`, { method: endpoint.method }));
      // Endpoints about the calling key are refused to people, and make sense for a key only.
      const isRefused =
        (called === 'not_permitted' && endpoint.scope !== 'developer:read') || BRINGS_EVENTS.includes(endpoint.id);
      const held: string[] = (await detail(id)).endpoints;
      if (held.includes(endpoint.id)) continue;
      const body = { endpoints: [...held, endpoint.id], accepts_destructive: true };
      const input = codeOf(await developer.api(`keys/${id}/policy`, { method: 'PATCH', body }));
      if ((input === 'ok') === isRefused || !['ok', 'not_permitted'].includes(input))
        differ.push(`${endpoint.id}: ${called}, ${input}`);
    }
    expect(differ).toEqual([]);
  });

  test('and more only on request: an owner confirms, and then the key holds it', async () => {
    expect(codeOf(await make(developer, [MONEY, 'GET vehicles']))).toBe('not_permitted');
    const made = (await make(developer, [MONEY, SENSITIVE, 'GET vehicles'], { name: 'Muhasebe', ask_owner: true })).json.data;
    expect(made.requested).toBe(2);
    expect(await detail(made.id)).toMatchObject({ endpoints: ['GET vehicles'], row_request: { endpoints: [MONEY, SENSITIVE] } });
    expect((await service.call('collections', { key: made.secret })).json.error.code).toBe('insufficient_scope');
    const notices = (await owner.api('notices')).json.data as BannerLine[];
    expect(notices).toMatchObject([{ kind: 'keys.rows_requested', data: { key: { id: made.id, name: 'Muhasebe' }, rows: 2 } }]);
    expect((await developer.api('notices')).json.data).toEqual([]);
    const request = (await detail(made.id)).row_request.id;
    const path = `keys/${made.id}/row-requests/${request}/confirm`;
    const confirmed = { typed_name: 'Muhasebe', endpoints: [MONEY, SENSITIVE] };
    expect(codeOf(await post(developer, path, confirmed))).toBe('not_permitted');
    expect(codeOf(await post(owner, path, { endpoints: [MONEY, SENSITIVE] }))).toBe('validation_failed');
    expect(codeOf(await post(owner, path, confirmed))).toBe('ok');
    expect(await detail(made.id)).toMatchObject({
      endpoints: ['GET vehicles', MONEY, SENSITIVE].sort(inCatalog),
      row_request: null,
    });
    expect(codeOf(await post(owner, path, confirmed))).toBe('decided_meanwhile');
    await service.settled();
    // Held now; the endpoint itself is not open to keys here.
    expect((await service.call('collections', { key: made.secret })).json.error.code).toBe('endpoint_not_active');
  });

  test('endpoints requested after the owner read the request are not confirmed with it', async () => {
    const { id } = (await make(developer, ['GET vehicles', MONEY], { ask_owner: true })).json.data;
    const { row_request: read } = await detail(id);
    const wider = { endpoints: ['GET vehicles', 'POST collections'], ask_owner: true };
    expect(codeOf(await developer.api(`keys/${id}/policy`, { method: 'PATCH', body: wider }))).toBe('ok');
    const path = `keys/${id}/row-requests/${read.id}/confirm`;
    const confirm = (endpoints: readonly string[]) => post(owner, path, { endpoints, accepts_destructive: true });
    expect(codeOf(await confirm(read.endpoints))).toBe('conflict');
    expect((await detail(id)).endpoints).toEqual(['GET vehicles']);
    const { row_request: now } = await detail(id);
    expect(codeOf(await confirm([...now.endpoints, 'GET sales']))).toBe('conflict');
    expect(codeOf(await confirm(now.endpoints))).toBe('ok');
    expect((await detail(id)).endpoints).toEqual(['GET vehicles', MONEY, 'POST collections']);
  });

  test('a refused request grants nothing', async () => {
    const { id } = (await make(developer, [MONEY], { ask_owner: true })).json.data;
    const request = (await detail(id)).row_request.id;
    expect(codeOf(await post(owner, `keys/${id}/row-requests/${request}/refuse`))).toBe('ok');
    expect(await detail(id)).toMatchObject({ endpoints: [], row_request: null });
  });

  test('rotating the secret of a key with more rights needs the owner, unless an owner confirmed its endpoints', async () => {
    const rotate = async (who: Browser, id: string) =>
      codeOf(await post(who, `keys/${id}/rotate`, { overlap_seconds: 3600, secret_id: (await detail(id)).secrets[0].id }));
    const { id: ownersKey } = (await make(owner, [MONEY])).json.data;
    expect(await rotate(developer, ownersKey)).toBe('not_permitted');
    expect(await rotate(owner, ownersKey)).toBe('ok');
    const { id: confirmed } = (await make(developer, [MONEY], { ask_owner: true })).json.data;
    const request = (await detail(confirmed)).row_request.id;
    await post(owner, `keys/${confirmed}/row-requests/${request}/confirm`, { endpoints: [MONEY] });
    expect(await rotate(developer, confirmed)).toBe('ok');
  });
});

/** In the catalog's order. */
const inCatalog = (one: string, other: string): number =>
  rows.findIndex(({ id }) => id === one) - rows.findIndex(({ id }) => id === other);

test('keys that developers created earlier stay unchanged, and are listed for the owner until an owner has reviewed them', async () => {
  const { id, secret } = (await make(developer, ['GET vehicles'], { name: 'Eski' })).json.data;
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`insert into key_endpoints (account_id, key_id, endpoint) values (${accountId}, ${id}, ${MONEY})`),
  );
  const hasReview = async (): Promise<boolean> => (await owner.api('session')).json.data.has_key_review;
  expect(await hasReview()).toBe(false);
  // As in an account from before the rule.
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`update accounts set keys_reviewed_at = null where id = ${accountId}`),
  );
  expect(await hasReview()).toBe(true);
  const review = async (): Promise<ReviewedKey[]> => (await owner.api('key-review')).json.data;
  expect((await review()).find((key) => key.id === id)).toMatchObject({ name: 'Eski', rows: [MONEY] });
  // Keys created under the rule are not in it.
  expect((await review()).map(({ name }) => name)).toEqual(['Eski']);
  await service.settled();
  expect((await service.call('collections', { key: secret })).json.error.code).toBe('endpoint_not_active');
  expect(codeOf(await post(developer, 'key-review/seen'))).toBe('not_permitted');
  await post(owner, 'key-review/seen');
  expect([await review(), await hasReview()]).toEqual([[], false]);
});
