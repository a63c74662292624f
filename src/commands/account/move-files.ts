// The files of a dealer that moves, from one store to the other. A file that is there already is not sent again, but verified.
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openDiskStore } from '../../domain/files/disk-store.ts';
import type { FileStore } from '../../domain/files/file-store.ts';
import { readS3Url } from '../../domain/files/s3-config.ts';
import { checkStore } from '../../domain/files/store-check.ts';
import type { Session } from '../../postgres/database.ts';
import { UsageError } from '../command.ts';

const AT_ONCE = 8;

/** `--files`: an S3 address, a folder, or `shared`, which returns null. `folder` is for files on their way. */
export async function openTargetStore(text: string, folder: string): Promise<FileStore | null> {
  if (text === 'shared') return null;
  if (!/^https?:/.test(text)) {
    await mkdir(resolve(text), { recursive: true, mode: 0o700 }).catch((error: Error) => {
      throw new UsageError(`--files: the folder cannot be made (${error.message})`);
    });
    return openDiskStore(resolve(text));
  }
  const config = readS3Url(text);
  if (typeof config === 'string') throw new UsageError(`--files is not the address of an S3 store: ${config}`);
  const { createS3Store } = await import('../../domain/files/s3-store.ts');
  const store = createS3Store(config);
  await checkStore(store, folder);
  return store;
}

/** Two addresses may lead to one store, whose files would be deleted: what is put into one must not be in the other. */
export async function refuseSameStore(from: FileStore, to: FileStore, folder: string): Promise<void> {
  const random = randomBytes(16).toString('hex');
  const name = `${random.slice(0, 2)}/${random.slice(2)}`;
  const probeFolder = await mkdtemp(join(folder, 'probe-'));
  try {
    const path = join(probeFolder, 'probe');
    await writeFile(path, random);
    const sha256 = createHash('sha256').update(random).digest('hex');
    await to.put(name, path, { contentType: 'text/plain', sizeBytes: random.length, sha256 });
    const found = await from.get(name);
    found?.stream.destroy();
    await to.delete(name);
    if (found !== null) throw new UsageError('both deployments use this file store; use --files shared');
  } finally {
    await rm(probeFolder, { recursive: true, force: true });
  }
}

export const isCopied = async (
  to: FileStore,
  { name, sha256 }: { readonly name: string; readonly sha256: string },
): Promise<boolean> => (await digestIn(to, name, null)) === sha256;

interface MovedFile {
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  readonly type: string;
}

export interface MovedFiles {
  /** The names that are verified at the new place. */
  readonly done: Set<string>;
  /** Named by a record, but not in the old store or altered there. */
  readonly missing: Set<string>;
}

/** Copies what is not done yet. */
export async function copyFiles(
  source: Session,
  ids: readonly string[],
  stores: { readonly from: FileStore; readonly to: FileStore; readonly folder: string },
  { done, missing }: MovedFiles,
): Promise<void> {
  const files = await source.rows<MovedFile>(
    `select name, encode(sha256, 'hex') as sha256, size_bytes::float8 as size, content_type as type
    from stored_files where state = 'kept' and account_id = any($1) order by name`,
    [ids],
  );
  const left = files.filter(({ name }) => !done.has(name));
  const folder = await mkdtemp(join(stores.folder, 'move-'));
  try {
    const next = left.values();
    const carry = async () => {
      for (const file of next) {
        const isThere = (await isCopied(stores.to, file)) || (await copyFile(file, stores, folder));
        (isThere ? done : missing).add(file.name);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, carry));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyFile(
  { name, sha256, size, type }: MovedFile,
  { from, to }: { readonly from: FileStore; readonly to: FileStore },
  folder: string,
): Promise<boolean> {
  const path = join(folder, name.replaceAll('/', '-'));
  if ((await digestIn(from, name, path)) !== sha256) return false;
  await to.put(name, path, { contentType: type, sizeBytes: size, sha256 });
  await rm(path, { force: true });
  if ((await digestIn(to, name, null)) !== sha256) throw new Error(`the file ${name} differs after the copy`);
  return true;
}

/** Reads a file, into `path` if one is given. Null if the store does not have it. */
async function digestIn(store: FileStore, name: string, path: string | null): Promise<string | null> {
  const found = await store.get(name);
  if (found === null) return null;
  const hash = createHash('sha256');
  const measure = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece);
      if (path !== null) yield piece;
    }
  };
  if (path === null) for await (const _ of measure(found.stream));
  else await pipeline(found.stream, measure, createWriteStream(path, { mode: 0o600 }));
  return hash.digest('hex');
}
