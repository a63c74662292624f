// The properties of a source that reading needs. Imports nothing, because processes that only read sources load it.
export const CONNECTOR_TYPES = ['csv', 'json', 'xml'] as const;
export type ConnectorType = (typeof CONNECTOR_TYPES)[number];
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export const ENCODINGS = ['utf-8', 'windows-1254', 'iso-8859-9', 'utf-16le'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface SourceForm {
  readonly type: ConnectorType;
  readonly delimiter: string | null;
  readonly encoding: Encoding | null;
  readonly record_path: string | null;
  /** The sheet of a workbook; null is the first. */
  readonly sheet: string | null;
  /** The header's row in the spreadsheet; 0: the table has no header; null: it is found. */
  readonly header_row?: number | null;
  /** Columns that the header should have, by which it is found. */
  readonly mappedColumns?: readonly string[];
}

/** A header further down is chosen by a person. */
export const MAX_HEADER_ROW: number = 1000;
