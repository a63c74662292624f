// Rows as CSV for people's spreadsheets: UTF-8 with a mark, so that Turkish letters survive, and nothing that runs.

export type Separator = ',' | ';';

export const csvHead = (columns: readonly string[], separator: Separator): string => `\uFEFF${columns.join(separator)}\r\n`;

export const csvLines = <T>(columns: readonly (keyof T & string)[], rows: readonly T[], separator: Separator): string =>
  rows.map((row) => `${columns.map((column) => cellOf(row[column])).join(separator)}\r\n`).join('');

/** A spreadsheet takes text that begins like this for a formula, and a caller writes part of it. */
const FORMULA = /^[=+\-@\t\r]/;

/** Quoted for either separator: a comma divides some spreadsheets' cells, a semicolon others'. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
