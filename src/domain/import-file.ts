// Rows of a .csv or .ndjson file, one at a time: a bad row is told and passed over, a file that cannot be one is refused whole.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';

/** Values by field name, as far as given: an empty cell, an empty text and null are not. */
export interface ImportRow {
  /** 1 is the first row of data. */
  readonly row: number;
  readonly given: Readonly<Record<string, unknown>>;
}

export interface BadRow {
  readonly row: number;
  readonly problem: { readonly field: string | null; readonly code: string; readonly message: string };
}

/** The file as a whole cannot be imported: one line that says why. */
export class ImportFileError extends Error {}

/** Longest row, in characters. Twice what a vehicle with every text at its limit takes. */
const LONGEST_ROW = 64 * 1024;
const DELIMITERS = [',', ';', '\t'] as const;

export interface ImportFile {
  /** `fields` are the names a column may have. */
  rows(fields: readonly string[]): AsyncGenerator<ImportRow | BadRow>;
}

/** Nothing of a file is given out before all of it is known to be text. */
export async function openImportFile(path: string): Promise<ImportFile> {
  const kind = extname(path).toLowerCase();
  if (kind !== '.csv' && kind !== '.ndjson') throw new ImportFileError(`${path} must end in .csv or .ndjson`);
  await checkFile(path);
  return { rows: (fields) => (kind === '.csv' ? readCsv(path, fields) : readLinesOfJson(path)) };
}

async function checkFile(path: string): Promise<void> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new ImportFileError(`${path} is a folder, not a file`);
    if (!found.isFile()) throw new ImportFileError(`${path} is not a regular file`);
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

async function* readCsv(path: string, fields: readonly string[]): AsyncGenerator<ImportRow | BadRow> {
  const parser = parse({
    delimiter: await findDelimiter(path),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  });
  // The parser's own limit counts letters of cells; a line of nothing but delimiters is caught before it.
  pipeline(Readable.from(shortLines(textOf(path))), parser).catch(() => {});
  let columns: string[] | null = null;
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (columns === null) {
        columns = readHeader(path, cells, fields);
        continue;
      }
      if (cells.every((cell) => cell.trim() === '')) continue;
      row += 1;
      yield rowOfCells(row, columns, cells);
    }
  } catch (error) {
    // Past an open quote or an endless row there is no telling where the next row begins.
    if (error instanceof CsvError) yield lastBadRow(row + 1, error);
    else if (error instanceof EndlessLine) yield tooLong(row + 1, ' Reading stopped here.');
    else throw error;
  }
}

/** From the header, where names hold none of the three: the one that occurs most often. */
async function findDelimiter(path: string): Promise<string> {
  let head = '';
  for await (const text of textOf(path)) {
    head = (head + text).replace(/^[ \r\n]+/, '');
    if (/[\r\n]/.test(head) || head.length > LONGEST_ROW) break;
  }
  const line = head.split(/[\r\n]/, 1)[0]!;
  if (line.length > LONGEST_ROW) throw new ImportFileError(`the header of ${path} is longer than ${LONGEST_ROW} characters`);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0]!;
}

class EndlessLine extends Error {}

async function* shortLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let length = 0;
  for await (const text of texts) {
    for (const [index, part] of text.split(/[\r\n]/).entries()) {
      length = index === 0 ? length + part.length : part.length;
      if (length > 2 * LONGEST_ROW) throw new EndlessLine();
    }
    yield text;
  }
}

/** A column without a name is let stand as long as its cells are empty: spreadsheets leave such columns at the end. */
function readHeader(path: string, cells: readonly string[], fields: readonly string[]): string[] {
  const columns = cells.map((cell) => cell.trim());
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

function rowOfCells(row: number, columns: readonly string[], cells: readonly string[]): ImportRow | BadRow {
  if (cells.length !== columns.length) {
    return bad(row, 'wrong_cell_count', `The row has ${cells.length} cells where the header has ${columns.length}`);
  }
  const given: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const text = cells[index]!.trim();
    if (text === '') continue;
    if (column === '') return bad(row, 'unknown_field', `Cell ${index + 1} holds something, but its column has no name`);
    given[column] = text;
  }
  return { row, given };
}

function lastBadRow(row: number, error: CsvError): BadRow {
  return error.code === 'CSV_MAX_RECORD_SIZE'
    ? tooLong(row, ' Reading stopped here; a quote may have been left open.')
    : bad(row, 'invalid_row', 'The row is not readable, most likely a quote is opened and not closed. Reading stopped here.');
}

async function* readLinesOfJson(path: string): AsyncGenerator<ImportRow | BadRow> {
  let row = 0;
  for await (const line of linesOf(textOf(path))) {
    if (line !== null && line.trim() === '') continue;
    row += 1;
    yield line === null ? tooLong(row, '') : rowOfJson(row, line);
  }
}

/** null for a line that is too long to be held; what follows it is read on. */
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
  start === null || start.length + more.length > LONGEST_ROW ? null : start + more;

function rowOfJson(row: number, line: string): ImportRow | BadRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return bad(row, 'invalid_json', 'The line is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return bad(row, 'invalid_row', 'The line is not a JSON object');
  }
  const given = Object.entries(value)
    .map(([name, member]) => [name, typeof member === 'string' ? member.trim() : member] as const)
    .filter(([, member]) => member !== '' && member !== null);
  return { row, given: Object.fromEntries(given) };
}

const bad = (row: number, code: string, message: string): BadRow => ({ row, problem: { field: null, code, message } });
const tooLong = (row: number, more: string): BadRow =>
  bad(row, 'too_long', `The row is longer than ${LONGEST_ROW} characters.${more}`);
