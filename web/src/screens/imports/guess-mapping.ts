// Which column of a file is which of our fields: guesses, and what a person chose. A guess only fills in the form, where the person
// sees it beside the column's values and can change it.
import { guessColumns } from '../../../../src/domain/imports/column-names.ts';
import { fieldsOf, isRequired, type OurField, specOf, type Target } from './fields.ts';
import { unreadable } from './guess-values.ts';
import type { Preview } from './wire.ts';

/** Our field → the file's column. */
export type Mapping = Readonly<Partial<Record<OurField, string>>>;

export const guessMapping = (target: Target, columns: readonly string[]): Mapping =>
  guessColumns(fieldsOf(target), columns) as Mapping;

/** Keeps chosen columns that the file still has, and guesses the rest. */
export function keepMapping(target: Target, chosen: Mapping, columns: readonly string[]): Mapping {
  const kept = Object.fromEntries(Object.entries(chosen).filter(([, column]) => columns.includes(column!)));
  const free = columns.filter((column) => !Object.values(kept).includes(column));
  const guessed = Object.entries(guessMapping(target, free)).filter(([field]) => !(field in kept));
  return inOrder(target, { ...Object.fromEntries(guessed), ...kept });
}

/** Without guesses of optional fields that none of the column's samples fit: "Motor" may be an engine's size or its number. */
export function withoutMisfits(target: Target, mapping: Mapping, chosen: Mapping, columns: Preview['columns']): Mapping {
  const fits = ([field, name]: [string, string | undefined]): boolean => {
    const samples = columns.find((one) => one.name === name)?.samples ?? [];
    const isKept = chosen[field as OurField] !== undefined || isRequired(target, field) || samples.length === 0;
    return isKept || samples.some((sample) => unreadable(target, field as OurField, [sample]) === undefined);
  };
  return Object.fromEntries(Object.entries(mapping).filter(fits)) as Mapping;
}

/** Sorted by our fields, so that equal mappings are equal texts. */
export const inOrder = <T>(target: Target, byField: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    fieldsOf(target)
      .filter((field) => byField[field] !== undefined)
      .map((field) => [field, byField[field]!]),
  );

/** Required fields without a column or a default. */
export const missingIn = (target: Target, mapping: Mapping, defaults: Readonly<Record<string, string>>): OurField[] =>
  fieldsOf(target).filter((field) => specOf(target, field)?.required && !mapping[field] && !defaults[field]);
