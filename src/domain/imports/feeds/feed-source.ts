// Reads a source of any format as rows of columns (in a separate process, source-reader.ts).
import { isZip } from '../../formats/zip.ts';
import { FeedFailure, MAX_ROW_LENGTH, type SourceRow } from '../feed-row.ts';
import { DELIMITERS, type SourceForm } from '../source-form.ts';
import { readJsonRecords } from './feed-json.ts';
import { columnLetter, type TableRules } from './feed-table.ts';
import { declaredEncoding, textsOf } from './feed-text.ts';
import { readXmlRecords } from './feed-xml.ts';

export const MAX_SOURCE_BYTES: number = 20 * 1024 * 1024;
/** Limit of a workbook's rows together: four times the largest plain source of this size. */
const MAX_SHEET_LENGTH = 4 * MAX_SOURCE_BYTES;

/** Callbacks for what a source has besides its rows. */
export interface Sights extends Pick<TableRules, 'skip' | 'found' | 'line'> {
  /** Each column with its place in a table. */
  readonly see?: (column: string, place: number | null) => void;
}

/** `bytes` starts from the beginning each time it is called. */
export async function* readSource(
  form: SourceForm,
  bytes: () => AsyncIterable<Buffer>,
  { see = () => {}, ...sights }: Sights = {},
): AsyncGenerator<SourceRow> {
  const texts = () => textsOf(bytes(), form.encoding, form.type === 'xml' ? declaredEncoding : undefined);
  const path = form.record_path?.split('.') ?? [];
  const table = {
    headerRow: form.header_row ?? null,
    mappedColumns: form.mappedColumns ?? [],
    columns: (header: readonly string[]) => columnsOf(header, see),
    ...sights,
  };
  if (form.type === 'csv' && (await isWorkbook(bytes()))) {
    const { readXlsx } = await import('./feed-xlsx.ts');
    yield* readXlsx(await whole(bytes()), { ...table, sheet: form.sheet, maxLength: MAX_SHEET_LENGTH });
    return;
  }
  if (form.type === 'csv') {
    // Loaded with the first feed, so that a process without feeds does not spend memory on the parser.
    const { readCsv } = await import('./feed-csv.ts');
    yield* readCsv(texts, { ...table, delimiter: form.delimiter ?? DELIMITERS, endlessHeader });
    return;
  }
  const records = form.type === 'json' ? readJsonRecords(texts(), path) : readXmlRecords(texts, path, MAX_SOURCE_BYTES);
  for await (const record of records) {
    if ('cells' in record) for (const column of Object.keys(record.cells)) see(column, null);
    yield record;
  }
}

/** The sheets of a workbook. */
export const sheetsOf = async (bytes: Buffer): Promise<readonly string[]> => (await import('./feed-xlsx.ts')).readSheets(bytes);

/** A source that begins like a workbook is read as one, regardless of its file name extension. */
async function isWorkbook(bytes: AsyncIterable<Buffer>): Promise<boolean> {
  let head = Buffer.alloc(0);
  for await (const piece of bytes) {
    head = Buffer.concat([head, piece]);
    if (head.length >= 4) break;
  }
  return isZip(head);
}

/** A workbook has its directory at its end. */
async function whole(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MAX_SOURCE_BYTES)
      throw new FeedFailure('source_too_large', { en: 'The source is larger than 20 MB', tr: 'Kaynak 20 MB’tan büyük' });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const endlessHeader = () =>
  new FeedFailure('row_too_long', {
    en: `The header is longer than ${MAX_ROW_LENGTH} characters`,
    tr: `Başlık satırı ${MAX_ROW_LENGTH} karakterden uzun`,
  });

/** A column without a name is skipped. Columns of one name are distinguished by their letters: "Fiyat (C)" and "Fiyat (F)". */
function columnsOf(header: readonly string[], see: (column: string, place: number) => void): (string | null)[] {
  const names = header.map((name) => name.normalize('NFC').replace(/\s+/g, ' ').trim());
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, place) => {
    if (name === '') return null;
    const own = counts.get(name)! > 1 ? `${name} (${columnLetter(place)})` : name;
    see(own, place);
    return own;
  });
}
