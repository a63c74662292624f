// The service as it is started and stopped by people: npm start, signals, kill -9, a taken port, bad settings.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { alive as isAlive } from '../../src/postgres/embedded-install.ts';
import { newDataDir } from '../support/data-dir.ts';
import { type Prepared, preparedDataDir } from './prepared.ts';
import { eventually, finish, galeri, get, launch, postmasterPid, removeDataDir, type Started, start, stop } from './process.ts';

const SERVE = ['bin/galeri', 'serve'];
const started: Started[] = [];
const dataDirs: string[] = [];

async function dataDir(): Promise<string> {
  const made = await newDataDir('start');
  dataDirs.push(made);
  return made;
}

async function dataDirThatWas(prepared: Prepared): Promise<string> {
  const made = await preparedDataDir(prepared, 'start');
  dataDirs.push(made);
  return made;
}

async function run(command: string[], env: Record<string, string>): Promise<Started> {
  const one = await start(command, env);
  started.push(one);
  return one;
}

afterEach(async () => {
  for (const one of started.splice(0)) if (one.child.exitCode === null && one.child.signalCode === null) await stop(one);
  for (const directory of dataDirs.splice(0)) {
    const pid = await postmasterPid(directory);
    if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGINT');
    await removeDataDir(directory);
  }
});

describe('npm start', () => {
  it('serves the demo key, and a SIGTERM to npm stops the service and its PostgreSQL', async () => {
    const directory = await dataDir();
    const { ready, child } = await run(['npm', 'start', '--silent'], { DATA_DIR: directory });
    const vehicles = await get(`${ready.api}vehicles`, ready.demo_key);
    expect(vehicles.status).toBe(200);
    expect(vehicles.json.data).toHaveLength(25);
    expect(ready.curl).toContain(ready.demo_key);
    const pid = await postmasterPid(directory);
    expect(isAlive(pid!)).toBe(true);
    child.kill('SIGTERM');
    await eventually(async () => !isAlive(pid!));
    await expect(fetch(ready.api)).rejects.toThrow();
  });
});

describe('serve', () => {
  it('loses nothing to kill -9, adopts the PostgreSQL that was left, and starts again after both were killed', async () => {
    const directory = await dataDirThatWas('served');
    const first = await run(SERVE, { DATA_DIR: directory });
    const before = await get(`${first.ready.api}vehicles?limit=100`, first.ready.demo_key);
    const pid = await postmasterPid(directory);
    await stop(first, 'SIGKILL');
    expect(isAlive(pid!)).toBe(true);
    const second = await run(SERVE, { DATA_DIR: directory });
    expect(second.ready.demo_key).toBe(first.ready.demo_key);
    expect((await get(`${second.ready.api}vehicles?limit=100`, first.ready.demo_key)).json.data).toEqual(before.json.data);
    expect(await postmasterPid(directory)).toBe(pid);
    process.kill(pid!, 'SIGKILL');
    await stop(second, 'SIGKILL');
    const third = await run(SERVE, { DATA_DIR: directory });
    expect((await get(`${third.ready.api}vehicles?limit=100`, first.ready.demo_key)).json.data).toEqual(before.json.data);
    const last = await postmasterPid(directory);
    expect(await stop(third)).toBe(0);
    expect(isAlive(last!)).toBe(false);
  });

  it('refuses a second one on the same DATA_DIR; answers 503 while PostgreSQL is down under it, restarts it, and goes on', async () => {
    const directory = await dataDirThatWas('served');
    const { ready } = await run(SERVE, { DATA_DIR: directory });
    const second = await finish(launch(SERVE, { DATA_DIR: directory, PORT: '0' }));
    expect(second.code).toBe(1);
    expect(second.stderr.trim().split('\n')).toHaveLength(1);
    expect(second.stderr).toMatch(/already runs on this DATA_DIR/);
    expect((await get(`${ready.api}vehicles`, ready.demo_key)).status).toBe(200);
    const killed = (await postmasterPid(directory))!;
    process.kill(killed, 'SIGKILL');
    const refused: unknown[] = [];
    await eventually(async () => {
      const { status, json } = await get(`${ready.api}vehicles`, ready.demo_key);
      if (status !== 200) refused.push([status, json.error?.code]);
      return status === 200 && ![null, killed].includes(await postmasterPid(directory));
    });
    for (const answer of refused) expect(answer).toEqual([503, 'service_unavailable']);
    await eventually(async () => (await fetch(new URL('/readyz', ready.api))).status === 200);
  });

  it('names a taken port in one line and leaves nothing running', async () => {
    const directory = await dataDirThatWas('migrated');
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const refused = await finish(launch(SERVE, { DATA_DIR: directory, PORT: String(port) }));
    taken.close();
    expect(refused.code).toBe(1);
    expect(refused.stderr.trim()).toMatch(new RegExp(`^galeri: 127\\.0\\.0\\.1:${port} is already in use`));
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    expect(await postmasterPid(directory)).toBeNull();
  });

  it('opens all 185 rows with --live all', async () => {
    const env = { DATA_DIR: await dataDirThatWas('served') };
    const { ready, output } = await run([...SERVE, '--live', 'all'], env);
    expect(output()).not.toContain('not built');
    expect((await get(`${ready.api}vehicles`, ready.demo_key)).status).toBe(200);
    const listed = JSON.parse((await galeri(['release', 'list', '--json'], env)).stdout) as { status: string }[];
    expect(listed.filter(({ status }) => status === 'Aktif')).toHaveLength(185);
  });
});

describe('settings', () => {
  // The others are in config.test.ts.
  it.each([
    ['PORT', 'abc'],
    ['LIVE', 'GET nothing'],
    ['GALERI_SECRET', 'short'],
  ])('refuses %s=%s with one line that names it', async (name, value) => {
    const { code, stderr, stdout } = await finish(launch(SERVE, { DATA_DIR: await dataDir(), [name]: value }));
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(name === 'LIVE' ? value : name);
    expect(stdout).toBe('');
  });
});

describe('the command line', () => {
  it('works beside a running service and without one, on the same data', async () => {
    const directory = await dataDirThatWas('migrated');
    const env = { DATA_DIR: directory };
    const made = await galeri(['account', 'create', '--name', 'Akdeniz Oto', '--city', 'Girne', '--json'], env);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const account = JSON.parse(made.stdout) as { id: string };
    expect(await postmasterPid(directory)).toBeNull();
    const { ready } = await run([...SERVE, '--no-demo'], env);
    const created = await galeri(
      ['key', 'create', '--account', account.id, '--name', 'ERP', '--template', 'read-only', '--json'],
      env,
    );
    const { key, id } = JSON.parse(created.stdout) as { key: string; id: string };
    expect((await get(`${ready.api}account`, key)).status).toBe(200);
    expect((await galeri(['key', 'revoke', id, '--json'], env)).code).toBe(0);
    await eventually(async () => (await get(`${ready.api}account`, key)).status === 401);
  });

  it.each([
    [['nothing'], /there is no command "nothing"/],
    [['key'], /key takes/],
    [['key', 'create', '--account', 'x', '--name', 'n', '--template', 'full'], /--account must be an id/],
    [['key', 'create', '--bogus'], /--bogus/],
    [['key', 'revoke', '00000000-0000-0000-0000-000000000000'], /no such key/],
    [['release', 'activate', 'GET nothing'], /is not a catalog row/],
    [['account', 'create'], /--name is missing/],
    [['account', 'create', '--name', 'x', '--country', 'XX'], /--country must be one of/],
    [['admin', 'create', '--email', 'nobody', '--password-stdin'], /not an e-mail/],
    [['import', 'boats'], /import/],
  ])('answers bad input %j with one line', async (args, message) => {
    // Those that look something up have something to look it up in.
    const directory = ['revoke', 'activate'].includes(args[1]!) ? await dataDirThatWas('migrated') : await dataDir();
    const { code, stderr, stdout } = await galeri(args, { DATA_DIR: directory });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
  });
});
