// Reads a source of any format as rows of columns (in a separate process, source-reader.ts), and maps those to rows of our fields.
import { isZip } from '../../formats/zip.ts';
import type { Fields } from '../../records/fields.ts';
import type { ConnectorConfig } from '../connectors/connector-config.ts';
import { FeedFailure, type ImportRow, MAX_ROW_LENGTH, type SourceRow } from '../feed-row.ts';
import { DELIMITERS, type SourceForm } from '../source-form.ts';
import { readJsonRecords } from './feed-json.ts';
import { declaredEncoding, textsOf } from './feed-text.ts';
import { readXmlRecords } from './feed-xml.ts';

export const MAX_SOURCE_BYTES: number = 20 * 1024 * 1024;
/** Limit of a workbook's rows together: four times the largest plain source of this size. */
const MAX_SHEET_LENGTH = 4 * MAX_SOURCE_BYTES;

/** `bytes` starts from the beginning each time it is called; `see` is called with every column name. */
export async function* readSource(
  form: SourceForm,
  bytes: () => AsyncIterable<Buffer>,
  see: (column: string) => void = () => {},
): AsyncGenerator<SourceRow> {
  const texts = () => textsOf(bytes(), form.encoding, form.type === 'xml' ? declaredEncoding : undefined);
  const path = form.record_path?.split('.') ?? [];
  if (form.type === 'csv' && (await isWorkbook(bytes()))) {
    const { readXlsx } = await import('./feed-xlsx.ts');
    const columns = (header: readonly string[]) => columnsOf(header, see);
    yield* readXlsx(await whole(bytes()), { sheet: form.sheet, columns, maxLength: MAX_SHEET_LENGTH });
    return;
  }
  if (form.type === 'csv') {
    // Loaded with the first feed, so that a process without feeds does not spend memory on the parser.
    const { readCsv } = await import('./feed-csv.ts');
    yield* readCsv(texts, {
      delimiter: form.delimiter ?? DELIMITERS,
      columns: (header) => columnsOf(header, see),
      endlessHeader,
    });
    return;
  }
  const records = form.type === 'json' ? readJsonRecords(texts(), path) : readXmlRecords(texts, path, MAX_SOURCE_BYTES);
  for await (const record of records) {
    if ('given' in record) for (const column of Object.keys(record.given)) see(column);
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

/** A column without a name is skipped; a name that occurs twice is refused. */
function columnsOf(header: readonly string[], see: (column: string) => void): (string | null)[] {
  const names = header.map((name) => name.normalize('NFC'));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name) => {
    if (name === '' || counts.get(name)! > 1) return null;
    see(name);
    return name;
  });
}

export type Mapping = Pick<ConnectorConfig, 'mapping' | 'defaults' | 'value_map'>;

/** Maps a row to our fields: columns renamed, words translated, defaults filled in. */
export function mapRow({ mapping, defaults, value_map }: Mapping, fields: Fields, row: ImportRow): ImportRow {
  const given: Record<string, unknown> = { ...defaults };
  for (const [field, column] of Object.entries(mapping)) {
    const value = row.given[column];
    if (value === undefined) continue;
    const words = value_map[field];
    const word = String(value).normalize('NFC');
    given[field] = words !== undefined && Object.hasOwn(words, word) ? words[word] : asText(fields, field, value);
  }
  return { row: row.row, given };
}

/** JSON sources write ids and phone numbers as numbers; for a text field they become their digits. */
function asText(fields: Fields, field: string, value: unknown): unknown {
  const types = [fields[field]?.schema.type].flat();
  return typeof value === 'number' && types.includes('string') && !types.includes('number') ? String(value) : value;
}
