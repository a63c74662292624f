// `galeri serve` on a database whose connections go silent: it is not ready while they are, recovers when new ones work, and
// always stops in time.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type Cable, layCable } from '../support/cable.ts';
import { newDataDir } from '../support/data-dir.ts';
import { eventually, galeri, get, launch, removeDataDir, type Started, start, stop } from './process.ts';

const name = `t_${randomBytes(6).toString('hex')}`;
let server: Session;
let cable: Cable;
let env: Record<string, string>;
let key: string;
beforeAll(async () => {
  server = await openSession(inject('adminUrl'));
  await server.rows(`create database ${name} template ${inject('template')}`);
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  cable = await layCable(url.href);
  env = {
    DATABASE_URL: cable.url,
    GALERI_SECRET: 'a secret of at least thirty-two characters',
    DATA_DIR: await newDataDir('silent'),
  };
  const made = async (args: string[]) => JSON.parse((await galeri([...args, '--json'], env)).stdout);
  const { id } = (await made(['account', 'create', '--name', 'Sessiz Oto'])) as { id: string };
  key = ((await made(['key', 'create', '--account', id, '--name', 'k', '--template', 'read-only'])) as { key: string }).key;
});
afterAll(async () => {
  await cable?.close();
  await server.rows(`drop database ${name} with (force)`);
  await server.close();
  if (env) await removeDataDir(env.DATA_DIR!);
});

describe.each([{ args: ['serve'] }, { args: ['serve', '--only', 'worker'] }])('galeri $args', ({ args }) => {
  const isApi = args.length === 1;
  test('recovers from silent connections, and stops while they are silent', async () => {
    const service = isApi ? await start(['bin/galeri', ...args], env) : await startWorker(args);
    if (isApi) {
      const ready = new URL('/readyz', service.ready.api).href;
      const account = `${service.ready.api}account`;
      const statuses = async () => [(await get(ready)).status, (await get(account, key)).status];
      expect(await statuses()).toEqual([200, 200]);
      // Old connections are silent permanently, and new ones too until the cable is restored.
      cable.hang();
      expect((await get(account, key)).status).toBe(503);
      expect((await get(ready)).status).toBe(503);
      cable.mend();
      await eventually(async () => (await statuses()).every((status) => status === 200));
    }
    cable.hang();
    expect(await stop(service)).toBe(0);
    cable.mend();
  });
});

async function startWorker(args: string[]): Promise<Started> {
  const child = launch(['bin/galeri', ...args], env);
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  await eventually(async () => output.includes('the worker runs without the API'));
  return { child, ready: { api: '', docs: '' }, output: () => output };
}
