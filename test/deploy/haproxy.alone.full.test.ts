// Nodes restarted one after another in the shipped HAProxy configuration: no request fails, and without any node callers get the envelope.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type ApiBalancer, startApiBalancer } from '../support/haproxy.ts';
import { until } from '../support/patience.ts';
import { isMissing } from '../support/programs.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { type TestService, testService } from '../support/service.ts';

describe.skipIf(isMissing('haproxy', ['-v']) || isRedisMissing())('nodes of HAProxy', () => {
  let folder: string;
  let shared: TestDatabase;
  let redis: TestRedis;
  let balancer: ApiBalancer;
  const ports: number[] = [];
  const nodes: (TestService | null)[] = [];

  const startNode = (place: number): Promise<TestService> =>
    testService({ shared, env: { PORT: String(ports[place]), REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1' } });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galeri-haproxy-'));
    shared = await testDatabase();
    redis = await startRedis();
    for (let place = 0; place < 3; place += 1) ports.push(await freePort());
    balancer = await startApiBalancer(folder, ports);
    for (let place = 0; place < 3; place += 1) nodes.push(await startNode(place));
    await redis.hasCountedLong();
    for (let place = 0; place < 3; place += 1) await until(() => balancer.isUp(place), `node ${place + 1} is up`);
  });
  afterAll(async () => {
    for (const node of nodes) await node?.close();
    await balancer?.close();
    await redis?.stop();
    await shared?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  interface Answered {
    readonly status: number;
    readonly headers: Record<string, unknown>;
    readonly body: string;
  }
  /** Each over a connection of its own, as from many callers. */
  const ask = (path: string, key?: string, { port, ca } = balancer, method = 'GET'): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const options = { host: '127.0.0.1', servername: 'localhost', port, method, path, ca, headers, agent: false };
      request(options, async (response) => {
        resolve({ status: response.statusCode!, headers: response.headers, body: await text(response) });
      })
        .on('error', reject)
        .end();
    });
  const envelope = (message: string) => ({
    success: false,
    error: { code: 'service_unavailable', message },
    meta: {
      request_id: expect.stringMatching(/^req_[0-9a-f-]{36}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      api_version: 'v1',
    },
  });

  test('a rolling restart of all nodes fails no request', async () => {
    const { secret } = await nodes[0]!.key(await nodes[0]!.account(), { endpoints: ['GET account'] });
    const results = new Map<string, number>();
    let stopped = false;
    const caller = async () => {
      while (!stopped) {
        const result = await ask('/api/v1/account', secret).then(({ status }) => String(status), String);
        results.set(result, (results.get(result) ?? 0) + 1);
      }
    };
    const callers = Array.from({ length: 4 }, caller);
    for (let place = 0; place < 3; place += 1) {
      nodes[place]!.service.drain();
      await until(async () => !(await balancer.isUp(place)), `the balancer has noticed that node ${place + 1} drains`);
      await nodes[place]!.close();
      nodes[place] = await startNode(place);
      await until(() => balancer.isUp(place), `node ${place + 1} is up again`);
    }
    stopped = true;
    await Promise.all(callers);
    expect([...results.keys()]).toEqual(['200']);
    expect(results.get('200')).toBeGreaterThan(100);
  });

  test('while no node is ready, callers get the envelope and a time to come back', async () => {
    for (const node of nodes) node!.service.drain();
    for (let place = 0; place < 3; place += 1)
      await until(async () => !(await balancer.isUp(place)), `node ${place + 1} is down`);
    const { status, headers, body } = await ask('/api/v1/account');
    expect(status).toBe(503);
    expect(headers).toMatchObject({
      'retry-after': '2',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(body)).toEqual(envelope('The service is temporarily unavailable; retry shortly'));
  });

  test('a write whose node dies gets the envelope, and is not sent to another node', async () => {
    let writes = 0;
    const dying = createServer(({ method }, response) => {
      if (method === 'GET') return response.end();
      writes += 1;
      return response.destroy();
    }).listen(0, '127.0.0.1');
    await once(dying, 'listening');
    const { port } = dying.address() as AddressInfo;
    const own = await mkdtemp(join(tmpdir(), 'galeri-haproxy-'));
    const before = await startApiBalancer(own, [port]);
    try {
      await until(() => before.isUp(0), 'the node is up');
      const { status, headers, body } = await ask('/api/v1/vehicles', undefined, before, 'POST');
      expect([status, headers['retry-after'], writes]).toEqual([502, '2', 1]);
      expect(JSON.parse(body)).toEqual(envelope(expect.stringContaining('the same Idempotency-Key')));
    } finally {
      await before.close();
      dying.close();
      await rm(own, { recursive: true, force: true });
    }
  });
});
