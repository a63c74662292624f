// `include` on every endpoint that takes it: the same records with what belongs to them, for keys that may read it, within bounds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ApiEndpoint, apiEndpoints, isList } from '../../src/http/api/api-endpoints.ts';
import type { Db } from '../../src/kit/db.ts';
import type { Context, Include } from '../../src/kit/endpoint.ts';
import { resources } from '../../src/resources/index.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { expectRefusal, expectSuccess } from './expect.ts';
import { makeWorld, REQUESTS, type World } from './requests.ts';

const endpoints = apiEndpoints(resources);
const ids = endpoints.map(({ id }) => id);
const including = endpoints.filter(({ body }) => body?.includes !== undefined);
const pairs = including.flatMap((endpoint) =>
  Object.entries(endpoint.body!.includes!).map(([name, include]) => [endpoint.id, name, endpoint, include] as const),
);

let api: TestService;
let world: World;
beforeAll(async () => {
  api = await testService();
  await api.release('Aktif', ...ids);
  world = await makeWorld(api, ids);
  const { path } = await REQUESTS['GET vehicles/{vehicle_id}']!(world);
  const headers = { 'content-type': 'application/json' };
  await api.call(`${path}/photos`, { key: world.key, method: 'POST', headers, body: '{"url":"https://example.com/a.jpg"}' });
});
afterAll(() => api.close());

const read = async (
  { id }: ApiEndpoint,
  query: string,
  key = world.key,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const { path } = await REQUESTS[id]!(world);
  return api.call(`${path}?${query}`, { key, headers });
};

type Item = Record<string, unknown>;
const recordsOf = ({ json }: Answer): Item[] => [json.data].flat();

describe.each(pairs)('%s?include=%s', (_, name, endpoint, include) => {
  const isInList = isList(endpoint.body);

  test('adds one member to each record and changes nothing else', async () => {
    const [plain, answer] = [await read(endpoint, ''), await read(endpoint, `include=${name}`)];
    expectSuccess(answer, { list: isInList });
    const found = recordsOf(answer);
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ [name]: _, ...rest }) => rest)).toEqual(recordsOf(plain));
    for (const record of found) expect(z.safeParse(include.schema, record[name]).error).toBeUndefined();
    // At least one record has it, or the test proves nothing.
    expect(found.filter(({ [name]: added }) => added !== null && (!Array.isArray(added) || added.length > 0))).not.toEqual([]);
    const isFresh = endpoint.body!.fresh === true || include.fresh === true;
    expect(answer.headers.get('cache-control')).toBe(isFresh ? 'no-store' : plain.headers.get('cache-control'));
    const etag = answer.headers.get('etag');
    expect(etag === null).toBe(isFresh);
    if (etag !== null) expect((await read(endpoint, `include=${name}`, world.key, { 'if-none-match': etag })).status).toBe(304);
  });

  test('is refused to a key without the endpoint that returns it, which the refusal names', async () => {
    const needed = endpoints.find(({ id }) => id === include.of)!;
    const { secret } = await api.key(world.accountId, { endpoints: ids.filter((id) => id !== include.of) });
    const answer = await read(endpoint, `include=${name}`, secret);
    // A key without the endpoint itself is refused for that.
    if (endpoint.id === include.of) return;
    expectRefusal(answer, 'insufficient_scope');
    expect(answer.json.error.message).toContain(include.of);
    expect(answer.json.error.required_scope).toBe(needed.scope);
    expectSuccess(await read(endpoint, '', secret), { list: isInList });
  });

  test('reads the values of all records with one statement, and none of another account', async () => {
    const records = recordsOf(await read(endpoint, ''));
    const stranger = await makeWorld(api, ids);
    expect((await valuesFor(include, records, world)).statements).toBe(1);
    const { values } = await valuesFor(include, records, stranger);
    expect(values.every((value) => value === null || (Array.isArray(value) && value.length === 0))).toBe(true);
  });
});

async function valuesFor(include: Include, records: readonly Item[], { accountId }: World) {
  return api.database.inTenant(accountId, 'read', async (db) => {
    let statements = 0;
    const rows: Db['rows'] = (statement) => {
      statements += 1;
      return db.rows(statement);
    };
    const linkTo = () => ({ url: 'https://example.com', expires_at: new Date().toISOString() });
    const account = { id: accountId, timezone: 'UTC' };
    const context = { db: { ...db, rows }, linkTo, account, now: new Date() } as unknown as Context;
    return { values: await include.read(context, [...records, ...records]), statements };
  });
}

describe.each(including.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('takes several names at once, and refuses others', async () => {
    const names = Object.keys(endpoint.body!.includes!);
    const all = recordsOf(await read(endpoint, `include=${names.toReversed().join(',')}`));
    for (const record of all) expect(Object.keys(record)).toEqual(expect.arrayContaining(names));
    for (const query of ['include=', 'include=owner', `include=${names[0]},${names[0]}`, `include=${names[0]},`]) {
      const answer = await read(endpoint, query);
      expectRefusal(answer, 'invalid_parameter');
      expect(answer.json.error.param).toBe('include');
    }
  });

  test.skipIf(!isList(endpoint.body))('has pages of at most 50 records, in a walk too', async () => {
    const [name] = Object.keys(endpoint.body!.includes!);
    expectSuccess(await read(endpoint, `include=${name}&limit=50`), { list: true });
    const refused = await read(endpoint, `include=${name}&limit=51`);
    expectRefusal(refused, 'invalid_parameter');
    expect(refused.json.error.param).toBe('limit');
    const walked = await read(endpoint, `include=${name}&limit=1&cursor=start`);
    expect(Object.keys(recordsOf(walked)[0]!)).toContain(name);
  });
});
