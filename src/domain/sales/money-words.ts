// Amounts as people write them in a sentence.
import type { Text } from '../../kit/errors.ts';
import { formatMoney } from '../../kit/money.ts';

/** `134.50` in English, `134,50` in Turkish. */
export function amountWords(minor: bigint): Text {
  const en = formatMoney(minor);
  return { en, tr: en.replace('.', ',') };
}
