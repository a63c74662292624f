// A preview of a source: its format, guessed if it is not given, its columns and a few of their values. Runs in a separate
// process.
import type { Text } from '../../../kit/errors.ts';
import { cutText } from '../../../kit/text.ts';
import { type CellNumbers, numbersOf } from '../../formats/cell-text.ts';
import type { NumberFormat } from '../../formats/number-text.ts';
import { BadCell } from '../../formats/xlsx-cells.ts';
import { isZip } from '../../formats/zip.ts';
import { isKnownHead } from '../column-names.ts';
import { FeedFailure } from '../feed-row.ts';
import type { ConnectorType, Encoding, SourceForm } from '../source-form.ts';
import { guessDelimiter, guessEncoding, guessRecordPath, guessType } from './feed-guess.ts';
import { readSource, type Sights, sheetsOf } from './feed-source.ts';
import { columnLetter, type TableLine } from './feed-table.ts';
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
  /** The row of the header in the spreadsheet, 0 if there is none; null if the source is not a table. */
  readonly header_row: number | null;
  /** The first rows of a table as they are, among which a person chooses the header. */
  readonly lines: readonly PreviewLine[];
  /** Rows below the header that are not data: headings of sections, totals. */
  readonly skipped: readonly PreviewLine[];
  readonly columns: readonly PreviewColumn[];
  readonly rows_seen: number;
}

export interface PreviewLine {
  readonly row: number;
  readonly cells: readonly string[];
}

export interface PreviewColumn {
  readonly name: string;
  /** In the spreadsheet; null if the source is not a table. */
  readonly letter: string | null;
  /** How its numbers are written. */
  readonly numbers: CellNumbers;
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
  readonly header_row?: number | undefined;
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
    header_row: request.header_row ?? null,
  };
  const table = await readColumns(form, isCut && type === 'csv' ? toLastLine(bytes) : bytes, isCut);
  const shown = { type, delimiter: form.delimiter, encoding: declared?.toLowerCase() ?? encoding, record_path: form.record_path };
  return { ...shown, sheets: null, sheet: null, ...table };
}

async function previewWorkbook(bytes: Buffer, request: PreviewRequest): Promise<ImportPreview> {
  const sheets = await sheetsOf(bytes);
  const read = (sheet: string | null) =>
    readColumns({ ...WORKBOOK, sheet, header_row: request.header_row ?? null }, bytes, false);
  const shown = { type: 'csv' as const, delimiter: null, encoding: 'utf-8', record_path: null, sheets };
  if (request.sheet !== undefined || sheets.length < 2)
    return { ...shown, sheet: request.sheet ?? sheets[0] ?? null, ...(await read(request.sheet ?? null)) };
  // A cover or an empty sheet may come first: the first sheet with a header is shown.
  for (const sheet of sheets.slice(0, MAX_SHEETS_TRIED)) {
    const table = await read(sheet).catch((error) => {
      if (error instanceof FeedFailure && error.code === 'source_empty') return null;
      throw error;
    });
    if (table !== null && table.columns.filter(({ name }) => isKnownHead(name)).length >= 2) return { ...shown, sheet, ...table };
  }
  return { ...shown, sheet: sheets[0] ?? null, ...(await read(null)) };
}

const WORKBOOK = { type: 'csv', delimiter: null, encoding: null, record_path: null } as const;
const MAX_SHEETS_TRIED = 5;

/** Drops the last row, which may be cut. */
const toLastLine = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1 || bytes.length);

type TablePreview = Pick<ImportPreview, 'columns' | 'rows_seen' | 'number_format' | 'header_row' | 'lines' | 'skipped'>;

interface SeenColumn {
  readonly letter: string | null;
  readonly samples: string[];
  readonly values: Set<string>;
  /** Texts only: numbers of a workbook have no format. */
  readonly texts: string[];
}

async function readColumns(form: SourceForm, bytes: Buffer, isCut: boolean): Promise<TablePreview> {
  const seen = new Map<string, SeenColumn>();
  let header: number | null = form.type === 'csv' ? 0 : null;
  const skipped: PreviewLine[] = [];
  const lines: PreviewLine[] = [];
  const sights: Sights = {
    see: (name, place) => {
      if (seen.has(name) || seen.size === MAX_COLUMNS) return;
      seen.set(name, { letter: place === null ? null : columnLetter(place), samples: [], values: new Set(), texts: [] });
    },
    found: (line) => {
      header = line?.row ?? 0;
    },
    skip: (line) => skipped.length < MAX_SKIPPED && skipped.push(shownLine(line)),
    line: (line) => lines.length < MAX_LINES && lines.push(shownLine(line)),
  };
  let rows = 0;
  try {
    for await (const row of readSource(form, once(bytes), sights)) {
      if ('problem' in row) continue;
      rows += 1;
      for (const [name, value] of Object.entries(row.cells)) note(seen.get(name), value);
      if (rows === MAX_ROWS) break;
    }
  } catch (error) {
    // The source ends in the middle because we cut it, so the error is ignored.
    if (!(error instanceof FeedFailure) || !isCut || seen.size === 0) throw error;
  }
  if (seen.size === 0) throw new FeedFailure('source_empty', NOTHING);
  const columns = [...seen].map(([name, { letter, samples, values, texts }]) => ({
    name,
    letter,
    numbers: numbersOf(texts),
    samples,
    values: values.size > MAX_VALUES ? [] : [...values],
  }));
  return { columns, rows_seen: rows, number_format: formatIn(columns), header_row: header, lines, skipped };
}

/** The number format if all columns that show one show the same. */
function formatIn(columns: readonly PreviewColumn[]): NumberFormat | null {
  const shown = new Set(columns.flatMap(({ numbers }) => numbers ?? []));
  const [only] = shown;
  return shown.size === 1 && only !== 'mixed' ? only! : null;
}

const MAX_LINES = 10;
const MAX_SKIPPED = 10;
const MAX_CELLS = 40;

const shownLine = ({ row, cells }: TableLine): PreviewLine => ({
  row,
  cells: Array.from(cells.slice(0, MAX_CELLS), (cell) =>
    cell === null || cell === undefined || cell instanceof BadCell ? '' : shownText(cell),
  ),
});

const shownText = (value: unknown): string => cutText(String(value).replace(/\p{C}/gu, ' '), MAX_VALUE_LENGTH);

const NOTHING: Text = { en: 'The source has no columns', tr: 'İçinde sütun yok' };

const once = (bytes: Buffer) =>
  async function* () {
    yield bytes;
  };

function note(column: SeenColumn | undefined, value: unknown): void {
  if (column === undefined) return;
  const text = shownText(value);
  if (column.samples.length < MAX_SAMPLES) column.samples.push(text);
  if (column.values.size <= MAX_VALUES) column.values.add(text);
  if (typeof value === 'string') column.texts.push(text);
}
