// A node gives back to Redis what it admitted without it: many keys at once, and no request waits for long.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRedisLimiter } from '../../src/http/rate-limits/rate-limit-redis.ts';
import { batchesOf, connectRedis, GONE_MS } from '../../src/http/rate-limits/redis-scripts.ts';
import { type KeptLog, keptLog } from '../cluster/nodes.ts';
import { type Cable, layCable } from '../support/cable.ts';
import { patience, until } from '../support/patience.ts';
import { openPeerChannel } from '../support/peer-channel.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';

test('20,000 keys are forty batches; a key with very many admissions is divided', () => {
  const keys = Array.from({ length: 20_000 }, (_, key) => ({ key: `${key}`, ages: [1], seen: 2, counted: 1 }));
  const batches = [...batchesOf(keys)];
  expect(batches.flat()).toEqual(keys);
  expect(batches.length).toBeLessThanOrEqual(45);
  const ages = Array.from({ length: 12_000 }, (_, age) => age);
  const parts = [...batchesOf([{ key: 'k', ages, seen: 9, counted: 3 }])].flat();
  expect(parts.flatMap((part) => part.ages)).toEqual(ages);
  expect(parts.map(({ seen, counted }) => [seen, counted])).toEqual([
    [9, 3],
    [0, 0],
    [0, 0],
  ]);
});

describe.skipIf(isRedisMissing())('a slow way to Redis', () => {
  let redis: TestRedis;
  let cable: Cable;
  let log: KeptLog;
  const isBack = () => log.lines.at(-1)?.includes('Redis is back') === true;
  const openNode = () =>
    createRedisLimiter({ url: cable.url, nodes: () => 1, channel: openPeerChannel(), log, timeoutMs: patience(20_000) });
  beforeEach(async () => {
    redis = await startRedis();
    cable = await layCable(redis.url);
    log = keptLog();
  });
  afterEach(async () => {
    await cable.close();
    await redis.stop();
  });

  test('many keys are given back in less than one round trip for each', async () => {
    const [keys, delay] = [300, 50];
    const node = await openNode();
    cable.cut();
    await until(async () => {
      for (let key = 0; key < keys; key += 1) await node.admit(`key ${key}`, 10);
      return log.lines.at(-1)?.includes('Redis is unreachable') === true;
    }, 'Redis is lost');
    cable.slow(delay);
    cable.mend();
    const mendedAt = performance.now();
    await until(isBack, 'Redis is back');
    expect(performance.now() - mendedAt).toBeLessThan(keys * 2 * delay);
    const windows = connectRedis(redis.url);
    await windows.connected();
    for (let key = 0; key < keys; key += 1) expect(await windows.used(`key ${key}`, 60_000)).toBeGreaterThan(0);
    windows.close();
    await node.close();
  });

  test('a request that comes while much is given back is refused after two seconds', async () => {
    const node = await openNode();
    cable.cut();
    await until(async () => (await node.admit('k', 1_000_000)).admitted && log.lines.length > 0, 'Redis is lost');
    cable.slow(800);
    cable.mend();
    let refused = 0;
    await until(async () => {
      if (!(await node.admit('k', 1_000_000)).admitted) refused += 1;
      return isBack();
    }, 'Redis is back');
    expect(refused).toBeGreaterThan(0);
    await node.close();
  });

  test('an empty Redis that some nodes have not found counts them as missing for as long as another one may count them', async () => {
    const [span, windows] = [200, connectRedis(redis.url)];
    await windows.connected();
    const { time, since } = await windows.greet('found');
    const enter = () => windows.enter({ node: 'found', until: time + 600_000_000, since, isNew: false, span });
    const admit = () => windows.admit('k', { limit: 10, span, node: 'found', nodes: 2, sharing: 2, away: 0 });
    await enter();
    await until(async () => (await enter()) === 'entered' && typeof (await admit()) !== 'string', 'it admits');
    const { time: admittedAt } = await windows.greet('found');
    expect((admittedAt - Number(since)) / 1000).toBeGreaterThanOrEqual(span + GONE_MS);
    windows.close();
  });
});
