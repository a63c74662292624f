// Arithmetic of calendar days written as `YYYY-MM-DD`. Such texts compare as the days do, so `<` and `>` work on them.

const MILLISECONDS = 86_400_000;

const instantOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** The last day with a four-digit year: a filter may name it, and the day after it is that day again. */
const LAST_DAY = Date.UTC(9999, 11, 31);
const dayOf = (instant: number): string => new Date(Math.min(instant, LAST_DAY)).toISOString().slice(0, 10);

export const dayOfMonth = (day: string): number => Number(day.slice(8));

export const addDays = (day: string, days: number): string => dayOf(instantOf(day) + days * MILLISECONDS);

/** How many days later `to` is than `from`; negative when it is earlier. */
export const daysBetween = (from: string, to: string): number => (instantOf(to) - instantOf(from)) / MILLISECONDS;

/**
 * The given day of the month (default: the day's own) that many months later, or the month's last day if the month is too short.
 */
export function addMonths(day: string, months: number, dayWithin = dayOfMonth(day)): string {
  const [year, month] = day.split('-').map(Number) as [number, number];
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(dayWithin, lastDay)));
}

/** Whole months (clamped as above) from one day to a later one, and the remaining days. */
export function monthsAndDays(from: string, to: string): { readonly months: number; readonly days: number } {
  const [fromYear, fromMonth] = from.split('-').map(Number) as [number, number];
  const [toYear, toMonth] = to.split('-').map(Number) as [number, number];
  let months = (toYear - fromYear) * 12 + toMonth - fromMonth;
  if (addMonths(from, months) > to) months -= 1;
  return { months, days: daysBetween(addMonths(from, months), to) };
}
