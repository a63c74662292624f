// What a row of an import may become, the same for every kind of record.
import type { Db } from '../kit/db.ts';
import type { Currency } from '../kit/money.ts';
import type { FieldContext, FieldError, Fields } from './fields.ts';

export interface ImportAccount {
  readonly id: string;
  readonly timezone: string;
  readonly default_currency: Currency;
}

export type Outcome = 'created' | 'updated' | 'unchanged';

/** A row read and found well formed, ready to be written; or what is wrong with it. */
export type PreparedRow =
  | { readonly apply: (db: Db, now: Date) => Promise<Outcome> }
  | { readonly errors: readonly FieldError[] };

export interface ImportTarget {
  /** The names a column may have. */
  readonly fields: Fields;
  prepare(given: Readonly<Record<string, unknown>>, context: FieldContext): PreparedRow;
  /** Why the database refused a row, where that is the row's matter. */
  conflict(error: unknown): FieldError | null;
}

/** The row is well formed, but what is stored already does not let it in. */
export class RowRefusal extends Error {
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super('the row cannot be applied');
    this.errors = errors;
  }
}

/** The one record a row is about, or null. More than one is told, never guessed at. */
export function onlyMatch<T>(found: readonly T[], field: string): T | null {
  if (found.length < 2) return found[0] ?? null;
  throw new RowRefusal([
    {
      field,
      code: 'ambiguous_match',
      message: {
        en: `More than one record matches by ${field}; give the row an external_ref that one of them has`,
        tr: `${field} ile birden çok kayıt eşleşiyor; satıra birinin external_ref değerini verin`,
      },
    },
  ]);
}
