// Amounts as written in a sentence.
import type { Text } from '../../kit/errors.ts';
import { formatMoney } from '../../kit/money.ts';
import { writtenMoney } from '../formats/written.ts';

/** `1,134.50` in English, `1.134,50` in Turkish. */
export const amountWords = (minor: bigint): Text => writtenMoney(formatMoney(minor));
