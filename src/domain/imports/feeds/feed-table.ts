// Rows of a table as people keep it: titles and empty rows above the header, headers in two rows, sections and totals between and
// below the data. Excel and CSV files are read by it.
import { foldWord } from '../../formats/fold-text.ts';
import { BadCell, type CellValue } from '../../formats/xlsx-cells.ts';
import { isKnownHead } from '../column-names.ts';
import { badRow, FeedFailure, type ImportRow, MAX_ROW_LENGTH, type RowProblem, type SourceRow, tooLong } from '../feed-row.ts';

export type TableCell = CellValue | BadCell | null;

export interface TableLine {
  /** The row's number in the spreadsheet, as Excel shows it. */
  readonly row: number;
  /** By column; missing and null cells are empty. */
  readonly cells: readonly (TableCell | undefined)[];
  /** First and last column of each cell that is merged over several columns. */
  readonly spans?: readonly (readonly [number, number])[];
}

/** The rest of the source cannot be read. */
export interface BrokenOff {
  readonly broken: (row: number) => SourceRow;
}

export interface TableRules {
  /** The header's row in the spreadsheet; 0: there is none; null: it is found. */
  readonly headerRow: number | null;
  /** Column names that the header should have. */
  readonly mappedColumns: readonly string[];
  /** The column names from the header: cells of a column named '' must be empty, cells of a null column are skipped. */
  readonly columns: (header: readonly string[]) => readonly (string | null)[];
  /** Every row has as many cells as the header. */
  readonly isCounted?: boolean;
  /** Called with every row as it is. */
  readonly line?: (line: TableLine) => void;
  /** Called with each row below the header that is not data. */
  readonly skip?: (line: TableLine) => void;
  /** Called with the row of the header, or null if there is none. */
  readonly found?: (line: TableLine | null) => void;
}

/** How many rows are searched for the header. */
const AHEAD = 30;

interface Head {
  readonly line: TableLine | null;
  readonly names: readonly (string | null)[];
  readonly texts: readonly string[];
  /** How many of the rows that were read ahead are not data. */
  readonly used: number;
}

export async function* readTable(lines: AsyncIterable<TableLine | BrokenOff>, rules: TableRules): AsyncGenerator<SourceRow> {
  const ahead: TableLine[] = [];
  let body: Body | null = null;
  for await (const line of lines) {
    if ('broken' in line) {
      body ??= ahead.length > 0 ? openBody(ahead.splice(0), rules) : null;
      if (body !== null) yield* body.rest();
      yield line.broken((body?.count() ?? 0) + 1);
      return;
    }
    rules.line?.(line);
    if (body === null) {
      ahead.push(line);
      const isEnough = rules.headerRow ? line.row >= rules.headerRow : ahead.length >= AHEAD;
      if (!isEnough) continue;
      body = openBody(ahead.splice(0), rules);
    } else body.add(line);
    yield* body.ready();
  }
  if (body === null && ahead.length === 0) rules.columns([]);
  if (body === null && ahead.length > 0) body = openBody(ahead, rules);
  if (body !== null) yield* body.last();
}

interface Body {
  add(line: TableLine): void;
  /** The rows that are known to be data. */
  ready(): SourceRow[];
  /** These and the row that is held back. */
  rest(): SourceRow[];
  /** The same at the end of the table, where sums without a label are no data. */
  last(): SourceRow[];
  count(): number;
}

/** The rows below the header. One is held back, because sums without a label are recognised as the last row only. */
function openBody(ahead: readonly TableLine[], rules: TableRules): Body {
  const head = headOf(ahead, rules);
  let row = 0;
  let held: TableLine | null = null;
  let done: SourceRow[] = [];
  const release = () => {
    if (held === null) return;
    row += 1;
    done.push(rowOf(row, held, head, rules));
    held = null;
  };
  const add = (line: TableLine) => {
    if (isNote(line, head)) return rules.skip?.(line);
    release();
    held = line;
  };
  const ready = () => {
    const rows = done;
    done = [];
    return rows;
  };
  for (const line of ahead.slice(head.used)) add(line);
  return {
    add,
    ready,
    rest: () => {
      release();
      return ready();
    },
    last: () => {
      const line = held;
      if (line !== null && row > 0 && isSum(line, head)) rules.skip?.(line);
      else release();
      return ready();
    },
    count: () => row,
  };
}

const textOf = (cell: TableCell | undefined): string =>
  cell === null || cell === undefined || cell instanceof BadCell ? '' : String(cell).trim();
const textsOf = ({ cells }: TableLine): string[] => Array.from(cells, textOf);
const filledOf = ({ cells }: TableLine): string[] =>
  Array.from(cells, (cell) => (cell instanceof BadCell ? '#' : textOf(cell))).filter((text) => text !== '');

function headOf(ahead: readonly TableLine[], rules: TableRules): Head {
  const place = headPlace(ahead, rules);
  if (place === null) {
    const width = Math.max(...ahead.map(({ cells }) => cells.length));
    const letters = Array.from({ length: width }, (_, column) => columnLetter(column));
    rules.found?.(null);
    return { line: null, names: rules.columns(letters), texts: letters, used: 0 };
  }
  const { texts, rows } = headerAt(ahead, place);
  rules.found?.(ahead[place]!);
  return { line: ahead[place]!, names: rules.columns(texts), texts, used: place + rows };
}

/** Null if the table has no header. */
function headPlace(ahead: readonly TableLine[], { headerRow, mappedColumns }: TableRules): number | null {
  if (headerRow === 0) return null;
  if (headerRow !== null) {
    const place = ahead.findIndex(({ row }) => row === headerRow);
    if (place < 0) throw noHeader(headerRow);
    return place;
  }
  const headers = ahead.map((_, place) => headerAt(ahead, place).texts);
  const names = new Set(mappedColumns);
  const best = (score: (texts: readonly string[]) => number, least: number): number | null => {
    const scores = headers.map(score);
    const most = Math.max(...scores);
    return most >= least ? scores.indexOf(most) : null;
  };
  const byColumns =
    mappedColumns.length === 0 ? null : best((texts) => texts.filter((text) => names.has(text.normalize('NFC'))).length, 1);
  return byColumns ?? best((texts) => new Set(texts.filter(isKnownHead)).size, 2) ?? firstFullRow(ahead);
}

/** Without a known header: the first row that is as full as the others and holds only words, else the first. */
function firstFullRow(ahead: readonly TableLine[]): number {
  const most = Math.max(...ahead.map((line) => filledOf(line).length));
  const place = ahead.findIndex((line) => {
    const filled = filledOf(line);
    return filled.length >= 0.6 * most && filled.every((text) => !/^\P{L}*\d\P{L}*$/u.test(text));
  });
  return Math.max(place, 0);
}

const noHeader = (row: number) =>
  new FeedFailure('header_not_found', {
    en: `Row ${row} is empty or does not exist, so it cannot be the header`,
    tr: `${row}. satır boş ya da yok; başlık satırı olamaz`,
  });

/** A header cell that is merged over columns has its own names in the next row: Fiyat over TL and STG is "Fiyat TL" and "Fiyat STG". */
function headerAt(ahead: readonly TableLine[], place: number): { texts: string[]; rows: number } {
  const line = ahead[place]!;
  const below = ahead[place + 1];
  const texts = textsOf(line);
  const spans = line.spans ?? [];
  const isTitle = texts.filter((text) => text !== '').length < 3;
  if (spans.length === 0 || below === undefined || isTitle) return { texts, rows: 1 };
  const under = textsOf(below);
  const ofSpans = spans.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
  if (ofSpans.every((column) => (under[column] ?? '') === '' || /^[\d.,]+$/.test(under[column]!))) return { texts, rows: 1 };
  const top = [...texts];
  for (const [from, to] of spans) for (let column = from; column <= to; column += 1) top[column] = texts[from] ?? '';
  const width = Math.max(top.length, under.length);
  const joined = Array.from({ length: width }, (_, column) => {
    const [over, own] = [top[column] ?? '', under[column] ?? ''];
    return over === own ? over : `${over} ${own}`.trim();
  });
  return { texts: joined, rows: 2 };
}

/** 0 → A, 26 → AA. */
export function columnLetter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${columnLetter(Math.floor(column / 26) - 1)}${last}`;
}

const TOTAL = /^(?:genel|ara|grand|sub)?(?:toplam|total)|^(?:yekun|ortalama)/;
const MAX_TOTAL_LENGTH = 40;
/** In narrower tables a row with one cell may be data. */
const MIN_COLUMNS = 4;

/** A section heading, a note, a total, or the header again. */
function isNote(line: TableLine, { names, texts }: Head): boolean {
  const columns = names.filter((name) => name !== null && name !== '').length;
  const filled = filledOf(line);
  if (columns >= MIN_COLUMNS && filled.length === 1) return true;
  const isTotal = (text: string) => text.length <= MAX_TOTAL_LENGTH && TOTAL.test(foldWord(text));
  if (columns >= 3 && filled.length <= 0.6 * columns && filled.some(isTotal)) return true;
  const own = textsOf(line);
  return filled.length > 1 && own.every((text, column) => text === '' || text === texts[column]);
}

/** Only numbers, in less than half of the columns. */
function isSum(line: TableLine, { names }: Head): boolean {
  const columns = names.filter((name) => name !== null && name !== '').length;
  const filled = filledOf(line);
  return columns >= MIN_COLUMNS && filled.length < columns / 2 && filled.every((text) => /^[\d.,\s₺£$€]+$/.test(text));
}

function rowOf(row: number, line: TableLine, { names }: Head, { isCounted = false }: TableRules): SourceRow {
  const { cells, row: at } = line;
  const length = cells.reduce<number>((sum, cell) => sum + (cell === null || cell === undefined ? 0 : String(cell).length), 0);
  if (length > MAX_ROW_LENGTH) return { ...tooLong(row), at };
  const isTooMany = cells.length > names.length && cells.slice(names.length).some((cell) => textOf(cell) !== '');
  if (isCounted && (cells.length < names.length || isTooMany)) return { ...wrongCount(row, cells.length, names.length), at };
  const values: Record<string, CellValue> = Object.create(null);
  const broken: Record<string, RowProblem> = {};
  for (const [column, name] of names.entries()) {
    const cell = cells[column];
    const value = typeof cell === 'string' ? cell.trim() : cell;
    if (value === null || value === undefined || value === '' || name === null) continue;
    if (name === '') return { ...badRow(row, 'unknown_field', unnamed(column)), at };
    if (value instanceof BadCell) broken[name] = { code: value.why, message: BAD[value.why] };
    else values[name] = value;
  }
  return { row, at, cells: values, ...(Object.keys(broken).length === 0 ? {} : { broken }) } satisfies ImportRow;
}

const wrongCount = (row: number, found: number, expected: number) =>
  badRow(row, 'wrong_cell_count', {
    en: `The row has ${found} cells where the header has ${expected}`,
    tr: `Satırda ${found} hücre var, başlıkta ${expected}`,
  });

const unnamed = (column: number) => ({
  en: `Cell ${column + 1} has a value, but its column has no header`,
  tr: `${column + 1}. hücre dolu, ama sütununun adı yok`,
});

const BAD: Readonly<Record<BadCell['why'], RowProblem['message']>> = {
  formula_without_value: {
    en: 'the cell has a formula without a stored result; formulas are not calculated here',
    tr: 'hücrede sonucu kayıtlı olmayan bir formül var; formüller burada hesaplanmaz',
  },
  formula_error: { en: 'the formula of the cell ended in an error', tr: 'hücredeki formül hata vermiş' },
  invalid_cell: { en: 'the cell cannot be read', tr: 'hücre okunamıyor' },
};
