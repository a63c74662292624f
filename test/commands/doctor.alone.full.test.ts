// `galeri doctor`: a sound deployment is found sound, and each planted fault by its check.
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkMachine } from '../../src/commands/doctor/check-machine.ts';
import { checkServer } from '../../src/commands/doctor/check-server.ts';
import type { Finding } from '../../src/commands/doctor/findings.ts';
import { processName, readConfig, VERSION } from '../../src/config.ts';
import { connect } from '../../src/postgres/connect.ts';
import { openSession } from '../../src/postgres/database.ts';
import { preparedDataDir } from '../start/prepared.ts';
import { galeri, removeDataDir } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';
import { isPgBouncerMissing, startPgBouncer } from '../support/pgbouncer.ts';
import { isPostgres15Missing, type OldServer, startPostgres15 } from '../support/postgres15.ts';
import { isRedisMissing, startRedis } from '../support/redis.ts';
import { startStandby } from '../support/standby.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map(removeDataDir)));

const GALERI_SECRET = 'a secret of at least thirty-two characters';
const find = (findings: readonly Finding[], name: string): Finding => findings.find((finding) => finding.name === name)!;

describe('the command', () => {
  test('prints every check, and its exit code is its state', async () => {
    const DATA_DIR = await preparedDataDir('migrated', 'doctor');
    const target = await newDataDir('doctor-backup');
    folders.push(DATA_DIR, target);
    const before = await galeri(['doctor', '--json'], { DATA_DIR });
    const { state, checks } = JSON.parse(before.stdout) as { state: string; checks: Finding[] };
    expect(before.stderr).toBe('');
    expect(checks.map(({ name }) => name)).toEqual([
      ...['settings', 'hosts', 'primary', 'pooler', 'options', 'durability', 'replication', 'standbys', 'schema', 'connections'],
      ...['clock', 'nodes', 'wal_archive', 'log_database', 'tls', 'redis', 'files', 'disk', 'secret', 'backup'],
    ]);
    // The disk of the machine that runs the tests may be full.
    const unsound = checks.filter(({ name, status }) => name !== 'disk' && status !== 'ok' && status !== 'skipped');
    expect(unsound.map(({ name, status }) => [name, status])).toEqual([['backup', 'warning']]);
    expect(before.code).toBe(state === 'broken' ? 1 : 2);
    expect((await galeri(['backup', join(target, 'one')], { DATA_DIR })).code).toBe(0);
    const after = await galeri(['doctor'], { DATA_DIR });
    expect(after.stdout).toMatch(/^ok +backup +.*one, 0 hours ago$/m);
    if (find(checks, 'disk').status === 'ok') expect(after).toMatchObject({ code: 0, stdout: expect.stringMatching(/sound\n$/) });
  });

  test('reports a bad setting and goes no further', async () => {
    const { code, stdout } = await galeri(['doctor', '--json'], { WORKERS: 'many' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'broken', checks: [{ name: 'settings', status: 'broken' }] });
  });

  test('creates nothing in an empty place', async () => {
    const DATA_DIR = await newDataDir('doctor-empty');
    folders.push(DATA_DIR);
    const { stdout } = await galeri(['doctor'], { DATA_DIR });
    expect(stdout).toMatch(/skipped +hosts +there is no database in/);
  });
});

describe.skipIf(isPostgres15Missing())('on a server', () => {
  let server: OldServer;
  let dataDir: string;
  const configOf = (DATABASE_URL: string, more: Record<string, string> = {}) =>
    readConfig({ DATABASE_URL, DATA_DIR: dataDir, GALERI_SECRET, ...more });
  const findingsOn = (url: string, more: Record<string, string> = {}) => {
    const config = configOf(url, more);
    return checkServer(config.databaseUrl!, config);
  };
  beforeAll(async () => {
    dataDir = await newDataDir('doctor-server');
    folders.push(dataDir);
    server = await startPostgres15();
    await (await connect(configOf(server.url))).close();
  });
  afterAll(() => server?.stop());

  test('a process of another version is named', async () => {
    const session = await openSession(server.url);
    await session.rows("select set_config('application_name', $1, false)", [processName('api', 'one').replace(VERSION, '0.9.0')]);
    const nodes = find(await findingsOn(server.url), 'nodes');
    expect(nodes).toMatchObject({ status: 'warning', detail: expect.stringContaining('0.9.0 api one') });
    await session.rows("select set_config('application_name', $1, false)", [processName('api', 'one')]);
    expect(find(await findingsOn(server.url), 'nodes')).toMatchObject({ status: 'ok', detail: `${VERSION} api one` });
    await session.close();
  });

  test('too many connections', async () => {
    const found = async (DATABASE_CONNECTIONS: string) =>
      find(await findingsOn(server.url, { DATABASE_CONNECTIONS, WORKERS: '2', REDIS_URL: 'redis://127.0.0.1:1' }), 'connections');
    expect(await found('4')).toMatchObject({ status: 'ok' });
    expect(await found('50')).toMatchObject({ status: 'warning' });
    expect(await found('100')).toMatchObject({ status: 'broken' });
  });

  test('migrations that are missing', async () => {
    const session = await openSession(server.url);
    await session.rows('create table kept as select * from schema_migrations order by name desc limit 1');
    await session.rows('delete from schema_migrations where name in (select name from kept)');
    expect(find(await findingsOn(server.url), 'schema')).toMatchObject({ status: 'warning' });
    await session.rows('insert into schema_migrations select * from kept');
    await session.rows('drop table kept');
    expect(find(await findingsOn(server.url), 'schema')).toMatchObject({ status: 'ok' });
    await session.close();
  });

  test('settings that lose writes, an archive that fails, and a lonely standby', async () => {
    const settings = ['fsync=off', 'archive_mode=on', 'archive_command=false', 'synchronous_standby_names=absent'];
    const careless = await startPostgres15({ settings });
    const standby = await startPostgres15({ prepare: (data) => closeSync(openSync(join(data, 'standby.signal'), 'a', 0o644)) });
    try {
      const session = await openSession(careless.url);
      await session.rows('set synchronous_commit = off');
      await session.rows('select pg_switch_wal()');
      await session.rows('create table written (x int)');
      await session.rows('select pg_switch_wal()');
      await expect.poll(async () => find(await findingsOn(careless.url), 'wal_archive').status).toBe('broken');
      await session.close();
      const found = await findingsOn(careless.url);
      expect(find(found, 'durability')).toMatchObject({ status: 'broken', detail: expect.stringContaining('fsync') });
      expect(find(found, 'replication')).toMatchObject({ status: 'broken' });
      const ofStandby = await findingsOn(standby.url);
      expect(find(ofStandby, 'hosts')).toMatchObject({ status: 'broken' });
      expect(find(ofStandby, 'primary')).toMatchObject({ status: 'broken', detail: expect.stringContaining('is a standby') });
      expect(find(await findingsOn(`postgresql://postgres@${standby.host},${server.host}/postgres`), 'hosts').status).toBe('ok');
      expect(find(await findingsOn(`postgresql://postgres@${careless.host},${server.host}/postgres`), 'hosts').status).toBe(
        'broken',
      );
    } finally {
      await careless.stop();
      await standby.stop();
    }
  });

  test('an archive that gets full segments only', async () => {
    const archiving = await startPostgres15({ settings: ['archive_mode=on', 'archive_command=true'] });
    const found = async () => find(await findingsOn(archiving.url), 'wal_archive');
    try {
      const session = await openSession(archiving.url);
      await session.rows('create table written (x int)');
      await session.rows('select pg_switch_wal()');
      await expect.poll(async () => (await found()).detail).toMatch(/^last archived/);
      expect(await found()).toMatchObject({ status: 'warning', detail: expect.stringContaining('archive_timeout = 0') });
      await session.rows('alter system set archive_timeout = 30');
      await session.rows('select pg_reload_conf()');
      await session.close();
      await expect.poll(async () => (await found()).status).toBe('ok');
    } finally {
      await archiving.stop();
    }
  });

  test('standbys for reads: one that follows, one that does not, one that is none', async () => {
    const found = async (DATABASE_READ_URL: string) => find(await findingsOn(server.url, { DATABASE_READ_URL }), 'standbys');
    expect((await checkServer(server.url, configOf(server.url))).find(({ name }) => name === 'standbys')!.status).toBe('skipped');
    const standby = await startStandby(server);
    const late = await startStandby(server, ['recovery_min_apply_delay=1h']);
    try {
      expect(await found(standby.url)).toMatchObject({ status: 'ok', detail: expect.stringMatching(/: \d+ ms late$/) });
      const session = await openSession(server.url);
      await session.rows('create table newer (x int)');
      await session.close();
      const both = await found(`${standby.url},${late.url}`);
      expect(both).toMatchObject({ status: 'warning', detail: expect.stringContaining('more than a second late') });
      expect(both.detail).toMatch(/: \d+ ms late;.*; its reads are made on the primary$/);
      expect((await found(server.url)).detail).toContain('not a standby, it accepts writes');
      expect((await found('postgresql://127.0.0.1:1/postgres')).detail).toContain('ECONNREFUSED');
    } finally {
      await standby.stop();
      await late.stop();
    }
  });

  test.skipIf(isPgBouncerMissing())('a pooler that shares sessions', async () => {
    const [shared, own] = [await startPgBouncer(server, 'transaction'), await startPgBouncer(server, 'session')];
    expect(find(await findingsOn(shared.url), 'pooler')).toMatchObject({ status: 'broken' });
    const found = await findingsOn(own.url);
    expect(find(found, 'pooler')).toMatchObject({ status: 'ok', detail: expect.stringContaining('by statements') });
    expect(find(found, 'options')).toMatchObject({ status: 'ok' });
    await shared.stop();
    await own.stop();
  });
});

describe('around the service', () => {
  const machine = (env: Record<string, string>) => checkMachine(readConfig({ DATA_DIR: folders[0]!, ...env }), () => false);

  test('Redis that is gone, an unencrypted way, a secret of one machine, a store that cannot be written', async () => {
    const found = await machine({ REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'postgresql://u@db.example/x' });
    expect(find(found, 'redis').status).toBe('broken');
    expect(find(found, 'tls')).toMatchObject({ status: 'warning', detail: expect.stringContaining('db.example') });
    expect(find(found, 'secret').status).toBe('warning');
    const file = join(folders[0]!, 'a-file');
    await writeFile(file, '');
    const unwritable = await machine({ DATA_DIR: join(file, 'data') });
    expect(find(unwritable, 'files').status).toBe('broken');
    expect(find(await machine({ DATABASE_URL: 'postgresql://u@db.example/x?sslmode=verify-full' }), 'tls').status).toBe('ok');
  });

  test.skipIf(isRedisMissing())('Redis that is there', async () => {
    const redis = await startRedis();
    const detail = expect.stringMatching(/^Redis [\d.]+; it needs no persistence/);
    expect(find(await machine({ REDIS_URL: redis.url }), 'redis')).toMatchObject({ status: 'ok', detail });
    await redis.stop();
  });
});
