// What a read may do before it begins, where what it shows must be made first (http/api/prepare-row.ts).
import type { Db } from '../../kit/db.ts';
import type { NewFile } from '../../kit/file.ts';
import type { SealingKeys, Work } from '../../kit/work.ts';

/** What a read has before it begins: transactions of its own, so that the read itself stays one. */
export interface Preparation {
  readonly params: Readonly<Record<string, string>>;
  readonly keys: SealingKeys;
  /** Where files are made, on this machine. */
  readonly folder: string;
  read<T>(run: (db: Db) => Promise<T>): Promise<T>;
  /** Puts the file, then does the write that is to keep it; where it answers false, nothing of either is left. */
  store(file: NewFile, keep: (work: Work) => Promise<boolean>): Promise<void>;
}
