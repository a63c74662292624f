// What a mirror relies on, over every list of the catalog: a list of records that change takes `updated_since`, an edited record
// appears again as the last of its walk, and no write that commits late is passed over.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiEndpoint, apiEndpoints, isList } from '../../src/http/api/api-endpoints.ts';
import { type Sql, sql, theAccount } from '../../src/kit/sql.ts';
import type { Work } from '../../src/kit/work.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { expectSuccess } from './expect.ts';
import { makeWorld, neededHeaders, REQUESTS, type World } from './requests.ts';

/** Lists without `updated_since`, and why. */
const WITHOUT: Readonly<
  Record<string, 'never changes' | 'only read or unread' | 'raises its parent' | 'view' | 'of several dealers' | 'short'>
> = {
  'GET account/branches': 'short',
  'GET customers/{customer_id}/activity': 'never changes',
  'GET developer/request-logs': 'never changes',
  'GET document-templates': 'never changes',
  'GET exchange-rates/history': 'never changes',
  'GET import/runs/{run_id}/errors': 'raises its parent',
  'GET installments/overdue': 'view',
  'GET installments/upcoming': 'view',
  'GET live-auctions': 'of several dealers',
  'GET live-auctions/{event_id}/lots': 'of several dealers',
  'GET marketplace/listings': 'view',
  'GET network-auctions': 'of several dealers',
  'GET network-auctions/{auction_id}/bids': 'never changes',
  'GET network-offers': 'of several dealers',
  'GET network-offers/received': 'of several dealers',
  'GET vehicles/{vehicle_id}/network-offers': 'of several dealers',
  'GET notifications': 'only read or unread',
  'GET sale-documents/{document_id}/events': 'never changes',
  'GET trade-requests': 'of several dealers',
  'GET vehicles/{vehicle_id}/history': 'never changes',
  'GET vehicles/{vehicle_id}/photos': 'raises its parent',
  'GET vehicles/{vehicle_id}/videos': 'raises its parent',
  'GET wallet/transactions': 'never changes',
  'GET webhooks/{webhook_id}/deliveries': 'view',
};

/** A write that changes a record of the list; by default the id in its path is that of the record. */
const CHANGES: Readonly<Record<string, { readonly by: string; readonly id?: 'plan_id' | 'last'; readonly query?: string }>> = {
  'GET vehicles': { by: 'PATCH vehicles/{vehicle_id}' },
  'GET customers': { by: 'PATCH customers/{customer_id}' },
  'GET sales': { by: 'PATCH sales/{sale_id}' },
  'GET installment-plans': { by: 'PATCH installments/{installment_id}', id: 'plan_id' },
  'GET collections': { by: 'POST collections/{collection_id}/reverse' },
  'GET payment-promises': { by: 'PATCH payment-promises/{promise_id}' },
  'GET promissory-notes': { by: 'PATCH promissory-notes/{note_id}' },
  'GET documents': { by: 'DELETE documents/{document_id}', query: 'deleted=true' },
  'GET tasks': { by: 'DELETE tasks/{task_id}', query: 'deleted=true' },
  'GET boost-orders': { by: 'DELETE boost-orders/{order_id}' },
  'GET auction-requests': { by: 'PATCH auction-requests/{request_id}' },
  'GET import/connectors': { by: 'PATCH import/connectors/{connector_id}' },
  'GET webhooks': { by: 'PATCH webhooks/{webhook_id}' },
  'GET customers/{customer_id}/guarantors': { by: 'PATCH guarantors/{guarantor_id}' },
  'GET marketplace/listings/{listing_id}/offers': {
    by: 'POST marketplace/listings/{listing_id}/offers/{offer_id}/reject',
    id: 'last',
  },
};

const endpoints = apiEndpoints(resources);
const lists = endpoints.filter(({ body }) => isList(body));
const isSynced = ({ body }: ApiEndpoint): boolean => isList(body) && body.synced === true;

let api: TestService;
let world: World;
beforeAll(async () => {
  api = await testService();
  const ids = endpoints.map(({ id }) => id);
  await api.release('Aktif', ...ids);
  world = await makeWorld(api, ids);
});
afterAll(() => api.close());

interface Listed {
  readonly id: string;
  readonly updated_at: string;
}

const changedSince = async (path: string, since: string, query = ''): Promise<Listed[]> => {
  const found: Listed[] = [];
  const more = query === '' ? '' : `&${query}`;
  for (let next: string | null = `${path}?limit=20&cursor=start&updated_since=${since}${more}`; next !== null; ) {
    const answer = await api.call(next, { key: world.key });
    expectSuccess(answer, { list: true });
    found.push(...answer.json.data);
    next = /<[^>]*\/api\/v1\/([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
  }
  return found;
};

test('every list has updated_since, or a reason why it has not', () => {
  expect(
    lists
      .filter((list) => !isSynced(list))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(Object.keys(WITHOUT).toSorted());
  for (const { id, params } of lists) expect([id, 'updated_since' in params]).toEqual([id, !(id in WITHOUT)]);
});

describe.each(lists.filter(isSynced).map((list) => [list.id, list] as const))('%s', (id) => {
  test('lists what changed, in the order in which it changed', async () => {
    const { path } = await REQUESTS[id]!(world);
    const all = await changedSince(path, '2000-01-01');
    expect(all.length).toBeGreaterThan(0);
    const times = all.map(({ updated_at }) => updated_at);
    expect(times).toEqual(times.toSorted());
    expect(await changedSince(path, '2999-01-01')).toEqual([]);
  });

  const change = CHANGES[id];
  test.skipIf(change === undefined)('lists a record again after its change, later than all others', async () => {
    const { by, id: named, query } = change!;
    const endpoint = endpoints.find((one) => one.id === by)!;
    const own = named === 'last' ? null : (await REQUESTS[id]!(world)).path;
    const request = await REQUESTS[by]!(world);
    const path = own ?? request.path.split('/').slice(0, 4).join('/');
    const before = (await changedSince(path, '2000-01-01')).at(-1)?.updated_at ?? '2000-01-01';
    const answer = await api.call(request.path, {
      key: world.key,
      method: endpoint.method,
      headers: { ...neededHeaders(endpoint), ...(request.body ? { 'content-type': 'application/json' } : {}) },
      ...(request.body ? { body: JSON.stringify(request.body) } : {}),
    });
    expect([answer.status, answer.status < 300 ? '' : answer.text]).toEqual([endpoint.body!.successStatus ?? 200, '']);
    const parts = request.path.split('/');
    const place = by
      .split(' ')[1]!
      .split('/')
      .findLastIndex((part) => part.startsWith('{'));
    const changed = named === 'plan_id' ? answer.json.data.plan_id : parts[place];
    const again = await changedSince(path, before, query);
    const shown = again.find((one) => one.id === changed)!;
    expect(shown.updated_at > before).toBe(true);
    expect(shown.updated_at).toBe(again.at(-1)!.updated_at);
  });
});

/** A write that changes the record and waits before it ends. */
function lateWrite(change: (work: Work) => Sql) {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: hasStarted, resolve: started } = Promise.withResolvers<void>();
  onTestFinished(() => letGo());
  const account = { id: world.accountId, timezone: 'UTC' };
  const call = { dataSet: world.accountId, account, actor: { type: 'system', name: 'test' }, now: new Date() } as const;
  const done = testWriter({ database: api.database, secrets: api.secrets }).write(call, async (work) => {
    await work.db.exec(change(work));
    started();
    await gate;
  });
  return { hasStarted, letGo, done };
}

test('a write that commits late is not passed over', async () => {
  const newTask = async () => {
    const { path } = await REQUESTS['PATCH tasks/{task_id}']!(world);
    return path.split('/')[1]!;
  };
  const [late, early] = [await newTask(), await newTask()];
  const write = lateWrite(
    ({ updatedAt }) =>
      sql`update tasks set title = 'late', updated_at = ${updatedAt()} where account_id = ${theAccount} and id = ${late}`,
  );
  await write.hasStarted;
  const headers = { 'content-type': 'application/json' };
  await api.call(`tasks/${early}`, { key: world.key, method: 'PATCH', headers, body: '{"title":"early"}' });
  const since = (await changedSince('tasks', '2000-01-01')).at(-1)!;
  expect(since.id).toBe(early);
  write.letGo();
  await write.done;
  const next = (await changedSince('tasks', since.updated_at)).map(({ id }) => id);
  expect(next).toEqual([early, late]);
});

/** Tables that no list with `updated_since` reads, or whose lists are read by several dealers. */
const OTHER_FILES = [
  /^accounts\//,
  /^auctions\/(live-|network-auction|auction-end|bids)/,
  /^identity\//,
  /^keys\//,
  /^media\//,
  /^membership\/membership\.ts$/,
  /^network\//,
  /^papers\//,
  /^releases\//,
  /^showroom\//,
  /^stock\/(listings|reservations|vehicle)\.ts$/,
  /^customers\/customer\.ts$/,
  /^enquiries\//,
  /^wallet\/topup-decision\.ts$/,
];

test('every updated_at that such a list shows is the stamp of its write', () => {
  const folder = join(import.meta.dirname, '../../src/domain');
  const wrong = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !OTHER_FILES.some((pattern) => pattern.test(file)))
    .flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /updated_at(?: = \$\{|: )(?!STAMP|(?:work\.)?updatedAt\(\)|timestamp\(\))[\w.]*now\b.*/g,
        ),
      ].map(([text]) => `${file}: ${text}`),
    );
  expect(wrong).toEqual([]);
});

describe.each(lists.filter(isSynced).map((list) => [list.id, list] as const))('%s', (id, { body, params }) => {
  test('returns only the fields that are asked for, and refuses others', async () => {
    const { path } = await REQUESTS[id]!(world);
    const whole = (await api.call(path, { key: world.key })).json.data;
    const answer = await api.call(`${path}?fields=updated_at,id`, { key: world.key });
    expectSuccess(answer, { list: true });
    expect(answer.json.data).toEqual(whole.map(({ id: one, updated_at }: Listed) => ({ updated_at, id: one })));
    for (const fields of ['', 'secret', 'id,id', 'id,'])
      expect((await api.call(`${path}?fields=${fields}`, { key: world.key })).json.error.param).toBe('fields');
  });

  test.skipIf(!(isList(body) && body.sorts))('is sorted as asked for, except in a walk', async () => {
    const { path } = await REQUESTS[id]!(world);
    for (const column of ['created_at', 'updated_at'] as const) {
      const timesOf = async (sort: string): Promise<string[]> =>
        (await api.call(`${path}?sort=${sort}`, { key: world.key })).json.data.map((one: Record<string, string>) => one[column]);
      expect(await timesOf(column)).toEqual((await timesOf(column)).toSorted());
      expect(await timesOf(`-${column}`)).toEqual((await timesOf(`-${column}`)).toSorted().toReversed());
    }
    expect((await api.call(`${path}?sort=created_at&cursor=start`, { key: world.key })).json.error.param).toBe('sort');
    expect('sort' in params).toBe(true);
  });
});
