// A node's registration: made at the start, kept over a loss, removed at the end in any state of the channel.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { patience, until } from '../support/patience.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { type Cluster, openCluster } from './nodes.ts';

describe.skipIf(isRedisMissing())('the change channel of a node', () => {
  let redis: TestRedis;
  let cluster: Cluster;
  let admin: Session;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    cluster = await openCluster({ redisUrl: redis.url });
    admin = await openSession(cluster.base.adminUrl);
  });
  afterEach(async () => {
    await admin.close();
    for (const cable of cluster.cables) {
      cable.cut();
      cable.mend();
    }
    await cluster.close();
  });

  /** Sessions that hold a node's registration. */
  const places = async (): Promise<number> =>
    (
      await admin.rows<{
        n: number;
      }>(`select count(*)::int as n from pg_locks where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())`)
    )[0]!.n;

  test('nodes are counted; one that ends is no longer counted', async () => {
    const [first, second] = cluster.nodes;
    await until(() => cluster.nodes.every(({ service }) => service.changes.nodes() === 2), 'each knows of two');
    await second.service.close();
    await until(() => first.service.changes.nodes() === 1, 'one is left');
    expect(await places()).toBe(1);
  });

  test('a hanging one still stops in time', async () => {
    for (const cable of cluster.cables) cable.hang();
    const ended = Promise.all(cluster.nodes.map(({ service }) => service.close())).then(() => 'stopped');
    // Requests in flight may take ten seconds; there are none.
    expect(await Promise.race([ended, wait(patience(30_000), 'still waiting', { ref: false })])).toBe('stopped');
  });

  test('one that is stopped while it reconnects leaves nothing', async () => {
    const [cable] = cluster.cables;
    const [{ service }] = cluster.nodes;
    cable.cut();
    await until(() => cluster.logs[0].lines.some((line) => line.includes('is lost')), 'the loss is noticed');
    // Slow enough to be stopped in the middle of it.
    cable.slow(100);
    cable.mend();
    await until(() => cable.connections() > 0, 'it is signing in');
    await service.close();
    cable.slow(0);
    await until(async () => cable.connections() === 0 && (await places()) === 1, 'nothing of it is left');
  });

  test('one that lost its registration registers again, and is counted again', async () => {
    const [cable] = cluster.cables;
    cable.cut();
    await until(async () => (await places()) === 1, 'the place is free');
    await until(() => cluster.nodes[1].service.changes.nodes() === 1, 'the other node counts one');
    cable.mend();
    await until(() => cluster.nodes.every(({ service }) => service.changes.nodes() === 2), 'both are counted');
    await until(() => cluster.nodes[0].service.changes.isCurrent(), 'its channel is current');
  });

  test('clocks follow the database, not the machine', async () => {
    const [{ clock, service }] = cluster.nodes;
    const before = clock.now().getTime();
    // As if the machine's clock had been set an hour back: the next heartbeat measures the difference.
    const real = Date.now;
    Date.now = () => real() - 3_600_000;
    try {
      await until(() => Math.abs(clock.now().getTime() - before) < 30_000, 'the offset is measured');
      await until(() => service.changes.isCurrent(), 'the channel is current');
    } finally {
      Date.now = real;
    }
    await until(() => Math.abs(clock.now().getTime() - real()) < 5000, 'it is measured again');
  });
});
