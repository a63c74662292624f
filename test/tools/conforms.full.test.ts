// Every status of every endpoint, and every shared refusal: provoked, documented, and of the documented shape (checked by ajv).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSecret } from '../../src/domain/keys/key-secret.ts';
import { type NewKey, revokeKey } from '../../src/domain/keys/keys.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import { type ApiEndpoint, apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { payloadOf } from '../contract/payload.ts';
import { makeWorld, neededHeaders, REQUESTS, type World } from '../contract/requests.ts';
import { standingSale } from '../contract/sales-requests.ts';
import { type Sent, send } from '../contract/wire.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { dealerWith, newDealer } from '../support/writer.ts';
import { type Description, readDescription } from './description.ts';
import { areToolsMissing } from './tools.ts';

const endpoints = apiEndpoints(resources).filter(({ body }) => body !== null);
const ids = endpoints.map(({ id }) => id);
const writes = endpoints.filter(({ method }) => method !== 'GET');
const JSON_TYPE = { 'content-type': 'application/json' };

describe.skipIf(areToolsMissing())('every reply', () => {
  let api: TestService;
  let world: World;
  let keys: Record<string, string>;
  let description: Description;
  /** By endpoint: `200`, `409 idempotency_in_progress`, … */
  const seen = new Map(ids.map((id) => [id, new Set<string>()]));

  beforeAll(async () => {
    api = await testService({ database: { connections: 32 } });
    await api.release('Aktif', ...ids);
    world = await makeWorld(api, ids);
    keys = await makeKeys();
    description = await readDescription(api);
  });
  afterAll(() => api?.close());

  /** Of each kind of refusal that depends on the key. */
  async function makeKeys(): Promise<Record<string, string>> {
    const past = new Date(Date.now() - 1000);
    const key = async (overrides: Partial<NewKey>, account = world.accountId) =>
      (await api.key(account, { endpoints: ids, ...overrides })).secret;
    const suspended = await api.account();
    const revoked = await api.key(world.accountId, { endpoints: ids });
    await api.database.onPlatform('write', (db) => revokeKey(db, revoked.id, TEST_ACTOR));
    const made = {
      malformed: 'gal_prod_nothing',
      unknown: newSecret('production'),
      revoked: revoked.secret,
      expired: await key({ expiresAt: past }),
      elsewhere: await key({ allowedIps: [parseRange('192.0.2.1')!] }),
      reader: await key({ endpoints: ['GET account'] }),
      lister: await key({ endpoints: ['GET vehicles'] }),
      sandbox: await key({ environment: 'sandbox' }),
      suspended: await key({}, suspended),
      limited: await key({ limitPerMinute: 1 }),
    };
    await asAdmin((admin) => admin.rows(`update accounts set status = 'Askıda' where id = $1`, [suspended]));
    await api.settled();
    return made;
  }

  async function asAdmin<T>(work: (admin: Session) => Promise<T>): Promise<T> {
    const admin = await openSession(api.adminUrl);
    return work(admin).finally(() => admin.close());
  }

  /** As the endpoint's own test sends it, each time on a new record. */
  async function requestOf(endpoint: ApiEndpoint): Promise<Sent & { readonly headers: Record<string, string> }> {
    const { path, query, ...rest } = await REQUESTS[endpoint.id]!(world);
    const target = `/api/v1/${path}${query === undefined ? '' : `?${query}`}`;
    return { method: endpoint.method, target, key: world.key, ...payloadOf(rest) };
  }

  type Base = Awaited<ReturnType<typeof requestOf>>;
  const toRefuse = new Map<ApiEndpoint, Base>();
  /**
   * One for all requests that are refused before their work starts: they use up nothing, and creating a sale or an auction costs
   * more than a request.
   */
  async function requestToRefuse(endpoint: ApiEndpoint): Promise<Base> {
    const request = toRefuse.get(endpoint) ?? (await requestOf(endpoint));
    toRefuse.set(endpoint, request);
    return request;
  }

  /** With an idempotency key where the endpoint requires one, unless that is what is missing. */
  async function expectDescribed(endpoint: ApiEndpoint, overrides: Sent, url = api.service.url, isKeyed = true): Promise<string> {
    const sent = isKeyed ? { ...overrides, headers: { ...neededHeaders(endpoint), ...overrides.headers } } : overrides;
    const answer = await send(url, sent);
    const fault = description.faultOf(endpoint, answer);
    expect(fault, `${sent.method} ${sent.target} ${answer.text.slice(0, 300)}`).toBeNull();
    const found = answer.status < 400 ? `${answer.status}` : `${answer.status} ${answer.json.error.code}`;
    seen.get(endpoint.id)!.add(found);
    return found;
  }

  // Before any other request for rates, which stores some.
  it.each(Object.entries(OWN_REFUSALS))('of %s is as documented where its own work refuses', async (what, build) => {
    const [, id, code] = /^(.*) (\d{3} \w+)$/.exec(what)!;
    const endpoint = endpoints.find((one) => one.id === id)!;
    const { key = world.key, path, body } = await build(world);
    const fields = body === undefined ? {} : { headers: JSON_TYPE, body: JSON.stringify(body) };
    expect(await expectDescribed(endpoint, { method: endpoint.method, target: `/api/v1/${path}`, key, ...fields })).toBe(code);
  });

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('of %s is as documented', async (_, endpoint) => {
    const base = await requestOf(endpoint);
    const more = base.target.includes('?') ? '&' : '?';
    const withHeaders = (headers: Record<string, string>) => ({ ...base, headers: { ...base.headers, ...headers } });
    const [param] = Object.keys(endpoint.params);
    const absent = endpoint.path.replace(/\{(\w+)\}/g, (__, name: string) => (name.endsWith('_id') ? randomUUID() : 'TL-TL'));
    const refused: Sent[] = [
      { ...base, key: undefined },
      ...['malformed', 'unknown', 'revoked', 'expired', 'elsewhere'].map((name) => ({ ...base, key: keys[name]! })),
      { ...base, key: endpoint.id === 'GET account' ? keys.lister! : keys.reader! },
      { ...base, target: `${base.target}${more}nothing=1` },
      ...(param === undefined ? [] : [{ ...base, target: `${base.target}${more}${param}=1&${param}=1` }]),
      ...(endpoint.path.includes('{') ? [{ ...base, target: `/api/v1/${absent}` }] : []),
    ];
    const refusedWrites: Sent[] = [
      ...['sandbox', 'suspended'].map((name) => ({ ...base, key: keys[name]! })),
      withHeaders({ 'x-dry-run': 'yes' }),
      withHeaders({ 'idempotency-key': 'not visible' }),
      withHeaders({ 'if-match': '"other"' }),
    ];
    const refusedBodies: Sent[] = [
      { ...base, headers: JSON_TYPE, body: '{"nothing":1}' },
      { ...base, headers: JSON_TYPE, body: '{' },
      { ...base, headers: { 'content-type': 'text/plain' }, body: 'x' },
      { ...base, headers: { ...JSON_TYPE, 'content-length': '200000000' }, body: '' },
    ];
    const { headers: formType } = payloadOf({ form: {} });
    const refusedForms: Sent[] = [
      { ...base, headers: { 'content-type': 'text/plain' }, body: 'x' },
      { ...base, headers: { ...formType, 'content-length': '200000000' }, body: '' },
      { ...base, ...payloadOf({ form: { nothing: '1' } }) },
    ];
    for (const sent of refused) await expectDescribed(endpoint, sent);
    if (endpoint.method !== 'GET') for (const sent of refusedWrites) await expectDescribed(endpoint, sent);
    if (endpoint.body!.bodySchema !== undefined) for (const sent of refusedBodies) await expectDescribed(endpoint, sent);
    else if (endpoint.body!.upload !== undefined) for (const sent of refusedForms) await expectDescribed(endpoint, sent);
    if (endpoint.method !== 'GET') await expectDescribed(endpoint, withHeaders({ 'x-dry-run': 'true' }));
    if (endpoint.body!.idempotency === 'required') await expectDescribed(endpoint, base, api.service.url, false);
    const { headers } = await send(api.service.url, base);
    await expectDescribed(endpoint, await requestOf(endpoint));
    const etag = endpoint.method === 'GET' ? headers.get('etag') : null;
    if (etag !== null) await expectDescribed(endpoint, withHeaders({ 'if-none-match': etag }));
  });

  it('is as documented where the key was used for another request', async () => {
    const used = { 'idempotency-key': randomUUID() };
    const first = { method: 'POST', target: '/api/v1/tasks', key: world.key, headers: { ...JSON_TYPE, ...used } };
    expect((await send(api.service.url, { ...first, body: '{"title":"first"}' })).status).toBe(201);
    for (const endpoint of writes) {
      const base = await requestToRefuse(endpoint);
      const code = await expectDescribed(endpoint, { ...base, headers: { ...base.headers, ...used } });
      expect(code, endpoint.id).toBe('422 idempotency_key_reused');
    }
  });

  it('is as documented while the same request is in progress', async () => {
    const first = await openSession(api.adminUrl);
    await first.rows('begin');
    try {
      // Eight at once, a quarter of the connections: each waits for the lock as long as any request does.
      for (let from = 0; from < writes.length; from += 8) await Promise.all(writes.slice(from, from + 8).map(askBehind(first)));
    } finally {
      await first.rows('rollback');
      await first.close();
    }
  });

  const askBehind = (first: Session) => async (endpoint: ApiEndpoint) => {
    const [base, key] = [await requestToRefuse(endpoint), randomUUID()];
    await first.rows(
      `insert into idempotency (account_id, key, endpoint, fingerprint, created_at) values ($1, $2, $3, sha256(''), now())`,
      [world.accountId, key, endpoint.id],
    );
    const code = await expectDescribed(endpoint, { ...base, headers: { ...base.headers, 'idempotency-key': key } });
    expect(code, endpoint.id).toBe('409 idempotency_in_progress');
  };

  it('is as documented without a rate, without a winner, or with too much to export', async () => {
    const endpoint = (id: string) => endpoints.find((one) => one.id === id)!;
    for (const [id, path] of [
      ['GET exchange-rates', 'exchange-rates?date=2020-01-01'],
      ['GET exchange-rates/{currency_pair}', 'exchange-rates/STG-TL?date=2020-01-01'],
    ] as const)
      expect(await expectDescribed(endpoint(id), { target: `/api/v1/${path}`, key: world.key })).toBe('409 rate_not_available');
    const { path: running } = await REQUESTS['GET network-auctions/{auction_id}']!(world);
    const won = endpoint('GET network-auctions/{auction_id}/winner');
    expect(await expectDescribed(won, { target: `/api/v1/${running}/winner`, key: world.key })).toBe('409 auction_not_ended');
    const large = await api.account();
    const vehicle = await api.vehicle(large);
    const copied = `insert into vehicles (account_id, id, ${COPIED}, plate) select account_id, gen_random_uuid(), ${COPIED}, 'X ' || n
      from vehicles, generate_series(1, 10000) n where id = $1`;
    await asAdmin((admin) => admin.rows(copied, [vehicle]));
    const { secret: key } = await api.key(large, { endpoints: ids });
    const code = await expectDescribed(endpoint('GET vehicles/export'), { target: '/api/v1/vehicles/export', key });
    expect(code).toBe('409 export_too_large');
  });

  it('is as documented beyond a limit', async () => {
    for (const endpoint of endpoints) {
      const base = await requestToRefuse(endpoint);
      // As often as needed: earlier requests leave the window again.
      for (const [name, code] of [
        ['limited', '429 rate_limit_exceeded'],
        ['unknown', '429 too_many_failed_attempts'],
      ] as const)
        while ((await expectDescribed(endpoint, { ...base, key: keys[name]! })) !== code);
    }
  });

  it('is as documented before its endpoint is opened', async () => {
    const requests = new Map<ApiEndpoint, Sent>();
    for (const endpoint of endpoints) requests.set(endpoint, await requestToRefuse(endpoint));
    await api.release('Yakında', ...writes.map(({ id }) => id));
    description = await readDescription(api);
    for (const endpoint of writes) {
      const isShut = endpoints.some(({ method, path }) => method === 'GET' && path === endpoint.path);
      const code = await expectDescribed(endpoint, requests.get(endpoint)!);
      expect(code, endpoint.id).toBe(isShut ? '405 method_not_allowed' : '501 endpoint_not_active');
    }
    await api.release('Yakında', ...ids);
    description = await readDescription(api);
    for (const endpoint of endpoints)
      expect(await expectDescribed(endpoint, requests.get(endpoint)!), endpoint.id).toBe('501 endpoint_not_active');
    await api.release('Aktif', ...ids);
    description = await readDescription(api);
  });

  it('is as documented while the database is unavailable', async () => {
    const requests = new Map<ApiEndpoint, Sent>();
    for (const endpoint of endpoints) requests.set(endpoint, await requestToRefuse(endpoint));
    const { pathname, href } = new URL(api.adminUrl);
    const outside = await openSession(href.replace(pathname, '/postgres'));
    const database = pathname.slice(1);
    await outside.rows(`alter database ${database} allow_connections false`);
    await outside.rows('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
    try {
      for (const endpoint of endpoints) {
        const base = requests.get(endpoint)!;
        const sent = { ...base, headers: { ...base.headers, 'cache-control': 'no-cache' } };
        expect(await expectDescribed(endpoint, sent), endpoint.id).toBe('503 service_unavailable');
      }
    } finally {
      await outside.rows(`alter database ${database} allow_connections true`);
      await outside.close();
    }
  });

  it('was provoked: each status of each endpoint, and each shared refusal', () => {
    const missing = endpoints.flatMap((endpoint) => {
      const found = seen.get(endpoint.id)!;
      const statuses = new Set([...found].map((one) => one.slice(0, 3)));
      const own: readonly string[] = endpoint.body!.refuses ?? [];
      const documented = description.statusesOf(endpoint).filter(({ status }) => status !== 'default');
      return [
        ...documented.filter(({ status }) => !statuses.has(status)).map(({ status }) => `${endpoint.id} ${status}`),
        ...documented.flatMap(({ status, codes }) =>
          codes.filter((code) => !own.includes(code) && !found.has(`${status} ${code}`)).map((code) => `${endpoint.id} ${code}`),
        ),
      ];
    });
    expect(missing).toEqual([]);
  });
});

/** Valued in a currency without a bank rate. */
const unvalued = (report: string) => async (world: World) => {
  await standingSale(world);
  return { path: `reports/${report}?convert_to=USD` };
};

/** Statuses that only the endpoint's own work returns, and what provokes each. */
const OWN_REFUSALS: Readonly<Record<string, (world: World) => Promise<OwnRefusal>>> = {
  ...Object.fromEntries(
    ['sales-summary', 'collections-summary', 'inventory-aging', 'profit-loss', 'overdue-risk'].map((report) => [
      `GET reports/${report} 409 rate_not_available`,
      unvalued(report),
    ]),
  ),
  'GET promissory-notes/{note_id}/document 409 note_cancelled': async (world) => {
    const dealer = dealerWith(world.api, world.accountId, world.key);
    const { path, body } = await REQUESTS['POST promissory-notes']!(world);
    const note = `${path}/${(await dealer.post(path, body)).json.data[0].id}`;
    await dealer.patch(note, { status: 'İptal', note: 'yanlış' });
    return { path: `${note}/document` };
  },
  'GET sale-documents/{document_id}/signed-copy 409 document_not_signed': async (world) => {
    const { path } = await REQUESTS['GET documents/{document_id}']!(world);
    return { path: `sale-${path}/signed-copy` };
  },
  'POST boost-orders 402 insufficient_balance': async ({ api }) => {
    const poor = await newDealer(api);
    const { json } = await poor.post(`vehicles/${await api.vehicle(poor.accountId)}/publish`);
    return { key: poor.key, path: 'boost-orders', body: { listing_id: json.data.listing_id, package: 'Vitrin-7' } };
  },
};

interface OwnRefusal {
  /** Of the world's dealer by default. */
  readonly key?: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The required fields of a vehicle, except its plate. */
const COPIED = `brand, model, model_year, km, fuel_type, transmission, body_type, color, city, price_minor, currency, stock_date, source,
  created_at, updated_at`;
