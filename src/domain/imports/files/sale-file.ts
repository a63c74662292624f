// Sales of a dealer's previous system from a file: JSON lines, or two CSV files, the second with the installments and payments of
// each sale.
import { extname } from 'node:path';
import { type NumberFormat, plainNumber, plainWhole } from '../../formats/number-text.ts';
import type { Field, Fields } from '../../records/fields.ts';
import type { SourceRow } from '../feed-row.ts';
import { CAR_FIELDS, PAID_FIELDS, PERSON_FIELDS, PLAIN_FIELDS, ROW_FIELDS } from '../targets/sale-line.ts';
import { ImportFileError, openImportFile } from './import-file.ts';

/** Columns of the customer and the car: `customer.phone` and `customer_phone` are the same. */
const PARTS = { customer: PERSON_FIELDS, vehicle: CAR_FIELDS } as const;

const columnsOf = (separator: '.' | '_'): string[] =>
  Object.entries(PARTS).flatMap(([part, fields]) => Object.keys(fields).map((name) => `${part}${separator}${name}`));

const SALE_COLUMNS = [...Object.keys(PLAIN_FIELDS), ...columnsOf('.'), ...columnsOf('_')];

const ROW_COLUMNS = ['external_ref', 'type', 'date', 'amount', 'kind', 'currency', 'exchange_rate', 'method', 'receipt_no'];

type Cells = Readonly<Record<string, unknown>>;

/** The lines of the second file that belong to one sale. */
interface ParsedLines {
  readonly installments: Cells[];
  readonly collections: Cells[];
}

const isNumber = ({ stored, schema }: Field<unknown>): boolean => stored === 'minor' || [schema.type].flat().includes('integer');

const numbersOf = (fields: Fields): string[] => Object.keys(fields).filter((name) => isNumber(fields[name]!));

const NUMBER_COLUMNS = new Set([
  ...numbersOf(PLAIN_FIELDS),
  ...Object.entries(PARTS).flatMap(([part, fields]) =>
    numbersOf(fields).flatMap((name) => [`${part}.${name}`, `${part}_${name}`]),
  ),
  'amount',
]);

/** Every number in the CSV files of sales as written. Rates and percentages have their own format. */
async function* numbersInSales(path: string, rowsPath: string): AsyncGenerator<string> {
  for (const [file, columns] of [
    [path, SALE_COLUMNS],
    [rowsPath, ROW_COLUMNS],
  ] as const)
    for await (const row of (await openImportFile(file)).rows(columns))
      if ('given' in row)
        for (const [column, value] of Object.entries(row.given))
          if (NUMBER_COLUMNS.has(column) && typeof value === 'string') yield value;
}

/** `findFormat` returns the number format of the CSV files from all their numbers; JSON has one number format. */
export async function openSaleFile(
  path: string,
  rowsPath: string | undefined,
  findFormat: (texts: AsyncIterable<string>) => Promise<NumberFormat | null>,
): Promise<AsyncGenerator<SourceRow>> {
  const file = await openImportFile(path);
  const isCsv = extname(path).toLowerCase() === '.csv';
  if (!isCsv && rowsPath !== undefined) throw new ImportFileError('--rows goes with a .csv file of sales');
  if (!isCsv) return file.rows([]);
  if (rowsPath === undefined) throw new ImportFileError(`${path} needs --rows F: a .csv with the installments and payments`);
  if (extname(rowsPath).toLowerCase() !== '.csv') throw new ImportFileError(`${rowsPath} must end in .csv`);
  const format = await findFormat(numbersInSales(path, rowsPath));
  const lines = await readLines(rowsPath, format);
  await refuseStrays(file.rows(SALE_COLUMNS), lines, path, rowsPath);
  return joined(file.rows(SALE_COLUMNS), lines, format);
}

async function readLines(path: string, format: NumberFormat | null): Promise<Map<string, ParsedLines>> {
  const lines = new Map<string, ParsedLines>();
  for await (const row of (await openImportFile(path)).rows(ROW_COLUMNS)) {
    const at = `${path}, row ${row.row}`;
    // Without it the sale of a missing line is unknown, and a sale without one of its lines does not add up.
    if ('problem' in row) throw new ImportFileError(`${at}: ${row.problem.message.en}`);
    const { external_ref, type, date, ...cells } = row.given;
    if (external_ref === undefined) throw new ImportFileError(`${at}: external_ref is required`);
    const of = lines.get(external_ref as string) ?? { installments: [], collections: [] };
    lines.set(external_ref as string, of);
    if (type === 'Taksit') of.installments.push(valuesOf(ROW_FIELDS, { due_date: date, ...cells }, format));
    else if (type === 'Tahsilat') of.collections.push(valuesOf(PAID_FIELDS, { collected_on: date, ...cells }, format));
    else throw new ImportFileError(`${at}: type must be Taksit or Tahsilat`);
  }
  return lines;
}

/** Nothing is imported if a line belongs to no sale: its amount would be lost silently. */
async function refuseStrays(
  rows: AsyncIterable<SourceRow>,
  lines: ReadonlyMap<string, ParsedLines>,
  path: string,
  rowsPath: string,
) {
  const strays = new Set(lines.keys());
  for await (const row of rows) {
    // Only the unreadable sale is refused; its lines are not checked.
    if ('problem' in row) return;
    strays.delete(row.given.external_ref as string);
  }
  if (strays.size === 0) return;
  const some = [...strays].slice(0, 3).map((ref) => `"${ref.replace(/\p{C}/gu, '?').slice(0, 60)}"`);
  throw new ImportFileError(
    `${rowsPath} has rows of ${strays.size} ${strays.size === 1 ? 'sale' : 'sales'} that ${path} does not have: ${some.join(', ')}`,
  );
}

async function* joined(
  rows: AsyncIterable<SourceRow>,
  lines: ReadonlyMap<string, ParsedLines>,
  format: NumberFormat | null,
): AsyncGenerator<SourceRow> {
  for await (const row of rows) {
    if ('problem' in row) yield row;
    else {
      const own = lines.get(row.given.external_ref as string) ?? { installments: [], collections: [] };
      yield { row: row.row, given: { ...nested(row.given, format), ...own } };
    }
  }
}

function nested(cells: Cells, format: NumberFormat | null): Cells {
  const isOf = (part: string, column: string) => column.startsWith(`${part}.`) || column.startsWith(`${part}_`);
  const parts = Object.entries(PARTS).map(([part, fields]) => {
    const own = Object.entries(cells).filter(([column]) => isOf(part, column));
    const named = Object.fromEntries(own.map(([column, value]) => [column.slice(part.length + 1), value]));
    return [part, valuesOf(fields, named, format)];
  });
  const plain = Object.entries(cells).filter(([column]) => Object.hasOwn(PLAIN_FIELDS, column));
  return { ...valuesOf(PLAIN_FIELDS, Object.fromEntries(plain), format), ...Object.fromEntries(parts) };
}

/** Empty cells are left out; text is converted to the type of each field. */
const valuesOf = (fields: Fields, cells: Cells, format: NumberFormat | null): Cells =>
  Object.fromEntries(
    Object.entries(cells)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, cellValue(fields[name], value as string, format)]),
  );

function cellValue(field: Field<unknown> | undefined, text: string, format: NumberFormat | null): unknown {
  if (field === undefined) return text;
  if (!isNumber(field)) return field.fromText(text) ?? text;
  return (field.stored === 'minor' ? plainNumber(text, format) : plainWhole(text, format)) ?? text;
}
