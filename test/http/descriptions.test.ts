// /openapi.json and /postman.json: counted like any request of a key, generated once for each set of endpoints.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { createDescriptions } from '../../src/http/docs/openapi/descriptions.ts';
import { buildOpenApi } from '../../src/http/docs/openapi/openapi.ts';
import { postmanOf } from '../../src/http/docs/openapi/postman.ts';
import { sql } from '../../src/kit/sql.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';

const endpoints = apiEndpoints(resources);
const options = { publicUrl: 'https://galeri.example', isLive: () => true, today: '2026-01-15' };

describe('with a key', () => {
  let api: TestService;
  let accountId: string;
  beforeAll(async () => {
    api = await testService();
    accountId = await api.account();
  });
  afterAll(() => api.close());

  test.each(['/openapi.json', '/postman.json'])('%s counts towards the limit and is in the log', async (path) => {
    const { id, secret: key } = await api.key(accountId, { limitPerMinute: 2 });
    const first = await api.call(path, { key });
    expect([first.status, first.headers.get('x-ratelimit-remaining'), first.headers.get('cache-control')]).toEqual([
      200,
      '1',
      'private, no-store',
    ]);
    expect((await api.call('vehicles', { key })).status).toBe(200);
    const refused = await api.call(path, { key });
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await api.service.parts.requestLog.flush();
    const lines = await api.database.onPlatform('read', (db) =>
      db.rows(sql`select path, status from request_logs where key_id = ${id} order by request_id`),
    );
    expect(lines).toEqual([
      { path, status: 200 },
      { path: '/api/v1/vehicles', status: 200 },
      { path, status: 429 },
    ]);
  });

  test('a refusal has one request id', async () => {
    for (const key of ['wrong', 'gal_prod_00000000000000000000000000000000000000']) {
      const refused = await api.call('/openapi.json', { key });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('x-request-id')).toBe(refused.json.meta.request_id);
    }
  });
});

describe('a description', () => {
  test('is the text of the document, byte for byte', async () => {
    const descriptions = createDescriptions(endpoints);
    const document = buildOpenApi(endpoints, options);
    expect((await descriptions.get('openapi', options, 'a')).plain.toString()).toBe(JSON.stringify(document));
    expect((await descriptions.get('postman', options, 'a')).plain.toString()).toBe(JSON.stringify(postmanOf(document)));
  });

  test('is generated in pieces, between which other requests are served', async () => {
    const make = (today: string) => createDescriptions(endpoints).get('postman', { ...options, today }, 'a');
    // The first one compiles code and keeps parts for the next.
    await make('2026-01-17');
    const pieces: number[] = [];
    let last = process.threadCpuUsage();
    let isOver = false;
    const look = () => {
      const { user, system } = process.threadCpuUsage(last);
      last = process.threadCpuUsage();
      pieces.push(user + system);
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await make('2026-01-18');
    isOver = true;
    // What remains are looks while nothing is done.
    const busy = pieces.filter((microseconds) => microseconds > 1000);
    const total = busy.reduce((sum, piece) => sum + piece, 0);
    expect(Math.max(...busy) / total).toBeLessThan(0.6);
  });

  test('is generated once for a set of endpoints, also for concurrent requests; another set, release or day is another', async () => {
    const descriptions = createDescriptions(endpoints);
    const reads = { ...options, only: ({ method }: { readonly method: string }) => method === 'GET' };
    const [first, second, third] = await Promise.all(['a', 'b', 'a'].map((owner) => descriptions.get('openapi', reads, owner)));
    expect(second).toBe(first);
    expect(third).toBe(first);
    expect(await descriptions.get('openapi', { ...reads }, 'c')).toBe(first);
    for (const other of [options, { ...reads, isLive: () => false }, { ...reads, today: '2026-01-16' }])
      expect(await descriptions.get('openapi', other, 'a')).not.toBe(first);
  });
});
