// Calendar days counted month by month, for comparison with what the service computes.

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
export const monthLength = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : LENGTHS[month - 1]!);

type Civil = [year: number, month: number, day: number];
const read = (text: string): Civil => text.split('-').map(Number) as Civil;
const write = ([year, month, day]: Civil): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Days since 2000-01-01. */
export function dayNumber(text: string): number {
  const [year, month, day] = read(text);
  let count = day - 1;
  for (let earlier = 1; earlier < month; earlier += 1) count += monthLength(year, earlier);
  for (let earlier = 2000; earlier < year; earlier += 1) count += isLeap(earlier) ? 366 : 365;
  return count;
}

export function dayAt(number: number): string {
  let [year, month, rest] = [2000, 1, number];
  while (rest >= (isLeap(year) ? 366 : 365)) {
    rest -= isLeap(year) ? 366 : 365;
    year += 1;
  }
  while (rest >= monthLength(year, month)) {
    rest -= monthLength(year, month);
    month += 1;
  }
  return write([year, month, rest + 1]);
}

export const daysLater = (text: string, days: number): string => dayAt(dayNumber(text) + days);

export function monthsLater(text: string, months: number, dayOfMonth: number): string {
  let [year, month] = read(text);
  for (let step = 0; step < months; step += 1) [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  let day = dayOfMonth;
  while (day > monthLength(year, month)) day -= 1;
  return write([year, month, day]);
}

export const dayOf = (text: string): number => read(text)[2];
