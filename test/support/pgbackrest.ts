// PostgreSQL 15 whose WAL is archived by pgBackRest, both with the files of deploy/; paths and the user differ, as on any machine.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession } from '../../src/postgres/database.ts';
import { newDataDir } from './data-dir.ts';
import { until } from './patience.ts';
import { asPostgres, type OldServer, startPostgres15 } from './postgres15.ts';

const UNIT = 'systemd/galeri-base-backup@.service';
const DEPLOY = new URL('../../deploy/', import.meta.url).pathname;
export const readDeployed = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

export interface Repository {
  /** A new, empty server that archives into it. */
  start(): Promise<OldServer>;
  /** Whether the timers' unit makes a backup of this server: the condition in it. */
  takes(server: OldServer): boolean;
  /** As the timers do, with the command of their unit. */
  backUp(type: 'full' | 'diff'): void;
  /** A server with the restored files in a new folder; it accepts writes when this returns. `target`: a moment; else all that was archived. */
  restore(target?: string): Promise<Restored>;
  run(...args: string[]): string;
  remove(): Promise<void>;
}

export interface Restored {
  readonly server: OldServer;
  /** Copying the files of the base backup. */
  readonly copyMs: number;
  /** From the start of PostgreSQL until it accepts writes. */
  readonly replayMs: number;
}

export async function openRepository(): Promise<Repository> {
  const home = await newDataDir('pgbackrest');
  const as = asPostgres();
  const [files, log, lock, spool] = ['repository', 'log', 'lock', 'spool'].map((name) => join(home, name));
  for (const folder of [files, log, lock, spool]) {
    await mkdir(folder!);
    if (as.uid !== undefined) await chown(folder!, as.uid, as.gid!);
  }
  const [config, archiving] = [join(home, 'pgbackrest.conf'), join(home, 'archiving.conf')];
  await writeFile(archiving, readDeployed('postgres/archiving.conf'));
  const shipped = readDeployed('postgres/pgbackrest.conf').replace('repo1-path=/var/lib/pgbackrest', `repo1-path=${files}`);
  // What a real machine has by default.
  const env = {
    PGBACKREST_CONFIG: config,
    PGBACKREST_LOG_PATH: log!,
    PGBACKREST_LOCK_PATH: lock!,
    PGBACKREST_SPOOL_PATH: spool!,
    PGBACKREST_PG1_USER: 'postgres',
  };
  let socket = '';
  const call = (args: readonly string[]) =>
    execFileSync('pgbackrest', args, {
      ...as,
      cwd: '/',
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, ...env, PGBACKREST_PG1_SOCKET_PATH: socket },
    });
  const run = (...args: string[]) => call(['--stanza=galeri', ...args]);
  const use = (data: string) => {
    socket = join(data, '..');
    writeFileSync(config, shipped.replace('/var/lib/postgresql/15/main', data));
  };
  const archives = (data: string) => {
    use(data);
    appendFileSync(join(data, 'postgresql.conf'), `include '${archiving}'\n`);
  };
  return {
    run,
    start: async () => {
      const server = await startPostgres15({ env, prepare: archives });
      run('stanza-create');
      run('check');
      return server;
    },
    takes: ({ folder }) => {
      const [, condition] = /^ExecCondition=\/bin\/sh -c '(.*)'$/m.exec(readDeployed(UNIT))!;
      // A unit has $$ for each $.
      const script = condition!.split('$$').join('$');
      return spawnSync('sh', ['-c', script], { env: { ...process.env, PGHOST: folder, PGUSER: 'postgres' } }).status === 0;
    },
    backUp: (type) => {
      const [, command] = /^ExecStart=\/usr\/bin\/pgbackrest (.*)$/m.exec(readDeployed(UNIT))!;
      call(command!.replace('%i', type).split(' '));
    },
    restore: async (target) => {
      const moment = target === undefined ? [] : ['--type=time', `--target=${target}`, '--target-action=promote'];
      const from = performance.now();
      let copied = from;
      const fill = (data: string) => {
        mkdirSync(data, { mode: 0o700 });
        if (as.uid !== undefined) chownSync(data, as.uid, as.gid!);
        use(data);
        run(...moment, 'restore');
        copied = performance.now();
      };
      const server = await startPostgres15({ env, fill });
      await until(() => acceptsWrites(server.url), 'the restored server accepts writes');
      return { server, copyMs: copied - from, replayMs: performance.now() - copied };
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

async function acceptsWrites(url: string): Promise<boolean> {
  const session = await openSession(url, { acceptsStandby: true });
  try {
    const [row] = await session.rows<{ recovers: boolean }>('select pg_is_in_recovery() as recovers');
    return !row!.recovers;
  } finally {
    await session.close();
  }
}

/** Ends it at once; its disk is lost too. */
export async function loseMachine(server: OldServer): Promise<void> {
  process.kill(Number(readFileSync(join(server.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGKILL');
  await server.stop();
}

/** Waits until the archive has everything that was written, without asking for it. */
export async function archived(url: string): Promise<void> {
  const session = await openSession(url);
  try {
    const [row] = await session.rows<{ segment: string }>('select pg_walfile_name(pg_current_wal_insert_lsn()) as segment');
    await until(async () => {
      const [last] = await session.rows<{ has: boolean }>(
        'select coalesce(last_archived_wal >= $1, false) as has from pg_stat_archiver',
        [row!.segment],
      );
      return last!.has;
    }, `${row!.segment} is archived`);
  } finally {
    await session.close();
  }
}
