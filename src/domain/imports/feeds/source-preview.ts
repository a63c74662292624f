// A preview of a source: its format, guessed if it is not given, its columns and a few of their values. Runs in a separate
// process.
import type { Text } from '../../../kit/errors.ts';
import { formatOf, type NumberFormat } from '../../formats/number-text.ts';
import { isZip } from '../../formats/zip.ts';
import { FeedFailure } from '../feed-row.ts';
import type { ConnectorType, Encoding, SourceForm } from '../source-form.ts';
import { guessDelimiter, guessEncoding, guessRecordPath, guessType } from './feed-guess.ts';
import { readSource, sheetsOf } from './feed-source.ts';
import { declaredEncoding, refusePacked } from './feed-text.ts';

export interface ImportPreview {
  readonly type: ConnectorType;
  /** Null if the type has no delimiter. */
  readonly delimiter: string | null;
  readonly encoding: string;
  readonly record_path: string | null;
  /** The sheets of a workbook, and the one that was read; null if the source is not a workbook. */
  readonly sheets: readonly string[] | null;
  readonly sheet: string | null;
  /** The likely number format; null if the values do not show it. */
  readonly number_format: NumberFormat | null;
  readonly columns: readonly PreviewColumn[];
  readonly rows_seen: number;
}

export interface PreviewColumn {
  readonly name: string;
  /** The first few values that are not empty. */
  readonly samples: readonly string[];
  /** All different values; empty if there are too many for a value map. */
  readonly values: readonly string[];
}

/** The known part of the format of a source; the rest is guessed. */
export interface PreviewRequest {
  readonly type: ConnectorType | undefined;
  readonly delimiter: string | undefined;
  readonly encoding: Encoding | undefined;
  readonly record_path: string | undefined;
  readonly sheet: string | undefined;
  /** Only the beginning of the source is available. */
  readonly isCut: boolean;
}

const MAX_ROWS = 200;
const MAX_COLUMNS = 300;
const MAX_SAMPLES = 5;
const MAX_VALUES = 40;
const MAX_VALUE_LENGTH = 80;

export async function previewOf(bytes: Buffer, request: PreviewRequest): Promise<ImportPreview> {
  if (isZip(bytes)) return previewWorkbook(bytes, request);
  refusePacked(bytes);
  const { isCut } = request;
  const encoding = request.encoding ?? guessEncoding(bytes);
  const head = new TextDecoder(encoding).decode(bytes);
  const type = request.type ?? guessType(head);
  const declared = type === 'xml' && request.encoding === undefined ? declaredEncoding(bytes) : null;
  const form: SourceForm = {
    type,
    delimiter: type === 'csv' ? (request.delimiter ?? guessDelimiter(head)) : null,
    encoding: declared === null ? encoding : null,
    record_path: type === 'csv' ? null : (request.record_path ?? guessRecordPath(type, head)),
    sheet: null,
  };
  const { columns, rows } = await readColumns(form, isCut && type === 'csv' ? toLastLine(bytes) : bytes, isCut);
  const shown = { type, delimiter: form.delimiter, encoding: declared?.toLowerCase() ?? encoding, record_path: form.record_path };
  return { ...shown, sheets: null, sheet: null, number_format: numbersIn(columns), columns, rows_seen: rows };
}

async function previewWorkbook(bytes: Buffer, request: PreviewRequest): Promise<ImportPreview> {
  const sheets = await sheetsOf(bytes);
  const sheet = request.sheet ?? null;
  const form: SourceForm = { type: 'csv', delimiter: null, encoding: null, record_path: null, sheet };
  const { columns, rows } = await readColumns(form, bytes, false);
  const shown = { type: 'csv' as const, delimiter: null, encoding: 'utf-8', record_path: null };
  return { ...shown, sheets, sheet: sheet ?? sheets[0] ?? null, number_format: null, columns, rows_seen: rows };
}

const numbersIn = (columns: readonly PreviewColumn[]): NumberFormat | null =>
  formatOf(columns.flatMap(({ samples, values }) => (values.length > 0 ? values : samples)));

/** Drops the last row, which may be cut. */
const toLastLine = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1 || bytes.length);

async function readColumns(form: SourceForm, bytes: Buffer, isCut: boolean): Promise<{ columns: PreviewColumn[]; rows: number }> {
  const seen = new Map<string, { samples: string[]; values: Set<string> }>();
  const see = (name: string) => {
    if (!seen.has(name) && seen.size < MAX_COLUMNS) seen.set(name, { samples: [], values: new Set() });
  };
  let rows = 0;
  try {
    for await (const row of readSource(form, once(bytes), see)) {
      if ('problem' in row) continue;
      rows += 1;
      for (const [name, value] of Object.entries(row.given)) note(seen.get(name), value);
      if (rows === MAX_ROWS) break;
    }
  } catch (error) {
    // The source ends in the middle because we cut it, so the error is ignored.
    if (!(error instanceof FeedFailure) || !isCut || seen.size === 0) throw error;
  }
  if (seen.size === 0) throw new FeedFailure('source_empty', NOTHING);
  const columns = [...seen].map(([name, { samples, values }]) => ({
    name,
    samples,
    values: values.size > MAX_VALUES ? [] : [...values],
  }));
  return { columns, rows };
}

const NOTHING: Text = { en: 'There are no columns in it', tr: 'İçinde sütun yok' };

const once = (bytes: Buffer) =>
  async function* () {
    yield bytes;
  };

function note(column: { samples: string[]; values: Set<string> } | undefined, value: unknown): void {
  if (column === undefined) return;
  const text = String(value).replace(/\p{C}/gu, ' ').slice(0, MAX_VALUE_LENGTH);
  if (column.samples.length < MAX_SAMPLES) column.samples.push(text);
  if (column.values.size <= MAX_VALUES) column.values.add(text);
}
