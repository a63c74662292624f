// Reads on standbys that stream from a real primary: no answer is older than one of the primary may be while they are late, frozen, stopped, promoted.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/kit/db.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';
import { type Connected, connect } from '../../src/postgres/connect.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import type { StandbyFigures } from '../../src/postgres/standbys.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { removeDataDir } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';
import { TEST_SECRET } from '../support/database.ts';
import { until } from '../support/patience.ts';
import { isPostgres15Missing, type OldServer, startPostgres15 } from '../support/postgres15.ts';
import { type TestService, testService } from '../support/service.ts';
import { freeze, startStandby } from '../support/standby.ts';

const BUMP = sql`update vehicles set km = km + 1 where account_id = ${theAccount} returning km`;

const endpoints = [
  'GET vehicles',
  'GET vehicles/{vehicle_id}',
  'GET vehicles/{vehicle_id}/history',
  'GET sales',
  'GET reports/inventory-aging',
];

describe.skipIf(isPostgres15Missing())('a node with standbys', () => {
  let dataDir: string;
  let primary: OldServer;
  let connected: Connected;
  /** Another node's connections: this node learns of what they write from the change channel. */
  let elsewhere: Database;
  const standbys: OldServer[] = [];
  const nodes: TestService[] = [];
  let accountId: string;
  let secret: string;

  beforeAll(async () => {
    dataDir = await newDataDir('replicas');
    primary = await startPostgres15();
    connected = await connect(readConfig({ DATABASE_URL: primary.url, DATA_DIR: dataDir, GALERI_SECRET: TEST_SECRET }));
    elsewhere = openDatabase(connected.urls);
  });
  afterAll(async () => {
    await elsewhere?.close();
    await connected?.close();
    await primary?.stop();
    if (dataDir) await removeDataDir(dataDir);
  });

  let node: TestService;
  let standby: OldServer;
  const addStandby = async (...settings: string[]) => {
    const added = await startStandby(primary, settings);
    standbys.push(added);
    return added;
  };
  const startNode = async (...read: OldServer[]) => {
    const started = await testService({
      shared: { ...connected, close: async () => {} },
      env: {
        DATABASE_URL: primary.url,
        DATABASE_READ_URL: read.map(({ url }) => url).join(),
        GALERI_SECRET: TEST_SECRET,
      },
    });
    nodes.push(started);
    return started;
  };
  const figures = (place = 0): StandbyFigures => node.service.parts.copies.figures()[place]!;
  const becomes = (state: StandbyFigures['state']) => until(() => figures().state === state, `the standby is ${state}`);
  const open = async (...settings: string[]) => {
    standby = await addStandby(...settings);
    node = await startNode(standby);
    accountId = await node.account();
    await node.release('Aktif', ...endpoints);
    ({ secret } = await node.key(accountId, { endpoints, limitPerMinute: 1_000_000 }));
    await node.vehicle(accountId, { km: 0 });
    await node.settled();
  };
  afterEach(async () => {
    for (const one of nodes.splice(0)) await one.service.close();
    for (const one of standbys.splice(0)) await one.stop();
  });

  const get = (path: string) => node.call(path, { key: secret });
  /** Each time another page of the cache. */
  let asked = 0;
  const kmOf = async (): Promise<number> => {
    asked += 1;
    const { status, json } = await get(`vehicles?currency=STG&price_max=${900_000_000 + asked}`);
    expect(status).toBe(200);
    return json.data[0].km;
  };
  const write = async (database: Database) =>
    (await database.inTenant(accountId, 'write', (db) => db.one<{ km: number }>(BUMP))).km;
  const onStandby = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const session = await openSession(standby.url, { acceptsStandby: true });
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  };
  /** Until a cold list is answered by the standby. */
  const used = () =>
    until(async () => {
      const before = figures().reads.used;
      await kmOf();
      return figures().reads.used > before;
    }, 'the standby answers');

  describe('that follow closely', () => {
    beforeEach(async () => {
      await open();
      await becomes('good');
    });

    test('lists and reports are read on the standby, single records on the primary', async () => {
      await used();
      for (const path of ['sales', 'reports/inventory-aging'])
        await until(async () => {
          const before = figures().reads.used;
          expect((await get(path)).status).toBe(200);
          return figures().reads.used > before;
        }, `${path} from the standby`);
      const [{ id }] = (await get('vehicles')).json.data;
      const before = figures().reads;
      expect((await get(`vehicles/${id}`)).status).toBe(200);
      expect(figures().reads).toEqual(before);
      const text = await node.service.figures();
      expect(text).toMatch(/^galeri_standby_used\{standby="[^"]+"\} 1$/m);
      expect(text).toMatch(/^galeri_standby_lag_seconds\{standby="[^"]+"\} [\d.]+$/m);
      expect(text).toMatch(/^galeri_standby_reads_total\{standby="[^"]+",outcome="used"\} \d+$/m);
    });

    test('the panel’s lists, files and counts are read on the standby, right after a write elsewhere too', async () => {
      const owner = await signedIn(node, await newPerson(node, { accountId }));
      await used();
      for (const path of [
        'vehicles/list',
        'vehicles/counts',
        'receivables/aging',
        'lists/customers.csv',
        'receivables/cash-flow',
      ])
        await until(async () => {
          const before = figures().reads.used;
          const { status, text } = await owner.send(`/panel/api/${path}`);
          expect([status, status === 200 ? '' : text]).toEqual([200, '']);
          return figures().reads.used > before;
        }, `${path} from the standby`);
      for (let time = 0; time < 20; time += 1) {
        const km = await write(elsewhere);
        expect((await owner.api('vehicles/list')).json.data[0].km).toBe(km);
      }
    });

    test('what the dealer does not have is answered 404 by the standby', async () => {
      await used();
      await until(async () => {
        const before = figures().reads.used;
        expect((await get(`vehicles/${randomUUID()}/history`)).status).toBe(404);
        return figures().reads.used > before;
      }, 'the answer is the standby’s');
    });

    test('a standby that is lost costs no answer, and is used again when it is back', async () => {
      await used();
      const km = await write(node.database);
      await onStandby(async (session) => {
        await session.rows(`select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`);
      });
      expect(await kmOf()).toBe(km);
      await becomes('good');
      await used();
      await standby.halt();
      for (let time = 0; time < 3; time += 1) expect(await kmOf()).toBe(km);
      await becomes('lost');
      expect(await kmOf()).toBe(km);
    });

    test('a frozen standby costs its first readers a moment, and the others nothing', async () => {
      await used();
      const km = await write(node.database);
      const thaw = freeze(standby);
      try {
        expect(await Promise.all([kmOf(), kmOf(), kmOf()])).toEqual([km, km, km]);
        await becomes('lost');
        const { reads } = figures();
        for (let time = 0; time < 20; time += 1) expect(await kmOf()).toBe(km);
        expect(figures().reads).toEqual(reads);
      } finally {
        thaw();
      }
      await becomes('good');
      await used();
    });

    test('a promoted standby is not read from, however new its data seems', async () => {
      await used();
      await onStandby(async (session) => {
        await session.rows('select pg_promote(true)');
        await session.rows('update vehicles set km = 999999');
        await session.rows('update data_sets set version = version + 1000');
      });
      for (let time = 0; time < 10; time += 1) expect(await kmOf()).toBe(await latest());
      await becomes('promoted');
      const km = await write(node.database);
      expect(await kmOf()).toBe(km);
    });

    test('a node that starts beside a standby that replays nothing does not trust it', async () => {
      await used();
      await onStandby((session) => session.rows('select pg_wal_replay_pause()'));
      const km = await write(node.database);
      await node.service.close();
      nodes.splice(nodes.indexOf(node), 1);
      node = await startNode(standby);
      await becomes('late');
      expect(await kmOf()).toBe(km);
      await onStandby((session) => session.rows('select pg_wal_replay_resume()'));
      await becomes('good');
      expect(await kmOf()).toBe(km);
    });
  });

  const latest = async (): Promise<number> =>
    (await node.database.inTenant(accountId, 'read', (db) => db.one<{ km: number }>(sql`select km from vehicles`))).km;

  test('a standby that is five seconds late is left alone', async () => {
    await open('recovery_min_apply_delay=5s');
    await becomes('late');
    for (let time = 0; time < 20; time += 1) {
      const km = await write(node.database);
      expect(await kmOf()).toBe(km);
    }
    expect(figures().reads.used).toBe(0);
  });

  test('of a standby that is a little late only answers that are new enough are used', async () => {
    await open('recovery_min_apply_delay=300ms');
    await used();
    const acks: { readonly km: number; readonly at: number; readonly own: boolean }[] = [];
    const stale: unknown[] = [];
    const write1 = async (own: boolean) => {
      const km = await write(own ? node.database : elsewhere);
      acks.push({ km, at: performance.now(), own });
    };
    const read = async () => {
      const sentAt = performance.now();
      const floor = Math.max(0, ...acks.filter(({ own, at }) => own || at <= sentAt - 1000).map(({ km }) => km));
      const km = await kmOf();
      if (km < floor) stale.push({ km, floor });
    };
    const before = figures().reads;
    for (let round = 0; round < 12; round += 1) {
      await write1(true);
      await Promise.all([read(), read()]);
      await write1(false);
      // Longer than the standby takes, so that some answers can be used.
      for (const pause of [0, 200, 400, 400]) {
        await wait(pause);
        await read();
      }
    }
    expect(stale).toEqual([]);
    const { reads } = figures();
    expect(reads.old).toBeGreaterThan(before.old);
    expect(reads.used).toBeGreaterThan(before.used);
  });

  test('several standbys share the reads', async () => {
    const other = await addStandby();
    await open();
    await node.service.close();
    nodes.splice(nodes.indexOf(node), 1);
    node = await startNode(standby, other);
    await until(() => [0, 1].every((place) => figures(place).state === 'good'), 'both are in use');
    await until(async () => {
      await kmOf();
      return [0, 1].every((place) => figures(place).reads.used > 3);
    }, 'both answer');
  });
});
