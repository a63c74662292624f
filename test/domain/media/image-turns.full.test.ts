// An account with many pictures waits for its own, and other accounts do not wait for it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resizePhoto } from '../../../src/domain/media/image-worker-pool.ts';
import { aJpeg } from '../../support/pictures.ts';

test('pictures of several accounts are processed in turn', async () => {
  const home = await mkdtemp(join(tmpdir(), 'galeri-turns-'));
  try {
    const bytes = await aJpeg(3000, 2000);
    const order: string[] = [];
    const newFile = async () => {
      const folder = await mkdtemp(join(home, 'one-'));
      const path = join(folder, 'file');
      await writeFile(path, bytes);
      return { path, folder, sizeBytes: bytes.length, sha256: '' };
    };
    const files = await Promise.all(Array.from({ length: 14 }, newFile));
    const resize = async (index: number, accountId: string) => {
      await resizePhoto(files[index]!, accountId);
      order.push(accountId);
    };
    // Nothing is awaited in between: which of the first two pictures is processed first does not depend on how many wait.
    const many = Array.from({ length: 12 }, (_, index) => resize(index, 'many'));
    await Promise.all([...many, resize(12, 'few'), resize(13, 'few')]);
    expect(order).toHaveLength(14);
    expect(order.lastIndexOf('few')).toBeLessThan(10);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
