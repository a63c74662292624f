// Stock and customer lists as dealers have them: Excel in Turkish, LibreOffice, Google Sheets, CSV of a Turkish Windows, exports of
// portals, and lists written by hand with titles, merged cells and totals.
import { workbookFile } from './workbooks.ts';

export type FileCell = string | number | null | { readonly day: string } | { readonly formula: string; readonly value: number };
type Rows = readonly (readonly FileCell[])[];

const serial = (day: string): number => Math.round((Date.parse(`${day}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const letter = (column: number): string => String.fromCharCode(65 + column);

export interface Dialect {
  readonly sheet: string;
  /** Texts of their own part, or within their cells. */
  readonly shared: boolean;
  readonly dayFormat: string;
  /** Empty cells have styles, and empty rows follow the data. */
  readonly padded: boolean;
}
export const EXCEL: Dialect = { sheet: 'Sayfa1', shared: true, dayFormat: 'dd/mm/yyyy', padded: false };
export const LIBRE: Dialect = { sheet: 'Sayfa1', shared: true, dayFormat: 'dd\\.mm\\.yyyy', padded: true };
export const GOOGLE: Dialect = { sheet: 'Araç Listesi', shared: false, dayFormat: 'd\\.m\\.yyyy', padded: true };

export interface BookOptions {
  readonly dialect?: Dialect;
  readonly merges?: readonly string[];
  /** Sheets before the one with the rows. */
  readonly before?: Readonly<Record<string, Rows>>;
}

/** A workbook; a null row is not written, so that the next one has a later number. */
export function book(
  rows: readonly (readonly FileCell[] | null)[],
  { dialect = EXCEL, merges = [], before = {} }: BookOptions = {},
): Buffer {
  const strings: string[] = [];
  const sheetXml = (lines: readonly (readonly FileCell[] | null)[], ranges: readonly string[]): string => {
    const width = Math.max(1, ...lines.map((line) => line?.length ?? 0));
    const data = lines.map((line, at) => (line === null ? '' : rowXml(line, at + 1, { dialect, strings, width })));
    const empty = dialect.padded
      ? Array.from({ length: 20 }, (_, at) => rowXml([], lines.length + at + 1, { dialect, strings, width }))
      : [];
    const merged =
      ranges.length === 0
        ? ''
        : `<mergeCells count="${ranges.length}">${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
    return `<worksheet><sheetData>${[...data, ...empty].join('')}</sheetData>${merged}</worksheet>`;
  };
  const all = [
    ...Object.entries(before).map(([name, lines]) => [name, sheetXml(lines, [])] as const),
    [dialect.sheet, sheetXml(rows, merges)] as const,
  ];
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${dialect.dayFormat}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="4"/></cellXfs></styleSheet>`;
  return workbookFile({
    sheets: Object.fromEntries(all.map(([name]) => [name, ''])),
    parts: all.map(([, content], index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, content })),
    styles,
    strings: strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join(''),
  });
}

interface RowContext {
  readonly dialect: Dialect;
  readonly strings: string[];
  readonly width: number;
}

function rowXml(cells: readonly FileCell[], number: number, { dialect, strings, width }: RowContext): string {
  const shown = Array.from({ length: width }, (_, column) => {
    const at = `${letter(column)}${number}`;
    const cell = cells[column] ?? null;
    if (cell === null) return dialect.padded ? `<c r="${at}" s="2"/>` : '';
    if (typeof cell === 'number') return `<c r="${at}" s="2"><v>${cell}</v></c>`;
    if (typeof cell === 'string') {
      if (!dialect.shared) return `<c r="${at}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
      return `<c r="${at}" t="s"><v>${strings.push(cell) - 1}</v></c>`;
    }
    if ('day' in cell) return `<c r="${at}" s="1"><v>${serial(cell.day)}</v></c>`;
    return `<c r="${at}" s="2"><f>${cell.formula}</f><v>${cell.value}</v></c>`;
  });
  return `<row r="${number}">${shown.join('')}</row>`;
}

const LATIN5: Readonly<Record<string, number>> = { ş: 0xfe, Ş: 0xde, ğ: 0xf0, Ğ: 0xd0, ı: 0xfd, İ: 0xdd, '₺': 0x3f, '€': 0x80 };

/** CSV as Excel on a Turkish Windows saves it: windows-1254, semicolons, CRLF, as many cells in each line. */
export const csv1254 = (rows: Rows): Buffer =>
  Buffer.from([...csvText(rows, ';')].map((char) => LATIN5[char] ?? char.charCodeAt(0)));

/** CSV of Google Sheets and of portals: UTF-8, commas and quotes. */
export const csvUtf8 = (rows: Rows, { separator = ',', mark = false, head = '' } = {}): Buffer =>
  Buffer.from(`${mark ? '\uFEFF' : ''}${head}${csvText(rows, separator)}`);

function csvText(rows: Rows, separator: string): string {
  const width = Math.max(...rows.map((row) => row.length));
  const cell = (value: FileCell | undefined): string => {
    const text =
      typeof value === 'object' && value !== null ? ('day' in value ? value.day : String(value.value)) : String(value ?? '');
    return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${Array.from({ length: width }, (_, column) => cell(row[column])).join(separator)}\r\n`).join('');
}

const MODELS = [
  ['Volkswagen', 'Golf 1.6 TDI', 'Dizel', 'Hatchback'],
  ['Toyota', 'Corolla', 'Benzin', 'Sedan'],
  ['Mercedes-Benz', 'C 180', 'Benzin', 'Sedan'],
  ['BMW', '320d', 'Dizel', 'Sedan'],
  ['Renault', 'Clio', 'Benzin', 'Hatchback'],
  ['Nissan', 'Qashqai', 'Dizel', 'SUV'],
  ['Land Rover', 'Freelander', 'Dizel', 'SUV'],
] as const;

export interface FileCar {
  readonly plate: string;
  readonly brand: string;
  readonly model: string;
  readonly year: number;
  readonly km: number;
  readonly fuel: string;
  readonly gear: string;
  readonly body: string;
  readonly color: string;
  readonly price: number;
  readonly day: string;
}

/** Cars whose plates begin with the letters. */
export const fileCars = (letters: string, count: number): FileCar[] =>
  Array.from({ length: count }, (_, at) => {
    const [brand, model, fuel, body] = MODELS[at % MODELS.length]!;
    return {
      plate: `${letters} ${100 + at}`,
      brand,
      model,
      year: 2012 + (at % 10),
      km: 40_000 + at * 13_250,
      fuel,
      gear: at % 2 === 0 ? 'Otomatik' : 'Manuel',
      body,
      color: ['Beyaz', 'Siyah', 'Gümüş Gri'][at % 3]!,
      price: 9500 + at * 750,
      day: `2026-0${1 + (at % 8)}-1${at % 10}`,
    };
  });

/** 84250 → 84.250. */
export const grouped = (number: number, mark = '.'): string => String(number).replace(/\B(?=(\d{3})+$)/g, mark);
