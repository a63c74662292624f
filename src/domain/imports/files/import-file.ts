// Reads the rows of a .csv or .ndjson file one at a time: a bad row is reported and skipped, an unreadable file is refused. It is
// read in the command's own process, which serves only the person who started it.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { isTooDeep, MAX_JSON_DEPTH } from '../../formats/json-depth.ts';
import type { Fields } from '../../records/fields.ts';
import { fieldOfHeader } from '../column-names.ts';
import { badRow, FeedFailure, MAX_ROW_LENGTH, type SourceRow, tooLong } from '../feed-row.ts';
import { readCsv } from '../feeds/feed-csv.ts';
import { mapRow, settleRow } from '../map-row.ts';

/** Why the file as a whole cannot be imported, in one line. */
export class ImportFileError extends Error {}

const DELIMITERS = [',', ';', '\t'] as const;

export interface ImportFile {
  /** `fields`: the allowed column names. `spelled` finds the field of another header, or null. */
  rows(fields: readonly string[], spelled?: Spelled): AsyncGenerator<SourceRow>;
  /** The same for fields whose amounts name their currency. */
  mapped(fields: Fields): AsyncGenerator<SourceRow>;
}

export type Spelled = (header: string) => string | null;

/** The whole file is checked to be valid text before any row is read. */
export async function openImportFile(path: string): Promise<ImportFile> {
  const kind = extname(path).toLowerCase();
  if (!['.csv', '.ndjson', '.xlsx'].includes(kind)) throw new ImportFileError(`${path} must end in .csv, .xlsx or .ndjson`);
  await checkFile(path, kind === '.xlsx');
  const read = (header: (columns: readonly string[]) => readonly string[], expected: readonly string[]) =>
    kind === '.csv'
      ? readCsvFile(path, header, expected)
      : kind === '.xlsx'
        ? readWorkbook(path, header, expected)
        : readLinesOfJson(path);
  return {
    rows: (fields, spelled = () => null) => read((columns) => readHeader(path, columns, fields, spelled), fields),
    mapped: (fields) => mappedRows(path, fields, read),
  };
}

type ReadFile = (
  header: (columns: readonly string[]) => readonly string[],
  expected: readonly string[],
) => AsyncGenerator<SourceRow>;

/** Maps the columns to the fields by their headers; "Fiyat (STG)" is the price and its currency. */
async function* mappedRows(path: string, fields: Fields, read: ReadFile): AsyncGenerator<SourceRow> {
  const names = Object.keys(fields);
  const mapping: Record<string, string> = {};
  const header = (columns: readonly string[]) => {
    const found = readHeader(path, columns, names, (column) => fieldOfHeader(names, column));
    for (const [place, field] of found.entries()) if (field !== '') mapping[field] = columns[place]!;
    return columns;
  };
  for await (const row of read(header, names)) {
    if ('problem' in row) yield row;
    else if (Object.keys(mapping).length === 0) yield { ...row, ...settleRow(row.cells, fields) };
    else yield mapRow({ mapping, defaults: {}, value_map: {} }, fields, row);
  }
}

/** Limit of a workbook's size, and of its rows together in characters. */
const MAX_WORKBOOK_BYTES = 20 * 1024 * 1024;

async function* readWorkbook(
  path: string,
  header: (columns: readonly string[]) => readonly string[],
  expected: readonly string[],
): AsyncGenerator<SourceRow> {
  const { readXlsx } = await import('../feeds/feed-xlsx.ts');
  try {
    const rules = { sheet: null, headerRow: null, mappedColumns: expected, columns: header, maxLength: 4 * MAX_WORKBOOK_BYTES };
    yield* readXlsx(await readFile(path), rules);
  } catch (error) {
    throw error instanceof FeedFailure ? new ImportFileError(`${path}: ${error.text.en}`) : error;
  }
}

async function checkFile(path: string, isWorkbook: boolean): Promise<void> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new ImportFileError(`${path} is a folder, not a file`);
    if (!found.isFile()) throw new ImportFileError(`${path} is not a regular file`);
    if (isWorkbook && found.size > MAX_WORKBOOK_BYTES) throw new ImportFileError(`${path} is larger than 20 MB`);
    if (isWorkbook) return;
    let empty = true;
    for await (const text of textOf(path)) empty &&= text.trim() === '';
    if (empty) throw new ImportFileError(`${path} is empty`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new ImportFileError(`there is no file ${path}`);
    if (code === 'EACCES' || code === 'EPERM') throw new ImportFileError(`${path} may not be read by this user`);
    throw error;
  }
}

/** The decoder drops a byte order mark and never splits a letter between two chunks. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new ImportFileError(`${path} is not UTF-8 text; save it as UTF-8 and try again`);
    }
  };
  for await (const bytes of createReadStream(path)) yield decode(bytes as Buffer);
  yield decode();
}

const readCsvFile = (
  path: string,
  header: (columns: readonly string[]) => readonly string[],
  expected: readonly string[],
): AsyncGenerator<SourceRow> =>
  readCsv(() => textOf(path), {
    delimiter: DELIMITERS,
    headerRow: null,
    mappedColumns: expected,
    columns: header,
    endlessHeader: () => new ImportFileError(`the header of ${path} is longer than ${MAX_ROW_LENGTH} characters`),
  });

/** A column without a name is accepted if its cells are empty, because spreadsheets leave such columns at the end. */
function readHeader(path: string, header: readonly string[], fields: readonly string[], spelled: Spelled): readonly string[] {
  const columns = header.map((column) => (fields.includes(column) || column === '' ? column : (spelled(column) ?? column)));
  const named = columns.filter((column) => column !== '');
  const quoted = (names: readonly string[]) => names.map((name) => `"${name.replace(/\p{C}/gu, '?').slice(0, 60)}"`).join(', ');
  const unknown = named.filter((column) => !fields.includes(column));
  if (unknown.length > 0) {
    throw new ImportFileError(
      `${path} has the unknown column${unknown.length > 1 ? 's' : ''} ${quoted(unknown.slice(0, 5))}; allowed are ${fields.join(', ')}`,
    );
  }
  const twice = named.filter((column, index) => named.indexOf(column) !== index);
  if (twice.length > 0) throw new ImportFileError(`${path} has the column ${quoted([...new Set(twice)])} more than once`);
  if (named.length === 0) throw new ImportFileError(`${path} has no column names in its first line`);
  return columns;
}

async function* readLinesOfJson(path: string): AsyncGenerator<SourceRow> {
  let row = 0;
  for await (const line of linesOf(textOf(path))) {
    if (line !== null && line.trim() === '') continue;
    row += 1;
    yield line === null ? tooLong(row) : rowOfJson(row, line);
  }
}

/** Yields null for a line that is too long, and continues after it. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string | null> {
  let rest: string | null = '';
  for await (const text of texts) {
    const [first, ...others] = text.split('\n');
    rest = joinedLine(rest, first!);
    for (const next of others) {
      yield rest;
      rest = joinedLine('', next);
    }
  }
  yield rest;
}

const joinedLine = (start: string | null, more: string): string | null =>
  start === null || start.length + more.length > MAX_ROW_LENGTH ? null : start + more;

function rowOfJson(row: number, line: string): SourceRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return badRow(row, 'invalid_json', { en: 'The line is not valid JSON', tr: 'Satır geçerli JSON değil' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return badRow(row, 'invalid_row', { en: 'The line is not a JSON object', tr: 'Satır bir JSON nesnesi değil' });
  }
  if (isTooDeep(value)) {
    return badRow(row, 'too_deep', {
      en: `The line is nested more than ${MAX_JSON_DEPTH} levels deep`,
      tr: `Satır ${MAX_JSON_DEPTH} düzeyden daha derin`,
    });
  }
  const filled = Object.entries(value)
    .map(([name, member]) => [name, typeof member === 'string' ? member.trim() : member] as const)
    .filter(([, member]) => member !== '' && member !== null);
  return { row, cells: Object.fromEntries(filled) };
}
