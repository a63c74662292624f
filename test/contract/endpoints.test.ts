// Every endpoint with a body, open and called: what the contract promises of any endpoint, checked for each.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ApiEndpoint, apiEndpoints, isList } from '../../src/http/api/api-endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { asOfDemo } from '../support/auctions.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { badValues, goodValue } from './bad-values.ts';
import { expectLimitHeaders, expectRefusal, expectSuccess, REQUEST_ID } from './expect.ts';
import { payloadOf } from './payload.ts';
import { type EndpointRequest, makeWorld, NEVER_SHOWN, neededHeaders, REQUESTS, type World } from './requests.ts';
import { send } from './wire.ts';

const LIMIT = 100_000;
const REQUEST_ID_ANYWHERE = /req_\w+/g;
const endpoints = apiEndpoints(resources).filter((endpoint) => endpoint.body !== null);
const lists = endpoints.filter((endpoint) => isList(endpoint.body));
const named = (some: readonly ApiEndpoint[]) => some.map((endpoint) => [endpoint.id, endpoint] as const);

/** Lists have a strong ETag, single objects a weak one; developer endpoints, writes and endpoints marked fresh none. */
const hasEtag = (endpoint: ApiEndpoint): boolean =>
  endpoint.method === 'GET' && !endpoint.path.startsWith('developer/') && endpoint.body!.fresh !== true;

let api: TestService;
let world: World;
let stranger: World;
let sandboxKey: string;

beforeAll(async () => {
  api = await testService();
  const ids = endpoints.map((endpoint) => endpoint.id);
  await api.release('Aktif', ...ids);
  world = await makeWorld(api, ids);
  stranger = await makeWorld(api, ids);
  ({ secret: sandboxKey } = await api.key(world.accountId, { endpoints: ids, environment: 'sandbox', limitPerMinute: LIMIT }));
});
afterAll(() => api.close());

interface Twist {
  readonly query?: string;
  readonly path?: (path: string) => string;
  readonly headers?: Record<string, string>;
  readonly key?: string;
}

function ask(
  endpoint: ApiEndpoint,
  request: EndpointRequest,
  { query, path = (same) => same, headers = {}, key = world.key }: Twist = {},
): Promise<Answer> {
  // A changed parameter replaces the one in the request.
  const twisted = new Set(query?.split('&').map((part) => part.split('=')[0]));
  const kept = request.query?.split('&').filter((part) => !twisted.has(part.split('=')[0]));
  const search = [...(kept ?? []), ...(query === undefined ? [] : [query])].join('&');
  const payload = payloadOf(request);
  return send(api.service.url, {
    ...payload,
    method: endpoint.method,
    target: `/api/v1/${path(request.path)}${search === '' ? '' : `?${search}`}`,
    key,
    headers: { ...neededHeaders(endpoint), ...payload.headers, ...headers },
  });
}

const build = async (endpoint: ApiEndpoint, owner = world): Promise<EndpointRequest> => REQUESTS[endpoint.id]!(owner);

const made = new Map<string, Promise<unknown>>();
/** For checks that need it only once: creating a sale or an auction costs more than a request. */
function once<T>(name: string, make: () => Promise<T>): Promise<T> {
  if (!made.has(name)) made.set(name, make());
  return made.get(name) as Promise<T>;
}
/** For requests that are refused: they use up nothing. */
const buildToRefuse = (endpoint: ApiEndpoint): Promise<EndpointRequest> => once(`refused ${endpoint.id}`, () => build(endpoint));
const firstAnswer = (endpoint: ApiEndpoint): Promise<Answer> =>
  once(`answered ${endpoint.id}`, async () => ask(endpoint, await build(endpoint)));

/** The value's keys are the schema's, in the schema's order, at every level. */
function expectKeyOrder(schema: z.ZodType, value: unknown): void {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    if (value !== null && value !== undefined) expectKeyOrder(schema.unwrap() as z.ZodType, value);
  } else if (schema instanceof z.ZodArray) {
    for (const item of value as unknown[]) expectKeyOrder(schema.element as z.ZodType, item);
  } else if (schema instanceof z.ZodObject) {
    // Optional fields may be absent: the rest keeps its order.
    const isThere = ([name, field]: [string, z.ZodType]) => !(field instanceof z.ZodOptional) || name in (value as object);
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>).filter(isThere);
    expect(Object.keys(value as object)).toEqual(fields.map(([name]) => name));
    for (const [name, field] of fields) expectKeyOrder(field, (value as Record<string, unknown>)[name]);
  }
}

describe.each(named(endpoints))('%s', (_, endpoint) => {
  const body = endpoint.body!;
  const list = isList(body) || body.returns instanceof z.ZodArray;

  test('answers in the envelope, with data that matches its schema exactly', async () => {
    const answer = await firstAnswer(endpoint);
    expectSuccess(answer, { list });
    const schema: z.ZodType = isList(body) ? z.array(body.lists) : (body as { returns: z.ZodType }).returns;
    expect(schema.parse(answer.json.data)).toEqual(answer.json.data);
    expectKeyOrder(schema, answer.json.data);
    if (list) expect(answer.json.data.length).toBeGreaterThan(0);
    for (const kept of NEVER_SHOWN) expect(answer.text).not.toContain(kept);
  });

  test('has the limit headers, the cache rule and, where the contract gives one, an ETag', async () => {
    const answer = await firstAnswer(endpoint);
    expectLimitHeaders(answer, LIMIT);
    expect(answer.headers.get('cache-control')).toBe(hasEtag(endpoint) ? 'private, no-cache' : 'no-store');
    const form = list ? /^"[\w-]+"$/ : /^W\/"[\w-]+"$/;
    // A write has the ETag of the record it returns, if that has one: writes.test.ts.
    if (hasEtag(endpoint)) expect(answer.headers.get('etag')).toMatch(form);
    else if (endpoint.method === 'GET') expect(answer.headers.get('etag')).toBeNull();
  });

  // Those of the account describe the key that asks; the log and usage have grown by the other key's requests.
  test.runIf(endpoint.method === 'GET' && !/^(developer\/|account(\/capabilities)?$)/.test(endpoint.path))(
    'gives a sandbox key the same bytes while the sandbox shows the real data',
    async () => {
      const request = await build(endpoint);
      const [live, sandbox] = [await ask(endpoint, request), await ask(endpoint, request, { key: sandboxKey })];
      const withoutCall = ({ text }: Answer) => text.replaceAll(REQUEST_ID_ANYWHERE, '').replaceAll(/"timestamp":"[^"]+"/g, '');
      expect(sandbox.status).toBe(200);
      expect(sandbox.headers.get('etag')).toBe(live.headers.get('etag'));
      // Links to files contain the end of their validity.
      if (body.fresh !== true) expect(withoutCall(sandbox)).toBe(withoutCall(live));
      else expect(Object.keys(sandbox.json)).toEqual(Object.keys(live.json));
    },
  );

  test('gives the same reply under .php, and is logged under its catalog path', async () => {
    const plain = await ask(endpoint, await build(endpoint));
    const alias = await ask(endpoint, await build(endpoint), { path: (path) => `${path}.php` });
    expect(alias.status).toBe(plain.status);
    expectSuccess(alias, { list });
    if (hasEtag(endpoint)) {
      expect(alias.json.data).toEqual(plain.json.data);
      expect(alias.headers.get('etag')).toBe(plain.headers.get('etag'));
    }
    await api.logged();
    const id = alias.headers.get('x-request-id')!;
    const [logged] = (await api.call(`developer/request-logs?request_id=${id}`, { key: world.key })).json.data;
    expect(logged).toMatchObject({
      request_id: id,
      method: endpoint.method,
      endpoint: endpoint.id,
      status: plain.status,
      error_code: null,
    });
    expect(logged.path).toMatch(/^\/api\/v1\/.+\.php$/);
    expect(logged.response_bytes).toBe(Buffer.byteLength(alias.text));
  });

  if (hasEtag(endpoint)) {
    test('answers 304 without a body to its own ETag, in any form a cache sends it', async () => {
      const request = await build(endpoint);
      const { headers } = await ask(endpoint, request);
      const etag = headers.get('etag')!;
      const bare = etag.replace(/^W\//, '');
      for (const sent of [etag, `W/${bare}`, bare, `"other", ${etag}`, '*']) {
        const again = await ask(endpoint, request, { headers: { 'if-none-match': sent } });
        expect(again.status, sent).toBe(304);
        expect(again.text).toBe('');
        expect(again.headers.get('etag')).toBe(etag);
        expect(again.headers.get('cache-control')).toBe('private, no-cache');
        expect(again.headers.get('x-request-id')).toMatch(REQUEST_ID);
        expectLimitHeaders(again, LIMIT);
      }
      const other = await ask(endpoint, request, { headers: { 'if-none-match': '"other"' } });
      expectSuccess(other, { list });
    });
  } else {
    test('has nothing that a condition could match', async () => {
      const answer = await ask(endpoint, await build(endpoint), { headers: { 'if-none-match': '*' } });
      expectSuccess(answer, { list });
    });
  }

  test('refuses an unknown parameter, and lists the known ones', async () => {
    const request = await buildToRefuse(endpoint);
    for (const query of ['no_such_filter=1', 'Limit=5', 'limit%20=5', 'api_key=x', '__proto__=1', 'constructor=1']) {
      const answer = await ask(endpoint, request, { query });
      expectRefusal(answer, 'unknown_parameter');
      expect(answer.json.error.param, query).toBe(decodeURIComponent(query.split('=')[0]!));
      for (const name of Object.keys(endpoint.params)) expect(answer.json.error.message).toContain(name);
    }
  });

  test('refuses every bad value of every parameter, names it and says what is allowed', async () => {
    const request = await buildToRefuse(endpoint);
    for (const [name, param] of Object.entries(endpoint.params)) {
      for (const value of badValues(param)) {
        const answer = await ask(endpoint, request, { query: `${name}=${encodeURIComponent(value)}` });
        expectRefusal(answer, 'invalid_parameter');
        expect(answer.json.error.param).toBe(name);
        expect(answer.json.error.message).toBe(`${name} must be ${param.allowed.en}`);
      }
      const cut = await ask(endpoint, request, { query: `${name}=%E0%A4%A` });
      expectRefusal(cut, 'invalid_parameter');
    }
  });

  test('refuses a parameter that occurs twice, even with the same value', async () => {
    const request = await buildToRefuse(endpoint);
    for (const [name, param] of Object.entries(endpoint.params)) {
      const value = encodeURIComponent(goodValue(param));
      const answer = await ask(endpoint, request, { query: `${name}=${value}&${name}=${value}` });
      expectRefusal(answer, 'invalid_parameter');
      expect(answer.json.error.param).toBe(name);
    }
  });

  test("returns the same 404 for a malformed id, an absent one and another account's", async () => {
    const request = await buildToRefuse(endpoint);
    const ids = [...endpoint.path.matchAll(/\{(\w+_id)\}/g)];
    const segments = endpoint.path.split('/');
    for (const [mark] of ids) {
      const place = segments.indexOf(mark!);
      const foreign = (await build(endpoint, stranger)).path.split('/')[place]!;
      const replies: unknown[] = [];
      // Auctions are visible in the whole network: another account's is one of the other network.
      await asOfDemo(api, [foreign], async () => {
        for (const id of ['not-a-uuid', '0', '%00', randomUUID(), foreign]) {
          const answer = await ask(endpoint, request, { path: (path) => path.split('/').with(place, id).join('/') });
          expectRefusal(answer, 'not_found');
          replies.push(answer.json.error);
        }
      });
      expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    }
  });
});

describe.each(named(lists))('%s as a list', (_, endpoint) => {
  test('returns the first 25 records by default', async () => {
    const { json } = await ask(endpoint, await build(endpoint));
    expect(json.meta).toMatchObject({ limit: 25, offset: 0 });
  });

  test('accepts every limit from 1 to 100', async () => {
    for (const limit of [1, 2, 99, 100]) {
      const { json } = await ask(endpoint, await build(endpoint), { query: `limit=${limit}&offset=0` });
      expect(json.meta).toMatchObject({ limit, offset: 0 });
      expect(json.data.length).toBeLessThanOrEqual(limit);
    }
  });

  test.each(['0', '101', '500', '-1', '05', '+5', '%2B5', '5.0', '1e2', '', '%205', '1000000000', 'all'])(
    'refuses limit=%s instead of clamping it',
    async (limit) => {
      const answer = await ask(endpoint, await build(endpoint), { query: `limit=${limit}` });
      expectRefusal(answer, 'invalid_parameter');
      expect(answer.json.error).toMatchObject({ param: 'limit', message: 'limit must be a whole number from 1 to 100' });
    },
  );

  test.each(['-1', '05', '+5', '%2B5', '5.0', '1e2', '', '1000000000', 'x'])('refuses offset=%s', async (offset) => {
    const answer = await ask(endpoint, await build(endpoint), { query: `offset=${offset}` });
    expectRefusal(answer, 'invalid_parameter');
    expect(answer.json.error.param).toBe('offset');
  });

  test.each(['10001', '999999999'])('answers offset=%s, past the end, with an empty page', async (offset) => {
    const answer = await ask(endpoint, await build(endpoint), { query: `offset=${offset}` });
    expectSuccess(answer, { list: true });
    expect(answer.json).toMatchObject({ data: [], meta: { limit: 25, offset: Number(offset), count: 0 } });
    expect(answer.headers.get('link') ?? '').not.toContain('rel="next"');
  });
});

test('what the platform writes for a dealer is never cached: it has no ETag', () => {
  const ofPlatform = endpoints.filter(({ method, path }) => method === 'GET' && /^(?:wallet|membership)\b/.test(path));
  expect(ofPlatform.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['GET wallet', 'GET membership', 'GET membership/invoices']),
  );
  expect(ofPlatform.filter(hasEtag).map(({ id }) => id)).toEqual([]);
});
