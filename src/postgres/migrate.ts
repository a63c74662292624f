// Forward-only SQL migrations with a hash check, under a lock, so that two nodes starting together are safe.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { sqlState } from '../kit/db.ts';
import { type Baseline, findBaseline } from './baseline.ts';
import { openSession, type Session } from './database.ts';
import { modeOf, statementsOf } from './migration-file.ts';
import { type Applied, type Repair, readRepairs, repair } from './migration-repairs.ts';

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const LOCK = 'galeri.migrate';

export interface Migration {
  name: string;
  hash: string;
  text: string;
}

export interface MigrateOptions {
  /** The migrations to apply, because an older backup is loaded into the schema of its own time. */
  readonly only?: (name: string) => boolean;
  readonly folder?: URL | undefined;
  /** False applies every migration to a new database too. */
  readonly withBaseline?: boolean;
}

export async function migrate(
  adminUrl: string,
  progress: (line: string) => void = () => {},
  { only = () => true, folder = MIGRATIONS, withBaseline = true }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const session = await openSession(adminUrl, { deadlineMs: null });
  try {
    await refuseOldServer(session);
    await session.rows('select pg_advisory_lock(hashtext($1))', [LOCK]);
    await session.rows(`create table if not exists schema_migrations
      (name text primary key, hash text not null, applied_at timestamptz not null default now())`);
    await createGroupRoles(session);
    const selected = migrations.filter(({ name }) => only(name));
    const before = await readApplied(session);
    const baseline = before.length === 0 && withBaseline ? await findBaseline(folder, selected) : null;
    if (baseline !== null) {
      progress('Creating the schema');
      await applyBaseline(session, baseline);
    }
    const { repairs, applied } = repair(baseline?.contains ?? before, await readRepairs(folder));
    const open = openMigrations(migrations, applied).filter((migration) => selected.includes(migration));
    for (const one of repairs) {
      progress(`Repairing ${one.from.name}`);
      await applyRepair(session, one);
    }
    for (const migration of open) {
      progress(`Applying ${migration.name}`);
      await apply(session, migration);
    }
    return [...(baseline?.contains ?? []), ...repairs, ...open].map(({ name }) => name);
  } finally {
    await session.close();
  }
}

export async function readMigrations(folder = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[\w-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, hash: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex') };
    }),
  );
}

async function refuseOldServer(session: Session): Promise<void> {
  const [row] = await session.rows<{ version: number }>(`select current_setting('server_version_num')::int as version`);
  if (row!.version < 150_000) throw new Error('PostgreSQL 15 or newer is needed; this server is older');
}

/** Empty for a database without any. */
export async function readApplied(session: Session): Promise<Applied[]> {
  const [table] = await session.rows<{ exists: boolean }>(`select to_regclass('public.schema_migrations') is not null as exists`);
  return table!.exists ? session.rows<Applied>('select name, hash from schema_migrations order by name') : [];
}

/** Migrations that the database does not have yet. Refused if it has others than these files. */
export function openMigrations(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const names = new Set<string>();
  for (const { name, hash } of applied) {
    // A migration that was only renumbered is the same.
    const here =
      migrations.find((migration) => migration.name === name) ?? migrations.find((migration) => migration.hash === hash);
    if (here === undefined)
      throw new Error(`the database has the migration ${name}, which this version does not know; run the newer version`);
    if (here.hash !== hash)
      throw new Error(`the migration ${name} was changed after it was applied; restore the file, changes go into a new one`);
    names.add(here.name);
  }
  return migrations.filter(({ name }) => !names.has(name));
}

/** The list of migrations is as if each had been applied. */
async function applyBaseline(session: Session, { text, contains }: Baseline): Promise<void> {
  const records = contains.map(({ name, hash }) => `('${name}', '${hash}')`);
  await inTransaction(session, [
    `set local check_function_bodies = off; ${text}`,
    `insert into schema_migrations (name, hash) values ${records.join(', ')}`,
  ]);
}

/** Complete or not at all: values that the repair cannot convert stay unchanged. */
async function applyRepair(session: Session, { from, to, text }: Repair): Promise<void> {
  const record = `update schema_migrations set name = '${to.name}', hash = '${to.hash}' where name = '${from.name}'`;
  try {
    await inTransaction(session, [text, record]);
  } catch (error) {
    throw new Error(`${from.name} was applied in an earlier form and cannot be repaired; nothing was changed: ${String(error)}`);
  }
}

async function apply(session: Session, migration: Migration): Promise<void> {
  const record = `insert into schema_migrations (name, hash) values ('${migration.name}', '${migration.hash}')`;
  const mode = modeOf(migration.text);
  if (mode === 'transaction') return inTransaction(session, [migration.text, record]).then(() => {});
  const statements = statementsOf(migration.text);
  for (const statement of statements) {
    if (mode === 'batches') await inBatches(session, statement);
    else await concurrently(session, statement);
  }
  await inTransaction(session, [record]);
}

/**
 * While a statement waits for a lock on a table, requests on that table wait for the statement, and are answered 503 after a second
 * (fair-queue.ts). So it gives up after half a second. It must wait longer than `deadlock_timeout`, after which PostgreSQL cancels an
 * autovacuum that holds the table; only a superuser may shorten that, and others wait longer than its default of 1 s.
 */
const SET_TIMEOUTS = `do $$ begin
  perform set_config('deadlock_timeout', '200ms', true), set_config('lock_timeout', '500ms', true);
exception when insufficient_privilege then
  perform set_config('lock_timeout', '1500ms', true);
end $$`;

/** Retries what gave up a lock or met a deadlock with a request. Returns the rows of the last statement. */
export async function inTransaction(session: Session, texts: readonly string[]): Promise<unknown[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.rows(`begin; ${SET_TIMEOUTS}`);
      let rows: unknown[] = [];
      for (const text of texts) rows = await session.rows(text);
      await session.rows('commit');
      return rows;
    } catch (error) {
      await session.rows('rollback');
      if (!['55P03', '40P01'].includes(sqlState(error) ?? '') || attempt === LOCK_ATTEMPTS) throw error;
      await wait(Math.min(500 * attempt, 5000));
    }
  }
}

const LOCK_ATTEMPTS = 30;

/** Each batch is committed, so that an interrupted migration continues from there. */
async function inBatches(session: Session, statement: string): Promise<void> {
  for (;;) {
    const begun = performance.now();
    const rows = await inTransaction(session, [statement]);
    if (rows.length === 0) return;
    // A pause as long as the batch leaves room for other traffic.
    await wait(Math.min(performance.now() - begun, 1000));
  }
}

const INDEX_NAME = /^create (?:unique )?index concurrently if not exists "?(\w+)"?/i;

/** No lock_timeout: the locks of `concurrently` hold up no reads and no writes, and it waits for long transactions. */
async function concurrently(session: Session, statement: string): Promise<void> {
  const index = INDEX_NAME.exec(statement.replace(/\s+/g, ' '))?.[1];
  // A build that was interrupted leaves an invalid index, which `if not exists` would keep.
  const invalid = 'select from pg_index where indexrelid = to_regclass($1) and not indisvalid';
  if (index !== undefined && (await session.rows(invalid, [index])).length > 0)
    await session.rows(`drop index concurrently "${index}"`);
  await session.rows(statement);
}

/** The roles in policies and grants; the login roles (roles.ts) are members of them. Roles belong to the whole server. */
async function createGroupRoles(session: Session): Promise<void> {
  for (const role of ['galeri_app', 'galeri_platform']) {
    await session.rows(`do $$ begin create role ${role} nologin nosuperuser nobypassrls;
      exception when duplicate_object or unique_violation then null; end $$`);
  }
}
