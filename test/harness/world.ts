// What the harnesses of the write path stand on: a PostgreSQL and dealers of their own, and services started as an operator
// starts them (`bin/galeri serve`), so that what is raced and killed is the real thing.
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../src/config.ts';
import { createAccount } from '../../src/domain/accounts.ts';
import type { Actor } from '../../src/domain/audit.ts';
import { createKey } from '../../src/domain/keys.ts';
import { connect } from '../../src/postgres/connect.ts';
import { openSession } from '../../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { resources } from '../../src/resources/index.ts';
import { postmasterPid, type Started, start, stop } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';

export interface Dealer {
  readonly accountId: string;
  readonly key: string;
}

/** A bug, loaded into the service before anything else: the files in plants/. */
export type Plant = 'no-locks' | 'early-reply';

export interface ServeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly plant?: Plant | undefined;
}

export interface World {
  readonly dataDir: string;
  readonly dealers: readonly Dealer[];
  /** What a harness counts or plants, as a superuser: past every wall. */
  query<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** A service, stopped at the latest when the world closes. */
  serve(options?: ServeOptions): Promise<Started>;
  /** As a power cut ends it; whoever keeps it starts it again. */
  killPostgres(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly dealers: number;
  /** `address`: services are given PostgreSQL's address, so several can share it. `own`: the service keeps it, and restarts it. */
  readonly postgres: 'address' | 'own';
}

const SECRET = 'a secret of at least thirty-two characters, for harnesses';
const HARNESS: Actor = { type: 'system', name: 'harness' };
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export async function openWorld(options: WorldOptions): Promise<World> {
  const dataDir = await newDataDir('harness');
  const postgres = await openEmbeddedPostgres({ dataDir });
  const { url } = postgres;
  const env = {
    DATA_DIR: dataDir,
    GALERI_SECRET: SECRET,
    LIVE: 'all',
    ...(options.postgres === 'address' ? { DATABASE_URL: url } : {}),
  };
  const running = new Set<Started>();
  const close = async () => {
    for (const one of running) await stop(one);
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return {
      dataDir,
      dealers: await makeDealers({ ...env, DATABASE_URL: url }, options.dealers),
      query: (text, values) => ask(url, text, values),
      serve: async ({ env: more = {}, args = [], plant } = {}) => {
        const planted = plant === undefined ? {} : { NODE_OPTIONS: `--import=${ROOT}test/harness/plants/${plant}.ts` };
        const started = await start([`${ROOT}bin/galeri`, 'serve', '--no-demo', ...args], { ...env, ...planted, ...more });
        running.add(started);
        started.child.once('exit', () => running.delete(started));
        return started;
      },
      killPostgres: async () => {
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

/** Each with a key that may do everything, as often as it likes. */
async function makeDealers(env: Record<string, string>, count: number): Promise<Dealer[]> {
  const { database, secrets, close } = await connect(readConfig(env));
  const endpoints = resources.flatMap(({ rows }) => rows).map(({ id }) => id);
  try {
    return await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const { id: accountId } = await database.onPlatform('write', (db) =>
          createAccount(db, { name: `Galeri ${index + 1}` }, HARNESS, new Date()),
        );
        const { secret: key } = await database.onPlatform('write', (db) =>
          createKey(db, secrets.pepper, { ...ANY_KEY, accountId, endpoints }, HARNESS),
        );
        return { accountId, key };
      }),
    );
  } finally {
    await close();
  }
}

const ANY_KEY = {
  name: 'harness',
  environment: 'production',
  expiresAt: null,
  limitPerMinute: 1_000_000,
  limitPerHour: null,
  limitPerDay: null,
  allowedIps: [],
  authorizations: [],
} as const;

/** A session for each question: PostgreSQL may have been killed since the last, and may be on its way up again. */
async function ask<T>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const session = await openSession(url);
      try {
        return await session.rows<T>(text, values);
      } finally {
        await session.close();
      }
    } catch (error) {
      if (attempt === 50 || !/starting up|recovery|ECONNREFUSED|ENOENT|terminated/.test(String(error))) throw error;
      await wait(200);
    }
  }
}
