// Amounts, counts, days and moments as people write them in a sentence, in each language.
import type { Text } from '../../kit/errors.ts';
import { turkishMoney } from './turkish-money.ts';

const ENGLISH = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 });

/**
 * In an error message: `11500.00` in English, as in the API's own amounts, and `11.500,00` in Turkish. Formatted digit for digit.
 */
export const writtenMoney = (amount: string): Text => ({ en: amount, tr: turkishMoney(amount) });

/** In a sentence for people, with its currency: `11,500.00 STG` and `11.500,00 STG`. */
export const writtenSum = (amount: string, currency: string): Text => ({
  en: `${ENGLISH.format(amount as `${number}`)} ${currency}`,
  tr: `${turkishMoney(amount)} ${currency}`,
});

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

/** In an error message: the API's notation of days in English. */
export const refusedDay = (iso: string): Text => ({ en: iso, tr: writtenDay(iso).tr });

/** In an error message, to the minute, and in UTC, because the reader's time zone is not known. */
export function writtenMoment(at: Date): Text {
  const [day, time] = at.toISOString().split('T') as [string, string];
  const { en, tr } = refusedDay(day);
  const clock = `${time.slice(0, 5)} UTC`;
  return { en: `${en} ${clock}`, tr: `${tr} ${clock}` };
}
