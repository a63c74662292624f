// Where a recorded run writes. Nothing is recorded unless scripts/test-record.ts set the folder.

/** A folder with one folder per test file. */
export const RECORDING = process.env.RECORD_TESTS;
/** In that folder: the functions that sources call while they are imported, as `source:offset`. */
export const ON_IMPORT = 'on-import.txt';

/** In the folder of a test file, beside the lines of its processes. Missing when no test of the file ran. */
export const TEST = 'test.json';
export interface RecordedTest {
  readonly file: string;
  readonly seconds: number;
  /** A failed test may lack what comes after the failure. */
  readonly passed: boolean;
}

const shared = globalThis as typeof globalThis & { recordedInto?: string };

export const recordInto = (folder: string): void => {
  shared.recordedInto = folder;
};

/** The folder of the running test file, or of the one that started this process. */
export const recordedInto = (): string | undefined => shared.recordedInto ?? process.env.RECORD_INTO;
