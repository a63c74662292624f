// Restore: fills an empty deployment from a backup (backup.ts), completely or not at all, on any supported PostgreSQL.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  appliedMigrations,
  BATCH_CHARS,
  type BackupOptions,
  BackupRefusal,
  describe,
  FORMAT,
  filesIn,
  fingerprint,
  type Manifest,
  qualifiedName,
  quote,
  type Summary,
  summary,
  type Table,
  TEXT_FORMS,
  tableFile,
} from './backup.ts';
import { restoreFiles } from './backup-files.ts';
import { openSession, type Session } from './database.ts';
import { MIGRATIONS, migrate, readMigrations } from './migrate.ts';
import { readRepairs, repair } from './migration-repairs.ts';

export interface RestoreOptions extends BackupOptions {
  /** Restores even with another secret, although keys and encrypted values are useless then. */
  readonly force?: boolean;
  /** Another folder of migrations; tests set it. */
  readonly migrations?: URL;
}

// The request log is kept for 30 days besides today (jobs/rotate-request-log.ts), so older lines would be dropped at once.
export const LOG_DAYS = 31;
const BATCH_ROWS = 1000;

/** `skipped`: lines of the request log past their retention. */
export async function restore(options: RestoreOptions): Promise<Summary & { skipped: number }> {
  const { adminUrl, directory, files, progress = () => {}, migrations: folder } = options;
  const manifest = await readManifest(directory);
  if (manifest.secret_fingerprint !== fingerprint(options.secret) && options.force !== true)
    throw new BackupRefusal(
      'the backup was made with a different secret; set that secret, or use --force (its keys and encrypted values will not work)',
    );
  const names = await refuseUnknown(manifest, folder);
  progress('Checking the backup');
  await verify(directory, manifest);
  await refuseFiles(files);
  const session = await openSession(adminUrl, { deadlineMs: null });
  try {
    await refuseService(session);
    await refuseOccupied(session, await describe(session));
    await migrate(adminUrl, progress, { only: (name) => names.has(name), folder });
    const tables = await describe(session);
    await refuseOtherTables(session, tables, manifest);
    const skipped = await fill(session, tables, manifest, options);
    await migrate(adminUrl, progress, { folder });
    await session.rows(`analyze ${(await describe(session)).map(qualifiedName).join(', ')}`);
    const whole = summary(manifest, directory);
    return { ...whole, rows: whole.rows - skipped, skipped };
  } finally {
    await session.close();
  }
}

async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, 'manifest.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefusal(`${directory} holds no backup that can be read: manifest.json: ${error.code}`);
  });
  try {
    const manifest = JSON.parse(text) as Manifest;
    const lists = [manifest.tables, manifest.migrations, manifest.sequences, manifest.files];
    if (manifest.format === FORMAT && lists.every(Array.isArray) && manifest.migrations.length > 0) return manifest;
  } catch {
    // Reported below.
  }
  throw new BackupRefusal(`manifest.json in ${directory} is damaged, or has a format that this version does not support`);
}

/** Returns the migrations of the backup, under their names in this version. */
async function refuseUnknown({ migrations }: Manifest, folder = MIGRATIONS): Promise<ReadonlySet<string>> {
  const [old] = repair(migrations, await readRepairs(folder)).repairs;
  if (old !== undefined)
    throw new BackupRefusal(
      `the backup was made by a commit whose ${old.from.name} was changed later; restore it with that commit, then start this version, which upgrades the database`,
    );
  const known = await readMigrations(folder);
  const names = migrations.map(({ name, hash }) => {
    const here = known.find((one) => one.name === name) ?? known.find((one) => one.hash === hash);
    if (here?.hash === hash) return here.name;
    if (here === undefined)
      throw new BackupRefusal(`the backup was made by a newer version (migration ${name}); restore it with that version`);
    throw new BackupRefusal(
      `migration ${name} in the backup differs from the one in this version; restore with the version that made the backup`,
    );
  });
  return new Set(names);
}

async function verify(directory: string, manifest: Manifest): Promise<void> {
  const uploads = join(directory, 'files');
  const named = new Set(manifest.files.map(({ path }) => path));
  for (const path of new Set(await filesIn(uploads)).symmetricDifference(named))
    throw new BackupRefusal(`${join(uploads, path)} is not in the manifest or not on the disk; the backup is incomplete`);
  const all = [
    ...manifest.tables.map((table) => ({ path: tableFile(directory, table.name), sha256: table.sha256 })),
    ...manifest.files.map((file) => ({ path: join(uploads, file.path), sha256: file.sha256 })),
  ];
  for (const { path, sha256 } of all) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash).catch((error: NodeJS.ErrnoException) => {
      throw new BackupRefusal(`${path} cannot be read (${error.code}); the backup is incomplete`);
    });
    if (hash.digest('hex') !== sha256) throw new BackupRefusal(`${path} is damaged: its checksum differs from the manifest's`);
  }
}

/** The folder of files must be empty, otherwise another deployment's files would stay in it. Running uploads do not count. */
async function refuseFiles({ incoming }: RestoreOptions['files']): Promise<void> {
  const folder = dirname(incoming);
  const [found] = (await filesIn(folder)).filter((path) => !path.startsWith('incoming/'));
  if (found !== undefined) throw new BackupRefusal(`${folder} is not empty; restore goes into an empty deployment`);
}

/** Holds the nodes' lock (changes.ts) until the end, so that no service runs now and none starts during the restore. */
async function refuseService(session: Session): Promise<void> {
  const [row] = await session.rows<{ taken: boolean }>(`select pg_try_advisory_lock(hashtext('galeri.nodes')) as taken`);
  if (!row!.taken) throw new BackupRefusal('a service runs on this database; stop it, then restore');
}

/** Rows created by a migration have its transaction id and do not count. */
async function refuseOccupied(session: Session, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return;
  const [{ migrated } = { migrated: false }] = await session.rows<{ migrated: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as migrated`,
  );
  const own = migrated ? 'where xmin not in (select xmin from public.schema_migrations)' : '';
  const queries = tables.map((table, at) => `select ${at} as at where exists (select from ${qualifiedName(table)} ${own})`);
  const [found] = await session.rows<{ at: number }>(`${queries.join(' union all ')} order by 1 limit 1`);
  if (found !== undefined)
    throw new BackupRefusal(`the database already holds data (${tables[found.at]!.name}); restore goes into an empty one`);
}

async function refuseOtherTables(session: Session, tables: readonly Table[], manifest: Manifest): Promise<void> {
  const applied = await appliedMigrations(session);
  if (applied.length > manifest.migrations.length)
    throw new BackupRefusal(
      `the backup is older (${manifest.migrations.at(-1)!.name}) than this database (${applied.at(-1)!.name}); restore it into a new one`,
    );
  // A database that was upgraded may have its columns in another order.
  const shape = (list: readonly { name: string; columns: readonly string[] }[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns.toSorted()]));
  const here = tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
  if (shape(here) !== shape(manifest.tables))
    throw new BackupRefusal('the tables of this database are not those of the backup; restore it into a new one');
}

interface ForeignKey {
  readonly name: string;
  readonly child: string;
  readonly parent: string;
  readonly deferrable: boolean;
}

async function fill(session: Session, tables: Table[], manifest: Manifest, options: RestoreOptions): Promise<number> {
  const everything = tables.map(qualifiedName).join(', ');
  let undo = async (): Promise<void> => {};
  try {
    undo = await restoreFiles(join(options.directory, 'files'), manifest.files, options.files);
    await session.rows(`begin; ${TEXT_FORMS}; set local lock_timeout = '10s'`);
    await session.rows(`lock table ${everything} in access exclusive mode`);
    await refuseOccupied(session, tables);
    // Rows of the migrations are in the backup too, in their latest state.
    await session.rows(`truncate ${everything}`);
    if (manifest.tables.some(({ name, rows }) => name === 'request_logs' && rows > 0)) await makeLogPartitions(session);
    let skipped = 0;
    await withoutTriggers(session, tables, async (order) => {
      for (const table of order) {
        const { rows, columns } = manifest.tables.find(({ name }) => name === table.name)!;
        const inItsOrder = columns.map((column) => table.columns.find(({ name }) => name === column)!);
        const loaded = await load(session, { ...table, columns: inItsOrder }, tableFile(options.directory, table.name), rows);
        options.progress?.(`${table.name}: ${loaded} rows`);
        skipped += rows - loaded;
      }
    });
    for (const { name, last_value } of manifest.sequences)
      await session.rows(`select setval(format('public.%I', $1::text)::regclass, $2::bigint)`, [name, last_value]);
    // If the outcome of the commit is unknown, the files must stay.
    undo = async () => {};
    await session.rows('commit');
    return skipped;
  } catch (error) {
    await session.rows('rollback').catch(() => {});
    await undo();
    throw error;
  }
}

/** Uses the database's own function, starting a month ago and dropping nothing. */
export async function makeLogPartitions(session: Session): Promise<void> {
  await session.rows(`select keep_request_log((now() at time zone 'UTC')::date - ${LOG_DAYS - 1}, 100000, ${LOG_DAYS + 7})`);
}

/**
 * Triggers already ran when the rows were first written, and their effects are in the backup. Foreign keys are still checked;
 * those that no order of tables can satisfy (a table that refers to itself) are checked at the end.
 */
async function withoutTriggers(session: Session, tables: Table[], work: (order: Table[]) => Promise<void>): Promise<void> {
  const keys = await foreignKeys(session);
  const order = inOrder(tables, keys);
  const at = (name: string) => order.findIndex((table) => table.name === name);
  const late = keys.filter(({ child, parent, deferrable }) => at(parent) >= at(child) && !deferrable);
  const triggers = await session.rows<{ name: string; relation: string }>(`
    select t.tgname as name, c.relname as relation from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and not t.tgisinternal and t.tgenabled = 'O'`);
  const alter = async (name: string, change: string) => {
    await session.rows(`alter table ${qualifiedName({ name })} ${change}`);
  };
  for (const { name, relation } of triggers) await alter(relation, `disable trigger ${quote(name)}`);
  for (const { name, child } of late) await alter(child, `alter constraint ${quote(name)} deferrable initially deferred`);
  await session.rows('set constraints all deferred');
  await work(order);
  await session.rows('set constraints all immediate');
  for (const { name, child } of late) await alter(child, `alter constraint ${quote(name)} not deferrable`);
  for (const { name, relation } of triggers) await alter(relation, `enable trigger ${quote(name)}`);
}

export const foreignKeys = (session: Session): Promise<ForeignKey[]> =>
  session.rows<ForeignKey>(`
    select k.conname as name, child.relname as child, parent.relname as parent, k.condeferrable as deferrable
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 and k.connamespace = 'public'::regnamespace`);

/** Sorts tables so that each comes after those it refers to. In a cycle any of them comes first. */
export function inOrder(tables: readonly Table[], keys: readonly ForeignKey[]): Table[] {
  const order: Table[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const waiting = (table: Table) =>
      keys.some(({ child, parent }) => child === table.name && parent !== child && left.some(({ name }) => name === parent));
    const free = left.filter((table) => !waiting(table));
    order.push(...(free.length > 0 ? free : left.slice(0, 1)));
    left = left.filter((table) => !order.includes(table));
  }
  return order;
}

/** Inserts rows as `readTable` gives them: $1 is a JSON array of them. */
export function insertStatement(table: Table, kept = ''): string {
  const values = table.columns.map(({ type }, at) => `(item->>${at})::${type}`).join(', ');
  return `insert into ${qualifiedName(table)} (${table.columns.map(({ name }) => quote(name)).join(', ')}) overriding system value
    select ${values} from jsonb_array_elements($1::jsonb) as item ${kept}`;
}

async function load(session: Session, table: Table, file: string, expected: number): Promise<number> {
  const time = table.columns.findIndex(({ name }) => name === 'at');
  const kept =
    table.name === 'request_logs' ? `where (item->>${time})::timestamptz >= (now() at time zone 'UTC')::date - ${LOG_DAYS}` : '';
  const statement = `with loaded as (${insertStatement(table, kept)} returning 1) select count(*)::int as count from loaded`;
  let read = 0;
  let loaded = 0;
  for await (const lines of batches(file)) {
    const [row] = await session.rows<{ count: number }>(statement, [`[${lines.join(',')}]`]);
    read += lines.length;
    loaded += row!.count;
  }
  if (read !== expected) throw new BackupRefusal(`${file} holds ${read} rows and the manifest says ${expected}`);
  return loaded;
}

/** Split at line feeds only, because values may contain other characters that Unicode and readline treat as line ends. */
async function* batches(file: string): AsyncGenerator<string[]> {
  const gunzip = createGunzip();
  const opened = pipeline(createReadStream(file), gunzip);
  opened.catch(() => {});
  let lines: string[] = [];
  let size = 0;
  let rest = '';
  for await (const text of gunzip.setEncoding('utf8') as AsyncIterable<string>) {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      size += line.length;
      if (lines.length < BATCH_ROWS && size < BATCH_CHARS) continue;
      yield lines;
      lines = [];
      size = 0;
    }
  }
  await opened;
  if (rest !== '') throw new BackupRefusal(`${file} ends within a row`);
  if (lines.length > 0) yield lines;
}
