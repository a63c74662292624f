// The files of a backup: those that the records in its snapshot refer to, from any store and back into any store. Each is
// verified with the checksum in its record.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Files } from '../domain/files/file-store.ts';
import type { Session } from './database.ts';

export interface BackedUpFile {
  /** Its name in the store. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackedUpFiles {
  readonly files: readonly BackedUpFile[];
  /** Files that a record names but the store does not have, or has with another checksum. */
  readonly missing: readonly string[];
}

const AT_ONCE = 8;

interface Named {
  readonly name: string;
  readonly sha256: string;
}

/** Runs within the snapshot. Old databases without the table of files have none. */
export async function backUpFiles(session: Session, { store }: Files, target: string): Promise<BackedUpFiles> {
  const [known] = await session.rows<{ there: boolean }>(`select to_regclass('public.stored_files') is not null as there`);
  const files: BackedUpFile[] = [];
  const missing: string[] = [];
  if (!known!.there) return { files, missing };
  const copy = async ({ name, sha256 }: Named): Promise<void> => {
    const path = join(target, name);
    const found = await store.get(name);
    const bytes = found === null ? null : await write(found.stream, path, sha256);
    if (bytes !== null) files.push({ path: name, bytes, sha256 });
    else missing.push(name);
  };
  await session.rows(`declare backup_files no scroll cursor for
    select name, encode(sha256, 'hex') as sha256 from public.stored_files where state = 'kept' order by name`);
  for (;;) {
    const batch = await session.rows<Named>(`fetch ${AT_ONCE} from backup_files`);
    if (batch.length === 0) break;
    await Promise.all(batch.map(copy));
  }
  await session.rows('close backup_files');
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) await flush(join(target, folder));
  if (files.length > 0) await flush(target);
  return { files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)), missing: missing.toSorted() };
}

/** Returns the size, or null if the checksum differs; then the copy is deleted. */
async function write(source: AsyncIterable<Buffer>, path: string, sha256: string): Promise<number | null> {
  const hash = createHash('sha256');
  let bytes = 0;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(
    source,
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  if (hash.digest('hex') === sha256) return bytes;
  await rm(path);
  return null;
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** The backup is verified already. Returns a function that deletes the files again if the restore fails. */
export async function restoreFiles(
  from: string,
  backedUp: readonly BackedUpFile[],
  { store, incoming }: Files,
): Promise<() => Promise<void>> {
  const put: string[] = [];
  const undo = async () => {
    for (const name of put) await store.delete(name).catch(() => {});
  };
  if (backedUp.length === 0) return undo;
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(incoming, 'restore-'));
  try {
    for (const { path: name, bytes, sha256 } of backedUp) {
      const path = join(folder, 'file');
      await copyFile(join(from, name), path);
      put.push(name);
      await store.put(name, path, { contentType: 'application/octet-stream', sizeBytes: bytes, sha256 });
    }
    return undo;
  } catch (error) {
    await undo();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
