// Activation of endpoints, on a small catalog in which every endpoint has a body.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTHORIZATIONS } from '../../src/domain/keys/key-policy.ts';
import { ReleaseRefusal, setRelease } from '../../src/domain/releases/releases.ts';
import { del, get, patch, post, type Resource, resource, type Status } from '../../src/kit/endpoint.ts';
import { fail } from '../../src/kit/errors.ts';
import { object, text } from '../../src/kit/schema.ts';
import { sql } from '../../src/kit/sql.ts';
import { resources as realResources } from '../../src/resources/index.ts';
import { type CallOptions, TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { expectRefusal, expectSuccess } from './expect.ts';

const Done = object({ row: text() });
const done = (endpoint: string) => ({ returns: Done, run: async () => ({ row: endpoint }) });

function pair(path: string, read: Status, write: Status) {
  return [
    get(path, 'tasks:read', 'read', read, ['Read', 'Oku'], done(`GET ${path}`)),
    post(path, 'tasks:write', 'write', write, ['Write', 'Yaz'], done(`POST ${path}`)),
  ];
}

const SPECIAL: readonly [path: string, authorization: string][] = [
  ['network-auctions/{auction_id}/bid', 'network_auction_bid'],
  ['live-auctions/lots/{lot_id}/start', 'live_auction_operate'],
  ['live-auctions/lots/{lot_id}/bid', 'live_auction_bid'],
  ['live-auctions/lots/{lot_id}/end', 'live_auction_operate'],
];

const catalog: readonly Resource[] = [
  resource('Pairs', 'Çiftler', [
    ...pair('both-open', 'Aktif', 'Aktif'),
    ...pair('read-open', 'Aktif', 'Yakında'),
    ...pair('write-open', 'Yakında', 'Aktif'),
    ...pair('none-open', 'Yakında', 'Yakında'),
    ...pair('flipped', 'Aktif', 'Yakında'),
    post('write-only', 'tasks:write', 'write', 'Yakında', ['Only write', 'Yalnız yaz'], done('POST write-only')),
    get('empty', 'tasks:read', 'read', 'Yakında', ['Not built', 'Yapılmadı']),
  ]),
  resource('Installments', 'Taksitler', [
    get('installments/{installment_id}', 'installments:read', 'read', 'Aktif', ['Read one', 'Birini oku'], {
      returns: Done,
      run: async ({ params }) => (params.installment_id.startsWith('0') ? { row: params.installment_id } : fail('not_found')),
    }),
    patch('installments/{installment_id}', 'installments:write', 'write', 'Aktif', ['Edit', 'Düzenle'], done('PATCH')),
    del('installments/{installment_id}', 'installments:write', 'destructive', 'Aktif', ['Delete', 'Sil'], done('DELETE')),
    get('installments/overdue', 'installments:read', 'read', 'Aktif', ['Overdue', 'Gecikmiş'], done('GET installments/overdue')),
    get('installments/{installment_id}/lots', 'installments:read', 'read', 'Aktif', ['Lots', 'Lotlar'], done('lots of one')),
    post('installments/run', 'installments:write', 'write', 'Aktif', ['Run', 'Çalıştır'], done('POST installments/run')),
  ]),
  resource('Special', 'Özel', [
    ...SPECIAL.map(([path]) =>
      post(path, 'network-auctions:write', 'sensitive', 'Aktif', [`Do ${path}`, `Yap ${path}`], done(path)),
    ),
    post('network-auctions/{auction_id}/end', 'network-auctions:write', 'sensitive', 'Aktif', ['End', 'Bitir'], done('end')),
  ]),
];

const allEndpoints = catalog.flatMap(({ endpoints }) => endpoints);
const every = allEndpoints.map((endpoint) => endpoint.id);

let api: TestService;
let accountId: string;
let full: string;
let bare: string;

beforeAll(async () => {
  api = await testService({ resources: catalog });
  accountId = await api.account();
  full = (await api.key(accountId, { endpoints: every })).secret;
  bare = (await api.key(accountId, { endpoints: [] })).secret;
});
afterAll(() => api.close());

const ask = (method: string, path: string, key = full, options: CallOptions = {}) => api.call(path, { ...options, method, key });

describe('one path, its GET and its POST', () => {
  test('both Aktif: both answer, and another method names both in Allow', async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await ask(method, 'both-open');
      expectSuccess(answer, { list: false });
      expect(answer.json.data).toEqual({ row: `${method} both-open` });
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      const answer = await ask(method, 'both-open');
      expectRefusal(answer, 'method_not_allowed', { method });
      expect(answer.headers.get('allow')).toBe('GET, POST');
    }
  });

  test('GET Aktif, POST Yakında: 405 with Allow: GET, for any key', async () => {
    for (const key of [full, bare]) {
      const answer = await ask('POST', 'read-open', key);
      expectRefusal(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET');
      expect(answer.json.error.message).toBe('POST is not available here; allowed: GET');
    }
  });

  test('GET Yakında, POST Aktif: the POST answers, the GET is 501, a third method names POST in Allow', async () => {
    expectSuccess(await ask('POST', 'write-open'), { list: false });
    expectRefusal(await ask('GET', 'write-open'), 'endpoint_not_active');
    expect((await ask('PUT', 'write-open')).headers.get('allow')).toBe('POST');
  });

  test('both Yakında: 501 to a key that holds the endpoint, 403 to one that does not, Allow names both', async () => {
    for (const method of ['GET', 'POST']) {
      const refused = await ask(method, 'none-open');
      expectRefusal(refused, 'endpoint_not_active');
      expect(refused.json.error.message).toContain(`${method} none-open`);
      expectRefusal(await ask(method, 'none-open', bare), 'insufficient_scope');
    }
    expect((await ask('PUT', 'none-open')).headers.get('allow')).toBe('GET, POST');
  });

  test('no GET in the catalog: the POST is 501 while Yakında, and GET is 405', async () => {
    expectRefusal(await ask('POST', 'write-only'), 'endpoint_not_active');
    const answer = await ask('GET', 'write-only');
    expectRefusal(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('a static segment wins over a parameter, for every method', () => {
  test('installments/overdue is not an installment', async () => {
    expect((await ask('GET', 'installments/overdue')).json.data).toEqual({ row: 'GET installments/overdue' });
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await ask(method, 'installments/overdue');
      expectRefusal(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET');
    }
  });

  test('nor is installments/run, which has no GET', async () => {
    expectSuccess(await ask('POST', 'installments/run'), { list: false });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await ask(method, 'installments/run');
      expectRefusal(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });

  test('a record is found by its id, also under .php, and with its letters percent-encoded', async () => {
    const id = `0${randomUUID().slice(1)}`;
    for (const path of [id, `${id}.php`, id.replaceAll('a', '%61').replaceAll('-', '%2D')]) {
      expect((await ask('GET', `installments/${path}`)).json.data).toEqual({ row: id });
    }
  });

  test('an absent id and a malformed one get the same 404, for reads and writes', async () => {
    const absent = await ask('GET', `installments/1${randomUUID().slice(1)}`);
    expectRefusal(absent, 'not_found');
    for (const id of ['1', 'overdue2', 'Overdue', `${randomUUID()}0`, randomUUID().replaceAll('-', ''), '%00', '..%2Foverdue']) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await ask(method, `installments/${id}`);
        expectRefusal(answer, 'not_found');
        expect(answer.json.error).toEqual(absent.json.error);
      }
    }
  });
});

describe('writes that are limited to some keys', () => {
  test('a sandbox key on shared data reads, and writes nothing', async () => {
    const { secret } = await api.key(accountId, { endpoints: every, environment: 'sandbox' });
    expect(secret).toMatch(/^gal_sand_/);
    expectSuccess(await ask('GET', 'both-open', secret), { list: false });
    for (const endpoint of allEndpoints.filter(({ method, status }) => method !== 'GET' && status === 'Aktif')) {
      const path = endpoint.path.replace(/\{\w+\}/g, randomUUID());
      expectRefusal(await ask(endpoint.method, path, secret), 'sandbox_read_only');
    }
  });

  test("a suspended account's key reads, and writes nothing", async () => {
    const suspended = await api.account();
    await api.database.onPlatform('write', (db) => db.exec(sql`update accounts set status = 'Askıda' where id = ${suspended}`));
    const { secret } = await api.key(suspended, { endpoints: every, authorizations: [...AUTHORIZATIONS] });
    expectSuccess(await ask('GET', 'both-open', secret), { list: false });
    for (const endpoint of allEndpoints.filter(({ method, status }) => method !== 'GET' && status === 'Aktif')) {
      const path = endpoint.path.replace(/\{\w+\}/g, randomUUID());
      expectRefusal(await ask(endpoint.method, path, secret), 'account_suspended');
    }
  });

  test.each([[], ...AUTHORIZATIONS.map((one) => [one])])(
    'special authorization %s opens only its own endpoints',
    async (held) => {
      const authorizations = held === undefined ? [] : [held];
      const { secret } = await api.key(accountId, { endpoints: every, authorizations });
      for (const [path, needed] of SPECIAL) {
        const answer = await ask('POST', path.replace(/\{\w+\}/g, randomUUID()), secret);
        if (needed === held) expectSuccess(answer, { list: false });
        else expectRefusal(answer, 'special_authorization_required');
      }
      expectSuccess(await ask('POST', `network-auctions/${randomUUID()}/end`, secret), { list: false });
    },
  );

  test('endpoints that need a special authorization are endpoints of the real catalog', () => {
    const real = new Set(realResources.flatMap(({ endpoints }) => endpoints.map((endpoint) => endpoint.id)));
    for (const [path] of SPECIAL) expect(real).toContain(`POST ${path}`);
  });
});

describe('release status', () => {
  test('opens and closes endpoints while the service runs, for the next request', async () => {
    const code = async (method: string) => (await ask(method, 'flipped')).json.error?.code ?? 'open';
    expect([await code('GET'), await code('POST')]).toEqual(['open', 'method_not_allowed']);
    await api.release('Aktif', 'POST flipped');
    expect([await code('GET'), await code('POST')]).toEqual(['open', 'open']);
    expect((await ask('PUT', 'flipped')).headers.get('allow')).toBe('GET, POST');
    await api.release('Yakında', 'GET flipped');
    expect([await code('GET'), await code('POST')]).toEqual(['endpoint_not_active', 'open']);
    expect((await ask('PUT', 'flipped')).headers.get('allow')).toBe('POST');
    await api.release('Yakında', 'POST flipped');
    expect([await code('GET'), await code('POST')]).toEqual(['endpoint_not_active', 'endpoint_not_active']);
    await api.release('Aktif', 'GET flipped');
    expect([await code('GET'), await code('POST')]).toEqual(['open', 'method_not_allowed']);
  });

  test('refuses to open an endpoint without a body, alone or among others, and then opens nothing', async () => {
    const chosen = allEndpoints.filter((endpoint) => endpoint.id === 'GET empty' || endpoint.id === 'GET none-open');
    const open = api.database.onPlatform('write', (db) => setRelease(db, chosen, 'Aktif', TEST_ACTOR));
    await expect(open).rejects.toThrow(ReleaseRefusal);
    await api.settled();
    expectRefusal(await ask('GET', 'empty'), 'endpoint_not_active');
    expectRefusal(await ask('GET', 'none-open'), 'endpoint_not_active');
  });
});
