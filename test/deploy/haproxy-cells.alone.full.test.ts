// Keys of dealers who have moved reach their deployment through the shipped configuration with a map of key prefixes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCertificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/patience.ts';
import { isMissing } from '../support/programs.ts';
import { type TestService, testService } from '../support/service.ts';

const CONFIG = new URL('../../deploy/haproxy/haproxy-api.cfg', import.meta.url);
const MAP = new URL('../../deploy/haproxy/galeri-cells.map', import.meta.url);

describe.skipIf(isMissing('haproxy', ['-v']))('two deployments at one HAProxy', () => {
  let folder: string;
  let balancer: ChildProcess;
  let ca: string;
  let port: number;
  const places: TestService[] = [];
  const keys: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galeri-cells-'));
    for (const name of ['Kalan Oto', 'Giden Oto']) {
      const place = await testService({ env: { TRUST_PROXY: '127.0.0.1' } });
      places.push(place);
      keys.push((await place.key(await place.account({ name }))).secret);
    }
    const certificate = await testCertificate(folder);
    ca = readFileSync(certificate, 'utf8');
    port = await freePort();
    const [stays, moved] = places.map(({ service }) => new URL(service.url).host);
    const config = readFileSync(CONFIG, 'utf8')
      .replace('/etc/haproxy/galeri.pem', certificate)
      .replaceAll('/etc/haproxy/galeri-cells.map', join(folder, 'cells.map'))
      .replace('bind :443', `bind 127.0.0.1:${port}`)
      .replace('bind :80', `bind 127.0.0.1:${await freePort()}`)
      .replace(/ {2}server node2.*\n {2}server node3.*\n/, '')
      .replace('10.0.0.11:3000', stays!);
    const backend = /backend nodes\n[\s\S]*/.exec(config)![0].replace('backend nodes', 'backend cell2').replace(stays!, moved!);
    await writeFile(join(folder, 'cells.map'), `${readFileSync(MAP, 'utf8')}${keys[1]!.slice(0, 13)} cell2\n`);
    await writeFile(join(folder, 'haproxy.cfg'), `${config}\n${backend}`);
    balancer = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
    await until(async () => (await ask().catch(() => 'closed')) === 401, 'the balancer has a node');
    await until(
      async () => (await ask(keys[1]).catch(() => 'closed')) !== 503,
      'the balancer has a node of the other deployment',
    );
  });
  afterAll(async () => {
    if (balancer?.exitCode === null) {
      const ended = once(balancer, 'exit');
      balancer.kill('SIGKILL');
      await ended;
    }
    for (const place of places) await place.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** The status, or the name of the account that answers. */
  const ask = (key?: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
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
