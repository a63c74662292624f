// The currency in the name of a column: `Fiyat (STG)`, `Satış Fiyatı £`, `price_gbp`.
import type { Currency } from '../../kit/money.ts';
import { currencyOfWord } from '../formats/cell-text.ts';

/** Null if the name has none, or more than one. */
export function headCurrency(column: string): Currency | null {
  const words = column.slice(0, 200).split(/[\s()[\]{}/_.:,-]+/);
  const signs = [...column.slice(0, 200)].filter((char) => '₺£$€'.includes(char));
  const found = new Set([...words, ...signs].flatMap((word) => (word === '' ? [] : (currencyOfWord(word) ?? []))));
  return found.size === 1 ? [...found][0]! : null;
}
