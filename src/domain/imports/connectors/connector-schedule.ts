// The schedule of a connector: every hour or once a night, in the account's time zone.
import { dayIn, endOf } from '../../../kit/clock.ts';

export const SCHEDULES = ['Elle', 'Saatlik', 'Günlük'] as const;
export type Schedule = (typeof SCHEDULES)[number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** At night staff do not edit the cars that the feed is about to change. */
const NIGHTLY_HOUR = 3;

/** The first time after now, or null. The minute is derived from the connector's id, so that not all run at once. */
export function nextRun(schedule: Schedule, id: string, now: Date, timeZone: string): Date | null {
  if (schedule === 'Elle') return null;
  const minute = (Number.parseInt(id.slice(-4), 16) % 60) * MINUTE;
  if (schedule === 'Saatlik') {
    const hour = Math.floor(now.getTime() / HOUR) * HOUR + minute;
    return new Date(hour > now.getTime() ? hour : hour + HOUR);
  }
  const today = dayIn(now, timeZone);
  const yesterday = new Date(Date.parse(`${today}T00:00:00Z`) - 24 * HOUR).toISOString().slice(0, 10);
  const nights = [yesterday, today].map((day) => endOf({ day }, timeZone).getTime() + NIGHTLY_HOUR * HOUR + minute);
  return new Date(nights.find((at) => at > now.getTime())!);
}
