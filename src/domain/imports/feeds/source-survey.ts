// Reads a whole source once before anything is written: whether it is readable to its end, which columns are missing and which
// number format it has. Runs in a separate process.
import { formatOf, type NumberFormat } from '../../formats/number-text.ts';
import type { BadRow } from '../feed-row.ts';
import type { SourceForm } from '../source-form.ts';
import { readSource } from './feed-source.ts';

export interface SurveyRequest {
  /** Columns that the source must have. */
  readonly columns: readonly string[];
  /** The ones that hold numbers. */
  readonly numberColumns: readonly string[];
  readonly maxRows: number;
}

export interface SourceSurvey {
  /** At most one more than `maxRows`. */
  readonly rows: number;
  readonly hasColumns: boolean;
  readonly missing: readonly string[];
  /** The row after which nothing can be read. */
  readonly broken: BadRow | null;
  /** Null if the first rows do not show it. */
  readonly numberFormat: NumberFormat | null;
}

/** Searched in the first rows only. */
const ROWS_LOOKED_AT = 200;

export async function surveySource(
  form: SourceForm,
  bytes: () => AsyncIterable<Buffer>,
  { columns, numberColumns, maxRows }: SurveyRequest,
): Promise<SourceSurvey> {
  const missing = new Set(columns);
  const numbers: string[] = [];
  let hasColumns = false;
  let rows = 0;
  let broken: BadRow | null = null;
  const see = (column: string) => {
    hasColumns = true;
    missing.delete(column);
  };
  for await (const row of readSource(form, bytes, see)) {
    rows += 1;
    if ('problem' in row && row.isLast) broken = row;
    if (rows > maxRows || broken !== null) break;
    if (rows > ROWS_LOOKED_AT || !('given' in row)) continue;
    for (const column of numberColumns) if (typeof row.given[column] === 'string') numbers.push(row.given[column]);
  }
  return { rows, hasColumns, missing: [...missing], broken, numberFormat: formatOf(numbers) };
}
