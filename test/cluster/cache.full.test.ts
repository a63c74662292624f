// The response cache under writes from two nodes: never older than what was acknowledged on the node, nor than a second
// elsewhere.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { post, resource } from '../../src/kit/endpoint.ts';
import { integer, object } from '../../src/kit/schema.ts';
import { type Statement, sql, theAccount } from '../../src/kit/sql.ts';
import { resources as realResources } from '../../src/resources/index.ts';
import { until } from '../support/patience.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import type { TestService } from '../support/service.ts';
import { type Cluster, openCluster, plainGet } from './nodes.ts';

const BUMP = sql`update vehicles set km = km + 1 where account_id = ${theAccount} returning km`;

const resources = [
  ...realResources,
  resource('Vehicles', 'Araçlar', [
    post('bump', 'vehicles:write', 'write', 'Aktif', ['Bump', 'Artır'], {
      returns: object({ km: integer() }),
      run: ({ db }) => db.one<{ km: number }>(BUMP),
    }),
  ]),
];

/** Lists read from the database, by any node; and a way to make the next read slow, with the data of its start. */
let lists = 0;
let slowNext = false;
const watch = (statement: Statement): Statement => {
  if (!statement.text.includes('array_to_string(lines')) return statement;
  lists += 1;
  if (!slowNext) return statement;
  slowNext = false;
  return { ...statement, text: `${statement.text} where (select pg_sleep(3)) is not null` };
};

describe.skipIf(isRedisMissing())('the response cache of two nodes', () => {
  let redis: TestRedis;
  let cluster: Cluster;
  let nodes: Cluster['nodes'];
  let accountId: string;
  let secret: string;
  beforeAll(async () => {
    redis = await startRedis();
    cluster = await openCluster({ redisUrl: redis.url, resources, watch });
    nodes = cluster.nodes;
  });
  afterAll(async () => {
    await cluster?.close();
    await redis?.stop();
  });
  beforeEach(async () => {
    accountId = await nodes[0].account();
    secret = (
      await nodes[0].key(accountId, { endpoints: ['GET vehicles', 'POST bump', 'GET customers'], limitPerMinute: 1_000_000 })
    ).secret;
    await nodes[0].vehicle(accountId, { km: 0 });
    await settled();
  });
  afterEach(async () => {
    for (const cable of cluster.cables) {
      cable.slow(0);
      cable.mend();
    }
    await settled();
  });

  const settled = async () => {
    await Promise.all(nodes.map((node) => node.settled()));
  };
  const get = (node: TestService, headers: Record<string, string> = {}, path = 'vehicles', key = secret) =>
    plainGet(`${node.service.url}/api/v1/${path}`, { authorization: `Bearer ${key}`, ...headers });
  const kmAt = async (node: TestService, headers?: Record<string, string>) => {
    const { status, text } = await get(node, headers);
    expect(status).toBe(200);
    return kmOf(text);
  };
  const kmOf = (text: string) => JSON.parse(text).data[0].km as number;
  /** Resolves when it is acknowledged. */
  const write = async (node: TestService) =>
    (await node.database.inTenant(accountId, 'write', (db) => db.one<{ km: number }>(BUMP))).km;

  describe('cached replies', () => {
    test('an unchanged list is read once, in any spelling, and answered 304 without the database', async () => {
      const [node] = nodes;
      await until(async () => {
        const first = await get(node, {}, 'vehicles?limit=10&status=Stokta');
        const before = lists;
        const etag = first.headers.etag!;
        const again = await get(node, {}, 'vehicles?status=Stokta&limit=10');
        const alias = await get(node, {}, 'vehicles.php?status=%53tokta&limit=10');
        const unchanged = await get(node, { 'if-none-match': etag }, 'vehicles?limit=10&status=Stokta');
        expect([again.text, alias.text]).toEqual([first.text, first.text]);
        expect([again.headers.etag, unchanged.headers.etag]).toEqual([etag, etag]);
        expect(unchanged.status).toBe(304);
        expect(unchanged.text).toBe('');
        return lists === before;
      }, 'three answers from memory');
    });

    test('another limit, filter, endpoint or account is another entry', async () => {
      const [node] = nodes;
      const other = await node.account();
      const { secret: theirs } = await node.key(other);
      await node.vehicle(other, { brand: 'Theirs' });
      await node.customer(accountId);
      await settled();
      const texts = new Set<string>();
      for (const path of [
        'vehicles',
        'vehicles?limit=1',
        'vehicles?limit=1&offset=1',
        'vehicles?status=Rezerve',
        'vehicles?brand=x&limit=2',
        'customers',
      ]) {
        for (let time = 0; time < 2; time += 1) texts.add((await get(node, {}, path)).text);
      }
      expect(texts.size).toBe(6);
      expect((await get(node, {}, 'vehicles', theirs)).text).toContain('Theirs');
      expect((await get(node)).text).not.toContain('Theirs');
    });

    test('the same data has the same ETag on both nodes; a change gives another', async () => {
      const etags = await Promise.all(nodes.map(async (node) => (await get(node)).headers.etag));
      expect(etags[0]).toMatch(/^"[\w-]{27}"$/);
      expect(etags[1]).toBe(etags[0]);
      await write(nodes[1]);
      await settled();
      const changed = await Promise.all(nodes.map((node) => get(node, { 'if-none-match': etags[0]! })));
      for (const { status, headers } of changed) {
        expect(status).toBe(200);
        expect(headers.etag).not.toBe(etags[0]);
      }
      expect(changed[1]!.headers.etag).toBe(changed[0]!.headers.etag);
    });
  });

  describe('random writes on both nodes', () => {
    interface Ack {
      readonly node: number;
      readonly km: number;
      readonly at: number;
    }
    interface Read {
      readonly node: number;
      readonly km: number;
      readonly sentAt: number;
      readonly status: number;
    }
    const acks: Ack[] = [];
    const reads: Read[] = [];

    const floor = ({ node, sentAt }: Read, same: boolean): number =>
      Math.max(
        0,
        ...acks.filter((ack) => (ack.node === node) === same && ack.at <= sentAt - (same ? 0 : 1000)).map(({ km }) => km),
      );

    test('run', async () => {
      const end = performance.now() + 8000;
      let writers = 2;
      const writer = async (place: number) => {
        while (performance.now() < end || acks.length <= 40) {
          const km = await write(nodes[place]!);
          acks.push({ node: place, km, at: performance.now() });
          await wait(Math.random() < 0.7 ? Math.random() * 15 : Math.random() * 500);
        }
        writers -= 1;
      };
      const isRead = () =>
        writers === 0 && performance.now() > acks.at(-1)!.at + 1200 && reads.filter(({ status }) => status === 304).length > 20;
      const reader = async (place: number) => {
        const known = new Map<string, number>();
        let etag: string | null = null;
        while (!isRead()) {
          const sentAt = performance.now();
          const { status, headers, text } = await get(
            nodes[place]!,
            etag === null || Math.random() < 0.3 ? {} : { 'if-none-match': etag },
          );
          etag = headers.etag!;
          // Unchanged: the reply for that tag is still valid.
          const km = status === 304 ? known.get(etag)! : kmOf(text);
          known.set(etag, km);
          reads.push({ node: place, km, sentAt, status });
          await wait(Math.random() * 6);
        }
      };
      await Promise.all([writer(0), writer(1), reader(0), reader(0), reader(1), reader(1)]);
      const newest = Math.max(...acks.map(({ km }) => km));
      for (const node of nodes) expect(await kmAt(node)).toBe(newest);
    });

    test('no reader got data a second older than a write acknowledged on the other node, nor a 304 for it', () => {
      expect(reads.filter((read) => read.km < floor(read, false))).toEqual([]);
    });

    test('no reader got data older than a write acknowledged on the same node, nor a 304 for it', () => {
      expect(reads.filter((read) => read.km < floor(read, true))).toEqual([]);
    });
  });

  describe('while the notification is delayed', () => {
    test('a write is seen on its own node as soon as it is acknowledged', async () => {
      cluster.cables[0].slow(150);
      await settled();
      for (let time = 0; time < 5; time += 1) {
        const etag = (await get(nodes[0])).headers.etag!;
        const km = await write(nodes[0]);
        expect((await get(nodes[0], { 'if-none-match': etag })).status).toBe(200);
        expect(await kmAt(nodes[0])).toBe(km);
        await settled();
      }
    });

    test('so is one through the API', async () => {
      cluster.cables[0].slow(150);
      await settled();
      for (let time = 0; time < 5; time += 1) {
        await get(nodes[0]);
        const { json } = await nodes[0].call('bump', { key: secret, method: 'POST' });
        expect(await kmAt(nodes[0])).toBe(json.data.km);
        await settled();
      }
    });

    test('Cache-Control: no-cache bypasses the cache', async () => {
      cluster.cables[1].slow(200);
      await settled();
      for (let time = 0; time < 5; time += 1) {
        await get(nodes[1]);
        const km = await write(nodes[0]);
        expect(await kmAt(nodes[1], { 'cache-control': 'no-cache' })).toBe(km);
        expect(await kmAt(nodes[1], { 'cache-control': 'max-age=0, no-cache' })).toBe(km);
        await settled();
      }
    });
  });

  describe('when the channel is lost', () => {
    const cut = async () => {
      cluster.cables[1].cut();
      await until(() => !nodes[1].service.changes.isCurrent(), 'the loss is noticed');
    };
    const mend = async () => {
      cluster.cables[1].mend();
      await until(() => nodes[1].service.changes.isCurrent(), 'the channel is back');
    };

    test('nothing is answered from memory, and nothing old afterwards', async () => {
      const etag = (await get(nodes[1])).headers.etag!;
      await cut();
      const first = await write(nodes[0]);
      expect(await kmAt(nodes[1])).toBe(first);
      expect((await get(nodes[1], { 'if-none-match': etag })).status).toBe(200);
      const second = await write(nodes[0]);
      expect(await kmAt(nodes[1])).toBe(second);
      const third = await write(nodes[0]);
      await mend();
      expect(await kmAt(nodes[1])).toBe(third);
    });

    test('a hanging channel is not trusted either', async () => {
      await get(nodes[1]);
      cluster.cables[1].hang();
      try {
        const km = await write(nodes[0]);
        await wait(1000);
        expect(await kmAt(nodes[1])).toBe(km);
      } finally {
        cluster.cables[1].cut();
      }
    });

    test('a page whose read was in progress is not cached', async () => {
      await cut();
      slowNext = true;
      const slow = get(nodes[1]);
      await until(() => !slowNext, 'it is being read');
      await wait(100);
      const km = await write(nodes[0]);
      await mend();
      // It started before the write, so it may be old.
      expect((await slow).status).toBe(200);
      await wait(1000);
      expect(await kmAt(nodes[1])).toBe(km);
    });
  });
});
