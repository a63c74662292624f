// Debian's PgBouncer, started for a test on its own socket, in front of a PostgreSQL.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newDataDir } from './data-dir.ts';
import { until } from './patience.ts';
import { asPostgres, type OldServer } from './postgres15.ts';

export interface TestPooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** For `describe.skipIf`: true, with a warning, if it is not installed. In CI a missing program is a failure. */
export function isPgBouncerMissing(): boolean {
  if (spawnSync('pgbouncer', ['--version']).status === 0 || process.env.CI) return false;
  console.warn('SKIPPED: pgbouncer is not on PATH, so the tests with a pooler do not run (Debian: apt install pgbouncer)');
  return true;
}

const PORT = 6432;

export async function startPgBouncer(
  server: OldServer,
  mode: 'session' | 'transaction' | 'statement',
  more: readonly string[] = [],
): Promise<TestPooler> {
  const home = await newDataDir('pgbouncer');
  const folder = join(home, 'pooler');
  await mkdir(folder);
  const as = asPostgres();
  const settings = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${server.folder} auth_user=postgres`,
    '[pgbouncer]',
    'listen_addr =',
    `listen_port = ${PORT}`,
    `unix_socket_dir = ${folder}`,
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    `pool_mode = ${mode}`,
    'default_pool_size = 40',
    ...more,
  ];
  await writeFile(settings, `${lines.join('\n')}\n`);
  await writeFile(join(folder, 'users.txt'), '"postgres" ""\n');
  if (as.uid !== undefined) await chown(folder, as.uid, as.gid!);
  const child = spawn('pgbouncer', [settings], { ...as, cwd: '/', stdio: 'ignore' });
  await until(() => existsSync(join(folder, `.s.PGSQL.${PORT}`)) || child.exitCode !== null, 'PgBouncer listens');
  return {
    url: `postgresql://postgres@${encodeURIComponent(folder)}:${PORT}/postgres`,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      await rm(home, { recursive: true, force: true });
    },
  };
}
