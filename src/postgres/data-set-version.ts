// The end of a write on its data set: the version rises, and the process learns when the next timed transition is due.
import type { DataSetWritten } from '../kit/db.ts';
import { type Sql, sql } from '../kit/sql.ts';

export const raiseVersion = (dataSet: string): Sql =>
  sql`update data_sets set version = version + 1 where id = ${dataSet} returning version, next_due_at`;

/** A version without the next due time would make this process skip timed transitions. */
export function requireWritten(row: unknown): DataSetWritten {
  const written = row as DataSetWritten;
  if (written.version === undefined || written.next_due_at === undefined)
    throw new Error('the last statement of a write must return version and next_due_at');
  return written;
}
