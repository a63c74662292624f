// Files on their way into the store.

/** An uploaded file: on disk, never whole in memory, in a folder of its own that is removed when the request ends. */
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
  /** In the store: random, never from a caller. */
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}
