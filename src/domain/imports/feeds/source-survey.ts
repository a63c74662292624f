// Reads a whole source once before anything is written: whether it is readable to its end, which columns are missing and which
// number format it has. Runs in a separate process.
import { type CellReading, type DayOrder, dayOrderOf, numbersOf } from '../../formats/cell-text.ts';
import type { BadRow } from '../feed-row.ts';
import type { SourceForm } from '../source-form.ts';
import { readSource } from './feed-source.ts';
import { columnLetter } from './feed-table.ts';

export interface SurveyRequest {
  /** Columns that the source must have. */
  readonly columns: readonly string[];
  /** The ones that hold numbers, and the ones that hold days. */
  readonly numberColumns: readonly string[];
  readonly dayColumns: readonly string[];
  readonly maxRows: number;
}

export interface SourceSurvey {
  /** At most one more than `maxRows`. */
  readonly rows: number;
  readonly hasColumns: boolean;
  readonly missing: readonly string[];
  /** The row after which nothing can be read. */
  readonly broken: BadRow | null;
  /** How the first rows write the numbers of all columns, and those of each; the order of the dates with slashes. */
  readonly numbers: CellReading['numbers'];
  readonly numbersBy: Readonly<Record<string, CellReading['numbers']>>;
  readonly daysBy: Readonly<Record<string, DayOrder>>;
  /** The letters of the columns in the spreadsheet. */
  readonly letters: Readonly<Record<string, string>>;
}

/** Searched in the first rows only. */
const ROWS_LOOKED_AT = 200;

export async function surveySource(
  form: SourceForm,
  bytes: () => AsyncIterable<Buffer>,
  { columns, numberColumns, dayColumns, maxRows }: SurveyRequest,
): Promise<SourceSurvey> {
  const missing = new Set(columns);
  const texts = new Map<string, string[]>([...numberColumns, ...dayColumns].map((column) => [column, []]));
  const letters: Record<string, string> = {};
  let hasColumns = false;
  let rows = 0;
  let broken: BadRow | null = null;
  const see = (column: string, place: number | null) => {
    hasColumns = true;
    missing.delete(column);
    if (place !== null && columns.includes(column)) letters[column] = columnLetter(place);
  };
  for await (const row of readSource(form, bytes, { see })) {
    rows += 1;
    if ('problem' in row && row.isLast) broken = row;
    if (rows > maxRows || broken !== null) break;
    if (rows > ROWS_LOOKED_AT || !('cells' in row)) continue;
    for (const [column, found] of texts) if (typeof row.cells[column] === 'string') found.push(row.cells[column]);
  }
  const textsOf = (column: string) => texts.get(column) ?? [];
  return {
    rows,
    hasColumns,
    missing: [...missing],
    broken,
    numbers: numbersOf(numberColumns.flatMap(textsOf)),
    numbersBy: Object.fromEntries(numberColumns.map((column) => [column, numbersOf(textsOf(column))])),
    daysBy: Object.fromEntries(dayColumns.map((column) => [column, dayOrderOf(textsOf(column))])),
    letters,
  };
}
