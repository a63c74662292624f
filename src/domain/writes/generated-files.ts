// Files that a write makes of what it decides: drawn outside of its transaction, stored before it is tried again, and deleted again where it
// does not keep them. A crash at any point leaves a pending row, which the file sweep clears away.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import { Unavailable } from '../../kit/db.ts';
import type { NewFile } from '../../kit/file.ts';
import type { Files } from '../files/file-store.ts';
import { discardFiles, putFile } from '../files/stored-files.ts';

/** Thrown through the write, which is undone and tried again with the file. */
export class FileNotGenerated extends Error {
  readonly key: string;
  readonly make: (folder: string) => Promise<NewFile>;
  constructor(key: string, make: (folder: string) => Promise<NewFile>) {
    super('a file is to be made first');
    this.key = key;
    this.make = make;
  }
}

export interface GeneratedFiles {
  /** A new try: nothing is used yet. */
  begin(): void;
  find<F extends NewFile>(dataSet: string, key: string, make: (folder: string) => Promise<F>): F;
  make(wanted: FileNotGenerated): Promise<void>;
  close(isWritten: boolean): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly files?: () => Promise<Files>;
}

/** Each was described anew by what others wrote meanwhile; one that never settles is given up. */
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
    find: (whose, key, make) => {
      if (whose !== dataSet) throw new Error('a write makes files of its own account only');
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
      // What cannot be deleted now is pending, and the file sweep finds it.
      if (left.length > 0) await discardFiles(await target(), left, isPut).catch(() => {});
    },
  };
}
