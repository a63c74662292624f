// Files that show what a write decides, such as the PDF of a document with its number.
// 1. Only the write knows the content, because it depends on records that the write locks. Drawing the file and storing it can take seconds,
//    so neither may happen while those locks are held.
// 2. `Work.generateFile(key, make)` returns the file if it exists already. Otherwise it throws FileNotGenerated, which rolls the write back.
// 3. The writer (write.ts) catches the error, runs `make` outside the transaction, stores the file as pending, and repeats the write from
//    the start. `generateFile` now finds the file under the same key, and the write's record keeps it.
// 4. `key` is a digest of the content. If other writes have changed the content by then, the key differs, and another file is generated.
// 5. Files that the committed write did not keep are deleted. After a crash they are still pending, and the file sweep deletes them.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import { Unavailable } from '../../kit/db.ts';
import type { NewFile } from '../../kit/file.ts';
import type { Files } from '../files/file-store.ts';
import { discardFiles, putFile } from '../files/stored-files.ts';

/** Rolls the write back. The writer generates the file and repeats the write. */
export class FileNotGenerated extends Error {
  readonly key: string;
  readonly make: (folder: string) => Promise<NewFile>;
  constructor(key: string, make: (folder: string) => Promise<NewFile>) {
    super('a file has to be generated first');
    this.key = key;
    this.make = make;
  }
}

export interface GeneratedFiles {
  /** Starts a new attempt, which has used no file yet. */
  begin(): void;
  find<F extends NewFile>(dataSet: string, key: string, make: (folder: string) => Promise<F>): F;
  make(missing: FileNotGenerated): Promise<void>;
  close(isWritten: boolean): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly files?: () => Promise<Files>;
}

/** A write is given up when its content has changed this often while the file was generated. */
const MAX_FILES = 8;

export function createGeneratedFiles({ database, clock, files }: Parts, dataSet: string): GeneratedFiles {
  const made = new Map<string, NewFile>();
  const used = new Set<NewFile>();
  let isPut = true;
  const target = async () => {
    if (files === undefined) throw new Error('this process has no store for files');
    const opened = await files();
    return { ...opened, database, dataSet, realNow: clock.realNow() };
  };
  return {
    begin: () => used.clear(),
    find: (owner, key, make) => {
      if (owner !== dataSet) throw new Error('a write generates files for its own account only');
      const found = made.get(key);
      if (found === undefined) throw new FileNotGenerated(key, make);
      used.add(found);
      return found as never;
    },
    make: async ({ key, make }) => {
      if (made.size >= MAX_FILES) throw new Unavailable('what a file shows kept changing while it was made');
      const { incoming, ...store } = await target();
      const folder = await mkdtemp(join(incoming, 'made-'));
      try {
        const file = await make(folder);
        made.set(key, file);
        isPut = false;
        await putFile(store, file);
        isPut = true;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    close: async (isWritten) => {
      const left = [...made.values()].filter((file) => !(isWritten && used.has(file)));
      // A file that cannot be deleted now is still pending, and the file sweep deletes it.
      if (left.length > 0) await discardFiles(await target(), left, isPut).catch(() => {});
    },
  };
}
