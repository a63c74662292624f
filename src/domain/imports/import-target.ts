// Importing one kind of record: how a row is read, matched, decided and written.
import type { Db } from '../../kit/db.ts';
import { type Failure, messageOf, type Text } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import type { Work } from '../../kit/work.ts';
import { type CellReading, PLAIN_READING, readAmount, readDayCell, readFlag, readWhole } from '../formats/cell-text.ts';
import type { Field, FieldContext, FieldError, Fields } from '../records/fields.ts';
import { valueOfWord } from './value-words.ts';

export interface ImportAccount {
  readonly id: string;
  readonly timezone: string;
  readonly country: 'KKTC' | 'TR';
  readonly default_currency: Currency;
}

export interface ImportMoment extends FieldContext {
  readonly now: Date;
}

/** The effect of a row, decided from the records known before it. */
export type Decision<Stored> =
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'created' | 'updated'; readonly stored: Stored; write(work: Work): Promise<unknown> };
export type Outcome = Decision<unknown>['outcome'];

export interface ImportTarget<Row = unknown, Stored extends { readonly id: string } = { readonly id: string }> {
  /** The fields that a row may set. */
  readonly fields: Fields;
  /** How the cells of a field are to be read. */
  readonly reading?: (field: string) => CellReading;
  read(input: Readonly<Record<string, unknown>>, context: FieldContext): { values: Row; errors: readonly FieldError[] };
  /** Locks every record that one of the rows may match. */
  load(db: Db, rows: readonly Row[]): Promise<Stored[]>;
  /** Throws a RowRefusal if the stored record does not allow the row. */
  decide(known: readonly Stored[], row: Row, moment: ImportMoment): Decision<Stored>;
  /** The row's error for an error on writing it; null if the row is not the cause. */
  conflict(error: unknown): RowFault | null;
}

export interface RowFault {
  /** Null if the row as a whole is at fault. */
  readonly field: string | null;
  readonly code: string;
  readonly message: Text;
}

/** A domain rule's refusal as the error of a row. */
export function faultOf({ code, facts }: Failure, field: string | null): RowFault {
  const [detail] = facts.details ?? [];
  if (detail !== undefined) return detail as FieldError;
  return { field, code, message: { en: messageOf(code, facts, 'en'), tr: messageOf(code, facts, 'tr') } };
}

/** Converts a cell to the type of the field. What cannot be converted stays as it is, and the field refuses it. */
export function feedValue(fields: Fields, name: string, value: unknown, reading: CellReading = PLAIN_READING): unknown {
  if (!Object.hasOwn(fields, name)) return value;
  const field = fields[name]!;
  if (typeof value === 'number') return numberValue(field, name, value);
  if (typeof value === 'string' && field.schema.type === 'array') return listOf(value);
  if (typeof value !== 'string' || value.length > MAX_CELL) return value;
  if (isWhole(field)) return readWhole(name, value, reading.numbers) ?? value;
  if (isAmount(field)) {
    const read = readAmount(value, reading.numbers);
    return typeof read === 'object' ? read.amount : value;
  }
  if (isDay(field)) return readDayCell(value, reading.days) ?? value;
  if (field.schema.format === 'date-time') return (value.includes('T') ? null : readDayCell(value, reading.days)) ?? value;
  if ([field.schema.type].flat().includes('boolean')) return readFlag(value) ?? field.fromText(value);
  const values = valuesOf(field);
  return values === null ? field.fromText(value) : (valueOfWord(name, values, value) ?? value);
}

/** A list in one cell: "Klima, Cam tavan; Navigasyon". */
const listOf = (text: string): string[] =>
  text
    .split(/[,;|\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Longer than any cell that is not plain text. */
const MAX_CELL = 200;

/** Excel counts days, and its engine sizes are litres. */
function numberValue(field: Field<unknown>, name: string, value: number): unknown {
  if (isDay(field)) return readDayCell(value) ?? value;
  return name === 'engine_cc' && value >= 0.5 && value < 10 ? Math.round(value * 1000) : value;
}

const isWhole = ({ schema }: Field<unknown>): boolean => [schema.type].flat().includes('integer');
const isAmount = ({ schema }: Field<unknown>): boolean => [schema.type].flat().includes('number');
const isDay = ({ schema }: Field<unknown>): boolean => schema.format === 'date';
const valuesOf = ({ schema }: Field<unknown>): readonly string[] | null =>
  Array.isArray(schema.enum) ? schema.enum.filter((value): value is string => typeof value === 'string') : null;

/** The error of a cell in the words of the people who wrote it, with examples of what can be read. */
export function cellError(fields: Fields, error: FieldError, value: unknown, reading: CellReading): FieldError {
  const field = Object.hasOwn(fields, error.field) ? fields[error.field]! : null;
  if (field === null || !UNREADABLE.includes(error.code)) return error;
  const isAmbiguous = isAmount(field) && typeof value === 'string' && readAmount(value, reading.numbers) === 'ambiguous';
  if (isAmbiguous) return { field: error.field, code: 'ambiguous_amount', message: AMBIGUOUS(error.field) };
  const examples = isAmount(field)
    ? EXAMPLES.amount
    : isDay(field)
      ? EXAMPLES.day
      : isWhole(field)
        ? EXAMPLES[error.field]
        : undefined;
  if (examples === undefined) return error;
  return {
    ...error,
    message: {
      en: `${error.field} cannot be read. It can be written as ${examples.en}`,
      tr: `${error.field} okunamıyor. Şöyle yazılabilir: ${examples.tr}`,
    },
  };
}

const UNREADABLE = ['invalid', 'invalid_amount'];

const AMBIGUOUS = (field: string): Text => ({
  en: `${field} can be read in two ways: a point or comma before three digits may separate thousands or decimals. Choose the number format of the file, or write it without separators, such as 13500`,
  tr: `${field} iki türlü okunabilir: üç rakamdan önceki nokta ya da virgül binlik de olabilir ondalık da. Dosyanın sayı biçimini seçin ya da ayraçsız yazın: 13500`,
});

const EXAMPLES: Readonly<Record<string, Text>> = {
  amount: {
    en: '620,000 or 620.000, 13,500.50 or 13.500,50, 620.000 TL, £13,500',
    tr: '620.000, 620.000,50, 620.000 TL, £13,500 ya da 13.500 £',
  },
  day: {
    en: '15.08.2026, 15.8.26, 15/08/2026, 15 August 2026 or 2026-08-15',
    tr: '15.08.2026, 15.8.26, 15/08/2026 ya da 15 Ağustos 2026',
  },
  km: { en: '84000, 84.000, 84,000 or 84.000 km', tr: '84.000, 84000, 84.000 km ya da 84 bin' },
  model_year: { en: '2019 or 2019 model', tr: '2019 ya da 2019 model' },
  engine_cc: { en: '1598, 1.598 cc or 1.6', tr: '1598, 1.598 cc ya da 1,6' },
  power_hp: { en: '105, 105 hp', tr: '105, 105 hp ya da 105 bg' },
};

/** The fields with a number. */
export const numberFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => isWhole(fields[name]!) || isAmount(fields[name]!));

export const dayFields = (fields: Fields): string[] => Object.keys(fields).filter((name) => isDay(fields[name]!));

export class RowRefusal extends Error {
  readonly errors: readonly RowFault[];
  constructor(errors: readonly RowFault[]) {
    super('the row cannot be applied');
    this.errors = errors;
  }
}

/** The one record that matches, or null. Several matches refuse the row. */
export function onlyMatch<T>(found: readonly T[], field: string): T | null {
  if (found.length < 2) return found[0] ?? null;
  throw new RowRefusal([
    {
      field,
      code: 'ambiguous_match',
      message: {
        en: `More than one record matches by ${field}; add the external_ref of the right one to the row`,
        tr: `${field} ile birden çok kayıt eşleşiyor; satırda doğru kaydın external_ref değerini verin`,
      },
    },
  ]);
}

export const present = <T>(values: readonly (T | null | undefined)[]): T[] =>
  values.filter((value): value is T => value !== null && value !== undefined);
