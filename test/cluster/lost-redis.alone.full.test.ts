// A Redis that is emptied, restarted or unreachable: no key is ever admitted more often than its limit in any window.
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Limiter } from '../../src/http/rate-limits/rate-limit.ts';
import { createRedisLimiter } from '../../src/http/rate-limits/rate-limit-redis.ts';
import { connectRedis } from '../../src/http/rate-limits/redis-scripts.ts';
import { layCable } from '../support/cable.ts';
import { deadline, until } from '../support/patience.ts';
import { openPeerChannel } from '../support/peer-channel.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { testService } from '../support/service.ts';
import { keptLog, metricOf, openCluster } from './nodes.ts';

const LIMIT = 60;

async function admitted(limiter: Limiter, times: number, key = 'k'): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time += 1) if ((await limiter.admit(key, LIMIT)).admitted) count += 1;
  return count;
}

describe.skipIf(isRedisMissing())('two nodes', () => {
  let redis: TestRedis;
  const open: Limiter[] = [];
  const logs = [keptLog(), keptLog()];
  const openNodes = async (urls: readonly string[], span?: number, channel = openPeerChannel()): Promise<Limiter[]> => {
    const nodes = await Promise.all(
      urls.map((url, place) =>
        createRedisLimiter({
          url,
          nodes: () => 2,
          channel,
          log: logs[place]!,
          ...(span === undefined ? {} : { span }),
        }),
      ),
    );
    open.push(...nodes);
    return nodes;
  };
  const areShared = (nodes: readonly Limiter[]) =>
    until(async () => {
      for (const node of nodes) await node.admit('another', 1_000_000);
      return logs.every(({ lines }) => (lines.at(-1) ?? 'Redis is back').includes('Redis is back'));
    }, 'limits are shared');
  beforeEach(async () => {
    redis = await startRedis();
    for (const { lines } of logs) lines.splice(0);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((limiter) => limiter.close()));
    await redis.stop();
  });

  test.each([
    [40, 20],
    [60, 0],
    [25, 10],
  ])('an emptied Redis: %i and %i were admitted, and only the rest is', async (first, second) => {
    const [one, other] = (await openNodes([redis.url, redis.url])) as [Limiter, Limiter];
    expect([await admitted(one, first), await admitted(other, second)]).toEqual([first, second]);
    await redis.empty();
    const [more, others] = await Promise.all([admitted(one, 80), admitted(other, 80)]);
    expect(first + second + more + others).toBe(LIMIT);
  });

  test('an entry that Redis carries out after the node stopped waiting has no effect', async () => {
    const windows = connectRedis(redis.url);
    await windows.connected();
    const { isKnown, time, since } = await windows.greet('node');
    const enter = (until: number) => windows.enter({ node: 'node', until, since, isNew: false, span: 60_000 });
    expect(isKnown).toBe(false);
    expect(await enter(time - 1)).toBe('late');
    expect((await windows.greet('node')).isKnown).toBe(false);
    expect(await enter(time + 60_000_000)).toBe('entered');
    expect((await windows.greet('node')).isKnown).toBe(true);
    windows.close();
  });

  test('a restarted Redis: all of the limit is admitted, before, during and after it', async () => {
    const nodes = await openNodes([redis.url, redis.url]);
    const [one, other] = nodes as [Limiter, Limiter];
    let total = (await admitted(one, 40)) + (await admitted(other, 5));
    await redis.kill();
    total += (await admitted(other, 40)) + (await admitted(one, 40));
    await redis.restart();
    await areShared(nodes);
    total += (await admitted(one, 40)) + (await admitted(other, 40));
    // Of the remaining 15 each node had a share of 7.
    expect(total).toBe(LIMIT);
  });

  test('an unreachable Redis: each node gets half of what all nodes together had left', async () => {
    const [one, other] = (await openNodes([redis.url, redis.url])) as [Limiter, Limiter];
    expect(await admitted(one, 50)).toBe(50);
    await redis.kill();
    expect([await admitted(other, 80), await admitted(one, 80)]).toEqual([5, 5]);
    expect([await admitted(other, 80, 'unused'), await admitted(one, 80, 'unused')]).toEqual([30, 30]);
  });

  test('a node is killed and started again, then Redis is lost and returns empty: what the killed process admitted counts', async () => {
    const channel = openPeerChannel();
    const [killed, stays] = (await openNodes([redis.url, redis.url], undefined, channel)) as [Limiter, Limiter];
    expect([await admitted(killed, 40), await admitted(stays, 1)]).toEqual([40, 1]);
    await killed.close();
    const [started] = (await openNodes([redis.url], undefined, channel)) as [Limiter];
    await redis.kill();
    // Of the remaining 19 each has a share of 9.
    expect([await admitted(stays, 40), await admitted(started, 40)]).toEqual([9, 9]);
    await redis.restart();
    await areShared([stays, started]);
    expect((await admitted(stays, 40)) + (await admitted(started, 40))).toBe(1);
    // Its window began after all that.
    expect((await admitted(stays, 80, 'unused')) + (await admitted(started, 80, 'unused'))).toBe(LIMIT);
  });

  test('Redis is back for one node first: it leaves the other its share', async () => {
    const cables = [await layCable(redis.url), await layCable(redis.url)] as const;
    const nodes = (await openNodes(cables.map(({ url }) => url))) as [Limiter, Limiter];
    const [first, second] = nodes;
    expect(await admitted(first, 1)).toBe(1);
    for (const cable of cables) cable.cut();
    expect(await admitted(second, 80)).toBe(29);
    cables[0].mend();
    await until(() => logs[0]!.lines.at(-1)?.includes('Redis is back') === true, 'the first node is back');
    expect(await admitted(first, 80)).toBe(29);
    cables[1].mend();
    await areShared(nodes);
    // 59 were admitted: of the remaining 59 each node had a share of 29.
    expect([await admitted(first, 40), await admitted(second, 40)]).toEqual([1, 0]);
    await Promise.all(cables.map((cable) => cable.close()));
  });

  test('Redis unreachable for one node only: never more than the limit in a window over both, and both admit again', async () => {
    const span = 2000;
    const cable = await layCable(redis.url);
    const [near, far] = (await openNodes([redis.url, cable.url], span)) as [Limiter, Limiter];
    const admissions: { readonly node: Limiter; readonly asked: number; readonly answered: number }[] = [];
    let isDone = () => false;
    const ask = async (node: Limiter) => {
      while (!isDone()) {
        const asked = performance.now();
        const { admitted: is, retryIn } = await node.admit('k', LIMIT);
        if (is) admissions.push({ node, asked, answered: performance.now() });
        else await wait(Math.min(20, retryIn));
      }
    };
    const asking = Promise.all([ask(near), ask(far)]);
    await until(() => new Set(admissions.map(({ node }) => node)).size === 2, 'both admit');
    cable.hang();
    const cutAt = performance.now();
    // Several windows later both admit.
    const admitsLate = (node: Limiter) => admissions.some((one) => one.node === node && one.asked > cutAt + 7500);
    const isOver = deadline();
    isDone = () => isOver() || (admitsLate(near) && admitsLate(far));
    await asking;
    for (const { asked: from } of admissions) {
      const within = admissions.filter(({ asked, answered }) => asked >= from && answered < from + span);
      expect(within.length).toBeLessThanOrEqual(LIMIT);
    }
    expect([near, far].map(admitsLate)).toEqual([true, true]);
    await cable.close();
  });

  test('Redis unreachable for one node, and later for the other too: they divide what both have left', async () => {
    const span = 3000;
    const cables = [await layCable(redis.url), await layCable(redis.url)] as const;
    const [near, far] = (await openNodes(
      cables.map(({ url }) => url),
      span,
    )) as [Limiter, Limiter];
    cables[1].cut();
    await until(() => logs[1]!.lines.length > 0, 'the second node has lost Redis');
    // A full window and five seconds later it uses its share.
    await until(async () => (await admitted(far, 1, 'another')) === 1, 'the second node admits');
    const admissions: { readonly node: Limiter; readonly asked: number; readonly answered: number }[] = [];
    const ask = async (node: Limiter, count: number) => {
      for (let time = 0; time < count; time += 1) {
        const asked = performance.now();
        if ((await node.admit('k', LIMIT)).admitted) admissions.push({ node, asked, answered: performance.now() });
      }
    };
    await Promise.all([ask(far, 10), ask(near, 80)]);
    cables[0].cut();
    const cutAt = performance.now();
    const admitsLate = (node: Limiter) => admissions.some((one) => one.node === node && one.asked > cutAt + span);
    await until(async () => {
      await Promise.all([ask(near, 10), ask(far, 10)]);
      return admitsLate(near) && admitsLate(far);
    }, 'both admit again once the window has passed');
    for (const { asked: from } of admissions) {
      const within = admissions.filter(({ asked, answered }) => asked >= from && answered < from + span);
      expect(within.length).toBeLessThanOrEqual(LIMIT);
    }
    await Promise.all(cables.map((cable) => cable.close()));
  });

  test('a node starts without Redis with its share, and shares the limits once Redis is available', async () => {
    await redis.kill();
    const nodes = await openNodes([redis.url, redis.url]);
    expect(await Promise.all(nodes.map((node) => admitted(node, 80)))).toEqual([30, 30]);
    await redis.restart();
    await areShared(nodes);
    expect(await Promise.all(nodes.map((node) => admitted(node, 10)))).toEqual([0, 0]);
  });

  test('a service starts without Redis and reports it', async () => {
    await redis.kill();
    const log = keptLog();
    const api = await testService({ env: { REDIS_URL: redis.url }, log });
    try {
      expect(log.lines.join()).toContain('Redis is unreachable');
      expect(await metricOf(api, 'galeri_limits_degraded')).toBe(1);
      const { secret } = await api.key(await api.account(), { limitPerMinute: 5 });
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async () => (await api.call('vehicles', { key: secret })).status),
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(5);
      await redis.restart();
      await until(async () => (await metricOf(api, 'galeri_limits_degraded')) === 0, 'limits are shared');
    } finally {
      await api.close();
    }
  });

  test('services exchange their admissions through the database', async () => {
    const cluster = await openCluster({ redisUrl: redis.url });
    try {
      const { nodes } = cluster;
      await until(() => nodes.every(({ service }) => service.changes.nodes() === 2), 'both nodes know of each other');
      const account = await nodes[0].account();
      let secret = '';
      const ask = async (node: (typeof nodes)[number], times: number) => {
        let count = 0;
        for (let time = 0; time < times; time += 1) if ((await node.call('vehicles', { key: secret })).status === 200) count += 1;
        return count;
      };
      // On a busy machine Redis may not answer in time, and then only the node's share is admitted.
      await until(async () => {
        secret = (await nodes[0].key(account, { limitPerMinute: LIMIT })).secret;
        return (await ask(nodes[0], 50)) === 50;
      }, '50 requests are admitted while Redis answers');
      await redis.kill();
      // The first may be requested before the other node has answered, and is then refused.
      expect((await ask(nodes[1], 40)) + (await ask(nodes[0], 40))).toBe(10);
    } finally {
      await cluster.close();
    }
  });
});
