// Sales of a dealer's previous system from a file: JSON lines, or two CSV files, the second with the installments and payments of
// each sale.
import { extname } from 'node:path';
import { currencyIn, currencyOfWord } from '../../formats/cell-text.ts';
import { foldWord } from '../../formats/fold-text.ts';
import type { NumberFormat } from '../../formats/number-text.ts';
import type { Field, Fields } from '../../records/fields.ts';
import type { SourceRow } from '../feed-row.ts';
import { feedValue } from '../import-target.ts';
import { CAR_FIELDS, PAID_FIELDS, PERSON_FIELDS, PLAIN_FIELDS, ROW_FIELDS } from '../targets/sale-line.ts';
import { ImportFileError, openImportFile, type Spelled } from './import-file.ts';

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
  for (const [file, columns, spelled] of [
    [path, SALE_COLUMNS, saleHeader],
    [rowsPath, ROW_COLUMNS, rowHeader],
  ] as const)
    for await (const row of (await openImportFile(file)).rows(columns, spelled))
      if ('cells' in row)
        for (const [column, value] of Object.entries(row.cells))
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
  await refuseStrays(file.rows(SALE_COLUMNS, saleHeader), lines, path, rowsPath);
  return joined(file.rows(SALE_COLUMNS, saleHeader), lines, format);
}

async function readLines(path: string, format: NumberFormat | null): Promise<Map<string, ParsedLines>> {
  const lines = new Map<string, ParsedLines>();
  for await (const row of (await openImportFile(path)).rows(ROW_COLUMNS, rowHeader)) {
    const at = `${path}, row ${row.row}`;
    // Without it the sale of a missing line is unknown, and a sale without one of its lines does not add up.
    if ('problem' in row) throw new ImportFileError(`${at}: ${row.problem.message.en}`);
    const { external_ref, type, date, ...cells } = row.cells;
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
    strays.delete(row.cells.external_ref as string);
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
      const own = lines.get(row.cells.external_ref as string) ?? { installments: [], collections: [] };
      yield { row: row.row, cells: { ...nested(row.cells, format), ...own } };
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
      .map(([name, value]) => [name, cellValue(fields, name, value, cells.currency, format)]),
  );

/** An amount beside another currency than the row's stays text, and is refused. */
function cellValue(fields: Fields, name: string, value: unknown, currency: unknown, format: NumberFormat | null): unknown {
  const named = typeof value === 'string' && fields[name]?.stored === 'minor' ? currencyIn(value) : null;
  if (named !== null && named !== currencyOfWord(String(currency ?? ''))) return value;
  return feedValue(fields, name, value, { numbers: format, days: 'day first' });
}

/** Headers of lists of sales, as dealers write them. */
const SPELLED: Readonly<Record<string, string>> = {
  dosyano: 'external_ref',
  sozlesmeno: 'external_ref',
  satisno: 'sale_no',
  satistarihi: 'sale_date',
  satisgunu: 'sale_date',
  plaka: 'vehicle_plate',
  marka: 'vehicle_brand',
  model: 'vehicle_model',
  modelyili: 'vehicle_model_year',
  ad: 'customer_first_name',
  adi: 'customer_first_name',
  musteriadi: 'customer_first_name',
  soyad: 'customer_last_name',
  soyadi: 'customer_last_name',
  telefon: 'customer_phone',
  ceptelefonu: 'customer_phone',
  kimlikno: 'customer_id_no',
  tckimlikno: 'customer_id_no',
  parabirimi: 'currency',
  doviz: 'currency',
  satisfiyati: 'sale_price',
  satistutari: 'sale_price',
  fiyat: 'sale_price',
  takas: 'trade_in_amount',
  takasbedeli: 'trade_in_amount',
  pesinat: 'down_payment',
  vadefarki: 'finance_charge',
  not: 'notes',
  notlar: 'notes',
};

const ROW_SPELLED: Readonly<Record<string, string>> = {
  dosyano: 'external_ref',
  sozlesmeno: 'external_ref',
  tur: 'type',
  tip: 'type',
  tarih: 'date',
  vade: 'date',
  vadetarihi: 'date',
  tutar: 'amount',
  taksittutari: 'amount',
  parabirimi: 'currency',
  doviz: 'currency',
  kur: 'exchange_rate',
  yontem: 'method',
  odemesekli: 'method',
  makbuzno: 'receipt_no',
};

const spelledBy =
  (names: Readonly<Record<string, string>>, columns: readonly string[]): Spelled =>
  (header) => {
    const found = names[foldWord(header)];
    return found !== undefined && columns.includes(found) ? found : null;
  };
const saleHeader: Spelled = (header) => spelledBy(SPELLED, SALE_COLUMNS)(header);
const rowHeader: Spelled = (header) => spelledBy(ROW_SPELLED, ROW_COLUMNS)(header);
