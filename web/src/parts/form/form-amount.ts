// Converts typed amounts and numbers to the form that the API expects, by the reader that imports use.
import { plainNumber, plainWhole } from '../../../../src/domain/formats/number-text.ts';

/** The API's amounts have no more before the point. */
const MAX_DIGITS = 12;

/**
 * A typed amount as a plain decimal, or undefined: 1.250.000 and 1250000 are the same, 1500,50 and 1500.50 too.
 */
export function amountOf(typed: string): string | undefined {
  const plain = plainNumber(typed, null);
  return plain !== null && plain.split('.')[0]!.length <= MAX_DIGITS ? plain : undefined;
}

/** An unreadable amount is sent as it is, and the server's error is shown at the field. */
export const amountToSend = (typed: string): string => amountOf(typed) ?? typed;

/** The same of either sign; the minus as keyboards and as texts write it. */
export function signedAmountOf(typed: string): string | undefined {
  const [, sign, rest] = /^\s*([-−]?)(.*)$/.exec(typed) ?? [];
  const amount = amountOf(rest ?? '');
  return amount === undefined || sign === '' ? amount : `-${amount}`;
}

/** 84.000 and 84 000 are 84000. */
export function wholeToSend(typed: string): number | string {
  return plainWhole(typed, null) ?? typed;
}

/** An exchange rate, with a comma or a point. */
export const rateToSend = (typed: string): string => typed.trim().replace(',', '.');
