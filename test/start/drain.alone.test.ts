// SIGTERM with a proxy in front: unready, still accepting, then the end; over all API processes.
import { expect, test } from 'vitest';
import { isRedisMissing, startRedis } from '../support/redis.ts';
import { eventually, type Started, stop } from './process.ts';
import { dataDirThatWas, run, SERVE, stopAfterEach } from './starts.ts';

stopAfterEach();

const BEHIND_PROXY = { TRUST_PROXY: '10.0.0.0/8', DRAIN_SECONDS: '600' };

const statusOf = async ({ ready }: Started, path: string): Promise<number> =>
  (await fetch(new URL(path, ready.api), { headers: { connection: 'close' } })).status;

async function drained(service: Started): Promise<void> {
  service.child.kill('SIGTERM');
  await eventually(async () => service.output().includes('"message":"draining'));
  await eventually(async () => (await statusOf(service, '/readyz')) === 503);
}

/** A second signal within a second is the same one, which reached the process twice: it is sent until it counts. Later ones could end it. */
function stopAtOnce(service: Started): Promise<number | null> {
  const isStopping = () => service.output().includes('"message":"stopping');
  const again = setInterval(() => isStopping() || service.child.kill('SIGTERM'), 300);
  service.child.once('exit', () => clearInterval(again));
  return stop(service);
}

test('a node is unready and accepts until the time is over; a second signal ends the draining', async () => {
  const service = await run([...SERVE, '--no-demo'], { DATA_DIR: await dataDirThatWas('migrated'), ...BEHIND_PROXY });
  expect(await statusOf(service, '/readyz')).toBe(200);
  await drained(service);
  expect(await statusOf(service, '/healthz')).toBe(200);
  expect(await statusOf(service, '/api/v1/account')).toBe(401);
  expect(await stopAtOnce(service)).toBe(0);
  await expect(statusOf(service, '/healthz')).rejects.toThrow();
});

test('without a second signal it ends when the time is over', async () => {
  const env = { DATA_DIR: await dataDirThatWas('migrated'), ...BEHIND_PROXY, DRAIN_SECONDS: '1' };
  const service = await run([...SERVE, '--no-demo'], env);
  const from = performance.now();
  expect(await stop(service)).toBe(0);
  expect(performance.now() - from).toBeGreaterThan(950);
  expect(service.output()).toContain('"message":"draining');
});

test('a private service does not wait', async () => {
  const service = await run([...SERVE, '--no-demo'], { DATA_DIR: await dataDirThatWas('migrated') });
  expect(await stop(service)).toBe(0);
  expect(service.output()).not.toContain('draining');
});

test.skipIf(isRedisMissing())('all API processes are unready and answer', async () => {
  const redis = await startRedis();
  try {
    const env = { DATA_DIR: await dataDirThatWas('migrated'), ...BEHIND_PROXY, REDIS_URL: redis.url, WORKERS: '2' };
    const service = await run([...SERVE, '--no-demo'], env);
    await drained(service);
    // New connections go to the processes in turn.
    for (let time = 0; time < 10; time += 1) {
      await eventually(async () => (await statusOf(service, '/readyz')) === 503);
      expect(await statusOf(service, '/healthz')).toBe(200);
    }
    expect(await stopAtOnce(service)).toBe(0);
  } finally {
    await redis.stop();
  }
});
