// The load generator of the benches: what counts as the latency of a request that is sent at its moment.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type LoadJob, type LoadResult, runLoad } from '../../bench/load.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Against a server that answers so. */
async function loaded(answer: RequestListener, job: Omit<LoadJob, 'port'>): Promise<LoadResult> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return runLoad({ ...job, port: (server.address() as AddressInfo).port });
}

const REQUESTS = Array.from({ length: 12 }, (_, n) => ({ path: '/', kind: n < 4 ? 'few' : 'many' }));
const STALL_MS = 600;
const MOMENTS_MS = 200;

test('a stall counts for every request that falls due in it', async () => {
  let stall: Promise<unknown> | null = null;
  const result = await loaded(
    async (_, response) => {
      stall ??= wait(STALL_MS);
      await stall;
      response.end('ok');
    },
    { requests: REQUESTS, atMoments: true, connections: 1, seconds: MOMENTS_MS / 1000 },
  );
  expect(result.statuses).toEqual({ 200: 12 });
  expect(result.kinds).toMatchObject({ few: { count: 4 }, many: { count: 8 } });
  // The stall begins after the first moment, and no moment is later than 200 ms after it.
  expect(result.p50Ms).toBeGreaterThan(STALL_MS - MOMENTS_MS - 10);
});

test('a connection that ends without a reply counts as no reply, and as the longest latency', async () => {
  const result = await loaded((_, response) => void response.socket!.destroy(), {
    requests: REQUESTS.slice(0, 4),
    atMoments: true,
    connections: 2,
    seconds: 0.1,
  });
  expect(result.statuses).toEqual({ 0: 4 });
  expect(result.broken).toBe(4);
  expect(result.p50Ms).toBeGreaterThanOrEqual(2000);
});

test('in turn, every connection has one request after another', async () => {
  const result = await loaded((_, response) => void response.end('ok'), {
    requests: [{ path: '/' }],
    connections: 2,
    seconds: 0.1,
  });
  expect(result.statuses).toEqual({ 200: result.count });
  expect(result.total).toBeGreaterThanOrEqual(result.count);
});
