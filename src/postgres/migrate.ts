// Forward-only SQL migrations with a hash check, under a lock, so that two nodes starting together are safe.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { sqlState } from '../kit/db.ts';
import { openSession, type Session } from './database.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const LOCK = 'galeri.migrate';

export interface Migration {
  name: string;
  hash: string;
  text: string;
}

/** `upTo`: the last migration to apply, because an older backup is loaded into the schema of its own time. */
export async function migrate(
  adminUrl: string,
  progress: (line: string) => void = () => {},
  { upTo, folder = FOLDER }: { upTo?: string | undefined; folder?: URL | undefined } = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const end = upTo === undefined ? migrations.length : migrations.findIndex(({ name }) => name === upTo) + 1;
  const session = await openSession(adminUrl, { deadlineMs: null });
  try {
    await refuseOldServer(session);
    await session.rows('select pg_advisory_lock(hashtext($1))', [LOCK]);
    await session.rows(`create table if not exists schema_migrations
      (name text primary key, hash text not null, applied_at timestamptz not null default now())`);
    const done = await session.rows<{ name: string; hash: string }>('select name, hash from schema_migrations order by name');
    refuseChanged(migrations, done);
    await createGroupRoles(session);
    const open = migrations.slice(done.length, end);
    for (const migration of open) {
      progress(`Applying ${migration.name}`);
      await apply(session, migration);
    }
    return open.map(({ name }) => name);
  } finally {
    await session.close();
  }
}

export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
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

function refuseChanged(migrations: readonly Migration[], done: readonly { name: string; hash: string }[]): void {
  done.forEach(({ name, hash }, index) => {
    const here = migrations[index];
    if (here?.name !== name)
      throw new Error(`the database has the migration ${name}, which this version does not know; run the newer version`);
    if (here.hash !== hash)
      throw new Error(`the migration ${name} was changed after it was applied; restore the file, changes go into a new one`);
  });
}

async function apply(session: Session, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A migration gives up its lock request after 2 s and tries again, so that traffic never waits behind it for long.
      await session.rows(`begin; set local lock_timeout = '2s'`);
      await session.rows(migration.text);
      await session.rows('insert into schema_migrations (name, hash) values ($1, $2)', [migration.name, migration.hash]);
      await session.rows('commit');
      return;
    } catch (error) {
      await session.rows('rollback');
      if (sqlState(error) !== '55P03' || attempt === 10) throw error;
      await wait(500 * attempt);
    }
  }
}

/** The roles in policies and grants; the login roles (roles.ts) are members of them. Roles belong to the whole server. */
async function createGroupRoles(session: Session): Promise<void> {
  for (const role of ['galeri_app', 'galeri_platform']) {
    await session.rows(`do $$ begin create role ${role} nologin nosuperuser nobypassrls;
      exception when duplicate_object or unique_violation then null; end $$`);
  }
}
