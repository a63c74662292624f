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
  /** Durable once it resolves. The file at `path` may be moved away; whoever made it removes what is left of it. */
  put(name: string, path: string, meta: FileMeta): Promise<void>;
  /** null: there is none of that name. */
  get(name: string): Promise<OpenFile | null>;
  /** One that is not there is deleted already. */
  delete(name: string): Promise<void>;
}

export interface Files {
  readonly store: FileStore;
  /** Where uploads arrive, each in a folder of its own. */
  readonly incoming: string;
}
