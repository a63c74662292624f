// The environment of the write-path harnesses: their own PostgreSQL and dealers, and services started as an operator starts them
// (`bin/galeri serve`), so that races and kills hit the real program.
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { platformCommand } from '../../src/commands/platform/platform.ts';
import { readConfig } from '../../src/config.ts';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { addMember, insertPerson } from '../../src/domain/identity/people.ts';
import { beginSession } from '../../src/domain/identity/sessions.ts';
import type { Environment } from '../../src/domain/keys/key-secret.ts';
import { createKey } from '../../src/domain/keys/keys.ts';
import type { Actor } from '../../src/domain/writes/audit.ts';
import { isUnavailable } from '../../src/kit/db.ts';
import { type Connected, connect } from '../../src/postgres/connect.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { resources } from '../../src/resources/index.ts';
import { finish, launch, postmasterPid, type Started, start } from '../start/process.ts';
import { end } from '../support/child-processes.ts';
import { migratedDataDir } from '../support/data-dir.ts';
import { deadline } from '../support/patience.ts';

export interface Dealer {
  readonly accountId: string;
  readonly key: string;
}

/**
 * A bug, loaded into the service before anything else: the files in plants/. They change modules, so the service runs from its
 * sources.
 */
export type Plant =
  | 'no-locks'
  | 'early-reply'
  | 'late-files'
  | 'no-turns'
  | 'deaf-connect'
  | 'offset-walk'
  | 'early-stamp'
  | 'newest-first'
  | 'lost-reversal'
  | 'one-rate'
  | 'paid-twice'
  | 'forgotten-bills'
  | 'loose-links'
  | 'borrowed-clock'
  | 'early-opening'
  | 'no-deadline';

export interface ServeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly plant?: Plant | undefined;
}

export interface World {
  readonly dataDir: string;
  readonly dealers: readonly Dealer[];
  /** A key that may do everything in the isolated sandbox of the account. */
  sandboxKey(accountId: string): Promise<string>;
  /** The session cookie of an owner of the account, signed in to the panel. */
  signIn(accountId: string): Promise<string>;
  /** Runs SQL of a harness as a superuser, without row-level security. */
  query<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** The same with a separate connection, for locks that are held longer than one query. */
  session(): Promise<Session>;
  /** A service, stopped at the latest when the world closes. */
  serve(options?: ServeOptions): Promise<Started>;
  /** `serve --only worker`, stopped at the latest when the world closes. */
  work(): Promise<ChildProcess>;
  /** A command of `bin/galeri` with the same settings; returns its output. */
  command(...args: string[]): Promise<string>;
  /** `galeri platform … --json` in this process, for setups that need it often: starting a program costs ten times as much. */
  // biome-ignore lint/suspicious/noExplicitAny: harnesses read arbitrary JSON
  platform(...args: string[]): Promise<any>;
  /** Kills it like a power cut; its owner restarts it. */
  killPostgres(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly dealers: number;
  /** `address`: the harness owns PostgreSQL, and several services may share it. `own`: the service owns it and restarts it. */
  readonly postgres: 'address' | 'own';
}

export const SECRET = 'a secret of at least thirty-two characters, for harnesses';
const HARNESS: Actor = { type: 'system', name: 'harness' };
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SERVE = [`${ROOT}bin/galeri`, 'serve', '--no-demo'];

export async function openWorld(options: WorldOptions): Promise<World> {
  const dataDir = await migratedDataDir('harness');
  const postgres = await openEmbeddedPostgres({ dataDir });
  const { url } = postgres;
  const env = {
    DATA_DIR: dataDir,
    GALERI_SECRET: SECRET,
    LIVE: 'all',
    ALLOW_LOOPBACK_TARGETS: 'on',
    RATES_TCMB_URL: '',
    RATES_KKTCMB_URL: '',
    ...(options.postgres === 'address' ? { DATABASE_URL: url } : {}),
  };
  const running = new Set<ChildProcess>();
  const run = (child: ChildProcess) => {
    running.add(child);
    child.once('exit', () => running.delete(child));
  };
  if (options.postgres === 'address') postgres.supervise(() => {});
  const close = async () => {
    // Connections report their statistics when they end; the service's own PostgreSQL ends with it.
    if (options.postgres === 'own') await countDeadlocks(url);
    for (const child of running) await end(child, 'SIGTERM');
    if (options.postgres === 'address') await countDeadlocks(url);
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return {
      dataDir,
      dealers: await makeDealers({ ...env, DATABASE_URL: url }, options.dealers),
      sandboxKey: (accountId) => makeSandboxKey({ ...env, DATABASE_URL: url }, accountId),
      signIn: (accountId) => signIn({ ...env, DATABASE_URL: url }, accountId),
      query: (text, values) => ask(url, text, values),
      session: () => openSession(url),
      serve: async ({ env: more = {}, args = [], plant } = {}) => {
        const planted =
          plant === undefined
            ? {}
            : { NODE_OPTIONS: `--import=${ROOT}test/harness/plants/${plant}.ts`, GALERI_FROM_SOURCES: '1' };
        const started = await start([...SERVE, ...args], { ...env, ...planted, ...more });
        run(started.child);
        return started;
      },
      work: () => {
        const start = async () => {
          const child = launch([...SERVE, '--only', 'worker'], env);
          run(child);
          await hasPrinted(child, 'the worker runs without the API');
          return child;
        };
        return untilUp(start, (error) => error instanceof EndedEarly);
      },
      command: async (...args) => {
        const { code, stdout, stderr } = await finish(launch([`${ROOT}bin/galeri`, ...args], env));
        if (code !== 0) throw new Error(`galeri ${args.join(' ')} exited with ${code}: ${stderr}`);
        return stdout;
      },
      platform: async (...args) =>
        JSON.parse(await printedBy({ ...env, DATABASE_URL: url }, () => platformCommand.run([...args, '--json']))),
      killPostgres: async () => {
        // A server that is still starting from the last time would not notice.
        await ask(url, 'select 1');
        await countDeadlocks(url);
        const pid = await postmasterPid(dataDir);
        if (pid === null) throw new Error('there is no PostgreSQL to kill');
        process.kill(pid, 'SIGKILL');
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The output of a command that runs in this process with these settings. */
async function printedBy(env: Readonly<Record<string, string>>, run: () => Promise<number | undefined>): Promise<string> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  const write = process.stdout.write;
  let printed = '';
  Object.assign(process.env, env);
  process.stdout.write = (text: string | Uint8Array) => {
    printed += text;
    return true;
  };
  try {
    const code = await run();
    if ((code ?? 0) !== 0) throw new Error(`it exited with ${code}: ${printed}`);
    return printed;
  } finally {
    process.stdout.write = write;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

let deadlocks = 0;

/** The number of deadlocks that PostgreSQL has broken since the last call, in all worlds: no harness may cause one. */
export function takeDeadlocks(): number {
  const taken = deadlocks;
  deadlocks = 0;
  return taken;
}

/** A killed server loses its statistics, so they are read before; then they are reset. */
async function countDeadlocks(url: string): Promise<void> {
  const session = await openSession(url).catch(() => null);
  // A server that is down has nothing to report.
  if (session === null) return;
  const [found] = await session.rows<{ count: number }>(
    'select deadlocks::int as count, pg_stat_reset() from pg_stat_database where datname = current_database()',
  );
  await session.close();
  deadlocks += found?.count ?? 0;
}

class EndedEarly extends Error {}

function hasPrinted(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const hear = (chunk: unknown) => {
      if (output.length < 100_000) output += chunk;
      if (output.includes(what)) resolve();
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('exit', (code) => reject(new EndedEarly(`it exited with ${code} before it printed "${what}": ${output}`)));
  });
}

/** Each with a key that may do everything, without a rate limit. */
async function makeDealers(env: Record<string, string>, count: number): Promise<Dealer[]> {
  const connected = await connect(readConfig(env));
  const { database, close } = connected;
  try {
    const dealers: Dealer[] = [];
    // One after the other: fifty at once would wait longer for a connection than a pool allows.
    for (let number = 1; number <= count; number += 1) {
      const { id: accountId } = await database.onPlatform('write', (db) =>
        createAccount(db, { name: `Galeri ${number}` }, HARNESS, new Date()),
      );
      dealers.push({ accountId, key: await makeKey(connected, accountId, 'production') });
    }
    return dealers;
  } finally {
    await close();
  }
}

async function makeSandboxKey(env: Record<string, string>, accountId: string): Promise<string> {
  const connected = await connect(readConfig(env));
  try {
    return await makeKey(connected, accountId, 'sandbox');
  } finally {
    await connected.close();
  }
}

async function makeKey({ database, secrets }: Connected, accountId: string, environment: Environment): Promise<string> {
  const endpoints = resources.flatMap(({ endpoints }) => endpoints).map(({ id }) => id);
  const body = { ...ANY_KEY, name: `harness ${environment}`, accountId, endpoints, environment };
  return (await database.onPlatform('write', (db) => createKey(db, secrets.pepper, body, HARNESS))).secret;
}

async function signIn(env: Record<string, string>, accountId: string): Promise<string> {
  const { database, close } = await connect(readConfig(env));
  const [email, fullName] = [`${accountId}@example.com`, 'Harness'];
  try {
    return await database.onPlatform('write', async (db) => {
      const personId = await insertPerson(db, { email, passwordHash: 'none', fullName, isAdmin: false });
      await addMember(db, { accountId, personId, fullName, role: 'owner', email }, HARNESS);
      return beginSession(db, personId, { ip: '127.0.0.1', userAgent: null }, new Date(), { pending: false });
    });
  } finally {
    await close();
  }
}

const ANY_KEY = {
  expiresAt: null,
  limitPerMinute: 1_000_000,
  limitPerHour: null,
  limitPerDay: null,
  allowedIps: [],
  authorizations: [],
} as const;

/** A session per query: PostgreSQL may have been killed since the last, and may be starting again. */
async function ask<T>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  return untilUp(async () => {
    const session = await openSession(url);
    try {
      return await session.rows<T>(text, values);
    } finally {
      await session.close();
    }
  }, isUnavailable);
}

/** As a supervisor does: repeats what fails while PostgreSQL is down, for a minute. */
async function untilUp<T>(run: () => Promise<T>, isPassing: (error: unknown) => boolean): Promise<T> {
  for (const isOver = deadline(); ; await wait(200)) {
    try {
      return await run();
    } catch (error) {
      if (isOver() || !isPassing(error)) throw error;
    }
  }
}
