// A Redis that has lost what it counted last, and nodes that end: no more than the limit is admitted, and no less.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Limiter } from '../../src/http/rate-limits/rate-limit.ts';
import { createRedisLimiter } from '../../src/http/rate-limits/rate-limit-redis.ts';
import { connectRedis } from '../../src/http/rate-limits/redis-scripts.ts';
import { type KeptLog, keptLog } from '../cluster/nodes.ts';
import { layCable } from '../support/cable.ts';
import { patience, until } from '../support/patience.ts';
import { openPeerChannel } from '../support/peer-channel.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';

const LIMIT = 60;

async function admitted(limiter: Limiter, times: number, key = 'k'): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time += 1) if ((await limiter.admit(key, LIMIT)).admitted) count += 1;
  return count;
}

describe.skipIf(isRedisMissing())('nodes and their Redis', () => {
  let redis: TestRedis;
  let log: KeptLog;
  let channel = openPeerChannel();
  let count: number;
  const open: Limiter[] = [];
  const closing: (() => Promise<void>)[] = [];

  const openNode = async (url = redis.url): Promise<Limiter> => {
    // A pause of the machine does not make Redis look lost.
    const node = await createRedisLimiter({ url, nodes: () => count, channel, log, timeoutMs: patience(5000) });
    open.push(node);
    return node;
  };
  const areShared = (nodes: readonly Limiter[]) =>
    until(async () => {
      for (const node of nodes) await node.admit('another', 1_000_000);
      const times = (text: string) => log.lines.filter((line) => line.includes(text)).length;
      return times('Redis is back') === times('Redis is unreachable');
    }, 'limits are shared');

  beforeEach(async () => {
    redis = await startRedis();
    log = keptLog();
    channel = openPeerChannel();
    count = 2;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((limiter) => limiter.close()));
    for (const close of closing.splice(0)) await close();
    await redis.stop();
  });

  test('restarted from a snapshot: what was admitted after the snapshot counts', async () => {
    const [one, other] = [await openNode(), await openNode()];
    expect(await admitted(one, 1)).toBe(1);
    await redis.command('SAVE', '+OK');
    expect([await admitted(one, 39), await admitted(other, 40)]).toEqual([39, 20]);
    await redis.kill();
    await redis.restart();
    await areShared([one, other]);
    expect([await admitted(one, 80), await admitted(other, 80)]).toEqual([0, 0]);
    expect((await admitted(one, 80, 'unused')) + (await admitted(other, 80, 'unused'))).toBe(LIMIT);
  });

  test('a replica that had not received everything is promoted: what it did not receive counts', async () => {
    await redis.command('CONFIG SET repl-diskless-sync-delay 0', '+OK');
    const replica = await startRedis(['--replicaof', '127.0.0.1', new URL(redis.url).port]);
    closing.push(replica.stop);
    const cable = await layCable(redis.url);
    closing.push(cable.close);
    await until(() => succeeds(replica.command('CONFIG GET maxmemory', '*2')), 'the replica answers');
    await until(() => succeeds(redis.command('WAIT 1 100', ':1')), 'the replica follows');
    const [one, other] = [await openNode(cable.url), await openNode(cable.url)];
    expect(await admitted(one, 1)).toBe(1);
    await redis.command('SET marker 1', '+OK');
    await until(() => succeeds(replica.command('EXISTS marker', ':1')), 'the replica has it');
    await replica.command('REPLICAOF NO ONE', '+OK');
    expect([await admitted(one, 39), await admitted(other, 40)]).toEqual([39, 20]);
    cable.leadTo(replica.url);
    await redis.kill();
    await areShared([one, other]);
    expect([await admitted(one, 80), await admitted(other, 80)]).toEqual([0, 0]);
    expect((await admitted(one, 80, 'unused')) + (await admitted(other, 80, 'unused'))).toBe(LIMIT);
  });

  test.each(['before', 'after'])(
    'a node is replaced, and its successor starts %s Redis is emptied: what the first admitted counts',
    async (order) => {
      const [first, stays] = [await openNode(), await openNode()];
      expect([await admitted(first, 40), await admitted(stays, 1)]).toEqual([40, 1]);
      await first.close();
      if (order === 'after') await redis.empty();
      const second = await openNode();
      if (order === 'before') await redis.empty();
      expect((await admitted(stays, 80)) + (await admitted(second, 80))).toBe(19);
      expect((await admitted(stays, 80, 'unused')) + (await admitted(second, 80, 'unused'))).toBe(LIMIT);
    },
  );

  test('a node that ends in order leaves the whole limit to the others, at once and later', async () => {
    await redis.hasCountedLong();
    const [one, other] = [await openNode(), await openNode()];
    const third = await openNode();
    count = 3;
    for (const node of [one, other, third]) expect(await admitted(node, 5)).toBe(5);
    await third.close();
    count = 2;
    // Otherwise it counts as there for five seconds.
    await redis.command('ZCARD galeri:limits:nodes', ':2');
    expect(await admitted(one, 80)).toBe(LIMIT - 15);
    expect(await admitted(other, 80, 'unused')).toBe(LIMIT);
  });

  test('a node does not enter a Redis that was emptied since it was greeted', async () => {
    const windows = connectRedis(redis.url);
    closing.push(async () => windows.close());
    await windows.connected();
    const { time, since } = await windows.greet('node');
    await redis.empty();
    const entry = { node: 'node', until: time + 60_000_000, since, isNew: false, span: 1000 };
    expect(await windows.enter(entry)).toBe('emptied');
    const again = await windows.greet('node');
    expect(again.isKnown).toBe(false);
    expect(await windows.enter({ ...entry, since: again.since })).toBe('entered');
    expect((await windows.greet('node')).isKnown).toBe(true);
  });

  test('what nodes of an earlier history counted expires', async () => {
    count = 1;
    const node = await openNode();
    await node.admit('k', LIMIT);
    for (const key of ['galeri:limits:nodes', 'galeri:limits:since', 'galeri:window:k'])
      await expect(redis.command(`TTL ${key}`, ':-')).rejects.toThrow(/with: :\d/);
  });
});

const succeeds = (done: Promise<void>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );
