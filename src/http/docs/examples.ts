// One real request and reply of every row, taken from a run on the demonstration dealer (`npm run examples`) and kept true by a test.
import { readFileSync } from 'node:fs';

export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The same as a form with a file, where the row takes one. */
  readonly form?: { readonly file: string; readonly fields: Readonly<Record<string, string>> };
  readonly status: number;
  readonly reply: unknown;
}

const EXAMPLES = JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Example>
>;

/** Null for a row without a body. */
export const exampleOf = (rowId: string): Example | null => (Object.hasOwn(EXAMPLES, rowId) ? EXAMPLES[rowId]! : null);
