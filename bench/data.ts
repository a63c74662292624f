// The benchmark's database: a PostgreSQL in a temporary DATA_DIR, filled in bulk, removed at the end.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../src/config.ts';
import { digestOf, lastFour, newSecret, publicPrefix } from '../src/domain/keys/key-secret.ts';
import { newId } from '../src/kit/ids.ts';
import { type Connected, connect } from '../src/postgres/connect.ts';
import { openSession, type Session } from '../src/postgres/database.ts';

export const SMALL_ROWS = 500;
export const BIG_ROWS = 200_000;
export const SPREAD_ACCOUNTS = 1000;
const KEYS_PER_SPREAD_ACCOUNT = 10;
const ROWS_PER_SPREAD_ACCOUNT = 30;
const WRITING_ACCOUNTS = 8;
const ROWS_PER_WRITING_ACCOUNT = 500;
/** 1 000 000 a minute is the maximum of a key; two in turn keep any server below it. */
const KEYS_PER_HOT_ACCOUNT = 2;

export interface Dealer {
  readonly id: string;
  readonly keys: readonly string[];
}

export interface BenchData {
  readonly dataDir: string;
  readonly connected: Connected;
  /** 500 vehicles: the account of the hot and the cold read. */
  readonly small: Dealer;
  /** 200 000 vehicles, none of them sold. */
  readonly big: Dealer;
  /** 10 000 keys of 1 000 accounts, ordered so that neighbours are of different accounts. */
  readonly spread: readonly string[];
  /** One key of each of the accounts that write. */
  readonly writers: readonly string[];
  /** Their accounts, in the same order. */
  readonly writerIds: readonly string[];
  /**
   * A database of the same PostgreSQL for the bare server of the writes: the service refuses a table without row-level security
   * in its own.
   */
  readonly bareUrl: string;
  close(): Promise<void>;
}

/** `bigRows`, `spreadAccounts`: fewer for benchmarks that do not use them. `disk`: additional milliseconds per commit. */
export async function makeData(
  progress: (line: string) => void,
  bigRows: number = BIG_ROWS,
  spreadAccounts: number = SPREAD_ACCOUNTS,
  disk = '0',
): Promise<BenchData> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galeri-bench-'));
  // PostgreSQL never runs as root: its own user must have access.
  await chmod(dataDir, 0o711);
  progress('starting PostgreSQL in a temporary directory');
  const fastAgain = await slowDisk(disk);
  const connected = await connect(readConfig({ DATA_DIR: dataDir }), progress).finally(fastAgain);
  const close = async () => {
    await connected.close();
    await removeData(dataDir);
  };
  try {
    progress('creating two accounts and their keys');
    const names = ['Küçük Oto Galeri', 'Büyük Oto Galeri'];
    const [small, big] = (await Promise.all(names.map((name) => createDealer(dataDir, name)))) as [Dealer, Dealer];
    const session = await openSession(connected.adminUrl);
    try {
      progress(`loading ${bigRows} + ${SMALL_ROWS} vehicles`);
      await loadVehicles(session, [big.id], bigRows);
      await loadVehicles(session, [small.id], SMALL_ROWS);
      progress(`loading ${spreadAccounts} accounts with ${spreadAccounts * KEYS_PER_SPREAD_ACCOUNT} keys`);
      const { keys: spread } = await loadDealers(session, connected.secrets.pepper, { ...SPREAD, accounts: spreadAccounts });
      const { keys: writers, accounts: writerIds } = await loadDealers(session, connected.secrets.pepper, WRITING);
      const bareUrl = await makeBareDatabase(session, connected.adminUrl);
      await session.rows('reindex table vehicles');
      // What autovacuum does in a running service: statistics, and pages marked all-visible.
      await session.rows('vacuum (analyze)');
      await session.rows('checkpoint');
      return { dataDir, connected, small, big, spread, writers, writerIds, bareUrl, close };
    } finally {
      await session.close();
    }
  } catch (error) {
    await close();
    throw error;
  }
}

export const DISK_USAGE =
  '--disk MS          additional time of the disk per commit (0: none; needs cc): on a disk as fast as memory, a bare write waits for nothing';

/** Slows PostgreSQL's fdatasync, equally for everything compared on the same server. Call before it starts. */
async function slowDisk(milliseconds: string): Promise<() => Promise<void>> {
  const microseconds = Math.round(Number(milliseconds) * 1000);
  if (!(microseconds >= 0)) throw new Error(`--disk takes milliseconds, not ${milliseconds}`);
  if (microseconds === 0) return async () => {};
  const folder = await mkdtemp(join(tmpdir(), 'galeri-disk-'));
  await chmod(folder, 0o755);
  const [source, library] = [new URL('slow-disk.c', import.meta.url).pathname, join(folder, 'slow-disk.so')];
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-O2', `-DMICROSECONDS=${microseconds}`, '-o', library, source, '-ldl']);
  process.env.LD_PRELOAD = library;
  return async () => {
    delete process.env.LD_PRELOAD;
    await rm(folder, { recursive: true, force: true });
  };
}

async function removeData(dataDir: string): Promise<void> {
  const record = join(dataDir, 'postgres.json');
  if (existsSync(record)) {
    const { folder } = JSON.parse(await readFile(record, 'utf8')) as { folder: string };
    await rm(folder, { recursive: true, force: true });
  }
  await rm(dataDir, { recursive: true, force: true });
}

/** A command of the service's CLI. */
export async function galeri<T>(dataDir: string, ...args: string[]): Promise<T> {
  const command = new URL('../bin/galeri', import.meta.url).pathname;
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(command, [...args, '--json'], { env });
  return JSON.parse(stdout) as T;
}

async function createDealer(dataDir: string, name: string): Promise<Dealer> {
  const { id } = await galeri<{ id: string }>(dataDir, 'account', 'create', '--name', name);
  const keys: string[] = [];
  for (let number = 1; number <= KEYS_PER_HOT_ACCOUNT; number += 1) {
    const policy = ['--endpoint', 'GET vehicles', '--per-minute', '1000000'];
    const made = await galeri<{ key: string }>(dataDir, 'key', 'create', '--account', id, '--name', `Bench ${number}`, ...policy);
    keys.push(made.key);
  }
  return { id, keys };
}

/**
 * Rows as dealers have them, with Turkish letters. Ids start with the time, like the service's own. They are stored in no order,
 * as after years of changes among other dealers' rows: a plain OFFSET does not skip whole pages.
 */
function loadVehicles(session: Session, accounts: readonly string[], rows: number): Promise<unknown> {
  return session.rows(
    `insert into vehicles (account_id, id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city,
       price_minor, currency, status, is_marketplace_visible, stock_date, created_at, updated_at)
     select account, (lpad(to_hex((extract(epoch from made) * 1000)::bigint), 12, '0') || '7' || substr(noise, 1, 3) || '8' || substr(noise, 4, 15))::uuid,
       (array['Renault', 'Volkswagen', 'Škoda', 'Fiat', 'Peugeot', 'Toyota', 'Mercedes-Benz', 'Citroën'])[1 + n % 8],
       (array['Mégane', 'Passat Değişken', 'Octavia', 'Egea Şehir', '3008 Gösteri', 'Corolla', 'C 200 Çift Kapı'])[1 + n % 7],
       2008 + n % 18, 4000 + n * 137 % 240000,
       (array['Benzin', 'Dizel', 'LPG', 'Hibrit', 'Elektrik'])[1 + n % 5], (array['Manuel', 'Otomatik', 'Yarı Otomatik'])[1 + n % 3],
       (array['Sedan', 'Hatchback', 'SUV', 'Station Wagon', 'Diğer'])[1 + n % 5],
       (array['Beyaz', 'Gümüş Gri', 'Kırmızı', 'Koyu Yeşil', 'Siyah'])[1 + n % 5],
       (1 + n % 81) || ' GL ' || n, (array['Lefkoşa', 'Gazimağusa', 'İstanbul', 'Muğla', 'Eskişehir', 'Girne'])[1 + n % 6],
       10000000 + n::bigint * 7919 % 400000000, (array['TL', 'STG', 'USD', 'EUR'])[1 + n % 4],
       (array['Stokta', 'Stokta', 'Stokta', 'Rezerve', 'Auction''da'])[1 + n % 5], n % 3 = 0, made::date, made, made
     from unnest($1::uuid[]) account, generate_series(1, $2::int) n,
       lateral (select date_trunc('milliseconds', now() - n * interval '97.003 seconds') as made, md5(account::text || n) as noise) of_row
     order by noise`,
    [accounts, rows],
  );
}

/** The table of the bare server of the writes: the same fields, one index. */
const BARE_TABLE = `create table bench_inserts (id uuid primary key, brand text not null, model text not null, model_year int not null,
  km int not null, fuel_type text not null, transmission text not null, body_type text not null, color text not null,
  plate text not null, city text not null, price_minor bigint not null, currency text not null)`;

async function makeBareDatabase(session: Session, adminUrl: string): Promise<string> {
  await session.rows('create database bare');
  const url = new URL(adminUrl);
  url.pathname = '/bare';
  const bare = await openSession(url.href);
  await bare.rows(BARE_TABLE);
  await bare.close();
  return url.href;
}

export interface Dealers {
  readonly accounts: number;
  readonly keysEach: number;
  readonly rowsEach: number;
  readonly endpoint: string;
  readonly perMinute: number;
}

const SPREAD: Dealers = {
  accounts: SPREAD_ACCOUNTS,
  keysEach: KEYS_PER_SPREAD_ACCOUNT,
  rowsEach: ROWS_PER_SPREAD_ACCOUNT,
  endpoint: 'GET vehicles',
  perMinute: 100_000,
};
const WRITING: Dealers = {
  accounts: WRITING_ACCOUNTS,
  keysEach: 1,
  rowsEach: ROWS_PER_WRITING_ACCOUNT,
  endpoint: 'POST vehicles',
  perMinute: 1_000_000,
};

/** Accounts with vehicles and keys that hold one endpoint, in bulk. */
export async function loadDealers(
  session: Session,
  pepper: Buffer,
  expected: Dealers,
): Promise<{ keys: string[]; accounts: string[] }> {
  const accounts = Array.from({ length: expected.accounts }, () => newId());
  await session.rows('set session_replication_role = replica');
  await session.rows(
    `insert into accounts (id, name, country, default_currency, timezone, rate_source)
     select id, 'Galeri ' || id, 'KKTC', 'STG', 'Asia/Famagusta', 'KKTCMB' from unnest($1::uuid[]) id`,
    [accounts],
  );
  await session.rows(`insert into data_sets (id, account_id, kind) select id, id, 'production' from unnest($1::uuid[]) id`, [
    accounts,
  ]);
  await loadVehicles(session, accounts, expected.rowsEach);
  // Account by account within each turn, so that neighbours in the list are of different accounts.
  const owners = Array.from({ length: expected.keysEach }, () => accounts).flat();
  const keys = owners.map((account) => ({ account, id: newId(), secretId: newId(), secret: newSecret('production') }));
  const [owner, id] = [keys.map((key) => key.account), keys.map((key) => key.id)];
  await session.rows(
    `insert into api_keys (account_id, id, name, environment, limit_per_minute)
     select account, id, 'Bench ' || id, 'production', $3 from unnest($1::uuid[], $2::uuid[]) as made (account, id)`,
    [owner, id, expected.perMinute],
  );
  await session.rows(
    `insert into key_secrets (account_id, id, key_id, digest, prefix, last_four)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[], $5::text[], $6::text[])`,
    [
      owner,
      keys.map((key) => key.secretId),
      id,
      keys.map((key) => digestOf(key.secret, pepper)),
      keys.map((key) => publicPrefix(key.secret)),
      keys.map((key) => lastFour(key.secret)),
    ],
  );
  await session.rows(
    `insert into key_endpoints (account_id, key_id, endpoint)
     select account, id, $3 from unnest($1::uuid[], $2::uuid[]) as made (account, id)`,
    [owner, id, expected.endpoint],
  );
  await session.rows('set session_replication_role = default');
  return { keys: keys.map((key) => key.secret), accounts };
}
