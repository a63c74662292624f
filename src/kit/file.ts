// Files before they are in the store.

/** An uploaded file: on disk, never as a whole in memory, in its own folder that is removed when the request ends. */
export interface UploadedFile {
  readonly path: string;
  readonly folder: string;
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** A file to store; records refer to it by `id` (domain/files/stored-files.ts). */
export interface NewFile {
  readonly id: string;
  /** The name in the store: random, never from a caller. */
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}
