// Nodes restarted one after another in the shipped HAProxy configuration: no request fails, and without any node callers get the envelope.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCertificate } from '../support/certificate.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/patience.ts';
import { isMissing } from '../support/programs.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { type TestService, testService } from '../support/service.ts';

const CONFIG = new URL('../../deploy/haproxy/haproxy-api.cfg', import.meta.url);

describe.skipIf(isMissing('haproxy', ['-v']) || isRedisMissing())('nodes of HAProxy', () => {
  let folder: string;
  let shared: TestDatabase;
  let redis: TestRedis;
  let balancer: ChildProcess;
  let port: number;
  let ca: string;
  const ports: number[] = [];
  const nodes: (TestService | null)[] = [];

  const startNode = (place: number): Promise<TestService> =>
    testService({ shared, env: { PORT: String(ports[place]), REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1' } });
  const stats = async (): Promise<string> => {
    const socket = connect(join(folder, 'stats'), () => socket.write('show stat\n'));
    return text(socket);
  };
  /** As the balancer sees a node. */
  const stateOf = async (place: number): Promise<string> =>
    (await stats())
      .split('\n')
      .find((line) => line.startsWith(`nodes,node${place + 1},`))
      ?.split(',')[17] ?? '';
  const isUp = async (place: number) => (await stateOf(place)).startsWith('UP');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galeri-haproxy-'));
    shared = await testDatabase();
    redis = await startRedis();
    for (let place = 0; place < 3; place += 1) ports.push(await freePort());
    const certificate = await testCertificate(folder);
    ca = readFileSync(certificate, 'utf8');
    port = await freePort();
    let config = readFileSync(CONFIG, 'utf8')
      .replace('/etc/haproxy/galeri.pem', certificate)
      .replaceAll('/etc/haproxy/galeri-cells.map', new URL('galeri-cells.map', CONFIG).pathname)
      .replace('bind :443', `bind 127.0.0.1:${port}`)
      .replace('bind :80', `bind 127.0.0.1:${await freePort()}`)
      .replace('global\n', `global\n  stats socket ${join(folder, 'stats')} mode 600\n`);
    ports.forEach((own, place) => {
      config = config.replace(`10.0.0.1${place + 1}:3000`, `127.0.0.1:${own}`);
    });
    expect(config).not.toMatch(/10\.0\.0\.\d/);
    await writeFile(join(folder, 'haproxy.cfg'), config);
    balancer = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
    for (let place = 0; place < 3; place += 1) nodes.push(await startNode(place));
    await redis.hasCountedLong();
    for (let place = 0; place < 3; place += 1) await until(() => isUp(place), `node ${place + 1} is up`);
  });
  afterAll(async () => {
    for (const node of nodes) await node?.close();
    if (balancer?.exitCode === null) {
      const ended = once(balancer, 'exit');
      balancer.kill('SIGKILL');
      await ended;
    }
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
  const ask = (path: string, key?: string): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      request({ host: '127.0.0.1', servername: 'localhost', port, path, ca, headers, agent: false }, async (response) => {
        resolve({ status: response.statusCode!, headers: response.headers, body: await text(response) });
      })
        .on('error', reject)
        .end();
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
      await until(async () => !(await isUp(place)), `the balancer has noticed that node ${place + 1} drains`);
      await nodes[place]!.close();
      nodes[place] = await startNode(place);
      await until(() => isUp(place), `node ${place + 1} is up again`);
    }
    stopped = true;
    await Promise.all(callers);
    expect([...results.keys()]).toEqual(['200']);
    expect(results.get('200')).toBeGreaterThan(100);
  });

  test('while no node is ready, callers get the envelope and a time to come back', async () => {
    for (const node of nodes) node!.service.drain();
    for (let place = 0; place < 3; place += 1) await until(async () => !(await isUp(place)), `node ${place + 1} is down`);
    const { status, headers, body } = await ask('/api/v1/account');
    expect(status).toBe(503);
    expect(headers).toMatchObject({
      'retry-after': '2',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: { code: 'service_unavailable', message: 'The service is temporarily unavailable; retry shortly' },
      meta: {
        request_id: expect.stringMatching(/^req_[0-9a-f-]{36}$/),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
        api_version: 'v1',
      },
    });
  });
});
