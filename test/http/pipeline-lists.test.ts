// Walking lists as a client: linked pages, and ETags that change with the data.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/kit/db.ts';
import { sql } from '../../src/kit/sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { expectSuccess } from '../contract/expect.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';

const COUNT = 37;
let api: TestService;
let accountId: string;
let otherId: string;
let key: string;
/** Newest first; many share one time, so that only the id orders them. */
let ids: string[];

beforeAll(async () => {
  api = await testService({ env: { PUBLIC_URL: 'https://api.example.com/' } });
  accountId = await api.account();
  otherId = await api.account();
  key = (await api.key(accountId)).secret;
  const made: { id: string; created_at: Date; status: string }[] = [];
  for (let count = 0; count < COUNT; count += 1) {
    const created_at = new Date(Date.UTC(2026, 0, 1 + Math.floor(count / 10)));
    const status = count % 3 === 0 ? "Auction'da" : 'Stokta';
    const id = await api.vehicle(accountId, { created_at, status });
    await api.vehicle(otherId, { created_at, status });
    made.push({ id, created_at, status });
  }
  ids = made
    .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime() || (one.id < other.id ? 1 : -1))
    .map(({ id }) => id);
});
afterAll(() => api.close());

const linksOf = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    [...(answer.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]),
  );

const idsOf = (answer: Answer): string[] => answer.json.data.map((record: { id: string }) => record.id);

/** Follows one relation to its end. */
async function walk(first: string, rel: 'next' | 'prev'): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let target: string | undefined = first; target !== undefined; ) {
    const answer: Answer = await api.call(target, { key });
    expectSuccess(answer, { list: true });
    pages.push(answer);
    const url: string | undefined = linksOf(answer)[rel];
    if (url !== undefined) expect(url).toMatch(/^https:\/\/api\.example\.com\/api\/v1\/vehicles/);
    target = url?.replace('https://api.example.com', '');
    expect(pages.length).toBeLessThanOrEqual(COUNT + 1);
  }
  return pages;
}

describe('walking a list', () => {
  test.each([1, 3, 10, 36, 37, 38, 100])('by next, %i at a time, returns every record once, newest first', async (limit) => {
    const pages = await walk(`vehicles?limit=${limit}`, 'next');
    expect(pages.flatMap(idsOf)).toEqual(ids);
    expect(pages).toHaveLength(Math.ceil(COUNT / limit));
  });

  test.each([1, 5, 37])('by prev, %i at a time, returns every record once, from the end', async (limit) => {
    const last = Math.floor((COUNT - 1) / limit) * limit;
    const pages = await walk(`vehicles?limit=${limit}&offset=${last}`, 'prev');
    expect(pages.toReversed().flatMap(idsOf)).toEqual(ids);
  });

  test('keeps the filter and the spelling of the path it started with', async () => {
    for (const path of ['vehicles', 'vehicles.php']) {
      const pages = await walk(`${path}?status=Auction%E2%80%99da&limit=4`, 'next');
      expect(pages.flatMap(idsOf)).toHaveLength(13);
      for (const page of pages) {
        for (const record of page.json.data) expect(record.status).toBe("Auction'da");
        for (const url of Object.values(linksOf(page))) expect(new URL(url).pathname).toBe(`/api/v1/${path}`);
      }
    }
  });

  test('the first page has no prev, the last no next, a single page neither', async () => {
    const names = async (query: string) => Object.keys(linksOf(await api.call(`vehicles?${query}`, { key })));
    expect(await names('limit=10')).toEqual(['next']);
    expect(await names('limit=10&offset=10')).toEqual(['next', 'prev']);
    expect(await names('limit=10&offset=30')).toEqual(['prev']);
    expect(await names('limit=100')).toEqual([]);
    expect(await names(`limit=${COUNT}`)).toEqual([]);
    expect(await names('limit=10&offset=1000')).toEqual(['prev']);
  });

  test('a conditional reply has the same links as the full one', async () => {
    const whole = await api.call('vehicles?limit=10&offset=10', { key });
    const etag = whole.headers.get('etag')!;
    const unchanged = await api.call('vehicles?limit=10&offset=10', { key, headers: { 'if-none-match': etag } });
    expect(unchanged.status).toBe(304);
    expect(linksOf(unchanged)).toEqual(linksOf(whole));
  });

  test('the same query in another spelling has the same reply', async () => {
    const plain = await api.call("vehicles?status=Auction'da&limit=5", { key });
    for (const query of [
      'limit=5&status=Auction%27da',
      'status=Auction%CA%BCda&limit=5&offset=0',
      '&limit=5&&status=Auction%E2%80%98da&',
    ]) {
      const answer = await api.call(`vehicles?${query}`, { key });
      expect(answer.text).toBe(plain.text);
      expect(answer.headers.get('etag')).toBe(plain.headers.get('etag'));
    }
  });

  test("another account's records are in none of its pages", async () => {
    const other = (await api.key(otherId)).secret;
    const theirs = idsOf(await api.call('vehicles?limit=100', { key: other }));
    expect(theirs).toHaveLength(COUNT);
    expect(theirs.filter((id) => ids.includes(id))).toEqual([]);
  });
});

describe('an ETag', () => {
  const tagOf = async (path: string, secret: string) => (await api.call(path, { key: secret })).headers.get('etag')!;

  test('stays while nothing changes, and differs between pages, filters and accounts with other data', async () => {
    const paths = ['vehicles', 'vehicles?limit=5', 'vehicles?limit=5&offset=5', 'vehicles?status=Stokta', 'customers', 'account'];
    const tags: string[] = [];
    for (const path of paths) {
      tags.push(await tagOf(path, key));
      expect(await tagOf(path, key)).toBe(tags.at(-1));
    }
    expect(new Set(tags).size).toBe(paths.length);
    expect(await tagOf('vehicles', (await api.key(otherId)).secret)).not.toBe(tags[0]);
  });

  /** Writes as the panel of another process would, or through the service's own database. */
  async function tagsThroughChanges(owner: string, database: Database, settle: () => Promise<void>): Promise<string[]> {
    const secret = (await api.key(owner)).secret;
    const id = await api.vehicle(owner);
    await api.vehicle(owner);
    await settle();
    const tags = [await tagOf('vehicles', secret)];
    for (const change of [
      sql`update vehicles set km = km + 1 where account_id = ${owner} and id = ${id}`,
      sql`update vehicles set deleted_at = now() where account_id = ${owner} and id = ${id}`,
      sql`update vehicles set deleted_at = null, km = km - 1 where account_id = ${owner} and id = ${id}`,
    ]) {
      await database.inTenant(owner, 'write', (db) => db.exec(change));
      await settle();
      tags.push(await tagOf('vehicles', secret));
    }
    return tags;
  }

  test('of a list changes at once when a record is changed or deleted, and returns with the data', async () => {
    const tags = await tagsThroughChanges(await api.account(), api.database, async () => {});
    expect(new Set(tags.slice(0, 3)).size).toBe(3);
    expect(tags[3]).toBe(tags[0]);
  });

  test('of a list changes after a write that another process made', async () => {
    const elsewhere = openDatabase(api.urls);
    try {
      const tags = await tagsThroughChanges(await api.account(), elsewhere, () => api.settled());
      expect(new Set(tags.slice(0, 3)).size).toBe(3);
      expect(tags[3]).toBe(tags[0]);
    } finally {
      await elsewhere.close();
    }
  });

  test('that is outdated returns the list', async () => {
    const owner = await api.account();
    const secret = (await api.key(owner)).secret;
    const etag = await tagOf('vehicles', secret);
    await api.vehicle(owner);
    const answer = await api.call('vehicles', { key: secret, headers: { 'if-none-match': etag } });
    expectSuccess(answer, { list: true });
    expect(answer.json.meta.count).toBe(1);
  });

  test('of the account changes when the account or the calling key does, not between calls', async () => {
    const owner = await api.account();
    const one = (await api.key(owner)).secret;
    const other = (await api.key(owner)).secret;
    const first = await tagOf('account', one);
    expect(await tagOf('account', one)).toBe(first);
    expect(await tagOf('account', other)).not.toBe(first);
    await api.database.onPlatform('write', (db) => db.exec(sql`update accounts set city = 'Güzelyurt' where id = ${owner}`));
    await api.settled();
    expect(await tagOf('account', one)).not.toBe(first);
  });

  test('of another reply, or an invalid list of tags, does not match', async () => {
    const etag = await tagOf('vehicles', key);
    for (const sent of ['"x"', etag.slice(1, -1), `${etag.slice(0, -1)}x"`, '', 'W/']) {
      const answer = await api.call('vehicles', { key, headers: { 'if-none-match': sent } });
      expect(answer.status, sent).toBe(200);
    }
  });
});
