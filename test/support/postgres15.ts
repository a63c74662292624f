// Debian's PostgreSQL 15, the oldest supported server, started for a test on its own socket.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSession } from '../../src/postgres/database.ts';
import { newDataDir } from './data-dir.ts';
import { deadline } from './patience.ts';

export const BIN = '/usr/lib/postgresql/15/bin';

export interface OldServer {
  readonly url: string;
  /** As in a list of hosts. */
  readonly host: string;
  /** Of its socket. */
  readonly folder: string;
  readonly data: string;
  /** Ends it and keeps its files. */
  halt(): Promise<void>;
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

export interface ServerOptions {
  /** Also on this loopback port. */
  readonly port?: number;
  readonly settings?: readonly string[];
  /** Files of another, stopped server, instead of new ones. */
  readonly copyOf?: string;
  /** Makes the files, instead of `initdb`. */
  fill?(data: string): void;
  /** Before it starts. */
  prepare?(data: string): void;
  readonly env?: Readonly<Record<string, string>>;
}

/** As the user postgres when we are root, because PostgreSQL and PgBouncer refuse root. */
export function asPostgres(): { readonly uid?: number; readonly gid?: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return process.geteuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
}

export async function startPostgres15(options: ServerOptions = {}): Promise<OldServer> {
  const home = await newDataDir('pg15');
  const folder = join(home, 'server');
  await mkdir(folder);
  const as = asPostgres();
  if (as.uid !== undefined) await chown(folder, as.uid, as.gid!);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  if (options.fill !== undefined) options.fill(data);
  else if (options.copyOf === undefined) execFileSync(join(BIN, 'initdb'), initdb, { ...as, cwd: '/', stdio: 'pipe' });
  else execFileSync('cp', ['-a', options.copyOf, data]);
  options.prepare?.(data);
  const address = options.port === undefined ? 'listen_addresses=' : 'listen_addresses=127.0.0.1';
  const settings = [address, `port=${options.port ?? 5432}`, 'max_connections=200', ...(options.settings ?? [])];
  const args = ['-D', data, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(BIN, 'postgres'), args, {
    ...as,
    cwd: '/',
    stdio: 'ignore',
    env: { ...process.env, ...options.env },
  });
  const port = options.port === undefined ? '' : `:${options.port}`;
  const host = `${encodeURIComponent(folder)}${port}`;
  const url = `postgresql://postgres@${host}/postgres`;
  await reachable(url, () => server.exitCode !== null);
  const halt = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  };
  return {
    url,
    host,
    folder,
    data,
    halt,
    stop: async () => {
      await halt();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function reachable(url: string, hasEnded: () => boolean): Promise<void> {
  for (const isOver = deadline(); ; await wait(50)) {
    try {
      await (await openSession(url, { acceptsStandby: true })).close();
      return;
    } catch (error) {
      if (hasEnded() || isOver()) throw error;
    }
  }
}
