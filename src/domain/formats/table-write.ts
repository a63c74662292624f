// A table as a CSV or Excel file, from one list of columns and one source of rows. It is written while it is read, so memory use
// does not depend on its length.
import { csvHead, csvRows } from './csv-write.ts';
import { type SheetTotals, writeXlsx, XLSX_TYPE, type XlsxCell, type XlsxColumn } from './xlsx-write.ts';

export const FILE_FORMS = ['csv', 'xlsx'] as const;
export type FileForm = (typeof FILE_FORMS)[number];

export const FILE_TYPES: Readonly<Record<FileForm, string>> = { csv: 'text/csv; charset=utf-8', xlsx: XLSX_TYPE };

export interface FileTable {
  /** The name of the sheet. */
  readonly name: string;
  readonly columns: readonly XlsxColumn[];
  /** In a workbook only: CSV is for programs. */
  readonly heading?: readonly string[];
  readonly totals?: SheetTotals;
  /** Batches of rows, as they are read. */
  readonly pages: AsyncIterable<readonly (readonly XlsxCell[])[]>;
}

/** CSV as spreadsheets in the reader's language expect it: semicolons and a decimal comma in Turkish. */
export function writeTable(form: FileForm, table: FileTable, locale: 'tr' | 'en'): AsyncGenerator<string | Buffer> {
  const { pages: _, ...sheet } = table;
  return form === 'csv' ? csvOf(table, locale) : writeXlsx([{ ...sheet, rows: eachOf(table) }]);
}

async function* eachOf({ pages }: FileTable): AsyncGenerator<readonly XlsxCell[]> {
  for await (const page of pages) yield* page;
}

const DECIMAL = /^-?\d+\.\d+$/;

async function* csvOf({ columns, pages }: FileTable, locale: 'tr' | 'en'): AsyncGenerator<string> {
  const separator = locale === 'tr' ? ';' : ',';
  const isText = columns.map(({ kind }) => kind === 'text');
  const shown = (cell: XlsxCell, place: number): XlsxCell =>
    locale === 'tr' && !isText[place] && DECIMAL.test(String(cell)) ? String(cell).replace('.', ',') : cell;
  const titles = columns.map(({ title }) => title);
  yield csvHead(titles, separator);
  for await (const page of pages)
    yield csvRows(
      page.map((row) => columns.map((_, place) => shown(row[place], place))),
      separator,
    );
}
