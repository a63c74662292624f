// `galeri migrate --check`: which migrations would run, which locks they take and roughly how long they need. Changes nothing.
import { findBaseline } from './baseline.ts';
import { openSession, type Session } from './database.ts';
import { MIGRATIONS, openMigrations, readApplied, readMigrations } from './migrate.ts';
import { type MigrationMode, modeOf, outlineOf, statementsOf } from './migration-file.ts';
import { readRepairs, repair } from './migration-repairs.ts';

export interface PlannedLock {
  readonly table: string;
  readonly lock: string;
  /** As PostgreSQL estimates them; 0 for a table that does not exist yet. */
  readonly rows: number;
}

export interface PlannedMigration {
  readonly name: string;
  readonly mode: MigrationMode;
  readonly locks: readonly PlannedLock[];
  /** A rough guess from the number of rows. */
  readonly seconds: number;
}

export async function planMigrations(adminUrl: string, folder = MIGRATIONS): Promise<PlannedMigration[]> {
  const migrations = await readMigrations(folder);
  const session = await openSession(adminUrl);
  try {
    const before = await readApplied(session);
    const baseline = before.length === 0 ? await findBaseline(folder, migrations) : null;
    const { repairs, applied } = repair(baseline?.contains ?? before, await readRepairs(folder));
    const rows = await readSizes(session);
    const planned = [...repairs, ...openMigrations(migrations, applied)].map((migration) => plan(migration, rows));
    return baseline === null ? planned : [NEW_SCHEMA, ...planned];
  } finally {
    await session.close();
  }
}

/** How many migrations the database has, and how many of these files it lacks. */
export async function migrationState(adminUrl: string, folder = MIGRATIONS): Promise<{ applied: number; open: number }> {
  const migrations = await readMigrations(folder);
  const session = await openSession(adminUrl);
  try {
    const before = await readApplied(session);
    const { repairs, applied } = repair(before, await readRepairs(folder));
    return { applied: before.length, open: repairs.length + openMigrations(migrations, applied).length };
  } finally {
    await session.close();
  }
}

/** An empty database is created from one file, and nothing waits for its tables. */
const NEW_SCHEMA: PlannedMigration = { name: 'schema.sql', mode: 'transaction', locks: [], seconds: 0 };

async function readSizes(session: Session): Promise<ReadonlyMap<string, number>> {
  const tables = await session.rows<{ name: string; rows: number }>(
    `select relname as name, greatest(reltuples, 0)::float8 as rows from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  return new Map(tables.map(({ name, rows }) => [name, rows]));
}

interface Kind {
  /** The beginning of the statement; the table's name follows `before`. */
  readonly begins: RegExp;
  readonly before: string;
  readonly lock: string;
  /** Rows read or written per second; absent if the work does not depend on them. */
  readonly rowsPerSecond?: number;
}

/** The first match. */
const KINDS: readonly Kind[] = [
  { begins: /^create (unique )?index concurrently /, before: ' on ', lock: 'share update exclusive', rowsPerSecond: 100_000 },
  { begins: /^create (unique )?index /, before: ' on ', lock: 'share', rowsPerSecond: 200_000 },
  {
    begins: /^alter table .* validate constraint /,
    before: 'alter table ',
    lock: 'share update exclusive',
    rowsPerSecond: 500_000,
  },
  { begins: /^alter table /, before: 'alter table ', lock: 'access exclusive' },
  { begins: /^drop table /, before: 'drop table ', lock: 'access exclusive' },
  { begins: /^create (or replace )?(constraint )?trigger /, before: ' on ', lock: 'share row exclusive' },
  { begins: /^(with .*\W)?update /, before: 'update ', lock: 'row exclusive', rowsPerSecond: 10_000 },
  { begins: /^(with .*\W)?delete from /, before: 'delete from ', lock: 'row exclusive', rowsPerSecond: 20_000 },
  { begins: /^(with .*\W)?insert into /, before: 'insert into ', lock: 'row exclusive' },
];

function tableAfter(outline: string, before: string): string | null {
  const rest = outline.slice(outline.indexOf(before) + before.length).replace(/^(if exists |only )+/, '');
  return /^(public\.)?(\w+)/.exec(rest)?.[2] ?? null;
}

function plan(migration: { readonly name: string; readonly text: string }, sizes: ReadonlyMap<string, number>): PlannedMigration {
  let seconds = 0;
  const locks: PlannedLock[] = [];
  for (const outline of statementsOf(migration.text).map(outlineOf)) {
    const kind = KINDS.find(({ begins }) => begins.test(outline));
    const table = kind === undefined ? null : tableAfter(outline, kind.before);
    if (kind === undefined || table === null) continue;
    const { lock, rowsPerSecond } = kind;
    const rows = sizes.get(table) ?? 0;
    if (!locks.some((known) => known.table === table && known.lock === lock)) locks.push({ table, lock, rows });
    seconds += rowsPerSecond === undefined ? 0 : rows / rowsPerSecond;
  }
  return { name: migration.name, mode: modeOf(migration.text), locks, seconds: Math.round(seconds) };
}
