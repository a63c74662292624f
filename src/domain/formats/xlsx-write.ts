// Rows as an Excel workbook, written while they are read: numbers, amounts, ratios and days have Excel's own types, and a text is
// always a text, so that it never runs as a formula.
import { formatMoney } from '../../kit/money.ts';
import { zipOf } from './zip-write.ts';

/**
 * `money` and `ratio` take decimal text, `day` 2026-11-15, `moment` 2026-11-15T09:30:00 in local time. Other values become text.
 */
export type XlsxKind = 'text' | 'number' | 'money' | 'ratio' | 'day' | 'moment';

export interface XlsxColumn {
  readonly title: string;
  readonly kind: XlsxKind;
}

export type XlsxCell = string | number | boolean | null | undefined;

export interface XlsxSheet {
  /** The name of the sheet. */
  readonly name: string;
  /** Lines above the header: what the list is, its day, its filters. */
  readonly heading?: readonly string[];
  /** Sums below the rows, one line for each currency. */
  readonly totals?: SheetTotals;
  readonly columns: readonly XlsxColumn[];
  readonly rows: AsyncIterable<readonly XlsxCell[]> | Iterable<readonly XlsxCell[]>;
}

export interface SheetTotals {
  /** The column of the currency; null where all amounts have one. */
  readonly currency: number | null;
  /** The columns that are added up. */
  readonly sums: readonly number[];
  /** Whether a row counts. */
  readonly counts?: (row: readonly XlsxCell[]) => boolean;
  /** The label of the line of a currency. */
  readonly label: (currency: string) => string;
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const writeXlsx = (sheets: readonly XlsxSheet[]): AsyncGenerator<Buffer> =>
  zipOf([
    { name: '[Content_Types].xml', content: [contentTypes(sheets.length)] },
    { name: '_rels/.rels', content: [relations([`${OFFICE}/officeDocument`], ['xl/workbook.xml'])] },
    { name: 'xl/workbook.xml', content: [workbook(tabsOf(sheets))] },
    { name: 'xl/_rels/workbook.xml.rels', content: [bookRelations(sheets.length)] },
    { name: 'xl/styles.xml', content: [STYLES] },
    ...sheets.map((sheet, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, content: sheetXml(sheet) })),
  ]);

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PART_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const sheetNumbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const contentTypes = (count: number): string =>
  `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${PART_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${PART_TYPE}.styles+xml"/>${sheetNumbers(
    count,
  )
    .map((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${PART_TYPE}.worksheet+xml"/>`)
    .join('')}</Types>`;

const relations = (types: readonly string[], targets: readonly string[]): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map((target, index) => `<Relationship Id="rId${index + 1}" Type="${types[index]}" Target="${target}"/>`)
    .join('')}</Relationships>`;

function bookRelations(count: number): string {
  const numbers = sheetNumbers(count);
  return relations(
    [...numbers.map(() => `${OFFICE}/worksheet`), `${OFFICE}/styles`],
    [...numbers.map((number) => `worksheets/sheet${number}.xml`), 'styles.xml'],
  );
}

const workbook = (tabs: readonly string[]): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${tabs
    .map((tab, index) => `<sheet name="${escaped(tab)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('')}</sheets></workbook>`;

const MAX_TAB = 31;

/** Excel refuses some characters, long names, and duplicate names. */
function tabsOf(sheets: readonly XlsxSheet[]): string[] {
  const names: string[] = [];
  for (const { name } of sheets) {
    const plain =
      name
        .replace(/[[\]:*?/\\']/g, ' ')
        .trim()
        .slice(0, MAX_TAB) || 'Sayfa';
    const isTaken = names.some((one) => one.toLowerCase() === plain.toLowerCase());
    names.push(isTaken ? `${plain.slice(0, MAX_TAB - 4)} ${names.length + 1}` : plain);
  }
  return names;
}

/** The style of a column of this kind; 1 is the header's. */
const STYLE_OF: Readonly<Record<XlsxKind, number>> = { text: 0, number: 0, money: 2, ratio: 3, day: 4, moment: 5 };
const BOLD_MONEY = 6;
/** 4, 10, 14 and 22 are formats that Excel shows in its own language: 1.234,50 and 15.11.2026 in Turkish. */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="7"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="10" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="22" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`;

const WIDTHS: Readonly<Record<XlsxKind, number>> = { text: 18, number: 12, money: 16, ratio: 12, day: 12, moment: 17 };

async function* sheetXml({ columns, rows, heading = [], totals }: XlsxSheet): AsyncGenerator<string> {
  const widths = columns.map(({ kind, title }, index) => {
    const width = Math.min(60, Math.max(WIDTHS[kind], title.length + 4));
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const head = heading.length + 1;
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${head}" topLeftCell="A${head + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  for (const [index, line] of heading.entries())
    yield `<row r="${index + 1}">${textCell(`A${index + 1}`, line, index === 0 ? 1 : 0)}</row>`;
  yield `<row r="${head}">${columns.map(({ title }, index) => textCell(`${letters(index)}${head}`, title, 1)).join('')}</row>`;
  const added = createTotals(totals);
  let number = head;
  for await (const row of rows) {
    number += 1;
    added.add(row);
    const cells = columns.map(({ kind }, index) => cellXml(`${letters(index)}${number}`, kind, row[index]));
    yield `<row r="${number}">${cells.join('')}</row>`;
  }
  const last = number;
  // A free row keeps the sums out of the filter.
  number += 1;
  for (const cells of added.lines(columns.length)) {
    number += 1;
    yield `<row r="${number}">${cells.map((cell, index) => totalCell(`${letters(index)}${number}`, cell)).join('')}</row>`;
  }
  yield `</sheetData><autoFilter ref="A${head}:${letters(Math.max(columns.length - 1, 0))}${Math.max(last, head)}"/></worksheet>`;
}

function totalCell(at: string, cell: XlsxCell): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  return isExact(text) ? `<c r="${at}" s="${BOLD_MONEY}"><v>${text}</v></c>` : textCell(at, text, 1);
}

const MONEY = /^-?\d+(?:\.\d{1,2})?$/;

/** The sums of amounts, exactly, by currency. */
function createTotals(totals: SheetTotals | undefined) {
  const sums = new Map<string, bigint[]>();
  return {
    add: (row: readonly XlsxCell[]) => {
      if (totals === undefined || totals.counts?.(row) === false) return;
      const currency = totals.currency === null ? '' : String(row[totals.currency] ?? '');
      const own = sums.get(currency) ?? totals.sums.map(() => 0n);
      sums.set(
        currency,
        own.map((sum, index) => sum + minorOf(row[totals.sums[index]!])),
      );
    },
    lines: (width: number): XlsxCell[][] =>
      [...sums]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([currency, own]) => {
          const cells: XlsxCell[] = Array.from({ length: width }, () => null);
          for (const [index, sum] of own.entries()) cells[totals!.sums[index]!] = formatMoney(sum);
          const place = cells.indexOf(null);
          if (place >= 0) cells[place] = totals!.label(currency);
          return cells;
        }),
  };
}

function minorOf(cell: XlsxCell): bigint {
  const text = String(cell ?? '');
  if (!MONEY.test(text)) return 0n;
  const [whole = '', rest = ''] = text.split('.');
  const minor = BigInt(`${whole.replace('-', '')}${rest.padEnd(2, '0')}`);
  return text.startsWith('-') ? -minor : minor;
}

/** 0 → A, 26 → AA. */
function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${letters(Math.floor(index / 26) - 1)}${last}`;
}

/** Excel stores 15 digits of a number; a longer number is written as text. */
const DECIMAL = /^-?\d{1,15}(\.\d{1,6})?$/;
const isExact = (text: string): boolean => DECIMAL.test(text) && text.replace(/^[-0.]+|[.]/g, '').length <= 15;

function cellXml(at: string, kind: XlsxKind, value: XlsxCell): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  const text = String(value);
  if (kind === 'day' || kind === 'moment') {
    const serial = serialOf(text, kind);
    return serial === null ? textCell(at, text, 0) : `<c r="${at}" s="${STYLE_OF[kind]}"><v>${serial}</v></c>`;
  }
  if (kind === 'text' || !isExact(text)) return textCell(at, text, 0);
  return `<c r="${at}" s="${STYLE_OF[kind]}"><v>${text}</v></c>`;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** Days since Excel's first; Excel has a 29 February 1900, so earlier days are written as text. */
function serialOf(text: string, kind: 'day' | 'moment'): number | null {
  if (!(kind === 'day' ? DAY : MOMENT).test(text)) return null;
  const serial = (Date.parse(kind === 'day' ? `${text}T00:00:00Z` : `${text}Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;
  return Number.isFinite(serial) && serial > 60 ? Number(serial.toFixed(6)) : null;
}

const MAX_TEXT = 32_767;

const textCell = (at: string, text: string, style: number): string =>
  `<c r="${at}"${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, MAX_TEXT))}</t></is></c>`;

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Characters that XML cannot represent are written as `_x000B_`, as Excel does; a text that already looks like that is escaped.
 */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /[\u0000-\u0008\u000B\u000C\u000D-\u001F\uFFFE\uFFFF]/g,
      (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>"]/g, (mark) => MARKS[mark]!);
