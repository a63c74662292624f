// What administrators see of worlds: how many there are, and how large they are together.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

export interface WorldFigures {
  readonly worlds: number;
  /** Cars, customers, sales and documents. */
  readonly records: number;
  readonly file_bytes: number;
}

/** On the platform connection. */
export const worldFigures = (db: Db): Promise<WorldFigures> =>
  db.one<WorldFigures>(sql`select worlds, records::float8 as records, file_bytes::float8 as file_bytes from world_figures()`);
