// Opens the configured store, and deletes the remains of broken uploads.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openDiskStore } from './disk-store.ts';
import type { FileStore, Files } from './file-store.ts';
import type { S3Config } from './s3-config.ts';
import { checkStore } from './store-check.ts';

export interface FileSettings {
  readonly dataDir: string;
  /** The store for files; null: a folder of DATA_DIR. Uploads arrive in DATA_DIR in any case. */
  readonly s3?: S3Config | null;
}

/** Longer than any upload can last, because the server gives up on one far sooner. */
export const OLD_UPLOAD_MS: number = 10 * 60_000;

/** Also deletes what a killed process left in `incoming`. */
export async function openFiles({ dataDir, s3 = null }: FileSettings): Promise<Files> {
  const folder = join(dataDir, 'files');
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new Error(`cannot make ${incoming}; DATA_DIR must be a folder that the service may write to (${error.message})`);
  });
  // The files of uploads have this machine's time, not the database's.
  await clearIncoming(incoming, Date.now() - OLD_UPLOAD_MS);
  return { store: s3 === null ? openDiskStore(folder) : await openS3Files(s3, incoming), incoming };
}

/** The S3 client is loaded only if it is used. */
async function openS3Files(config: S3Config, incoming: string): Promise<FileStore> {
  const { createS3Store } = await import('./s3-store.ts');
  const store = createS3Store(config);
  await checkStore(store, incoming);
  return store;
}

/** Deletes by age, because other processes may be receiving into the same folder. Returns how many were deleted. */
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
