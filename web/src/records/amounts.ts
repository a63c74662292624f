// Sums and differences of amounts that are decimal text, exact to the cent. Only amounts of one currency are given together.
import { formatMoney } from '../../../src/kit/money.ts';

/** '-12.50' → -1250n. */
export const minorOf = (amount: string): bigint => {
  const [, sign, whole = '0', cents = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  const minor = BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'));
  return sign === '-' ? -minor : minor;
};

export const minus = (amount: string, ...taken: readonly string[]): string =>
  formatMoney(taken.reduce((left, one) => left - minorOf(one), minorOf(amount)));

export const plus = (...amounts: readonly string[]): string => formatMoney(amounts.reduce((all, one) => all + minorOf(one), 0n));

export const isAbove = (amount: string, other = '0'): boolean => minorOf(amount) > minorOf(other);

/** How much of a whole an amount is, for the width of a bar. */
export const shareOf = (amount: string, whole: string): number =>
  isAbove(whole) ? Number(minorOf(amount)) / Number(minorOf(whole)) : 0;

/** As a person here would type it: without empty cents, with the comma in Turkish. */
export const typedOf = (amount: string, locale: 'tr' | 'en'): string =>
  amount.replace(/\.00$/, '').replace('.', locale === 'tr' ? ',' : '.');
