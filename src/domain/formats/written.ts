// Amounts, counts, days and moments as people write them in a sentence, in each language.
import type { Text } from '../../kit/errors.ts';
import { turkishMoney } from './turkish-money.ts';

const ENGLISH = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 });

/** `11500.00` → `11,500.00` in English, `11.500,00` in Turkish. Given as text, it is formatted digit for digit. */
export const writtenMoney = (amount: string): Text => ({
  en: ENGLISH.format(amount as `${number}`),
  tr: turkishMoney(amount),
});

/** The same with its currency behind it. */
export function writtenSum(amount: string, currency: string): Text {
  const { en, tr } = writtenMoney(amount);
  return { en: `${en} ${currency}`, tr: `${tr} ${currency}` };
}

/** 2000000 → `2,000,000` and `2.000.000`; four digits stay together, as they may be a year. */
export const writtenCount = (count: number): Text =>
  Math.abs(count) < 10_000
    ? { en: String(count), tr: String(count) }
    : { en: count.toLocaleString('en-GB'), tr: count.toLocaleString('tr-TR') };

/** `2026-11-18` → `18/11/2026` and `18.11.2026`. */
export function writtenDay(iso: string): Text {
  const parts = iso.split('-').reverse();
  return { en: parts.join('/'), tr: parts.join('.') };
}

/** To the minute, and in UTC where whose clock it is cannot be known. */
export function writtenMoment(at: Date): Text {
  const [day, time] = at.toISOString().split('T') as [string, string];
  const { en, tr } = writtenDay(day);
  const clock = `${time.slice(0, 5)} UTC`;
  return { en: `${en} ${clock}`, tr: `${tr} ${clock}` };
}
