// What a person has to decide before a file can be imported.
import { type CellReading, currencyIn } from '../../../../src/domain/formats/cell-text.ts';
import { headCurrency } from '../../../../src/domain/imports/head-currency.ts';
import { fieldsOf, type OurField, specOf } from './fields.ts';
import { type ConnectorValues, numberFormatOf, targetOf } from './form-values.ts';
import { type Mapping, missingIn } from './guess-mapping.ts';
import { valuesToMap } from './guess-values.ts';
import type { Preview } from './wire.ts';

export type Question =
  | { readonly kind: 'missing'; readonly fields: readonly OurField[] }
  | { readonly kind: 'words'; readonly field: OurField; readonly words: readonly string[] }
  | { readonly kind: 'numbers'; readonly field: OurField }
  | { readonly kind: 'currency' };

const columnOf = (preview: Preview, name: string | undefined): Preview['columns'][number] | undefined =>
  preview.columns.find((one) => one.name === name);

/** Whether the currency of the prices is named: by a column, by the header, or beside each price. */
export function namesCurrency(mapping: Mapping, preview: Preview): boolean {
  if (mapping.currency !== undefined || headCurrency(mapping.price ?? '') !== null) return true;
  const { samples = [], values = [] } = columnOf(preview, mapping.price) ?? {};
  const seen = values.length > 0 ? values : samples;
  return seen.length > 0 && seen.every((value) => currencyIn(value) !== null);
}

/** How a run will read the field's column. */
export function readingOf(values: ConnectorValues, preview: Preview | null, field: OurField): CellReading {
  const column = preview === null ? undefined : columnOf(preview, values.mapping[field]);
  return { numbers: numberFormatOf(values) ?? column?.numbers ?? preview?.number_format ?? null, days: 'day first' };
}

export function openQuestions(values: ConnectorValues, preview: Preview): Question[] {
  const target = targetOf(values);
  const { mapping, defaults, value_map } = values;
  const missing = missingIn(target, mapping, defaults);
  const mapped = fieldsOf(target).filter((field) => mapping[field] !== undefined);
  const words = mapped.flatMap((field): Question[] => {
    if (specOf(target, field)?.kind !== 'choice') return [];
    const seen = columnOf(preview, mapping[field])?.values ?? [];
    const open = valuesToMap(target, field, seen).filter((word) => value_map[field]?.[word] === undefined);
    return open.length === 0 ? [] : [{ kind: 'words', field, words: open }];
  });
  const numbers = mapped.flatMap((field): Question[] =>
    specOf(target, field)?.kind === 'money' && readingOf(values, preview, field).numbers === 'mixed'
      ? [{ kind: 'numbers', field }]
      : [],
  );
  const isUnnamed = target === 'vehicles' && mapping.price !== undefined && !namesCurrency(mapping, preview);
  return [
    ...(missing.length === 0 ? [] : [{ kind: 'missing' as const, fields: missing }]),
    ...words,
    ...numbers,
    ...(isUnnamed ? [{ kind: 'currency' as const }] : []),
  ];
}
