// Workbooks (XLSX) from outside: the cells of one sheet, row by row, while it is unpacked. Every part is bounded and nothing is
// executed.
import { type CellStyles, childOf, columnOf, isDateStyle, localName, readCell, richText, type SheetCell } from './xlsx-cells.ts';
import { readMerges } from './xlsx-merges.ts';
import { readXml, type XmlElement, XmlError, XmlTooLarge, xmlRecords } from './xml.ts';
import { openZip, unpack, type Zip, type ZipEntry, ZipError } from './zip.ts';

/** Why the workbook cannot be read. */
export class WorkbookError extends Error {
  readonly kind: 'unreadable' | 'too_large' | 'no_sheet';
  constructor(kind: WorkbookError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface SheetRow {
  /** As Excel shows it, from 1. */
  readonly row: number;
  readonly cells: readonly SheetCell[];
  /** First and last column of each cell of the row that is merged over several columns. */
  readonly spans: readonly (readonly [number, number])[];
}

export interface Workbook {
  readonly sheets: readonly string[];
  /** The rows that have cells; with `name` null, of the first sheet. A cell that is merged over rows has its value in each of them. */
  rows(name: string | null): AsyncGenerator<SheetRow>;
}

const MB = 1024 * 1024;
const LIMITS = { entries: 1000, bytes: 256 * MB, ratio: 100 } as const;
/** Limit of parts that are read whole. */
const PART = { bytes: 4 * MB, depth: 32 } as const;
const DEPTH = 64;
const MAX_SHEETS = 256;
/** Limit in characters of one row or one text with its tags. */
const MAX_ROW = 2 * MB;
/** Limit of a sheet: 200,000 rows of 25 cells, each with a value. */
const MAX_SHEET_ELEMENTS = 10_000_000;
/** Limit of the part with the texts: MAX_STRINGS texts, some of them in several fonts. */
const MAX_STRING_ELEMENTS = 3_000_000;
/** Limit of the texts that cells refer to, which are in memory while the sheet is read. */
const MAX_STRINGS = 1_000_000;
const MAX_STRINGS_LENGTH = 20 * MB;

export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  try {
    const zip = openZip(bytes, LIMITS);
    const path = targetsOf(await part(zip, '_rels/.rels'), '').find(({ type }) => type.endsWith('/officeDocument'))?.path;
    const book = path === undefined ? null : await part(zip, path);
    if (path === undefined || book === null || localName(book.name) !== 'workbook') throw noWorkbook();
    const targets = targetsOf(await part(zip, besideIt(path)), folderOf(path));
    const sheets = sheetsOf(book, targets);
    const from1904 = /^(1|true)$/.test(childOf(book, 'workbookPr')?.attributes.date1904 ?? '');
    const pathOf = (kind: string) => targets.find(({ type }) => type.endsWith(`/${kind}`))?.path;
    const open = async (): Promise<CellStyles> => ({
      from1904,
      isDate: await readStyles(await part(zip, pathOf('styles'))),
      strings: await readStrings(zip.get(pathOf('sharedStrings') ?? '')),
    });
    return { sheets: sheets.map(({ name }) => name), rows: (name) => readSheet(zip, sheets, name, open) };
  } catch (error) {
    throw workbookError(error);
  }
}

const noWorkbook = () => new WorkbookError('unreadable', 'it is not an Excel workbook (XLSX)');

/** Errors of a zip or XML file as errors of a workbook. */
function workbookError(error: unknown): unknown {
  if (error instanceof ZipError) return new WorkbookError(error.isTooLarge ? 'too_large' : 'unreadable', error.message);
  if (error instanceof XmlTooLarge) return new WorkbookError('too_large', error.message);
  return error instanceof XmlError ? new WorkbookError('unreadable', error.message) : error;
}

/** A small part, whole; null if there is none. */
async function part(zip: Zip, path: string | undefined): Promise<XmlElement | null> {
  const entry = path === undefined ? undefined : zip.get(path);
  if (entry === undefined) return null;
  if (entry.size > PART.bytes) throw new WorkbookError('too_large', `${entry.name} is larger than ${PART.bytes} bytes`);
  return readXml(Buffer.concat(await Array.fromAsync(unpack(entry))), PART);
}

interface Target {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
/** The part that lists the targets of a part. */
const besideIt = (path: string): string => `${folderOf(path)}_rels/${path.slice(folderOf(path).length)}.rels`;

/** Only parts of the file itself: external targets are ignored. */
function targetsOf(list: XmlElement | null, folder: string): Target[] {
  return (list?.children ?? []).flatMap(({ attributes: { Id: id, Type: type, Target: to, TargetMode: mode } }) => {
    if (id === undefined || type === undefined || to === undefined || mode === 'External') return [];
    const path = URL.parse(to, `file:///${folder}`)?.pathname.slice(1);
    if (path === undefined) throw new WorkbookError('unreadable', 'it refers to a part with an invalid path');
    return [{ id, type, path: path.includes('%') ? to : path }];
  });
}

interface Sheet {
  readonly name: string;
  readonly path: string;
}

/** In the order of their tabs; charts and macros are not sheets of cells. */
function sheetsOf(book: XmlElement, targets: readonly Target[]): Sheet[] {
  const listed = (childOf(book, 'sheets')?.children ?? []).slice(0, MAX_SHEETS);
  return listed.flatMap(({ attributes }) => {
    const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1];
    const target = targets.find((one) => one.id === id && one.type.endsWith('/worksheet'));
    return target === undefined ? [] : [{ name: attributes.name ?? '', path: target.path }];
  });
}

async function readStyles(styles: XmlElement | null): Promise<boolean[]> {
  const childrenOf = (name: string) => (styles === null ? [] : (childOf(styles, name)?.children ?? []));
  const custom = new Map(
    childrenOf('numFmts').map(({ attributes: { numFmtId, formatCode } }) => [Number(numFmtId), formatCode ?? '']),
  );
  return childrenOf('cellXfs').map(({ attributes }) => isDateStyle(Number(attributes.numFmtId ?? '0'), custom));
}

async function readStrings(entry: ZipEntry | undefined): Promise<string[]> {
  if (entry === undefined) return [];
  const strings: string[] = [];
  let length = 0;
  const limits = { bytes: LIMITS.bytes, depth: DEPTH, record: MAX_ROW, elements: MAX_STRING_ELEMENTS };
  for await (const element of xmlRecords(unpack(entry), ['*', '*'], limits)) {
    if (localName(element.name) !== 'si') continue;
    const text = richText(element);
    length += text.length;
    if (strings.push(text) > MAX_STRINGS || length > MAX_STRINGS_LENGTH)
      throw new WorkbookError('too_large', 'it contains too much text');
  }
  return strings;
}

async function* readSheet(
  zip: Zip,
  sheets: readonly Sheet[],
  name: string | null,
  open: () => Promise<CellStyles>,
): AsyncGenerator<SheetRow> {
  const sheet = name === null ? sheets[0] : sheets.find((one) => one.name.normalize('NFC') === name.normalize('NFC'));
  const entry = sheet === undefined ? undefined : zip.get(sheet.path);
  if (entry === undefined) throw new WorkbookError('no_sheet', 'it has no such sheet');
  try {
    const merged = await readMerges(unpack(entry));
    const styles = await open();
    const limits = { bytes: LIMITS.bytes, depth: DEPTH, record: MAX_ROW, elements: MAX_SHEET_ELEMENTS };
    let row = 0;
    for await (const element of xmlRecords(unpack(entry), ['*', '*', '*'], limits)) {
      if (localName(element.name) !== 'row') continue;
      row = rowNumber(element.attributes.r) ?? row + 1;
      const cells = cellsOf(element, styles);
      if (cells.length > 0) yield { row, cells: merged.fill(row, cells), spans: merged.spansOf(row) };
    }
  } catch (error) {
    throw workbookError(error);
  }
}

const rowNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : null;

/** A cell without an address follows the previous one. */
function cellsOf(row: XmlElement, styles: CellStyles): SheetCell[] {
  const cells: SheetCell[] = [];
  let next = 0;
  for (const cell of row.children) {
    if (localName(cell.name) !== 'c') continue;
    const column = columnOf(cell.attributes.r ?? '') ?? next;
    next = column + 1;
    const value = readCell(cell, styles);
    if (value !== null) cells.push({ column, value });
  }
  return cells;
}
