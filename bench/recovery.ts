// `node bench/recovery.ts`: what the loss of the database's machine costs with the shipped configuration of pgBackRest: the writes that are
// lost (RPO), and the time until a restored server accepts writes (RTO). Needs Debian's postgresql-15 and pgbackrest. See docs/operations.md.
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { connect } from '../src/postgres/connect.ts';
import { openSession } from '../src/postgres/database.ts';
import { newDataDir } from '../test/support/data-dir.ts';
import { archived, loseMachine, openRepository } from '../test/support/pgbackrest.ts';
import { loadDealers } from './data.ts';

const { values: options } = parseArgs({
  options: {
    /** Vehicles in the database that is restored, and in percent how many of them are changed after the base backup. */
    rows: { type: 'string', default: '200000' },
    changed: { type: 'string', default: '10' },
    /** Machines that are lost while they write, each after these seconds and up to the time of a segment more. */
    kills: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
  },
});
const [rows, changed, kills, seconds] = [options.rows, options.changed, options.kills, options.seconds].map(Number) as [
  number,
  number,
  number,
  number,
];
const GALERI_SECRET = 'a secret of at least thirty-two characters';
const WRITE_EVERY_MS = 20;

/** From the last write that the archive has until the kill. */
async function lostSeconds(place: number): Promise<number> {
  const repository = await openRepository();
  try {
    const server = await repository.start();
    const session = await openSession(server.url);
    await session.rows('create table written (n int primary key)');
    repository.backUp('full');
    const [setting] = await session.rows<{ seconds: number }>(
      `select setting::int as seconds from pg_settings where name = 'archive_timeout'`,
    );
    const acknowledged = [performance.now()];
    // Spread over the time of a segment; the last one just before it would be archived, which is the worst moment.
    const end = performance.now() + (seconds + (setting!.seconds * (place + 1)) / kills) * 1000 - 500;
    while (performance.now() < end) {
      await session.rows('insert into written values ($1)', [acknowledged.length]);
      acknowledged.push(performance.now());
      await wait(WRITE_EVERY_MS);
    }
    const killed = performance.now();
    await loseMachine(server);
    await session.close();
    const restored = await repository.restore();
    const found = await openSession(restored.server.url);
    const [last] = await found.rows<{ n: number; count: number }>(
      'select coalesce(max(n), 0) as n, count(*)::int as count from written',
    );
    await found.close();
    await restored.server.stop();
    if (last!.n !== last!.count) throw new Error(`of ${last!.n} writes ${last!.count} are there: the archive has a gap`);
    return (killed - acknowledged[last!.n]!) / 1000;
  } finally {
    await repository.remove();
  }
}

interface Recovery {
  readonly rows: number;
  readonly database_mb: number;
  readonly wal_mb: number;
  readonly backup_seconds: number;
  readonly copy_seconds: number;
  readonly replay_seconds: number;
  readonly seconds_per_million_rows: number;
}

async function recover(): Promise<Recovery> {
  const repository = await openRepository();
  const dataDir = await newDataDir('bench-recovery');
  try {
    const server = await repository.start();
    const connected = await connect(readConfig({ DATABASE_URL: server.url, DATA_DIR: dataDir, GALERI_SECRET }));
    const session = await openSession(server.url, { deadlineMs: null });
    const accounts = 40;
    await loadDealers(session, connected.secrets.pepper, {
      ...{ accounts, rowsEach: Math.ceil(rows / accounts), keysEach: 1 },
      ...{ endpoint: 'GET vehicles', perMinute: 100_000 },
    });
    await connected.close();
    const from = performance.now();
    repository.backUp('full');
    const backupSeconds = (performance.now() - from) / 1000;
    const [before] = await session.rows<{ place: string }>('select pg_current_wal_lsn()::text as place');
    await session.rows('set session_replication_role = replica');
    await session.rows('update vehicles set km = km + 1 where abs(hashtext(id::text) % 100) < $1', [changed]);
    const [size] = await session.rows<{ rows: number; mb: number; wal: number }>(
      `select (select count(*)::int from vehicles) as rows, pg_database_size(current_database()) / 1e6::float8 as mb,
        (pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn) / 1e6)::float8 as wal`,
      [before!.place],
    );
    await archived(server.url);
    await loseMachine(server);
    await session.close();
    const { server: restored, copyMs, replayMs } = await repository.restore();
    const found = await openSession(restored.url);
    const [kept] = await found.rows<{ rows: number }>('select count(*)::int as rows from vehicles');
    await found.close();
    await restored.stop();
    if (kept!.rows !== size!.rows) throw new Error(`${kept!.rows} of ${size!.rows} rows were restored`);
    return {
      rows: size!.rows,
      database_mb: Math.round(size!.mb),
      wal_mb: Math.round(size!.wal),
      backup_seconds: round(backupSeconds),
      copy_seconds: round(copyMs / 1000),
      replay_seconds: round(replayMs / 1000),
      seconds_per_million_rows: round(((copyMs + replayMs) / 1000 / size!.rows) * 1e6),
    };
  } finally {
    await repository.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const round = (value: number): number => Number(value.toFixed(1));

const lost: number[] = [];
for (let place = 0; place < kills; place += 1) lost.push(round(await lostSeconds(place)));
const result = { lost_seconds: lost, recovery: await recover(), load: round(loadavg()[0]!) };
if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
else {
  console.log(`Writes lost, in seconds before each kill: ${lost.join(', ')}. Load of this machine: ${result.load}`);
  console.table([result.recovery]);
}
