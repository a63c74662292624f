// Maps a row of a source to our fields: columns renamed, words translated, defaults filled in, and the currency of each amount
// settled from everything that names it.
import type { Currency } from '../../kit/money.ts';
import { currencyIn, currencyOfWord } from '../formats/cell-text.ts';
import { fold } from '../formats/fold-text.ts';
import type { Fields } from '../records/fields.ts';
import type { ImportRow, RowProblem } from './feed-row.ts';
import { headCurrency } from './head-currency.ts';

/** As in a connector's config. */
export interface Mapping {
  readonly mapping: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly value_map: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Fault = RowProblem & { readonly field: string };

export function mapRow({ mapping, defaults, value_map }: Mapping, fields: Fields, row: ImportRow): ImportRow {
  const own: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [field, column] of Object.entries(mapping)) {
    const broken = row.broken?.[column];
    if (broken !== undefined) faults.push({ field, code: broken.code, message: named(column, broken) });
    const value = partOf(field, row.cells[column], mapping);
    if (value === undefined) continue;
    const words = value_map[field];
    const word = String(value).normalize('NFC');
    own[field] = words !== undefined && Object.hasOwn(words, word) ? words[word] : asText(fields, field, value);
  }
  const cells: Record<string, unknown> = { ...defaults, ...own };
  faults.push(...settleCurrencies(cells, own, mapping, fields));
  const at = row.at === undefined ? {} : { at: row.at };
  return { row: row.row, ...at, cells, ...(faults.length === 0 ? {} : { faults }) };
}

const named = (column: string, { message }: RowProblem): RowProblem['message'] => ({
  en: `${column}: ${message.en}`,
  tr: `${column}: ${message.tr}`,
});

/** JSON sources write ids and phone numbers as numbers; for a text field they become their digits. */
function asText(fields: Fields, field: string, value: unknown): unknown {
  const types = [fields[field]?.schema.type].flat();
  return typeof value === 'number' &&
    types.includes('string') &&
    !types.includes('number') &&
    fields[field]?.schema.format !== 'date'
    ? String(value)
    : value;
}

/** Two fields of one column are its parts: "Renault Clio", "Ayşe Yılmaz". */
function partOf(field: string, value: unknown, mapping: Readonly<Record<string, string>>): unknown {
  if (typeof value !== 'string') return value;
  const isShared = (one: string, other: string) => (field === one || field === other) && mapping[one] === mapping[other];
  if (isShared('brand', 'model')) return carParts(value)[field as 'brand' | 'model'];
  if (isShared('first_name', 'last_name')) return nameParts(value)[field as 'first_name' | 'last_name'];
  return value;
}

/** Brands of two words; all others have one. */
const LONG_BRANDS = [
  'alfa romeo',
  'aston martin',
  'great wall',
  'land rover',
  'range rover',
  'mercedes benz',
  'rolls royce',
  'lynk co',
  'ds automobiles',
  'austin healey',
];

function carParts(text: string): { brand?: string; model?: string } {
  const words = text.replace(/\s+/g, ' ').trim().split(' ');
  const isLong = words.length > 2 && LONG_BRANDS.includes(fold(`${words[0]} ${words[1]}`));
  const count = isLong ? 2 : 1;
  const [brand, model] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
  return { ...(brand === '' ? {} : { brand }), ...(model === '' ? {} : { model }) };
}

/** The last word is the surname. */
function nameParts(text: string): { first_name?: string; last_name?: string } {
  const words = text.replace(/\s+/g, ' ').trim().split(' ');
  if (words.length < 2) return { first_name: text };
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1)! };
}

/** The currency of each amount. */
const CURRENCY_OF: Readonly<Record<string, string>> = {
  price: 'currency',
  purchase_price: 'purchase_currency',
  customs_fee: 'purchase_currency',
  other_costs: 'purchase_currency',
};

/**
 * The currency is named by its own column, by the cell ("13.500 £") or by the header ("Fiyat (STG)"). They must agree. A default
 * counts only if none of them names one.
 */
function settleCurrencies(
  cells: Record<string, unknown>,
  own: Readonly<Record<string, unknown>>,
  mapping: Readonly<Record<string, string>>,
  fields: Fields,
): Fault[] {
  const faults: Fault[] = [];
  const settled = new Map<string, Currency>();
  for (const [field, currencyField] of Object.entries(CURRENCY_OF)) {
    const value = own[field] ?? cells[field];
    if (value === undefined || !Object.hasOwn(fields, currencyField)) continue;
    const column = own[currencyField] === undefined ? null : currencyOfWord(String(own[currencyField]).slice(0, 40));
    const named = [
      settled.get(currencyField) ?? column,
      typeof value === 'string' ? currencyIn(value) : null,
      own[field] === undefined ? null : headCurrency(mapping[field] ?? ''),
    ].filter((one) => one !== null);
    const [first] = named;
    if (first === undefined) continue;
    if (named.some((one) => one !== first)) faults.push(conflict(field, named));
    else settled.set(currencyField, first);
  }
  for (const [field, currency] of settled) cells[field] = currency;
  return faults;
}

function conflict(field: string, named: readonly Currency[]): Fault {
  const all = [...new Set(named)];
  return {
    field,
    code: 'currency_conflict',
    message: {
      en: `${field} has two currencies, ${all.join(' and ')}: the cell, the header and the currency column must agree`,
      tr: `${field} için iki para birimi yazıyor, ${all.join(' ve ')}: hücre, başlık ve para birimi sütunu aynı olmalı`,
    },
  };
}

/** A corrected row: its amounts may name their currency. */
export function settleRow(cells: Readonly<Record<string, unknown>>, fields: Fields): Pick<ImportRow, 'cells' | 'faults'> {
  const settled = { ...cells };
  return { cells: settled, faults: settleCurrencies(settled, cells, {}, fields) };
}
