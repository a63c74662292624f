// One window over several processes: exact while Redis is available, a share each while it is not.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createRedisLimiter } from '../../src/http/rate-limits/rate-limit-redis.ts';
import { AnotherNode } from '../../src/postgres/changes.ts';
import { deadline, measureSlowness, patience, until } from '../support/patience.ts';
import { openPeerChannel } from '../support/peer-channel.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { type TestService, testService } from '../support/service.ts';
import { isRelayed, machineTime, type Orders, type Report } from './limit-node.ts';
import { type Cluster, keptLog, metricOf, openCluster } from './nodes.ts';

const NODE = join(import.meta.dirname, 'limit-node.ts');

/** Long enough that a brief pause of the machine does not make Redis look lost. */
const TIMEOUT_MS = patience(5000);

async function areShared(nodes: readonly TestService[]): Promise<boolean> {
  const degraded = await Promise.all(nodes.map((node) => metricOf(node, 'galeri_limits_degraded')));
  return degraded.every((lost) => lost === 0);
}

/** Starts the processes together; `during` runs while they work, and can read how many have lost Redis. */
async function hammer(
  overrides: Omit<Orders, 'timeoutMs'> & Partial<Orders>,
  during: (lost: () => number) => Promise<void> = async () => {},
): Promise<Report[]> {
  const orders: Orders = { timeoutMs: TIMEOUT_MS, ...overrides };
  const children: ChildProcess[] = [];
  try {
    for (let place = 0; place < orders.nodes; place += 1) {
      children.push(fork(NODE, [JSON.stringify(orders)], { serialization: 'advanced', execArgv: [] }));
    }
    for (const child of children)
      child.on(
        'message',
        (message) => isRelayed(message) && children.forEach((other) => void (other.connected && other.send(message))),
      );
    await Promise.all(children.map(readyOf));
    const lost = new Set<ChildProcess>();
    const reports = Promise.all(children.map((child) => reportOf(child, lost)));
    for (const child of children) child.send('go');
    await during(() => lost.size);
    if (orders.forMs === undefined) for (const child of children) child.send('stop');
    return await reports;
  } finally {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
}

/** Its last message. Those before it report Redis as lost or back. */
function reportOf(child: ChildProcess, lost: Set<ChildProcess>): Promise<Report> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a process exited with ${code}`)));
    child.on('message', (message: Report | { readonly degraded: boolean }) => {
      if (isRelayed(message)) return;
      if (!('degraded' in message)) resolve(message);
      else if (message.degraded) lost.add(child);
      else lost.delete(child);
    });
  });
}

/** Messages of other nodes may arrive before it is ready. */
function readyOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => message === 'ready' && resolve());
  });
}

type Admission = readonly [asked: number, answered: number];

const admissionsOf = (reports: readonly Report[], key: string): Admission[] =>
  reports.flatMap(({ admissions }) =>
    admissions.filter(([name]) => name === key).map(([, sent, answered]) => [sent, answered] as const),
  );

/**
 * The most admissions certainly within one span: requested and answered within less than it. The decision is between the two, so
 * more than the limit is a violation for any delays.
 */
function maxWithin(admissions: readonly Admission[], span: number): number {
  const byAsked = [...admissions].sort(([one], [other]) => one - other);
  let max = 0;
  byAsked.forEach(([from], first) => {
    let count = 0;
    for (let place = first; place < byAsked.length && byAsked[place]![0] < from + span; place += 1) {
      if (byAsked[place]![1] < from + span) count += 1;
    }
    max = Math.max(max, count);
  });
  return max;
}

describe.skipIf(isRedisMissing())('a window over several processes', () => {
  let redis: TestRedis;
  let cluster: Cluster | null = null;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await cluster?.close();
    cluster = null;
  });
  afterAll(() => redis?.stop());

  test('four processes, three keys: never more than the limit in any window, and all of it is used', async () => {
    const orders = { url: redis.url, keys: ['a', 'b', 'c'], limit: 60, span: 1000, nodes: 4, forMs: 6000, at_once: 6 };
    const reports = await hammer(orders);
    expect(reports.flatMap(({ turns }) => turns)).toEqual([]);
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    for (const key of orders.keys) {
      const admissions = admissionsOf(reports, key);
      expect(maxWithin(admissions, orders.span), key).toBeLessThanOrEqual(orders.limit);
      // Six windows' worth of requests were sent without pause; at least four must have been admitted.
      expect(admissions.length, key).toBeGreaterThanOrEqual(4 * orders.limit);
      expect(admissions.length, key).toBeLessThanOrEqual(7 * orders.limit);
    }
  });

  test('the test can fail: processes that count alone are detected', async () => {
    const orders = { url: redis.url, keys: ['alone'], limit: 60, span: 1000, nodes: 2, forMs: 1500, at_once: 4, alone: true };
    expect(maxWithin(admissionsOf(await hammer(orders), 'alone'), orders.span)).toBeGreaterThan(orders.limit);
  });

  test('Redis killed and restarted: no failure, a share for each until then, shared again within 5 s', async () => {
    const orders = { url: redis.url, keys: ['k'], limit: 60, span: 1000, nodes: 2, at_once: 4 };
    let killedAt = 0;
    let backAt = 0;
    const reports = await hammer(orders, async (lost) => {
      await wait(2 * orders.span);
      killedAt = machineTime();
      await redis.kill();
      await until(() => lost() === orders.nodes, 'every process has lost Redis');
      await wait(3 * orders.span);
      await redis.restart();
      backAt = machineTime();
      await until(() => lost() === 0, 'every process has Redis again');
      await wait(2 * orders.span);
    });
    const slowness = measureSlowness();
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    const share = orders.limit / orders.nodes;
    for (const report of reports) {
      const lost = report.turns.find(([degraded, at]) => degraded && at >= killedAt);
      const back = report.turns.at(-1);
      expect(lost![1] - killedAt).toBeLessThan(2000 * slowness);
      expect(back![0]).toBe(false);
      expect(back![1] - backAt).toBeLessThan(5000 * slowness);
      // Counted from what the node itself had admitted: its share applies one window after the loss.
      const withoutRedis = admissionsOf([report], 'k').filter(
        ([sent, answered]) => sent > lost![1] + orders.span && answered < back![1],
      );
      expect(withoutRedis.length).toBeGreaterThanOrEqual(share);
      expect(maxWithin(withoutRedis, orders.span)).toBeLessThanOrEqual(share);
    }
    const all = admissionsOf(reports, 'k');
    const before = all.filter(([, answered]) => answered < killedAt);
    const after = all.filter(([sent]) => sent > Math.max(...reports.map(({ turns }) => turns.at(-1)![1])) + orders.span);
    for (const some of [before, after]) {
      expect(some.length).toBeGreaterThan(0);
      expect(maxWithin(some, orders.span)).toBeLessThanOrEqual(orders.limit);
    }
  });

  test('every node reports what all of them admitted, and asking admits nothing', async () => {
    const channel = openPeerChannel();
    const open = () => createRedisLimiter({ url: redis.url, nodes: () => 2, channel, log: keptLog(), timeoutMs: TIMEOUT_MS });
    const [one, other] = await Promise.all([open(), open()]);
    try {
      expect(await other.used('asked')).toBe(0);
      for (let time = 0; time < 4; time += 1) await one.admit('asked', 10);
      await other.admit('asked', 10);
      for (let time = 0; time < 3; time += 1) expect([await one.used('asked'), await other.used('asked')]).toEqual([5, 5]);
      expect(await one.admit('asked', 10)).toMatchObject({ admitted: true, used: 6 });
      // Without Redis a node reports only its own: five.
      await redis.kill();
      expect(await one.used('asked')).toBe(5);
    } finally {
      await redis.restart();
      await Promise.all([one.close(), other.close()]);
    }
  });

  test('admissions while Redis was unavailable still count when it is back', async () => {
    const log = keptLog();
    const limiter = await createRedisLimiter({ url: redis.url, nodes: () => 1, channel: openPeerChannel(), log });
    try {
      await redis.kill();
      for (let time = 0; time < 10; time += 1) expect((await limiter.admit('returning', 10)).admitted).toBe(true);
      expect((await limiter.admit('returning', 10)).admitted).toBe(false);
      await redis.restart();
      await until(async () => {
        await limiter.admit('another', 1_000_000);
        return log.lines.some((line) => line.includes('Redis is back'));
      }, 'Redis is back');
      // All ten are in the last minute: an eleventh would exceed the limit.
      expect((await limiter.admit('returning', 10)).admitted).toBe(false);
    } finally {
      await limiter.close();
    }
  });

  test('a brief pause of a process does not make Redis look lost', async () => {
    const turns: boolean[] = [];
    const timeoutMs = 250 * measureSlowness();
    const limiter = await createRedisLimiter({
      url: redis.url,
      nodes: () => 1,
      channel: openPeerChannel(),
      log: keptLog(),
      onDegraded: (is) => turns.push(is),
      timeoutMs,
    });
    try {
      await limiter.admit('still', 8);
      // As a long garbage collection or a busy neighbour would cause: the reply is there all the time.
      const taken = limiter.admit('still', 8);
      for (const end = performance.now() + timeoutMs + 150; performance.now() < end; );
      expect(await taken).toMatchObject({ admitted: true, used: 2 });
      expect(turns).toEqual([]);
    } finally {
      await limiter.close();
    }
  });

  test('limit changes and refusals: the shared window counts like the one in memory', async () => {
    // Some fifty round trips must be in one window.
    const span = Math.ceil(2000 * measureSlowness());
    const limiter = await createRedisLimiter({
      url: redis.url,
      nodes: () => 1,
      channel: openPeerChannel(),
      log: keptLog(),
      span,
      timeoutMs: TIMEOUT_MS,
    });
    try {
      const admit = (limit: number) => limiter.admit('changing', limit);
      for (let used = 1; used <= 10; used += 1) expect(await admit(10)).toMatchObject({ admitted: true, used, retryIn: 0 });
      for (let time = 0; time < 30; time += 1) expect(await admit(10)).toMatchObject({ admitted: false, used: 10 });
      expect(await admit(12)).toMatchObject({ admitted: true, used: 11 });
      const refused = await admit(3);
      expect(refused).toMatchObject({ admitted: false, used: 11 });
      expect(refused.retryIn).toBeGreaterThan(0);
      expect(refused.retryIn).toBeLessThanOrEqual(span);
      expect(refused.oldestLeavesIn).toBeLessThanOrEqual(refused.retryIn);
      await wait(refused.retryIn + 50);
      expect((await admit(3)).admitted).toBe(true);
    } finally {
      await limiter.close();
    }
  });

  test('two services: of 100 requests to both with a limit of 40, 40 are admitted', async () => {
    cluster = await openCluster({ redisUrl: redis.url });
    const { nodes, logs } = cluster;
    const accountId = await nodes[0].account();
    const losses = () => logs.flatMap(({ lines }) => lines).filter((line) => line.includes('Redis is unreachable')).length;
    const rush = async () => {
      const before = losses();
      const { secret } = await nodes[0].key(accountId, { limitPerMinute: 40 });
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, place) => nodes[place % 2]!.call('vehicles', { key: secret })),
      );
      return { answers, isShared: losses() === before };
    };
    let { answers, isShared } = await rush();
    // A pause of the machine makes Redis look lost; such a run proves nothing about the shared window.
    for (const isOver = deadline(); !isShared && !isOver(); ) {
      await until(() => areShared(nodes), 'limits are shared');
      ({ answers, isShared } = await rush());
    }
    expect(isShared).toBe(true);
    expect(answers.filter(({ status }) => status !== 429)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60);
    const left = answers
      .filter(({ status }) => status !== 429)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(left.sort((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, place) => place));
    await until(() => nodes.every(({ service }) => service.changes.nodes() === 2), 'both nodes know of each other');
  });

  test('two services without Redis: no 5xx, half of the limit each, reported in metrics and log; then shared again', async () => {
    cluster = await openCluster({ redisUrl: redis.url });
    const { nodes, logs } = cluster;
    await until(() => nodes.every(({ service }) => service.changes.nodes() === 2), 'both nodes know of each other');
    const accountId = await nodes[0].account();
    const { secret } = await nodes[0].key(accountId, { limitPerMinute: 40 });
    const other = await nodes[0].key(accountId);
    for (const node of nodes) {
      expect(await metricOf(node, 'galeri_limits_degraded')).toBe(0);
      // The page is in memory from here on, so that no reply waits for the database.
      expect((await node.call('vehicles', { key: other.secret })).status).toBe(200);
    }
    await redis.kill();
    const answers = await Promise.all(
      Array.from({ length: 120 }, async (_, place) => ({
        place,
        answer: await nodes[place % 2]!.call('vehicles', { key: secret }),
      })),
    );
    expect(answers.filter(({ answer }) => answer.status >= 500)).toEqual([]);
    for (const half of [0, 1]) {
      expect(answers.filter(({ place, answer }) => place % 2 === half && answer.status !== 429)).toHaveLength(20);
      expect(await metricOf(nodes[half]!, 'galeri_limits_degraded')).toBe(1);
      expect(logs[half]!.lines.join('\n')).toContain('Redis is unreachable');
    }
    await redis.restart();
    const restartedAt = performance.now();
    await until(async () => {
      for (const node of nodes) expect((await node.call('account', { key: other.secret })).status).toBe(200);
      return areShared(nodes);
    }, 'limits are shared again');
    expect(performance.now() - restartedAt).toBeLessThan(5000 * measureSlowness());
    for (const log of logs) expect(log.lines.join('\n')).toContain('Redis is back');
  });

  test('a service without REDIS_URL is refused beside another, in either order', async () => {
    cluster = await openCluster({ redisUrl: redis.url });
    await expect(testService({ shared: cluster.nodes[0] })).rejects.toThrow(AnotherNode);
    const alone = await testService();
    try {
      await expect(testService({ shared: alone, env: { REDIS_URL: redis.url } })).rejects.toThrow(AnotherNode);
      await expect(testService({ shared: alone })).rejects.toThrow(/set REDIS_URL on every node/);
    } finally {
      await alone.close();
    }
  });
});
