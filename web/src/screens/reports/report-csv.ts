// A report as a file for a spreadsheet, made of what the screen shows: UTF-8 with its mark, separated by semicolons.
import { save } from '../../download.ts';
import type { ReportRow } from './report-table.tsx';

/** A text that a spreadsheet would run begins with an apostrophe; amounts are no texts. */
const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[";\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvOf = (heads: readonly string[], rows: readonly ReportRow[], names: readonly string[]): string =>
  `\ufeff${[heads, ...rows.map((row) => names.map((name) => row[name]))].map((line) => line.map(cell).join(';')).join('\r\n')}\r\n`;

export const saveFile = (name: string, text: string): void => save(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
