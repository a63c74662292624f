import type { Readable } from 'node:stream';

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
  /** The file is durable once it resolves. The store may move the file at `path`; the caller removes it if it is still there. */
  put(name: string, path: string, meta: FileMeta): Promise<void>;
  /** Null if there is no such file. */
  get(name: string): Promise<OpenFile | null>;
  /** Deleting a file that is not there succeeds. */
  delete(name: string): Promise<void>;
}

export interface Files {
  readonly store: FileStore;
  /** Where uploads arrive, each in a folder of its own. */
  readonly incoming: string;
}
