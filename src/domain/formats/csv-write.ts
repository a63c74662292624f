// Rows as CSV for spreadsheets: UTF-8 with a byte order mark, so that Turkish letters survive, and no cell that runs as a formula.

export type Separator = ',' | ';';

export const csvHead = (columns: readonly string[], separator: Separator): string => `\uFEFF${columns.join(separator)}\r\n`;

export const csvLines = <T>(columns: readonly (keyof T & string)[], rows: readonly T[], separator: Separator): string =>
  csvRows(
    rows.map((row) => columns.map((column) => row[column])),
    separator,
  );

export const csvRows = (rows: readonly (readonly unknown[])[], separator: Separator): string =>
  rows.map((cells) => `${cells.map(cellOf).join(separator)}\r\n`).join('');

/**
 * Cells that a spreadsheet would run as a formula: they begin with one of these characters, in either width, possibly after
 * spaces, quotes or invisible marks, which programs drop when they read a cell.
 */
const FORMULA = /^[\s\p{Cf}"'‘’“”]*[=+\-@＝＋－＠]|^[\t\r]/u;

/** An amount or a ratio is not a formula, with either decimal mark and also below zero. */
const AMOUNT = /^-?\d+[.,]\d{1,6}$/;

/**
 * Numbers stay numbers, negative ones too. Text is quoted for any separator, because some spreadsheets split at commas and others
 * at semicolons.
 */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || AMOUNT.test(String(value));
  const text = !isNumber && FORMULA.test(String(value)) ? `'${value}` : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
