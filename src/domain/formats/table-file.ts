// A table as a file, CSV or Excel, from one list of columns and one source of rows: written while it is read, so that its length takes no memory.
import { csvHead, csvRows } from './csv.ts';
import { writeXlsx, XLSX_TYPE, type XlsxCell, type XlsxColumn } from './xlsx-write.ts';

export const FILE_FORMS = ['csv', 'xlsx'] as const;
export type FileForm = (typeof FILE_FORMS)[number];

export const FILE_TYPES: Readonly<Record<FileForm, string>> = { csv: 'text/csv; charset=utf-8', xlsx: XLSX_TYPE };

export interface FileTable {
  /** Of the tab. */
  readonly name: string;
  readonly columns: readonly XlsxColumn[];
  /** Many rows at once, as they are read. */
  readonly pages: AsyncIterable<readonly (readonly XlsxCell[])[]>;
}

/** In CSV as spreadsheets of the reader's language take it: semicolons and a decimal comma in Turkish. */
export function writeTable(form: FileForm, table: FileTable, locale: 'tr' | 'en'): AsyncGenerator<string | Buffer> {
  const { name, columns } = table;
  return form === 'csv' ? csvOf(table, locale) : writeXlsx([{ name, columns, rows: eachOf(table) }]);
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
