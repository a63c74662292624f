// Work that a read may do before it begins, if it shows a file that has to be generated first (http/api/prepare-file.ts).
import type { Db } from '../../kit/db.ts';
import type { NewFile } from '../../kit/file.ts';
import type { SealingKeys, Work } from '../../kit/work.ts';

/** Transactions of its own before the read, so that the read itself is one transaction. */
export interface Preparation {
  readonly params: Readonly<Record<string, string>>;
  readonly keys: SealingKeys;
  /** The folder for generated files on this machine. */
  readonly folder: string;
  read<T>(run: (db: Db) => Promise<T>): Promise<T>;
  /** Stores the file, then runs the write that keeps it; if the write returns false, both are undone. */
  store(file: NewFile, keep: (work: Work) => Promise<boolean>): Promise<void>;
}
