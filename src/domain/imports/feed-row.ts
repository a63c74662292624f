// Rows as a source gives them, whatever it is written in, and why one could not be read.
import type { Text } from '../../kit/errors.ts';

/** Values by column or field name, as far as given: an empty cell, an empty text and null are not. */
export interface ImportRow {
  /** 1 is the first row of data. */
  readonly row: number;
  readonly given: Readonly<Record<string, unknown>>;
}

export interface BadRow {
  readonly row: number;
  readonly problem: { readonly field: string | null; readonly code: string; readonly message: Text };
  /** Past it there is no telling where the next row begins. */
  readonly isLast?: true;
}

export type SourceRow = ImportRow | BadRow;

/** Longest row, in characters. Twice what a vehicle with every text at its limit takes. */
export const MAX_ROW_LENGTH: number = 64 * 1024;

/** Longest name of a column. A longer one cannot be mapped, and one name with dots may be written out once for each of its members. */
export const MAX_COLUMN_LENGTH: number = 200;

export const badRow = (row: number, code: string, message: Text): BadRow => ({ row, problem: { field: null, code, message } });

export const tooLong = (row: number): BadRow =>
  badRow(row, 'too_long', {
    en: `The row is longer than ${MAX_ROW_LENGTH} characters.`,
    tr: `Satır ${MAX_ROW_LENGTH} karakterden uzun.`,
  });

/** The source as a whole cannot be read. `code` is what a run then says of itself. */
export class FeedFailure extends Error {
  readonly code: FeedFailureCode;
  readonly text: Text;
  /** `cause` is for our log only: it may tell of someone's network. */
  constructor(code: FeedFailureCode, text: Text, cause?: unknown) {
    super(text.en, { cause });
    this.code = code;
    this.text = text;
  }
}

export type FeedFailureCode =
  | 'source_unreachable'
  | 'source_http_error'
  | 'source_too_large'
  | 'source_encoded'
  | 'source_cut_off'
  | 'url_not_allowed'
  | 'invalid_encoding'
  | 'source_empty'
  | 'source_unreadable'
  | 'record_path_not_found'
  | 'missing_column'
  | 'row_too_long'
  | 'too_many_rows'
  | 'every_row_failed'
  | 'import_interrupted';
