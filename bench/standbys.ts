// `node bench/standbys.ts`: cold pages of a list without standbys, with one and with two, in turns in one run, with the processor time that each
// server spends on a read. All servers share this machine. Needs Debian's postgresql-15. See docs/performance.md.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { createClock } from '../src/kit/clock.ts';
import type { Db } from '../src/kit/db.ts';
import { listPage } from '../src/kit/page.ts';
import { openChanges } from '../src/postgres/changes.ts';
import { connect } from '../src/postgres/connect.ts';
import { openSession } from '../src/postgres/database.ts';
import { watchVersions } from '../src/postgres/known-versions.ts';
import { standbyUrls } from '../src/postgres/roles.ts';
import { type Copies, openCopies, primaryOnly } from '../src/postgres/standbys.ts';
import { newDataDir } from '../test/support/data-dir.ts';
import { until } from '../test/support/patience.ts';
import { type OldServer, startPostgres15 } from '../test/support/postgres15.ts';
import { startStandby } from '../test/support/standby.ts';
import { loadDealers } from './data.ts';
import { cpuBetween, cpuOfTree } from './processes.ts';
import { median } from './scenarios.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    readers: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, readers] = [options.rounds, options.seconds, options.readers].map(Number) as [number, number, number];
const GALERI_SECRET = 'a secret of at least thirty-two characters';
const DEALERS = { accounts: 40, keysEach: 1, rowsEach: 500, endpoint: 'GET vehicles', perMinute: 100_000 };

interface Measured {
  readonly perSecond: number;
  /** Microseconds of processor time for each read. */
  readonly primaryUs: number;
  readonly standbysUs: number;
  /** Of all reads, those that a standby answered. The primary answered the others, because the standby was late. */
  readonly usedShare: number;
  readonly lagSeconds: number;
}

const page = (db: Db) => listPage(db, { table: 'vehicles', shows: 'list_json', where: [] }, { limit: 25, offset: 0 });

/** Processor time of all processes of a server. */
const spentBy = ({ data }: OldServer) => cpuOfTree(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]));

async function measure(copies: Copies, accounts: readonly string[], servers: readonly OldServer[]): Promise<Measured> {
  const usedBefore = usedOf(copies);
  const before = servers.map(spentBy);
  const from = performance.now();
  let reads = 0;
  const reader = async (first: number) => {
    for (let place = first; performance.now() - from < seconds * 1000; place += 1) {
      await copies.read(accounts[place % accounts.length]!, 'known', page);
      reads += 1;
    }
  };
  await Promise.all(Array.from({ length: readers }, (_, place) => reader(place * 5)));
  const took = (performance.now() - from) / 1000;
  const [primary = 0, ...others] = servers.map((server, place) => cpuBetween(before[place]!, spentBy(server)) ?? 0);
  return {
    perSecond: reads / took,
    primaryUs: (primary * 1e6) / reads,
    standbysUs: (others.reduce((sum, one) => sum + one, 0) * 1e6) / reads,
    usedShare: (usedOf(copies) - usedBefore) / reads,
    lagSeconds: Math.max(0, ...copies.figures().map(({ lagSeconds }) => lagSeconds ?? 0)),
  };
}

const usedOf = (copies: Copies): number => copies.figures().reduce((sum, { reads }) => sum + reads.used, 0);

async function main(): Promise<void> {
  const dataDir = await newDataDir('bench-standbys');
  const primary = await startPostgres15({ settings: ['shared_buffers=256MB'] });
  const connected = await connect(readConfig({ DATABASE_URL: primary.url, DATA_DIR: dataDir, GALERI_SECRET }));
  const session = await openSession(primary.url, { deadlineMs: null });
  const { accounts } = await loadDealers(session, connected.secrets.pepper, DEALERS);
  await session.rows('vacuum analyze');
  await session.close();
  const standbys = [await startStandby(primary), await startStandby(primary)];
  const { database, urls } = connected;
  const changes = await openChanges({
    url: urls.platformUrl,
    clock: createClock(),
    alone: true,
    storesBeats: true,
    report: () => {},
  });
  const versions = watchVersions(database, changes);
  const withStandbys = (count: number): Copies =>
    openCopies({
      database,
      urls: standbyUrls(
        standbys.slice(0, count).map(({ url }) => url),
        urls,
      ),
      connections: 6,
      changes,
      versions,
      report: () => {},
    });
  const all = [primaryOnly(database), withStandbys(1), withStandbys(2)];
  const found: Measured[][] = all.map(() => []);
  try {
    await until(() => all.every((copies) => copies.figures().every(({ state }) => state === 'good')), 'all standbys are in use');
    for (const copies of all) await measure(copies, accounts, [primary, ...standbys]);
    for (let round = 0; round < rounds; round += 1)
      for (const [place, copies] of all.entries()) found[place]!.push(await measure(copies, accounts, [primary, ...standbys]));
  } finally {
    for (const copies of all) await copies.close();
    await changes.close();
    await connected.close();
    for (const server of [...standbys, primary]) await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  report(found);
}

function report(found: readonly (readonly Measured[])[]): void {
  const rows = found.map((one, standbys) => {
    const of = (name: keyof Measured) => median(one.map((round) => round[name]));
    return {
      standbys,
      per_second: Math.round(of('perSecond')),
      primary_us: Math.round(of('primaryUs')),
      standbys_us: Math.round(of('standbysUs')),
      used_share: Number(of('usedShare').toFixed(3)),
      lag_seconds: Number(of('lagSeconds').toFixed(3)),
    };
  });
  if (options.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else console.table(rows);
}

await main();
