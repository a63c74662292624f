// Importing one kind of record: how a row is read, matched, decided and written.
import type { Db } from '../../kit/db.ts';
import { type Failure, messageOf, type Text } from '../../kit/errors.ts';
import { type Currency, currencyFromFeed } from '../../kit/money.ts';
import type { Work } from '../../kit/work.ts';
import { type NumberFormat, plainDay, plainNumber, plainWhole } from '../formats/number-text.ts';
import type { Field, FieldContext, FieldError, Fields } from '../records/fields.ts';

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
  /** The source's number format; null accepts both. */
  readonly numberFormat?: () => NumberFormat | null;
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

/** Converts text to the type of the field, and currency codes such as TRY to ours. */
export function feedValue(fields: Fields, name: string, value: unknown, format: NumberFormat | null = null): unknown {
  if (typeof value !== 'string' || !Object.hasOwn(fields, name)) return value;
  const field = fields[name]!;
  if (isWhole(field)) return plainWhole(value, format) ?? value;
  if (isAmount(field)) return plainNumber(value, format) ?? value;
  if (field.schema.format === 'date') return plainDay(value) ?? value;
  return field.fromText(name.endsWith('currency') ? currencyFromFeed(value) : value);
}

const isWhole = ({ schema }: Field<unknown>): boolean => [schema.type].flat().includes('integer');
const isAmount = ({ schema }: Field<unknown>): boolean => [schema.type].flat().includes('number');

/** The fields with a number. */
export const numberFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => isWhole(fields[name]!) || isAmount(fields[name]!));

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
        tr: `${field} ile birden çok kayıt eşleşiyor; satıra kastedilenin external_ref değerini verin`,
      },
    },
  ]);
}

export const present = <T>(values: readonly (T | null | undefined)[]): T[] =>
  values.filter((value): value is T => value !== null && value !== undefined);
