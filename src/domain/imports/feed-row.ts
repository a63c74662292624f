// Rows of a source in any format, and the reason if one could not be read.
import type { Text } from '../../kit/errors.ts';

/** Values by column or field name. Empty cells, empty texts and nulls are left out. */
export interface ImportRow {
  /** The number of the row; the first row of data is 1. */
  readonly row: number;
  /** Its number in the spreadsheet; absent in JSON and XML. */
  readonly at?: number;
  readonly cells: Readonly<Record<string, unknown>>;
  /** Cells that cannot be read, by column. They count only if the column is mapped. */
  readonly broken?: Readonly<Record<string, RowProblem>>;
  /** Errors found when the row was mapped to our fields. */
  readonly faults?: readonly (RowProblem & { readonly field: string })[];
}

export interface RowProblem {
  readonly code: string;
  readonly message: Text;
}

export interface BadRow {
  readonly row: number;
  readonly at?: number;
  readonly problem: RowProblem & { readonly field: string | null };
  /** No row after this one can be read, because the start of the next row is unknown. */
  readonly isLast?: true;
}

export type SourceRow = ImportRow | BadRow;

/** In characters: twice the length of a vehicle whose texts are all at their limits. */
export const MAX_ROW_LENGTH: number = 64 * 1024;

/** In characters. A longer name cannot be mapped; a name may also be repeated in the dotted names of all its members. */
export const MAX_COLUMN_LENGTH: number = 200;

export const badRow = (row: number, code: string, message: Text): BadRow => ({ row, problem: { field: null, code, message } });

export const tooLong = (row: number): BadRow =>
  badRow(row, 'too_long', {
    en: `The row is longer than ${MAX_ROW_LENGTH} characters.`,
    tr: `Satır ${MAX_ROW_LENGTH} karakterden uzun.`,
  });

/** The source as a whole cannot be read. `code` is the run's failure code. */
export class FeedFailure extends Error {
  readonly code: FeedFailureCode;
  readonly text: Text;
  /** `cause` is for our log only, because it may reveal something about a network. */
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
  | 'sheet_not_found'
  | 'header_not_found'
  | 'missing_column'
  | 'row_too_long'
  | 'too_many_rows'
  | 'every_row_failed'
  | 'import_interrupted';
