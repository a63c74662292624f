// Checks once at start that the store can put, get and delete a file, so that a wrong setting is noticed before a dealer needs it.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FileStore } from './file-store.ts';

/** `folder`: where the probe is written before it is stored. Fails with one line that names the setting to check. */
export async function checkStore(store: FileStore, folder: string): Promise<void> {
  const random = randomBytes(16).toString('hex');
  const name = `${random.slice(0, 2)}/${random.slice(2)}`;
  const content = `a probe of this store, made and deleted at start: ${random}`;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const probeFolder = await mkdtemp(join(folder, 'probe-'));
  try {
    const path = join(probeFolder, 'probe');
    await writeFile(path, content);
    await store.put(name, path, { contentType: 'text/plain', sizeBytes: content.length, sha256 });
    const found = await store.get(name);
    const read = found === null ? null : await text(found.stream);
    if (read !== content) throw new Error('a test file could not be read back');
    await store.delete(name);
    const left = await store.get(name);
    if (left !== null) {
      left.stream.destroy();
      throw new Error('a deleted test file is still there');
    }
  } catch (error) {
    throw new Error(`S3_URL: the store cannot be used: ${(error as Error).message}`);
  } finally {
    await rm(probeFolder, { recursive: true, force: true });
  }
}
