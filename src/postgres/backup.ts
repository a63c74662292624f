// Backup: every table in one snapshot, and the files, in a directory from which restore.ts can fill any PostgreSQL. Values are
// stored in PostgreSQL's text form, which every major version reads back to the same value.
import { createHash, createHmac } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Files } from '../domain/files/file-store.ts';
import { type BackedUpFile, backUpFiles } from './backup-files.ts';
import { openSession, type Session } from './database.ts';

export interface BackupOptions {
  readonly adminUrl: string;
  readonly directory: string;
  readonly files: Files;
  /** The root secret. The backup contains only its fingerprint. */
  readonly secret: string;
  readonly progress?: (line: string) => void;
}

export interface Summary {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  readonly directory: string;
  /** Files that records name but the store does not have, or has altered. */
  readonly missing_files: number;
}

/** A problem that the operator can fix, in one sentence. */
export class BackupRefusal extends Error {}

interface Stored {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Applied {
  readonly name: string;
  readonly hash: string;
}

export interface Manifest {
  readonly format: 1;
  readonly created_at: string;
  readonly server_version: string;
  readonly secret_fingerprint: string;
  readonly migrations: readonly Applied[];
  readonly tables: readonly (Stored & { name: string; columns: readonly string[]; rows: number })[];
  readonly sequences: readonly { name: string; last_value: string }[];
  readonly files: readonly BackedUpFile[];
  /** Absent in backups made before files were named by their records. */
  readonly missing?: readonly string[];
}

export interface Table {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly { name: string; type: string }[];
  /** False if row-level security hides rows from this role. */
  readonly whole: boolean;
}

export const FORMAT = 1;
/** Batches are limited by size too, so that memory does not depend on the width of rows. */
export const BATCH_CHARS = 4_000_000;
// Small, because the width of the next rows is not known.
const FETCH_ROWS = 250;

/** Fixed settings, so that the text of values does not depend on the server or role. */
export const TEXT_FORMS = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 3; set local bytea_output = 'hex';
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

const TABLES = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (not c.relrowsecurity
      or (select rolsuper or rolbypassrls from pg_roles where rolname = current_user)
      or exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd = '*'
        and pg_get_expr(p.polqual, c.oid) = 'true'
        and exists (select from unnest(p.polroles) as r where r = 0 or pg_has_role(r, 'usage')))) as whole
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'schema_migrations'
  order by c.relname`;

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const qualifiedName = ({ name }: { name: string }): string => `public.${quote(name)}`;
export const tableFile = (directory: string, name: string): string => join(directory, 'tables', `${name}.ndjson.gz`);
export const fingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('galeri backup fingerprint').digest('hex');
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export function summary({ tables, files, missing = [] }: Manifest, directory: string): Summary {
  const bytes = sum([...tables, ...files].map((stored) => stored.bytes));
  const rows = sum(tables.map((table) => table.rows));
  return { tables: tables.length, rows, files: files.length, bytes, directory, missing_files: missing.length };
}

export async function backUp(options: BackupOptions): Promise<Summary> {
  const { directory } = options;
  await refuseOccupiedDirectory(directory, 'the backup goes into a directory that is new or empty');
  // Written under another name until it is complete and synced, so that a partial backup is never mistaken for one.
  const draft = `${directory}.${process.pid}.new`;
  await mkdir(dirname(directory), { recursive: true });
  await mkdir(join(draft, 'tables'), { recursive: true, mode: 0o700 });
  try {
    const manifest = await inSnapshot(options.adminUrl, (session, tables) => writeManifest(session, tables, draft, options));
    for (const folder of [join(draft, 'tables'), draft]) await sync(folder);
    await rename(draft, directory);
    await sync(dirname(directory));
    return summary(manifest, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function inSnapshot<T>(url: string, work: (session: Session, tables: Table[]) => Promise<T>): Promise<T> {
  const session = await openSession(url, { deadlineMs: null, acceptsStandby: true });
  try {
    const tables = await describe(session);
    if (tables.length === 0) throw new BackupRefusal('there is nothing to back up: this database has no tables yet');
    await session.rows(`begin isolation level repeatable read read only; ${TEXT_FORMS}`);
    // Locked before the snapshot is taken, because a table that is rewritten in between would look empty.
    await session.rows(`lock table ${tables.map(qualifiedName).join(', ')} in access share mode`);
    if (JSON.stringify(await describe(session)) !== JSON.stringify(tables))
      throw new BackupRefusal('the tables were changed by a migration just now; run the backup again');
    return await work(session, tables);
  } finally {
    await session.close();
  }
}

export async function describe(session: Session): Promise<Table[]> {
  const tables = await session.rows<Table>(TABLES);
  const hidden = tables.find(({ whole }) => !whole);
  if (hidden)
    throw new BackupRefusal(`this database role may not see every row of ${hidden.name}; use the role that migrated it`);
  return tables;
}

async function writeManifest(session: Session, tables: Table[], draft: string, options: BackupOptions): Promise<Manifest> {
  const [server] = await session.rows<{ version: string; at: string }>(
    `select current_setting('server_version') as version, to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
  );
  const migrations = await appliedMigrations(session);
  const written: Manifest['tables'][number][] = [];
  for (const table of tables) {
    let rows = 0;
    const counted = async function* () {
      for await (const lines of readTable(session, table)) {
        rows += lines.length;
        yield `${lines.join('\n')}\n`;
      }
    };
    const stored = await store(counted(), tableFile(draft, table.name));
    written.push({ name: table.name, columns: table.columns.map(({ name }) => name), rows, ...stored });
    options.progress?.(`${table.name}: ${rows} rows`);
  }
  const manifest: Manifest = {
    format: FORMAT,
    created_at: server!.at,
    server_version: server!.version,
    secret_fingerprint: fingerprint(options.secret),
    migrations,
    tables: written,
    sequences: await session.rows(`select sequencename as name, last_value::text from pg_sequences
      where schemaname = 'public' and last_value is not null order by sequencename`),
    // Files come last: a file exists before the row that refers to it.
    ...(await backUpFiles(session, options.files, join(draft, 'files'))),
  };
  await writeFile(join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  return manifest;
}

/** One line per row: a JSON array with the text of each column, or null. */
export async function* readTable(session: Session, table: Table, condition = 'true'): AsyncGenerator<string[]> {
  const texts = table.columns.map(({ name }) => `${quote(name)}::text`).join(', ');
  await session.rows(`declare backup_rows no scroll cursor for
    select to_json(array[${texts}]::text[])::text as line from ${qualifiedName(table)} where ${condition}`);
  for (let count = 10; ; ) {
    const lines = (await session.rows<{ line: string }>(`fetch ${count} from backup_rows`)).map(({ line }) => line);
    if (lines.length === 0) break;
    yield lines;
    const width = sum(lines.map((line) => line.length)) / lines.length;
    count = Math.max(1, Math.min(FETCH_ROWS, Math.floor(BATCH_CHARS / width)));
  }
  await session.rows('close backup_rows');
}

async function store(source: AsyncIterable<string>, target: string): Promise<Stored> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const sink = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(source, createGzip(), measure, sink);
  return { bytes, sha256: hash.digest('hex') };
}

/** Relative paths of plain files only, because a link could lead anywhere. */
export async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export async function refuseOccupiedDirectory(directory: string, rule: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR' ? new BackupRefusal(`${directory} is not a directory; ${rule}`) : error;
  });
  if (entries.length > 0) throw new BackupRefusal(`${directory} is not empty; ${rule}`);
}

export function appliedMigrations(session: Session): Promise<Applied[]> {
  return session.rows<Applied>('select name, hash from public.schema_migrations order by name');
}
