// The service as people start and stop it: npm start, signals, a taken port, bad settings.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { alive as isAlive } from '../../src/postgres/embedded-install.ts';
import { eventually, finish, galeri, get, launch, postmasterPid } from './process.ts';
import { dataDir, dataDirThatWas, run, SERVE, stopAfterEach } from './starts.ts';

stopAfterEach();

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

  it('opens all 185 endpoints with --live all', async () => {
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
    [['release', 'activate', 'GET nothing'], /is not an endpoint of the catalog/],
    [['account', 'create'], /--name is missing/],
    [['account', 'create', '--name', 'x', '--country', 'XX'], /--country must be one of/],
    [['admin', 'create', '--email', 'nobody', '--password-stdin'], /not an e-mail/],
    [['import', 'boats'], /import/],
  ])('answers bad input %j with one line', async (args, message) => {
    // Commands that look something up have something to find.
    const directory = ['revoke', 'activate'].includes(args[1]!) ? await dataDirThatWas('migrated') : await dataDir();
    const { code, stderr, stdout } = await galeri(args, { DATA_DIR: directory });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
  });
});
