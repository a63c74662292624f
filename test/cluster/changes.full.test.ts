// A change takes effect on every node within a second of its commit, with and without the change channel.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, newSecret } from '../../src/domain/keys/key-secret.ts';
import { limitKey, revokeKey, rotateKey } from '../../src/domain/keys/keys.ts';
import { setRelease } from '../../src/domain/releases/releases.ts';
import { post, resource } from '../../src/kit/endpoint.ts';
import { newId } from '../../src/kit/ids.ts';
import { object, text } from '../../src/kit/schema.ts';
import { type Statement, sql } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources as realResources } from '../../src/resources/index.ts';
import { until } from '../support/patience.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { type Answer, TEST_ACTOR, type TestService } from '../support/service.ts';
import { type Cluster, metricOf, openCluster } from './nodes.ts';

/** Makes the lookup of a key take four seconds, with the data of its start. */
let slowLookUps = false;
const watch = (statement: Statement): Statement =>
  slowLookUps && statement.text.includes('from key_secrets s')
    ? { ...statement, text: `${statement.text} and (select pg_sleep(4)) is not null` }
    : statement;

/** The real catalog and one endpoint that writes, since suspended accounts can still read. */
const resources = [
  ...realResources,
  resource('Vehicles', 'Araçlar', [
    post('touch', 'vehicles:write', 'write', 'Aktif', ['Touch', 'Dokun'], {
      returns: object({ done: text() }),
      run: async () => ({ done: 'yes' }),
    }),
  ]),
];
const vehicleEndpoints = realResources.flatMap(({ endpoints }) => endpoints).filter(({ id }) => id === 'GET vehicles');

const BOUND_MS = 1000;

interface Watched {
  readonly node: number;
  readonly sentAt: number;
  readonly answer: Answer;
}

describe.skipIf(isRedisMissing())('changes on two nodes', () => {
  let redis: TestRedis;
  let cluster: Cluster;
  let admin: Session;
  let accountId: string;
  beforeAll(async () => {
    redis = await startRedis();
    cluster = await openCluster({ redisUrl: redis.url, resources, watch });
    admin = await openSession(cluster.base.adminUrl);
    accountId = await cluster.nodes[0].account();
    await cluster.nodes[0].vehicle(accountId);
  });
  afterAll(async () => {
    await admin?.close();
    await cluster?.close();
    await redis?.stop();
  });

  const everyEndpoint = [...resources.flatMap(({ endpoints }) => endpoints).map(({ id }) => id)];
  const newKey = (overrides: Parameters<TestService['key']>[1] = {}) =>
    cluster.nodes[0].key(accountId, { endpoints: everyEndpoint, ...overrides });
  const onPlatform = (work: Parameters<TestService['database']['onPlatform']>[1]) =>
    cluster.nodes[0].database.onPlatform('write', work);

  /**
   * Sends requests to both nodes continuously, from before the change until half a second past the bound and fifteen times after
   * it, and expects: the old reply before the change, and only the new one to any request sent later than the bound after the
   * commit.
   */
  async function expectWithin(
    ask: (node: TestService) => Promise<Answer>,
    isNew: (answer: Answer) => boolean,
    change: () => Promise<unknown>,
  ) {
    for (const node of cluster.nodes) expect(isNew(await ask(node))).toBe(false);
    const seen: Watched[] = [];
    let committedAt = Number.POSITIVE_INFINITY;
    const watchers = cluster.nodes.map(async (node, place) => {
      for (let late = 0; late < 15 || performance.now() < committedAt + BOUND_MS + 500; await wait(15)) {
        const sentAt = performance.now();
        seen.push({ node: place, sentAt, answer: await ask(node) });
        if (sentAt > committedAt + BOUND_MS) late += 1;
      }
    });
    await until(() => cluster.nodes.every((_, place) => seen.some(({ node }) => node === place)), 'both nodes receive requests');
    await change();
    committedAt = performance.now();
    await Promise.all(watchers);
    const late = seen.filter(({ sentAt }) => sentAt > committedAt + BOUND_MS);
    expect(late.filter(({ answer }) => !isNew(answer)).map(({ node, answer }) => [node, answer.status, answer.text])).toEqual([]);
    expect(seen.filter(({ answer }) => answer.status >= 500 && answer.status !== 501)).toEqual([]);
  }

  const refusedWith = (code: string) => (answer: Answer) => answer.json?.error?.code === code;
  const get =
    (secret: string, path = 'vehicles') =>
    (node: TestService) =>
      node.call(path, { key: secret });

  /** Each way a key, an account or an endpoint can change. */
  const CHANGES: [string, () => Promise<void>][] = [
    [
      'revocation',
      async () => {
        const { id, secret } = await newKey();
        await expectWithin(get(secret), refusedWith('key_revoked'), () => onPlatform((db) => revokeKey(db, id, TEST_ACTOR)));
      },
    ],
    [
      'an expiry brought forward',
      async () => {
        const { id, secret } = await newKey({ expiresAt: new Date(Date.now() + 3_600_000) });
        await expectWithin(get(secret), refusedWith('key_expired'), () =>
          onPlatform((db) => db.exec(sql`update api_keys set expires_at = now() where account_id = ${accountId} and id = ${id}`)),
        );
      },
    ],
    [
      'an endpoint removed from the policy',
      async () => {
        const { id, secret } = await newKey();
        await expectWithin(get(secret), refusedWith('insufficient_scope'), () =>
          onPlatform((db) =>
            db.exec(
              sql`delete from key_endpoints where account_id = ${accountId} and key_id = ${id} and endpoint = 'GET vehicles'`,
            ),
          ),
        );
      },
    ],
    [
      'an address list',
      async () => {
        const { id, secret } = await newKey();
        await expectWithin(get(secret), refusedWith('ip_not_allowed'), () =>
          onPlatform((db) =>
            db.exec(sql`update api_keys set allowed_ips = ${['203.0.113.0/24']} where account_id = ${accountId} and id = ${id}`),
          ),
        );
      },
    ],
    [
      'a limit',
      async () => {
        const { id, secret } = await newKey();
        const isNew = ({ headers }: Answer) => headers.get('x-ratelimit-limit') === '777';
        await expectWithin(get(secret), isNew, () => onPlatform((db) => limitKey(db, id, 777, TEST_ACTOR)));
      },
    ],
    [
      'suspension of the account, and its end',
      async () => {
        const { secret } = await newKey();
        const touch = (node: TestService) => node.call('touch', { key: secret, method: 'POST' });
        const setStatus = (status: string) => () =>
          onPlatform((db) => db.exec(sql`update accounts set status = ${status} where id = ${accountId}`));
        await expectWithin(touch, refusedWith('account_suspended'), setStatus('Askıda'));
        await expectWithin(touch, ({ status }) => status === 200, setStatus('Aktif'));
      },
    ],
    [
      'a row closed and opened',
      async () => {
        const { secret } = await newKey();
        const flip = (status: 'Aktif' | 'Yakında') => () =>
          onPlatform((db) => setRelease(db, vehicleEndpoints, status, TEST_ACTOR));
        await expectWithin(get(secret), refusedWith('endpoint_not_active'), flip('Yakında'));
        await expectWithin(get(secret), ({ status }) => status === 200, flip('Aktif'));
      },
    ],
    [
      'a key that was requested before it existed',
      async () => {
        const { id } = await newKey();
        const secret = newSecret('production');
        for (let time = 0; time < 3; time += 1) {
          for (const node of cluster.nodes)
            expect(refusedWith('key_invalid')(await node.call('vehicles', { key: secret }))).toBe(true);
        }
        await expectWithin(
          get(secret),
          ({ status }) => status === 200,
          () =>
            onPlatform((db) =>
              db.exec(sql`insert into key_secrets (account_id, id, key_id, digest, prefix, last_four)
            values (${accountId}, ${newId()}, ${id}, ${digestOf(secret, cluster.base.secrets.pepper)}, 'gal_prod_test', 'test')`),
            ),
        );
      },
    ],
  ];

  describe('with the change channel', () => {
    test.each(CHANGES)('%s', (_, change) => change());

    test('a known and unchanged key is not looked up again', async () => {
      const { secret } = await newKey();
      const [node] = cluster.nodes;
      // Repeated if the machine paused so long that the node correctly stopped trusting its memory.
      await until(async () => {
        await get(secret)(node);
        const before = await metricOf(node, 'galeri_key_reads');
        for (let time = 0; time < 50; time += 1) await get(secret)(node);
        return (await metricOf(node, 'galeri_key_reads')) === before;
      }, 'fifty calls without a lookup');
    });

    test('a lookup that started before the change is not shared by requests long after it', async () => {
      const { id, secret } = await newKey();
      const [node] = cluster.nodes;
      slowLookUps = true;
      const first = get(secret)(node);
      await until(
        async () =>
          (
            await admin.rows(
              `select 1 from pg_stat_activity where state = 'active' and query like '%key_secrets s%pg_sleep%' and pid <> pg_backend_pid()`,
            )
          ).length > 0,
        'it has started',
      );
      slowLookUps = false;
      await onPlatform((db) => revokeKey(db, id, TEST_ACTOR));
      await wait(BOUND_MS + 50);
      expect(refusedWith('key_revoked')(await get(secret)(node))).toBe(true);
      await first;
    });

    test('a key expires on both nodes', async () => {
      const end = new Date(cluster.nodes[0].clock.realNow().getTime() + 600_000);
      const { secret } = await newKey({ expiresAt: end });
      for (const node of cluster.nodes) expect((await get(secret)(node)).status).toBe(200);
      for (const { clock } of cluster.nodes) clock.advance(600_000);
      for (const node of cluster.nodes) expect(refusedWith('key_expired')(await get(secret)(node))).toBe(true);
      for (const { clock } of cluster.nodes) clock.advance(-600_000);
    });

    test('many keys revoked at random: no success later than the bound', async () => {
      // One after the other: thirty at once wait for the platform's three connections, on a busy machine longer than allowed.
      const keys: Awaited<ReturnType<typeof newKey>>[] = [];
      while (keys.length < 30) keys.push(await newKey());
      for (const { secret } of keys) for (const node of cluster.nodes) await get(secret)(node);
      const late: string[] = [];
      const askPastBound = async ({ id, secret }: (typeof keys)[number]) => {
        await wait(BOUND_MS);
        for (const node of cluster.nodes) {
          const answer = await get(secret)(node);
          if (!refusedWith('key_revoked')(answer)) late.push(`${id}: ${answer.status}`);
        }
      };
      const calls: Promise<void>[] = [];
      for (const key of keys) {
        await onPlatform((db) => revokeKey(db, key.id, TEST_ACTOR));
        calls.push(askPastBound(key));
        await wait(60);
      }
      await Promise.all(calls);
      expect(late).toEqual([]);
    });
  });

  describe('with the change channel cut', () => {
    const cutAll = async () => {
      for (const cable of cluster.cables) cable.cut();
      for (const log of cluster.logs)
        await until(() => log.lines.some((line) => line.includes('the change channel is lost')), 'the loss is noticed');
    };
    afterEach(async () => {
      for (const cable of cluster.cables) cable.mend();
      await until(() => cluster.nodes.every(({ service }) => service.changes.isCurrent()), 'the channel is back');
      for (const log of cluster.logs) log.lines.splice(0);
    });

    test.each(CHANGES)('%s', async (_, change) => {
      await cutAll();
      const before = await Promise.all(cluster.nodes.map((node) => metricOf(node, 'galeri_key_reads')));
      await change();
      for (const [place, node] of cluster.nodes.entries())
        expect(await metricOf(node, 'galeri_key_reads')).toBeGreaterThan(before[place]! + 10);
    });

    test('a change at the moment of the cut is not missed', async () => {
      const { id, secret } = await newKey();
      await expectWithin(get(secret), refusedWith('key_revoked'), async () => {
        for (const cable of cluster.cables) cable.cut();
        await onPlatform((db) => revokeKey(db, id, TEST_ACTOR));
      });
    });

    test('ending the backend that listens is noticed, logged, and repaired', async () => {
      const { id, secret } = await newKey();
      const ended = await admin.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_notify%' and pid <> pg_backend_pid()`,
      );
      expect(ended).toHaveLength(2);
      await expectWithin(get(secret), refusedWith('key_revoked'), () => onPlatform((db) => revokeKey(db, id, TEST_ACTOR)));
      for (const log of cluster.logs)
        await until(() => log.lines.some((line) => line.includes('the change channel is restored')), 'the channel is back');
    });

    test('changes during the outage are known after it', async () => {
      const { id, secret } = await newKey();
      for (const node of cluster.nodes) expect((await get(secret)(node)).status).toBe(200);
      await cutAll();
      await onPlatform((db) => revokeKey(db, id, TEST_ACTOR));
      for (const cable of cluster.cables) cable.mend();
      await until(() => cluster.nodes.every(({ service }) => service.changes.isCurrent()), 'the channel is back');
      for (const node of cluster.nodes) expect(refusedWith('key_revoked')(await get(secret)(node))).toBe(true);
    });
  });

  describe('with the change channel hanging', () => {
    test('no notification arrives and nothing is refused: keys are read from the database; then it reconnects', async () => {
      const { id, secret } = await newKey();
      await get(secret)(cluster.nodes[1]);
      cluster.cables[1].hang();
      try {
        await expectWithin(get(secret), refusedWith('key_revoked'), () => onPlatform((db) => revokeKey(db, id, TEST_ACTOR)));
        expect(cluster.nodes[1].service.changes.isCurrent()).toBe(false);
        // New connections work again; the old one stays dead, as after a firewall has dropped it.
        cluster.cables[1].mend();
        await until(() => cluster.nodes[1].service.changes.isCurrent(), 'the node listens on a new connection');
        // The server still holds the old connection.
        expect(cluster.nodes.map(({ service }) => service.changes.nodes())).toEqual([2, 2]);
      } finally {
        cluster.cables[1].cut();
        cluster.cables[1].mend();
      }
    });
  });

  test('rotation: both secrets work during the overlap, the old one stops after it, each counted separately', async () => {
    const { id, secret: old } = await newKey();
    const hour = 3_600_000;
    const { secret: fresh } = await cluster.nodes[0].database.onPlatform('write', (db) =>
      rotateKey(db, cluster.base.secrets.pepper, id, hour, TEST_ACTOR),
    );
    await wait(BOUND_MS);
    const ask = async (secret: string, times: number) => {
      const answers = await Promise.all(Array.from({ length: times }, (_, place) => get(secret)(cluster.nodes[place % 2]!)));
      return [...new Set(answers.map(({ status, json }) => json?.error?.code ?? status))];
    };
    expect(await ask(old, 6)).toEqual([200]);
    expect(await ask(fresh, 4)).toEqual([200]);
    // One key: the same id and window with either secret.
    const account = await get(fresh, 'account')(cluster.nodes[0]);
    expect(account.json.data.api_key).toMatchObject({ id });
    expect(Number(account.headers.get('x-ratelimit-remaining'))).toBe(100_000 - 11);
    for (const { clock } of cluster.nodes) clock.advance(hour - 60_000);
    expect(await ask(old, 2)).toEqual([200]);
    for (const { clock } of cluster.nodes) clock.advance(120_000);
    expect(await ask(old, 2)).toEqual(['key_expired']);
    expect(await ask(fresh, 2)).toEqual([200]);
    for (const node of cluster.nodes) await node.logged();
    const used = await admin.rows<{ calls: string; ends: boolean }>(
      `select calls::text, s.expires_at is not null as ends from usage_secrets u join key_secrets s on s.id = u.secret_id where u.key_id = '${id}' order by ends`,
    );
    expect(used).toEqual([
      { calls: '7', ends: false },
      { calls: '10', ends: true },
    ]);
    for (const { clock } of cluster.nodes) clock.advance(-hour - 60_000);
  });
});
