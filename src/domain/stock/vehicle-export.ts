// The stock as one file, for a spreadsheet or another program: the list's fields.
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { JsonPieces } from '../../kit/json-pieces.ts';
import { listPage, type Paging } from '../../kit/page.ts';
import { arrayOf, either, integer, nullable, type Of, object, only, text } from '../../kit/schema.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { csvHead, csvLines } from '../formats/csv-write.ts';
import type { FileTable } from '../formats/table-write.ts';
import { writtenCount } from '../formats/written.ts';
import { type ListedRecord, type ListSource, listTable, type ReadIn, requireFits, walkedPages } from '../records/list-file.ts';
import { Vehicle } from './vehicle-view.ts';

/** The list's fields, and the dealer's own reference, which the list does not have. */
const ExportedVehicle = object({ ...Vehicle.shape, external_ref: nullable(text('STK-1042')) });
type ExportedVehicle = Of<typeof ExportedVehicle>;

export const EXPORT_FORMATS = ['csv', 'json'] as const;

export const VehicleExport = either(
  object({
    format: only('csv'),
    file_name: text('araclar-2026-11-15.csv'),
    content_type: text('text/csv; charset=utf-8'),
    row_count: integer(),
    content: text(),
  }),
  object({ format: only('json'), row_count: integer(), rows: arrayOf(ExportedVehicle) }),
);

const MAX_ROWS = 10_000;
/** Small pieces, so that other requests get their turn in between. */
const ROWS_PER_PIECE = 50;
const COLUMNS = Object.keys(ExportedVehicle.shape) as (keyof ExportedVehicle)[];

export interface ExportQuery {
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly where: readonly Sql[];
  readonly today: string;
}

/** The JSON of a VehicleExport. */
export async function exportVehicles(db: Db, { format, where, today }: ExportQuery): Promise<JsonPieces> {
  const json = new JsonPieces();
  const isCsv = format === 'csv';
  const file = { file_name: `araclar-${today}.csv`, content_type: 'text/csv; charset=utf-8' };
  json.add(
    isCsv
      ? `${JSON.stringify({ format, ...file }).slice(0, -1)},"content":"${inString(csvHead(COLUMNS, ';'))}`
      : `{"format":"json","rows":[`,
  );
  let count = 0;
  for await (const lines of pieces(db, where)) {
    const from = performance.now();
    if (isCsv)
      json.add(
        inString(
          csvLines<ExportedVehicle>(
            COLUMNS,
            lines.map((line) => JSON.parse(line)),
            ';',
          ),
        ),
      );
    else json.add(`${count === 0 ? '' : ','}${lines.join(',')}`);
    count += lines.length;
    // Pauses for as long as the piece took, so that long exports leave half of the process to others.
    await wait(performance.now() - from);
  }
  json.add(`${isCsv ? '"' : ']'},"row_count":${count}}`);
  return json;
}

/** The stock as a list for people; the API's export keeps the names of its fields. */
export async function exportTable(
  inTenant: ReadIn,
  where: readonly Sql[],
  list: Pick<ListSource, 'timezone' | 'locale' | 'now' | 'query'>,
): Promise<FileTable> {
  const read = (db: Db, page: Paging) => listPage(db, { table: 'vehicles', shows: LINE, where }, page);
  await requireFits(inTenant, read, MAX_ROWS);
  const cars = async function* () {
    for await (const page of walkedPages(inTenant, read)) yield page.map(({ line }) => JSON.parse(String(line)) as ListedRecord);
  };
  return listTable({ ...list, name: 'vehicles', inTenant, pages: cars() });
}

const inString = (text: string): string => JSON.stringify(text).slice(1, -1);

const LINE = rawSql(`left(list_json, -1) || ',"external_ref":' || coalesce(to_json(external_ref)::text, 'null') || '}' as line`);

/** Each vehicle as JSON. */
async function* pieces(db: Db, where: readonly Sql[]): AsyncGenerator<string[]> {
  await db.exec(sql`declare exported cursor for select ${LINE} from ${own('vehicles')}
    where true${allOf(where)} order by created_at desc, id desc limit ${MAX_ROWS + 1}`);
  for (let count = 0; ; ) {
    const rows = await db.rows<{ line: string }>(sql`fetch ${rawSql(String(ROWS_PER_PIECE))} from exported`);
    count += rows.length;
    if (count > MAX_ROWS) fail('export_too_large', { words: { limit: writtenCount(MAX_ROWS) } });
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < ROWS_PER_PIECE) return;
  }
}
