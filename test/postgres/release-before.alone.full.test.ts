// The previous release serves throughout while this one migrates its database and starts beside it, and no write waits for a
// migration. Small here; with 200,000 vehicles: BESIDE_CARS=200000 npx vitest run test/postgres/release-before
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { finish, launch, removeDataDir, type Started, start, stop } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';
import { checkOutReleaseBefore, isHistoryMissing } from '../support/migration-history.ts';
import { patience } from '../support/patience.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { copyCars, NEXT, newCar, writeNextMigrations } from './next-release.ts';

const CARS = Number(process.env.BESIDE_CARS ?? 4000);
/** A lock request is given up after half a second, so that a write waits at most as long for it. */
const WAIT_LIMIT_MS = patience(2000);
/** Batches of the migrations pause, so that 50,000 cars take up to ten minutes beside the traffic. */
const TEST_LIMIT_MS = patience(600_000) * Math.ceil(CARS / 50_000);

let home: string;
let redis: TestRedis;
let server: Session;
let admin: Session;
let name: string;
let env: Record<string, string>;
const nodes: Started[] = [];

const isMissing = [isHistoryMissing(), isRedisMissing()].includes(true);
beforeAll(async () => {
  if (isMissing) return;
  home = await newDataDir('release-before');
  await mkdir(join(home, 'before'));
  checkOutReleaseBefore(join(home, 'before'));
  redis = await startRedis();
  await redis.hasCountedLong();
  server = await openSession(inject('adminUrl'));
  name = `t_${randomBytes(6).toString('hex')}`;
  await server.rows(`create database ${name}`);
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  const GALERI_SECRET = 'a secret of at least thirty-two characters';
  env = { DATABASE_URL: url.href, REDIS_URL: redis.url, GALERI_SECRET, DATA_DIR: join(home, 'data') };
  admin = await openSession(url.href, { deadlineMs: null });
});
afterAll(async () => {
  if (isMissing) return;
  for (const node of nodes) await stop(node);
  await admin?.close();
  await server?.rows(`drop database if exists ${name} with (force)`);
  await server?.close();
  await redis?.stop();
  await removeDataDir(home);
  await rm(home, { recursive: true, force: true });
});

async function ofReleaseBefore(args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await finish(launch([join(home, 'before/bin/galeri'), ...args, '--json'], env));
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

async function serve(program: string): Promise<string> {
  const node = await start([program, 'serve', '--no-demo', '--live', 'all'], env);
  nodes.push(node);
  return node.ready.api;
}

/** What the nodes logged about requests that they did not answer. */
const troubles = (): string =>
  nodes
    .flatMap((node) => node.output().split('\n'))
    .filter((line) => /"level":"(warn|error)"/.test(line))
    .slice(-20)
    .join('\n');

interface Traffic {
  /** `refusal`: the body of an error reply; `at`: milliseconds since the traffic began. */
  readonly answers: { what: string; status: number; refusal: string; at: number; ms: number }[];
  /** What was answered 503 at first. */
  readonly retried: readonly string[];
  end(): Promise<void>;
}

/** Reads and writes of every kind, each in sequence, until it is ended. */
function traffic(api: string, key: string, vehicle: string, plates: string): Traffic {
  const answers: Traffic['answers'] = [];
  const retried: string[] = [];
  let isOver = false;
  const began = performance.now();
  const ask = async (what: string, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'cache-control': 'no-cache' };
    const sent = performance.now();
    const send = () => fetch(`${api}${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    let reply = await send();
    // As the API asks of clients: a busy machine may have no connection free for a second.
    if (reply.status === 503) {
      retried.push(`${what} after ${Math.round(sent - began)} ms: ${await reply.text()}`);
      await wait(Number(reply.headers.get('retry-after')) * 1000);
      reply = await send();
    }
    const text = await reply.text();
    const ms = Math.round(performance.now() - sent);
    answers.push({ what, status: reply.status, refusal: reply.ok ? '' : text, at: Math.round(sent - began), ms });
  };
  const keep = async (once: (turn: number) => Promise<void>) => {
    for (let turn = 1; !isOver || turn === 1; turn += 1) await once(turn);
  };
  const all = Promise.all([
    keep(() => ask('list', 'GET', 'vehicles?limit=5')),
    keep(() => ask('read', 'GET', `vehicles/${vehicle}`)),
    keep((turn) => ask('change', 'PATCH', `vehicles/${vehicle}`, { km: 84_000 + turn })),
    keep((turn) => ask('add', 'POST', 'vehicles', { ...newCar, plate: `${plates} ${1000 + turn}` })),
  ]);
  return {
    answers,
    retried,
    end: async () => {
      isOver = true;
      await all;
    },
  };
}

/** The slowest reply of each kind: where it differs from the longest wait, the machine was the reason. */
const slowest = (answers: Traffic['answers']): string =>
  [...new Set(answers.map(({ what }) => what))]
    .map((kind) => answers.filter(({ what }) => what === kind).reduce((slow, one) => (one.ms > slow.ms ? one : slow)))
    .map(({ what, ms, at }) => `${what} ${ms} ms (${Math.round(at / 1000)} s after the beginning)`)
    .join(', ');

/** The longest time that a statement of a node has waited for a lock that the migration holds or requests. */
const WAITS = `select coalesce(max(extract(epoch from clock_timestamp() - waiting.waitstart) * 1000), 0)::float8 as ms
  from pg_locks waiting, pg_locks migration
  where migration.locktype = 'advisory' and migration.objid = hashtext('galeri.migrate')::oid and migration.granted
    and waiting.waitstart is not null and migration.pid = any(pg_blocking_pids(waiting.pid))
    and migration.database = (select oid from pg_database where datname = current_database())`;

async function watchWaits<Result>(work: Promise<Result>): Promise<{ longest: number; result: Result }> {
  const state = { isOver: false };
  const result = work.finally(() => {
    state.isOver = true;
  });
  let longest = 0;
  while (!state.isOver) {
    const [row] = await admin.rows<{ ms: number }>(WAITS);
    longest = Math.max(longest, row!.ms);
    await wait(20);
  }
  return { longest, result: await result };
}

describe.skipIf(isMissing)('the previous release', { timeout: TEST_LIMIT_MS }, () => {
  test(`serves beside the migrations of this one and of the next, with ${CARS} vehicles, and beside its nodes`, async () => {
    const account = await ofReleaseBefore(['account', 'create', '--name', 'Oto']);
    const key = await ofReleaseBefore([
      'key',
      'create',
      '--account',
      account.id!,
      '--name',
      'ERP',
      '--template',
      'full',
      '--per-minute',
      '1000000',
    ]);
    const before = await serve(join(home, 'before/bin/galeri'));
    const first = await fetch(`${before}vehicles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...newCar, plate: 'AA 100' }),
    });
    const { id: vehicle } = ((await first.json()) as { data: { id: string } }).data;
    await copyCars(admin, vehicle, CARS);
    await admin.rows('analyze vehicles');

    const old = traffic(before, key.key!, vehicle, 'YY');
    const migrations = writeNextMigrations(join(home, 'next'));
    const { longest, result } = await watchWaits(migrate(env.DATABASE_URL!, undefined, { folder: migrations }));
    console.log(`the longest wait for a migration: ${Math.round(longest)} ms, ${old.answers.length} requests`);
    console.log(`the slowest replies of the previous release: ${slowest(old.answers)}`);
    console.log(`answered 503 at first: ${[...old.retried, troubles()].join('\n')}`);
    expect(result.slice(-5)).toEqual(Object.keys(NEXT).map((file) => `${file}.sql`));
    expect(longest).toBeLessThan(WAIT_LIMIT_MS);

    // This version does not know the next one's migrations.
    await admin.rows(`delete from schema_migrations where name like '9%'`);
    const now = traffic(await serve('bin/galeri'), key.key!, vehicle, 'XX');
    await expect.poll(() => new Set(now.answers.map(({ what }) => what)).size).toBe(4);
    await now.end();
    await old.end();
    for (const { answers } of [old, now]) {
      expect(
        answers.filter(({ status }) => status >= 300),
        troubles(),
      ).toEqual([]);
      expect(new Set(answers.map(({ what }) => what)).size).toBe(4);
    }
    const [filled] = await admin.rows(
      'select count(*) filter (where shade is null)::int as open from vehicles where plate like $1',
      ['ZZ %'],
    );
    expect(filled).toEqual({ open: 0 });
  });
});
