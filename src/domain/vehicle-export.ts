// The stock as one file: what the list shows, for a spreadsheet or another program.
import type { Db } from '../kit/db.ts';
import { fail } from '../kit/errors.ts';
import { arrayOf, columnsOf, either, integer, type Of, object, only, text } from '../kit/schema.ts';
import { allOf, own, type Sql, sql } from '../kit/sql.ts';
import { csvHead, csvLines } from './csv.ts';
import { Vehicle } from './vehicle-view.ts';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

export const VehicleExport = either(
  object({
    format: only('csv'),
    file_name: text('araclar-2026-11-15.csv'),
    content_type: text('text/csv; charset=utf-8'),
    row_count: integer(),
    content: text(),
  }),
  object({ format: only('json'), row_count: integer(), rows: arrayOf(Vehicle) }),
);

const MOST_ROWS = 10_000;
const COLUMNS = Object.keys(Vehicle.shape) as (keyof Vehicle)[];

export interface ExportQuery {
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly where: readonly Sql[];
  readonly today: string;
}

export async function exportVehicles(db: Db, { format, where, today }: ExportQuery): Promise<Of<typeof VehicleExport>> {
  const rows = await db.rows<Vehicle>(sql`select ${columnsOf(Vehicle)} from (select * from ${own('vehicles')}
    where true${allOf(where)} order by created_at desc, id desc limit ${MOST_ROWS + 1}) chosen`);
  if (rows.length > MOST_ROWS) fail('export_too_large', { words: { limit: MOST_ROWS } });
  const row_count = rows.length;
  if (format === 'json') return { format, row_count, rows };
  const content = csvHead(COLUMNS, ';') + csvLines(COLUMNS, rows, ';');
  return { format, file_name: `araclar-${today}.csv`, content_type: 'text/csv; charset=utf-8', row_count, content };
}
