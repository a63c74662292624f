// The files of deploy/, each read by the program that it is for, and compared with what the service really has.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { testCertificate } from '../support/certificate.ts';
import { isMissing } from '../support/programs.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url).pathname;
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galeri-deploy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(isMissing('haproxy', ['-v']))('HAProxy', () => {
  const refusals = (path: string) => spawnSync('haproxy', ['-c', '-f', path], { encoding: 'utf8' });

  test.each(['haproxy-api.cfg', 'haproxy-postgres.cfg'])('accepts %s without a warning', async (name) => {
    const certificate = await testCertificate(folder);
    const path = join(folder, name);
    await writeFile(
      path,
      read(`haproxy/${name}`)
        .replace('/etc/haproxy/galeri.pem', certificate)
        .replaceAll('/etc/haproxy/galeri-cells.map', join(DEPLOY, 'haproxy/galeri-cells.map')),
    );
    const { status, stdout, stderr } = refusals(path);
    expect(`${stdout}${stderr}`).not.toMatch(/WARNING|ALERT/);
    expect(status).toBe(0);
  });
});

describe.skipIf(isMissing('systemd-analyze', ['--version']))('systemd', () => {
  test.each(['galeri.service', 'galeri-api.service', 'galeri-worker.service'])('%s is valid and restricted', async (name) => {
    const path = join(folder, name);
    const unit = read(`systemd/${name}`);
    expect(unit).toContain('Restart=always');
    // The command is not installed where the tests run.
    await writeFile(
      path,
      unit.replaceAll('ExecStart=/opt/galeri/bin/galeri', 'ExecStart=/bin/true').replace('=/opt/galeri\n', '=/\n'),
    );
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect(verified.stderr).not.toContain(name);
    expect(verified.status).toBe(0);
    // From 0, restricted, to 10. An unrestricted service has 9.6.
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', path];
    expect(spawnSync('systemd-analyze', args, { encoding: 'utf8' }).status).toBe(0);
  });

  test('the units of base backups are valid and restricted, and each type has a day', async () => {
    const unit = 'galeri-base-backup@.service';
    const timers = ['full', 'diff'].map((type) => `galeri-base-backup@${type}.timer`);
    // The program may not be installed where the tests run.
    for (const name of [unit, ...timers])
      await writeFile(
        join(folder, name),
        read(`systemd/${name}`).replace('ExecStart=/usr/bin/pgbackrest', 'ExecStart=/bin/true'),
      );
    for (const name of [unit, ...timers]) {
      const verified = spawnSync('systemd-analyze', ['verify', join(folder, name)], { encoding: 'utf8' });
      expect(verified.stderr).not.toContain('galeri-base-backup');
      expect(verified.status).toBe(0);
    }
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', join(folder, unit)];
    expect(spawnSync('systemd-analyze', args, { encoding: 'utf8' }).status).toBe(0);
    const days = timers.flatMap((name) => /^OnCalendar=(\S+) /m.exec(read(`systemd/${name}`))![1]!);
    expect(days).toEqual(['Sun', 'Mon..Sat']);
  });

  test('a stop is longer than the draining, and the arguments are those of the command', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read('systemd/galeri-api.service'))!;
    expect(Number(seconds)).toBeGreaterThanOrEqual(readConfig({ TRUST_PROXY: '10.0.0.1' }).drainSeconds + 30);
    expect(read('systemd/galeri-api.service')).toMatch(/serve --only api$/m);
    expect(read('systemd/galeri-worker.service')).toMatch(/serve --only worker$/m);
  });
});

describe.skipIf(isMissing('patroni', ['--version']))('Patroni', () => {
  test('accepts patroni.yml', () => {
    const { status, stdout, stderr } = spawnSync('patroni', ['--validate-config', join(DEPLOY, 'postgres/patroni.yml')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });
});

test('patroni.yml keeps acknowledged writes, and admits Patroni itself', () => {
  const text = read('postgres/patroni.yml');
  for (const line of ['fsync: "on"', 'synchronous_commit: "on"', 'synchronous_mode: true', 'failsafe_mode: true'])
    expect(text).toContain(line);
  // Where it listens on all addresses, Patroni itself connects to localhost.
  expect(text).toMatch(/listen: 0\.0\.0\.0:5432[\s\S]*pg_hba: \*rules/);
  for (const database of ['all all', 'replication replicator'])
    expect(text).toMatch(new RegExp(`pg_hba: &rules\\n(?: +.+\\n)* +- host ${database} 127\\.0\\.0\\.1/32 scram`));
  const numberOf = (name: string) => Number(new RegExp(`^ *${name}: (\\d+)$`, 'm').exec(text)![1]);
  expect(numberOf('ttl')).toBeGreaterThanOrEqual(numberOf('loop_wait') + 2 * numberOf('retry_timeout'));
});

describe.skipIf(isMissing('pgbackrest', ['version']))('pgBackRest', () => {
  // The folder is used in point-in-time.full.test.ts. Of the store only the names of the options are checked, until it is called.
  const store = ['--repo1-s3-endpoint=127.0.0.1', '--repo1-s3-uri-style=path', '--repo1-storage-port=1', '--io-timeout=1'];
  test.each([
    ['with a folder', '/var/lib/pgbackrest', (text: string) => text, [], 'missing stanza path'],
    ['with a store', '/pgbackrest', (text: string) => text.replaceAll(/^#(?=repo1-)/gm, ''), store, 'HostConnectError'],
  ])('knows every option of pgbackrest.conf %s', async (_, used, change, more, answer) => {
    const path = join(folder, 'pgbackrest.conf');
    const lines = change(read('postgres/pgbackrest.conf')).split('\n');
    // A path is set once.
    const text = lines.filter((line) => !line.startsWith('repo1-path=') || line === `repo1-path=${used}`).join('\n');
    await writeFile(path, text.replace('/var/lib/pgbackrest', join(folder, 'repository')));
    const args = ['--stanza=galeri', `--config=${path}`, '--log-level-console=warn', '--log-level-file=off', ...more, 'info'];
    const { stdout, stderr } = spawnSync('pgbackrest', args, { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).not.toContain('WARN');
    expect(stdout).toContain(answer);
  });
});

describe.skipIf(isMissing('promtool', ['--version']))('Prometheus', () => {
  test('each alert fires for its fault, and none without', async () => {
    await cp(join(DEPLOY, 'prometheus'), join(folder, 'prometheus'), { recursive: true });
    const cwd = join(folder, 'prometheus');
    expect(execFileSync('promtool', ['check', 'rules', 'galeri-rules.yml'], { cwd, encoding: 'utf8' })).toContain('SUCCESS');
    expect(execFileSync('promtool', ['test', 'rules', 'galeri-rules-test.yml'], { cwd, encoding: 'utf8' })).toContain('SUCCESS');
  });

  test('understands every query of the dashboard', async () => {
    const rules = queries().map((expr, index) => ({ record: `query_${index}`, expr: expr.replaceAll('$__rate_interval', '1m') }));
    const path = join(folder, 'dashboard.yml');
    await writeFile(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(execFileSync('promtool', ['check', 'rules', path], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

const panels = (): Panel[] => (JSON.parse(read('grafana/galeri.json')) as { panels: Panel[] }).panels;
const queries = (): string[] => panels().flatMap(({ targets }) => targets.map(({ expr }) => expr));

test('no two panels of the dashboard overlap', () => {
  const cells = panels().flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

describe('Containerfile', () => {
  const lines = read('container/Containerfile').split('\n');
  const copied = lines.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) => line.split(' ').slice(1, -1));

  test('copies what exists, runs as a user without rights, and starts what the build makes', () => {
    for (const path of copied) expect(existsSync(path), path).toBe(true);
    const user = lines.findLastIndex((line) => line.startsWith('USER '));
    expect(lines[user]).toMatch(/^USER [1-9]\d{3,}:/);
    expect(user).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('FROM ')));
    const [, entry] = /^ENTRYPOINT (.*)$/m.exec(lines.join('\n'))!;
    expect(existsSync((JSON.parse(entry!) as string[]).at(-1)!)).toBe(true);
  });

  test('the copied folders are all that the service reads', async () => {
    const image = join(folder, 'image');
    for (const path of copied.filter((one) => !['scripts', 'docs'].includes(one)))
      await cp(path, join(image, path), { recursive: true });
    await cp('dist', join(image, 'dist'), { recursive: true });
    await symlink(join(process.cwd(), 'node_modules'), join(image, 'node_modules'));
    const run = (...args: string[]) =>
      execFileSync(process.execPath, ['dist/server/galeri.mjs', ...args], { cwd: image, encoding: 'utf8', env: { PATH: '' } });
    expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run('help')).toContain('galeri serve');
    expect(await readdir(image)).toContain('migrations');
  });
});
