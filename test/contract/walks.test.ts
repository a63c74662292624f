// Walks every list of the catalog from its start to its end: each record exactly once, with a cursor that is valid for that list
// only.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiEndpoint, apiEndpoints, isList } from '../../src/http/api/api-endpoints.ts';
import { signCursor } from '../../src/http/api/cursor.ts';
import { resources } from '../../src/resources/index.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { expectRefusal, expectSuccess } from './expect.ts';
import { MORE_RECORDS } from './more-records.ts';
import { makeWorld, REQUESTS, type World } from './requests.ts';

const endpoints = apiEndpoints(resources).filter((endpoint) => endpoint.body !== null);
const lists = endpoints.filter((endpoint) => isList(endpoint.body));

let api: TestService;
let world: World;
let stranger: World;
beforeAll(async () => {
  api = await testService();
  const ids = endpoints.map((endpoint) => endpoint.id);
  await api.release('Aktif', ...ids);
  world = await makeWorld(api, ids);
  stranger = await makeWorld(api, ids);
});
afterAll(() => api.close());

/** The list's path with at least three records. */
async function filled(endpoint: ApiEndpoint, whose = world): Promise<(query: string) => string> {
  const { path, query = '' } = await REQUESTS[endpoint.id]!(whose);
  const changed = await MORE_RECORDS[endpoint.id]!(whose, path);
  await api.logged();
  return (more) => `${path}?${[changed ?? query, more].filter((part) => part !== '').join('&')}`;
}

const read = (path: string, key = world.key, headers: Record<string, string> = {}): Promise<Answer> =>
  api.call(path, { key, headers });

const nextOf = ({ headers }: Answer): string | null =>
  /<[^>]*\/api\/v1\/([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;

const nameOf = (item: Record<string, string>): string => item.id ?? item.request_id ?? item.rate_date!;

async function walk(from: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let next: string | null = from; next !== null; next = nextOf(pages.at(-1)!)) {
    expect(pages.length).toBeLessThan(500);
    pages.push(await read(next));
    expectSuccess(pages.at(-1)!, { list: true });
  }
  return pages;
}

describe.each(lists.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  test('a walk returns every record exactly once and ends', async () => {
    const at = await filled(endpoint);
    const known: string[] = (await read(at('limit=100'))).json.data.map(nameOf);
    expect(known.length).toBeGreaterThan(2);
    const limit = Math.max(1, Math.floor(known.length / 3));
    const pages = await walk(at(`limit=${limit}&cursor=start`));
    for (const page of pages) expect(page.json.meta).toEqual({ limit, offset: 0, count: page.json.data.length });
    const seen: string[] = pages.flatMap(({ json }) => json.data.map(nameOf));
    expect(new Set(seen).size).toBe(seen.length);
    // The requests of this test are in the request log themselves.
    if (id === 'GET developer/request-logs') expect(seen).toEqual(expect.arrayContaining(known));
    else expect(seen.toSorted()).toEqual(known.toSorted());
  });

  test('a page of a walk has the ETag of the list, and keeps it', async () => {
    const at = await filled(endpoint);
    const first = await read(at('limit=1&cursor=start'));
    const second = await read(nextOf(first)!);
    const etag = second.headers.get('etag');
    expect(etag === null).toBe(endpoint.body!.fresh === true);
    if (etag === null) return;
    const again = await read(nextOf(await read(at('limit=1&cursor=start')))!, world.key, { 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(nextOf(again)).not.toBeNull();
  });

  test('refuses a cursor that is forged, old, combined with an offset, or of another list, filter or account', async () => {
    const at = await filled(endpoint);
    const cursor = new URLSearchParams(nextOf(await read(at('limit=1&cursor=start')))!.split('?')[1]).get('cursor')!;
    const reply = await read(at(`limit=1&cursor=${cursor}`));
    expectSuccess(reply, { list: true });
    const theirs = await filled(endpoint, stranger);
    const other = lists.find((one) => one !== endpoint && !one.path.includes('{') && !('pair' in one.params))!;
    const list = 'limit' in endpoint.params && !endpoint.path.includes('{') ? JSON.stringify([world.accountId, id, {}, '']) : '';
    const old = signCursor(api.secrets.cursors, list, ['2026-01-01', world.vehicleId], new Date(Date.now() - 86_400_001));
    const answers = [
      await read(at(`cursor=${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`)),
      await read(at(`cursor=X${cursor}`)),
      await read(at('cursor=end')),
      await read(at(`cursor=${old}`)),
      await read(at(`cursor=${cursor}&offset=0`)),
      await read(at('cursor=start&offset=10')),
      await read(`${other.path}?cursor=${cursor}`),
      await read(theirs(`cursor=${cursor}`), stranger.key),
    ];
    for (const answer of answers) {
      expectRefusal(answer, 'invalid_parameter');
      expect(answer.json.error.param).toBe('cursor');
    }
  });
});

test('a cursor is valid for the filters it was issued for, in any spelling', async () => {
  await Promise.all([1, 2, 3].map(() => api.vehicle(world.accountId, { city: 'Girne' })));
  const next = nextOf(await read('vehicles?city=Girne&status=Stokta&limit=1&cursor=start'))!;
  const cursor = new URLSearchParams(next.split('?')[1]).get('cursor')!;
  expectSuccess(await read(`vehicles?status=Stokta&limit=2&cursor=${cursor}&city=Gi%72ne`), { list: true });
  for (const query of ['city=Girne', 'city=Lefke&status=Stokta', 'status=Stokta'])
    expectRefusal(await read(`vehicles?${query}&cursor=${cursor}`), 'invalid_parameter');
});

test('a walk is unaffected by records that are added, removed and changed during it', async () => {
  const { accountId, key } = await makeWorld(
    api,
    endpoints.map(({ id }) => id),
  );
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) ids.push(await api.vehicle(accountId));
  const stays = new Set(ids.filter((_, index) => index % 4 !== 0));
  const seen: string[] = [];
  let next: string | null = 'vehicles?limit=3&cursor=start';
  for (let page = 0; next !== null; page += 1) {
    const answer: Answer = await read(next, key);
    seen.push(...answer.json.data.map(nameOf));
    next = nextOf(answer);
    await api.vehicle(accountId);
    const headers = { 'content-type': 'application/json' };
    await api.call(`vehicles/${ids[1]}`, { key, method: 'PATCH', headers, body: JSON.stringify({ km: page + 1 }) });
    if (page < 3) await api.call(`vehicles/${ids[page * 4]}`, { key, method: 'DELETE' });
  }
  expect(seen.filter((id) => stays.has(id)).toSorted()).toEqual([...stays].toSorted());
});
