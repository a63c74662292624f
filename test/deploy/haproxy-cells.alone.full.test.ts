// Keys of dealers who have moved reach their deployment through the shipped configuration with a map of key prefixes.
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiBalancer, startApiBalancer } from '../support/haproxy.ts';
import { until } from '../support/patience.ts';
import { isMissing } from '../support/programs.ts';
import { type TestService, testService } from '../support/service.ts';

describe.skipIf(isMissing('haproxy', ['-v']))('two deployments at one HAProxy', () => {
  let folder: string;
  let balancer: ApiBalancer;
  const places: TestService[] = [];
  const keys: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galeri-cells-'));
    for (const name of ['Kalan Oto', 'Giden Oto']) {
      const place = await testService({ env: { TRUST_PROXY: '127.0.0.1' } });
      places.push(place);
      keys.push((await place.key(await place.account({ name }))).secret);
    }
    const [stays, moved] = places.map(({ service }) => Number(new URL(service.url).port));
    balancer = await startApiBalancer(folder, [stays!], { prefix: keys[1]!.slice(0, 13), port: moved! });
    await until(async () => (await ask().catch(() => 'closed')) === 401, 'the balancer has a node');
    await until(
      async () => (await ask(keys[1]).catch(() => 'closed')) !== 503,
      'the balancer has a node of the other deployment',
    );
  });
  afterAll(async () => {
    await balancer?.close();
    for (const place of places) await place.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** The status, or the name of the account that answers. */
  const ask = (key?: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const { port, ca } = balancer;
      request(
        { host: '127.0.0.1', servername: 'localhost', port, path: '/api/v1/account', ca, headers, agent: false },
        async (response) => {
          const body = await text(response);
          resolve(response.statusCode === 200 ? JSON.parse(body).data.name : response.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });

  test('each key reaches its deployment', async () => {
    expect(await Promise.all([ask(keys[0]), ask(keys[1]), ask()])).toEqual(['Kalan Oto', 'Giden Oto', 401]);
  });
});
