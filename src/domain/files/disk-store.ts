// Files in a folder of this machine. A file that has its name is complete, even after a power failure.
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from './file-store.ts';

/** We make the names ourselves; the check makes sure that no name can ever leave the folder. */
const NAME = /^[0-9a-f]{2}\/[0-9a-f]{30}$/;

export function openDiskStore(folder: string): FileStore {
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new Error('a file of this name is none of ours');
    return join(folder, name);
  };
  return {
    async put(name, path) {
      const target = pathOf(name);
      const parent = dirname(target);
      const isNew = (await mkdir(parent, { recursive: true, mode: 0o700 })) !== undefined;
      // The content is synced before the file gets its name, and the name before the caller is answered.
      await flush(path);
      await rename(path, target).catch((error) => copyOver(error, path, target));
      await flush(parent);
      if (isNew) await flush(folder);
    },
    async get(name) {
      const path = pathOf(name);
      const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (handle === null) return null;
      const { size } = await handle.stat().catch(async (error) => {
        await handle.close();
        throw error;
      });
      return { stream: createReadStream(path, { fd: handle }), sizeBytes: size };
    },
    async delete(name) {
      for (const path of [pathOf(name), `${pathOf(name)}.part`]) await rm(path, { force: true });
    },
  };
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Uploads may be on another file system than the files; then a file cannot be moved and is copied. */
async function copyOver(error: NodeJS.ErrnoException, path: string, target: string): Promise<void> {
  if (error.code !== 'EXDEV') throw error;
  const temporary = `${target}.part`;
  await copyFile(path, temporary, constants.COPYFILE_EXCL);
  await flush(temporary);
  await rename(temporary, target);
}
