// The content of a workbook's cell: text, a number, a boolean, or a day. Formulas are not evaluated: the stored value counts, and
// a formula without one cannot be read.
import type { XmlElement } from './xml.ts';

export type CellValue = string | number | boolean;

/** The cell cannot be read. */
export class BadCell {
  readonly why: 'formula_without_value' | 'formula_error' | 'invalid_cell';
  constructor(why: BadCell['why']) {
    this.why = why;
  }
}

export interface SheetCell {
  /** From 0. */
  readonly column: number;
  readonly value: CellValue | BadCell;
}

export interface CellStyles {
  /** Whether this style shows a number as a day or a time. */
  readonly isDate: readonly boolean[];
  /** Days are counted from 1904, as in old Mac workbooks. */
  readonly from1904: boolean;
  readonly strings: readonly string[];
}

/** Names come with or without a prefix, which producers choose freely. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => localName(child.name) === name);

/** `BC12` → 54; null if it is not an address. Excel has 16 384 columns. */
export function columnOf(address: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(address)?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column <= 16_384 ? column - 1 : null;
}

/** Null if the cell is empty. */
export function readCell(cell: XmlElement, styles: CellStyles): CellValue | BadCell | null {
  const kind = cell.attributes.t ?? 'n';
  if (kind === 'inlineStr') return nonEmpty(richText(childOf(cell, 'is')));
  const stored = childOf(cell, 'v')?.text ?? '';
  if (stored === '') return childOf(cell, 'f') === undefined ? null : new BadCell('formula_without_value');
  if (kind === 'e') return new BadCell('formula_error');
  if (kind === 'str') return nonEmpty(unescaped(stored));
  if (kind === 'b') return stored === '1' || stored === 'true';
  if (kind === 'd') return stored;
  if (kind === 's') return stringAt(styles.strings, stored);
  const number = Number(stored);
  if (kind !== 'n' || !Number.isFinite(number)) return new BadCell('invalid_cell');
  if (styles.isDate[Number(cell.attributes.s ?? '0')]) return dayText(number, styles.from1904) ?? new BadCell('invalid_cell');
  // Stored with 17 digits, shown with 15: 0.1 + 0.2 is stored as 0.30000000000000004.
  return Number(number.toPrecision(15));
}

const nonEmpty = (text: string): string | null => (text === '' ? null : text);

function stringAt(strings: readonly string[], stored: string): string | BadCell | null {
  const found = /^\d{1,9}$/.test(stored) ? strings[Number(stored)] : undefined;
  return found === undefined ? new BadCell('invalid_cell') : nonEmpty(found);
}

/** The text of a string, in one piece or in runs of different fonts; phonetic text (rPh) is not part of it. */
export function richText(holder: XmlElement | undefined): string {
  const texts = (holder?.children ?? []).map((child) => {
    const name = localName(child.name);
    return name === 't' ? child.text : name === 'r' ? (childOf(child, 't')?.text ?? '') : '';
  });
  return unescaped(texts.join(''));
}

/** Letters that XML cannot carry are written as `_x000D_`. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))).trim();

/** The last day that Excel knows, 9999-12-31. */
const LAST_DAY = 2_958_465;
const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

/** Excel's own count of days. It takes 1900 for a leap year, so days before March 1900 are one off. */
export function dayText(serial: number, from1904: boolean): string | null {
  const days = from1904 ? serial + 1462 : serial;
  if (days < 1 || days > LAST_DAY + 1) return null;
  const ms = Math.round(((days < 60 ? days + 1 : days) * DAY_MS) / SECOND_MS) * SECOND_MS;
  const text = new Date(Date.UTC(1899, 11, 30) + ms).toISOString();
  return ms % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** Built-in formats of days and times. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Whether a format code shows a day or a time: quoted, escaped and bracketed parts are ignored. */
export function isDateFormat(code: string): boolean {
  let isQuoted = false;
  let isBracketed = false;
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at]!;
    if (isQuoted) isQuoted = char !== '"';
    else if (isBracketed) isBracketed = char !== ']';
    else if (char === '"') isQuoted = true;
    else if (char === '[') isBracketed = true;
    else if (char === '\\' || char === '_' || char === '*') at += 1;
    else if (char === ';') return false;
    else if (/[dmyhsg]/i.test(char)) return !/^general/i.test(code.slice(at));
  }
  return false;
}

/** The styles of a workbook that show days; `custom`: the workbook's own formats by number. */
export const isDateStyle = (format: number, custom: ReadonlyMap<number, string>): boolean =>
  custom.has(format) ? isDateFormat(custom.get(format)!) : isBuiltInDate(format);
