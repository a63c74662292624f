// The due time of a task in a form: a day and an optional time. A day alone means its end.
import { dayIn, startOfDay } from '../../../src/kit/clock.ts';
import { businessNow } from '../clock.ts';

export interface DueParts {
  readonly day: string;
  readonly time: string;
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

function timeIn(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}

export function duePartsOf(due: string | null, zone: string): DueParts {
  if (due === null) return { day: '', time: '' };
  const at = new Date(due);
  const day = dayIn(at, zone);
  const isWholeDay = dayIn(new Date(at.getTime() + 1000), zone) !== day;
  return { day, time: isWholeDay ? '' : timeIn(at, zone) };
}

/** For the API: a day, an instant, or null. */
export function dueToSend({ day, time }: DueParts, zone: string): string | null {
  if (day === '') return null;
  if (time === '') return day;
  const guess = startOfDay(day, zone).getTime() + minutesOf(time) * 60_000;
  // On a day with a clock change, midnight plus hours is a different local time.
  const off = minutesOf(time) - minutesOf(timeIn(new Date(guess), zone));
  return new Date(guess + off * 60_000).toISOString();
}

/** The day so many days from today, in the dealer's time zone. */
export const dayAhead = (days: number, zone: string, now = businessNow()): string =>
  new Date(Date.parse(`${dayIn(now, zone)}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
