// Rows of an Excel workbook, with numbers and days as Excel stores them: 14500,5 is a number, independent of the sheet's format.
import { openWorkbook, type SheetRow, WorkbookError } from '../../formats/xlsx-read.ts';
import { FeedFailure, type SourceRow } from '../feed-row.ts';
import { readTable, type TableCell, type TableLine, type TableRules } from './feed-table.ts';

export interface SheetRules extends TableRules {
  /** The sheet's name; null is the first. */
  readonly sheet: string | null;
  /** Limit in characters of all rows together: a few kilobytes can refer to one long text a million times. */
  readonly maxLength: number;
}

export async function* readXlsx(bytes: Buffer, { sheet, maxLength, ...rules }: SheetRules): AsyncGenerator<SourceRow> {
  try {
    const workbook = await openWorkbook(bytes);
    yield* readTable(linesOf(workbook.rows(sheet), maxLength), rules);
  } catch (error) {
    throw error instanceof WorkbookError ? failureOf(error) : error;
  }
}

async function* linesOf(rows: AsyncIterable<SheetRow>, maxLength: number): AsyncGenerator<TableLine> {
  let length = 0;
  for await (const { row, cells, spans } of rows) {
    length += cells.reduce((sum, { value }) => sum + String(value).length, 0);
    if (length > maxLength) throw new WorkbookError('too_large', 'it contains too much text');
    const placed: TableCell[] = [];
    for (const { column, value } of cells) placed[column] = value;
    yield { row, cells: placed, spans };
  }
}

/** The names of a workbook's sheets, in the order of their tabs. */
export async function readSheets(bytes: Buffer): Promise<readonly string[]> {
  try {
    return (await openWorkbook(bytes)).sheets;
  } catch (error) {
    throw error instanceof WorkbookError ? failureOf(error) : error;
  }
}

function failureOf({ kind, message }: WorkbookError): FeedFailure {
  if (kind === 'no_sheet')
    return new FeedFailure('sheet_not_found', {
      en: 'The workbook has no such sheet',
      tr: 'Çalışma kitabında bu adda bir sayfa yok',
    });
  if (kind === 'too_large')
    return new FeedFailure('source_too_large', {
      en: `The workbook is too large: ${message}`,
      tr: 'Çalışma kitabı çok büyük; daha küçük dosyalara bölün',
    });
  return new FeedFailure('source_unreadable', {
    en: `The workbook cannot be read: ${message}`,
    tr: 'Çalışma kitabı okunamadı; Excel’de yeniden .xlsx olarak kaydedin',
  });
}
