// The record of every file: `pending` before it is stored, `kept` with the write that keeps it, `gone` with the write that
// deletes its record. A crash at any point leaves a row that the file sweep can clean up (docs/decisions/0019-files.md).
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Database, type Db, keepsVersion, Unavailable } from '../../kit/db.ts';
import type { NewFile } from '../../kit/file.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { FileStore } from './file-store.ts';

/** A file on disk, ready to be stored: with its size and hash, and a random name. */
export async function newFile(path: string, contentType: string): Promise<NewFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const name = randomBytes(16).toString('hex');
  return {
    id: newId(),
    name: `${name.slice(0, 2)}/${name.slice(2)}`,
    path,
    contentType,
    sizeBytes: (await stat(path)).size,
    sha256: hash.digest('hex'),
  };
}

export interface StoreTarget {
  readonly database: Database;
  readonly store: FileStore;
  readonly dataSet: string;
  readonly realNow: Date;
}

/**
 * Stores the files, then runs the write that keeps them. If the write is refused or fails, the files are deleted at once; if that
 * fails too, the file sweep deletes them later.
 */
export async function storeThen<T>(
  target: StoreTarget,
  files: readonly NewFile[],
  write: () => Promise<T>,
  isKept: (outcome: T) => boolean,
): Promise<T> {
  if (files.length === 0) return write();
  const { database, store, dataSet, realNow } = target;
  await quietly(database, dataSet, (db) => announceFiles(db, files, realNow));
  let kept = false;
  let isPut = false;
  try {
    for (const file of files) await store.put(file.name, file.path, file);
    isPut = true;
    const outcome = await write();
    kept = isKept(outcome);
    return outcome;
  } finally {
    if (!kept) await discardFiles(target, files, isPut).catch(() => {});
  }
}

/** Stores a file for a write that will keep it. The caller calls `discardFiles` unless the file was kept. */
export async function putFile({ database, store, dataSet, realNow }: StoreTarget, file: NewFile): Promise<void> {
  await quietly(database, dataSet, (db) => announceFiles(db, [file], realNow));
  await store.put(file.name, file.path, file);
}

/** Leaves the data version as it is, because nothing that a dealer sees changes and caches stay valid. */
function quietly<T>(database: Database, dataSet: string, work: (db: Db) => Promise<T>): Promise<T> {
  return database.inTenant(dataSet, 'write', work, keepsVersion);
}

export async function announceFiles(db: Db, files: readonly NewFile[], realNow: Date): Promise<void> {
  for (const { id, name, contentType, sizeBytes, sha256 } of files)
    await db.exec(sql`insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, created_at, state_at)
      values (${theAccount}, ${id}, ${name}, ${contentType}, ${sizeBytes}, ${Buffer.from(sha256, 'hex')}, ${realNow}, ${realNow})`);
}

/** Marks files as kept, in the transaction of the record that refers to them. */
export async function keepFiles({ db, realNow }: Work, ids: readonly string[]): Promise<void> {
  const kept = await db.exec(sql`update stored_files set state = 'kept', state_at = ${realNow}
    where account_id = ${theAccount} and id = any(${ids}::uuid[]) and state = 'pending'`);
  if (kept !== ids.length) throw new Unavailable('a file was cleared away before its record was written');
}

/** Marks files as gone, in the transaction that deletes their record; the file sweep then deletes the files. */
export async function dropFiles({ db, realNow }: Work, ids: readonly string[]): Promise<void> {
  await db.exec(sql`update stored_files set state = 'gone', state_at = ${realNow}
    where account_id = ${theAccount} and id = any(${ids}::uuid[])`);
}

/** Marks the rows first: a write whose outcome is unknown has then either kept the files or will fail. */
export async function discardFiles(
  { database, store, dataSet, realNow }: StoreTarget,
  files: readonly NewFile[],
  isPut: boolean,
): Promise<void> {
  const ids = files.map(({ id }) => id);
  const gone = await quietly(database, dataSet, (db) =>
    db.rows<{ id: string; name: string }>(sql`update stored_files set state = 'gone', state_at = ${realNow}
      where account_id = ${theAccount} and id = any(${ids}::uuid[]) and state = 'pending' returning id, name`),
  );
  for (const { name } of gone) await store.delete(name);
  // A store that did not confirm a file may still finish putting it. The rows stay, so that the file sweep deletes it once more.
  if (!isPut) return;
  const done = gone.map(({ id }) => id);
  await quietly(database, dataSet, (db) =>
    db.exec(sql`delete from stored_files where account_id = ${theAccount} and id = any(${done}::uuid[])`),
  );
}

export interface KeptFile {
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
  /** It contains personal data: each download is audited, and caches must not store it. */
  readonly is_sensitive: boolean;
}

/** The same with the environment of its data set, for links, whose world may have been reset since. */
export const findLinkedFile = (db: Db, id: string): Promise<KeptFile & { readonly environment: 'production' | 'sandbox' }> =>
  db.last(sql`select name, content_type, size_bytes, is_sensitive, (select kind from ${own('data_sets')}) as environment
    from ${own('stored_files')} where id = ${id} and state = 'kept'`);

export const findKeptFile = (db: Db, id: string): Promise<KeptFile> =>
  db.last<KeptFile>(
    sql`select name, content_type, size_bytes, is_sensitive from ${own('stored_files')} where id = ${id} and state = 'kept'`,
  );
