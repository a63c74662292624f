// Debian's PostgreSQL 15, the oldest supported server, started for a test on its own socket.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSession } from '../../src/postgres/database.ts';
import { newDataDir } from './data-dir.ts';

const BIN = '/usr/lib/postgresql/15/bin';

export interface OldServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** For `describe.skipIf`: true, with a warning, if it is not installed. In CI a missing program is a failure. */
export function isPostgres15Missing(): boolean {
  if (existsSync(join(BIN, 'initdb')) || process.env.CI) return false;
  console.warn(
    'SKIPPED: PostgreSQL 15 is not installed, so the tests on the oldest server do not run (Debian: apt install postgresql-15)',
  );
  return true;
}

export async function startPostgres15(): Promise<OldServer> {
  const home = await newDataDir('pg15');
  const folder = join(home, 'server');
  await mkdir(folder);
  // As the user postgres when we are root, because PostgreSQL refuses root.
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const as = process.geteuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  if (as.uid !== undefined) await chown(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(join(BIN, 'initdb'), initdb, { ...as, cwd: '/', stdio: 'pipe' });
  const options = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'max_connections=200'];
  const server = spawn(join(BIN, 'postgres'), options, { ...as, cwd: '/', stdio: 'ignore' });
  const url = `postgresql://postgres@${encodeURIComponent(folder)}/postgres`;
  await reachable(url);
  return {
    url,
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function reachable(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await (await openSession(url)).close();
      return;
    } catch (error) {
      if (attempt > 200) throw error;
      await wait(50);
    }
  }
}
