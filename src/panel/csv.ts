// Rows as CSV for people's spreadsheets: UTF-8 with a mark, so that Turkish letters survive, and nothing that runs.

export const csvHead = (columns: readonly string[]): string => `\uFEFF${columns.join(',')}\r\n`;

export const csvLines = <T>(columns: readonly (keyof T & string)[], rows: readonly T[]): string =>
  rows.map((row) => `${columns.map((column) => cellOf(row[column])).join(',')}\r\n`).join('');

/** A spreadsheet takes text that begins like this for a formula, and a caller writes part of a log line itself. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
