// Where dealers' files lie: a folder of ours, or a store that speaks S3. Everything else knows the interface only.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openDiskFiles } from './disk-store.ts';
import type { S3Place } from './s3-config.ts';
import { proveStore } from './store-check.ts';

export interface FileMeta {
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface OpenFile {
  readonly stream: Readable;
  readonly sizeBytes: number;
}

export interface FileStore {
  /** Durable once it resolves. The file at `path` may be moved away; whoever made it removes what is left of it. */
  put(name: string, path: string, meta: FileMeta): Promise<void>;
  /** null: there is none of that name. */
  get(name: string): Promise<OpenFile | null>;
  /** One that is not there is deleted already. */
  delete(name: string): Promise<void>;
}

export interface Files {
  readonly store: FileStore;
  /** Where uploads arrive, each in a folder of its own. */
  readonly incoming: string;
}

export interface FileSettings {
  readonly dataDir: string;
  /** Files lie there rather than in our folder, where uploads arrive in any case. */
  readonly s3?: S3Place | null;
}

/** No upload takes as long: its server gives up on it far sooner. */
export const OLD_UPLOAD_MS: number = 10 * 60_000;

/** What a process that was killed left in `incoming` is cleared away as it starts. */
export async function openFiles({ dataDir, s3 = null }: FileSettings, now: Date): Promise<Files> {
  const folder = join(dataDir, 'files');
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new Error(`cannot make ${incoming}; DATA_DIR must be a folder that the service may write to (${error.message})`);
  });
  await clearIncoming(incoming, now.getTime() - OLD_UPLOAD_MS);
  return { store: s3 === null ? openDiskFiles(folder) : await openS3Files(s3, incoming), incoming };
}

/** Loaded where it is used. */
async function openS3Files(place: S3Place, incoming: string): Promise<FileStore> {
  const { createS3Files } = await import('./s3-store.ts');
  const store = createS3Files(place);
  await proveStore(store, incoming);
  return store;
}

/** By age, because other processes on the same folder may be receiving. Gives how many there were. */
export async function clearIncoming(incoming: string, before: number): Promise<number> {
  let cleared = 0;
  for (const name of await readdir(incoming).catch(() => [])) {
    const path = join(incoming, name);
    const found = await stat(path).catch(() => null);
    if (found === null || found.mtimeMs >= before) continue;
    await rm(path, { recursive: true, force: true });
    cleared += 1;
  }
  return cleared;
}
