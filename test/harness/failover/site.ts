// The whole of docs/high-availability.md on one machine: three machines with PostgreSQL, Patroni and etcd, Redis, three API nodes, two
// workers, and HAProxy before the nodes and before PostgreSQL, with the files of deploy/.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSession } from '../../../src/postgres/database.ts';
import { finish, launch } from '../../start/process.ts';
import { newDataDir } from '../../support/data-dir.ts';
import { freePort } from '../../support/free-port.ts';
import { type ApiBalancer, type PostgresBalancer, startApiBalancer, startPostgresBalancer } from '../../support/haproxy.ts';
import { checkOutReleaseBefore } from '../../support/migration-history.ts';
import { deadline, until } from '../../support/patience.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import type { Plant } from '../world.ts';
import { type DatabaseMachines, startDatabaseMachines } from './database-machines.ts';
import { createUnit, type Program, type Unit } from './unit.ts';

export interface Site {
  readonly folder: string;
  readonly databases: DatabaseMachines;
  readonly redis: TestRedis;
  readonly nodes: readonly Unit[];
  readonly workers: readonly Unit[];
  readonly balancer: ApiBalancer;
  /** Ends with /api/v1/. */
  readonly api: string;
  /** A command of `bin/galeri` of the release that runs; returns its output. */
  command(...args: string[]): Promise<string>;
  /** SQL of a superuser on the primary, without row-level security. */
  query<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  isUp(node: number): Promise<boolean>;
  /** The nodes end and start again, one after the other. */
  restartNodes(): Promise<void>;
  /** All nodes at once, without an end of their requests, from now on with this bug or without any. */
  replaceNodes(plant: Plant | undefined): Promise<void>;
  /** This release instead of the one before: migrations, workers, nodes. */
  upgrade(): Promise<void>;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NODES = 3;
const WORKERS = 2;

export interface SiteOptions {
  /** Starts with the release before this one. */
  readonly releaseBefore: boolean;
  readonly plant?: Plant;
}

export async function openSite({ releaseBefore, plant }: SiteOptions): Promise<Site> {
  const folder = await newDataDir('failover');
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end().catch((error: unknown) => console.warn(String(error)));
  };
  try {
    const release = { home: ROOT };
    if (releaseBefore) {
      release.home = `${join(folder, 'before')}/`;
      await mkdir(release.home);
      checkOutReleaseBefore(release.home);
    }
    const databases = await startDatabaseMachines(folder);
    ends.push(databases.close);
    await createDatabase(databases);
    const redis = await startRedis();
    ends.push(redis.stop);
    await redis.hasCountedLong();
    const ports: number[] = [];
    for (let place = 0; place < NODES; place += 1) ports.push(await freePort());
    const balancer = await startApiBalancer(folder, ports);
    ends.push(balancer.close);
    const toPrimary = await startPostgresBalancer(folder, databases.network.prefix);
    ends.push(toPrimary.close);
    const env = environment(folder, databases, redis);
    const programOf = (kind: 'api' | 'worker', place: number, bug?: Plant): Program => ({
      command: [`${release.home}bin/galeri`, 'serve', '--no-demo', '--only', kind],
      env: {
        ...env,
        NODE_NAME: `${kind}${place + 1}`,
        ...(kind === 'api' ? { PORT: String(ports[place]) } : {}),
        // The second worker knows one address only, as other programs do.
        ...(kind === 'worker' && place === 1 ? { DATABASE_URL: throughBalancer(toPrimary) } : {}),
        ...(bug === undefined ? {} : { NODE_OPTIONS: `--import=${ROOT}test/harness/plants/${bug}.ts`, GALERI_FROM_SOURCES: '1' }),
      },
    });
    const nodes = ports.map((_, place) => createUnit(`node ${place + 1}`, programOf('api', place, plant)));
    const workers = Array.from({ length: WORKERS }, (_, place) => createUnit(`worker ${place + 1}`, programOf('worker', place)));
    ends.push(() => Promise.all([...nodes, ...workers].map((unit) => unit.stop('SIGKILL'))));
    // The first one migrates.
    const [first, ...others] = [...nodes, ...workers];
    await first!.start();
    await Promise.all(others.map((unit) => unit.start()));
    for (const place of ports.keys()) await until(() => balancer.isUp(place), `node ${place + 1} is up`);
    const restart = async (unit: Unit, program: Program): Promise<void> => {
      await unit.stop('SIGTERM');
      await unit.start(program);
    };
    const restartNodes = async (): Promise<void> => {
      for (const [place, node] of nodes.entries()) {
        await restart(node, programOf('api', place));
        await until(() => balancer.isUp(place), `node ${place + 1} is up again`);
      }
    };
    return {
      folder,
      databases,
      redis,
      nodes,
      workers,
      balancer,
      api: `https://127.0.0.1:${balancer.port}/api/v1/`,
      command: (...args) => commandOf(`${release.home}bin/galeri`, args, env),
      query: (text, values) => ask(databases, toPrimary, text, values),
      isUp: balancer.isUp,
      restartNodes,
      replaceNodes: async (bug) => {
        await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
        await Promise.all(nodes.map((node, place) => node.start(programOf('api', place, bug))));
        for (const place of ports.keys()) await until(() => balancer.isUp(place), `node ${place + 1} is up again`);
      },
      upgrade: async () => {
        release.home = ROOT;
        await commandOf(`${ROOT}bin/galeri`, ['migrate'], env);
        for (const [place, worker] of workers.entries()) await restart(worker, programOf('worker', place));
        await restartNodes();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As galeri.env in docs/high-availability.md. */
const environment = (folder: string, { hosts }: DatabaseMachines, redis: TestRedis): Record<string, string> => ({
  DATABASE_URL: `postgresql://galeri_admin:${ADMIN}@${hosts.join()}/galeri?target_session_attrs=read-write`,
  REDIS_URL: redis.url,
  GALERI_SECRET: 'a secret of at least thirty-two characters, for this site',
  DATA_DIR: join(folder, 'shared'),
  TRUST_PROXY: '127.0.0.1',
  LIVE: 'all',
  ALLOW_LOOPBACK_TARGETS: 'on',
  RATES_TCMB_URL: '',
  RATES_KKTCMB_URL: '',
});

const ADMIN = 'admin';
const throughBalancer = ({ port }: PostgresBalancer): string =>
  `postgresql://galeri_admin:${ADMIN}@127.0.0.1:${port}/galeri?target_session_attrs=read-write`;

/** As the page says: a database, and a role that owns it and may create roles. */
async function createDatabase({ hosts, password, primary }: DatabaseMachines): Promise<void> {
  await primary();
  const session = await openSession(`postgresql://postgres:${password}@${hosts[0]}/postgres?hosts=${hosts.join()}`);
  try {
    await session.rows(`create role galeri_admin login createrole password '${ADMIN}'`);
    await session.rows('create database galeri');
    await session.rows('alter database galeri owner to galeri_admin');
  } finally {
    await session.close();
  }
}

/** Again if the database could not be reached. */
async function commandOf(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  for (const isOver = deadline(); ; await wait(1000)) {
    const { code, stdout, stderr } = await finish(launch([program, ...args], { ...env }));
    if (code === 0) return stdout;
    if (isOver() || !/no connection to the database|cannot be used/.test(stderr))
      throw new Error(`galeri ${args.join(' ')} exited with ${code}: ${stderr}`);
  }
}

async function ask<T>(
  { password }: DatabaseMachines,
  { port }: PostgresBalancer,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const session = await openSession(`postgresql://postgres:${password}@127.0.0.1:${port}/galeri`, { deadlineMs: null });
  try {
    return await session.rows<T>(text, values);
  } finally {
    await session.close();
  }
}
