// Rows of an Excel workbook, with numbers and days as Excel stores them: 14500,5 is a number, independent of the sheet's format.
import type { Text } from '../../../kit/errors.ts';
import { BadCell, type CellValue } from '../../formats/xlsx-cells.ts';
import { openWorkbook, type SheetCell, WorkbookError } from '../../formats/xlsx-read.ts';
import { badRow, FeedFailure, MAX_ROW_LENGTH, type SourceRow, tooLong } from '../feed-row.ts';

export interface SheetRules {
  /** The sheet's name; null is the first. */
  readonly sheet: string | null;
  /** As in CSV: cells of a column named '' must be empty, cells of a null column are skipped. */
  readonly columns: (header: readonly string[]) => readonly (string | null)[];
  /** Limit in characters of all rows together: a few kilobytes can refer to one long text a million times. */
  readonly maxLength: number;
}

export async function* readXlsx(bytes: Buffer, rules: SheetRules): AsyncGenerator<SourceRow> {
  let columns: readonly (string | null)[] | null = null;
  let row = 0;
  let length = 0;
  try {
    const workbook = await openWorkbook(bytes);
    for await (const cells of workbook.rows(rules.sheet)) {
      const size = cells.reduce((sum, { value }) => sum + String(value).length, 0);
      length += size;
      if (length > rules.maxLength) throw new WorkbookError('too_large', 'it has more text than is read from one source');
      if (columns === null) columns = rules.columns(headerOf(cells));
      else {
        row += 1;
        yield size > MAX_ROW_LENGTH ? tooLong(row) : rowOf(row, columns, cells);
      }
    }
  } catch (error) {
    throw error instanceof WorkbookError ? failureOf(error) : error;
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

/** The names of the sheet's columns, by position. */
function headerOf(cells: readonly SheetCell[]): string[] {
  const header: string[] = Array.from({ length: (cells.at(-1)?.column ?? -1) + 1 }, () => '');
  for (const { column, value } of cells) if (!(value instanceof BadCell)) header[column] = String(value);
  return header;
}

function rowOf(row: number, columns: readonly (string | null)[], cells: readonly SheetCell[]): SourceRow {
  const given: Record<string, CellValue> = Object.create(null);
  for (const { column, value } of cells) {
    // Columns after the last named one hold the author's own notes and sums.
    const name = columns[column] ?? null;
    if (name === null) continue;
    if (name === '') {
      return badRow(row, 'unknown_field', {
        en: `Cell ${column + 1} holds something, but its column has no name`,
        tr: `${column + 1}. hücre dolu, ama sütununun adı yok`,
      });
    }
    if (value instanceof BadCell)
      return badRow(row, value.why, { en: `${name}: ${BAD[value.why].en}`, tr: `${name}: ${BAD[value.why].tr}` });
    given[name] = value;
  }
  return { row, given };
}

const BAD: Readonly<Record<BadCell['why'], Text>> = {
  formula_without_value: {
    en: 'the cell has a formula without a stored result; formulas are not calculated here',
    tr: 'hücrede sonucu kayıtlı olmayan bir formül var; formüller burada hesaplanmaz',
  },
  formula_error: { en: 'the formula of the cell ended in an error', tr: 'hücredeki formül hata vermiş' },
  invalid_cell: { en: 'the cell cannot be read', tr: 'hücre okunamıyor' },
};

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
    en: `The workbook: ${message}`,
    tr: 'Çalışma kitabı okunamadı; Excel’de yeniden .xlsx olarak kaydedin',
  });
}
