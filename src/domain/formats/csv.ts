// Rows as CSV for people's spreadsheets: UTF-8 with a mark, so that Turkish letters survive, and nothing that runs.

export type Separator = ',' | ';';

export const csvHead = (columns: readonly string[], separator: Separator): string => `\uFEFF${columns.join(separator)}\r\n`;

export const csvLines = <T>(columns: readonly (keyof T & string)[], rows: readonly T[], separator: Separator): string =>
  rows.map((row) => `${columns.map((column) => cellOf(row[column])).join(separator)}\r\n`).join('');

/**
 * What a spreadsheet takes for a formula, and a caller writes part of it: with these letters in front, in either width, also behind
 * what programs drop when they read a cell (spaces, quotes, marks that cannot be seen).
 */
const FORMULA = /^[\s\p{Cf}"'‘’“”]*[=+\-@＝＋－＠]|^[\t\r]/u;

/** Numbers stay numbers, negative ones too. Quoted for any separator: a comma divides some spreadsheets' cells, a semicolon others'. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const text = !isNumber && FORMULA.test(String(value)) ? `'${value}` : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
