// A folder that is expensive to create is kept between runs by the hash of its inputs, and copied.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDataDir } from './data-dir.ts';

const UNUSED_MS = 7 * 86_400_000;

/** Of the contents of these files and of the words. */
export async function hashOf(files: readonly string[], ...words: readonly unknown[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(words));
  for (const file of files) hash.update(file).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Fills `to` with a copy of the folder kept in `cache` under `key`, or with `make`, whose result is then kept unless `make`
 * returns false. A folder appears in the cache in one step, so concurrent runs never copy an incomplete one. Folders that were
 * not used for a week are deleted.
 */
export async function fillFolder(to: string, cache: string, key: string, make: () => Promise<boolean>): Promise<void> {
  const kept = join(cache, key);
  if (existsSync(kept)) {
    await utimes(kept, new Date(), new Date());
    return copyDataDir(kept, to);
  }
  if (!(await make())) return;
  await mkdir(cache, { recursive: true });
  await deleteUnused(cache);
  const draft = `${kept}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(draft);
    copyDataDir(to, draft);
    await utimes(draft, new Date(), new Date());
    await rename(draft, kept);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another run was faster.
    if (!existsSync(kept)) throw error;
  }
}

async function deleteUnused(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    const used = (await stat(folder).catch(() => null))?.mtimeMs ?? Date.now();
    if (Date.now() - used > UNUSED_MS) await rm(folder, { recursive: true, force: true });
  }
}
