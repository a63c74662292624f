// Dates as people type them: 15.8.26, 15/08/2026, 15 8, 15, bugün, yarın, 2026-08-15.
import { addDays } from '../../../../src/domain/clock/days.ts';

const WORDS: Readonly<Record<string, number>> = {
  bugün: 0,
  bugun: 0,
  today: 0,
  yarın: 1,
  yarin: 1,
  tomorrow: 1,
  dün: -1,
  dun: -1,
  yesterday: -1,
};

/** Two digits: to 2079, otherwise of the last century, for dates of birth. */
const yearOf = (typed: string): number => (typed.length > 2 ? Number(typed) : Number(typed) + (Number(typed) < 80 ? 2000 : 1900));

function dayOf(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const isReal = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isReal && year >= 1000 && year <= 9999 ? at.toISOString().slice(0, 10) : null;
}

/** The day as 2026-08-15, or null where it is none. What is left out is taken from today. */
export function readDate(typed: string, today: string): string | null {
  const text = typed.trim().toLocaleLowerCase('tr');
  const days = WORDS[text];
  if (days !== undefined) return addDays(today, days);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const parts = /^(\d{1,2})(?:[\s./-]+(\d{1,2})(?:[\s./-]+(\d{4}|\d{2}))?)?$/.exec(text);
  if (parts === null) return null;
  const [year, month] = today.split('-').map(Number) as [number, number];
  return dayOf(
    parts[3] === undefined ? year : yearOf(parts[3]),
    parts[2] === undefined ? month : Number(parts[2]),
    Number(parts[1]),
  );
}

/** Complete enough to be taken over while it is typed. */
export const isWholeDate = (typed: string): boolean =>
  /^\s*(\d{4}-\d{2}-\d{2}|\d{1,2}[\s./-]+\d{1,2}[\s./-]+\d{4})\s*$/.test(typed);

/** 15.08.2026 in Turkish, 15/08/2026 in English. */
export function writeDate(day: string, locale: 'tr' | 'en'): string {
  const [year, month, date] = day.split('-');
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  return [date, month, year].join(locale === 'tr' ? '.' : '/');
}
