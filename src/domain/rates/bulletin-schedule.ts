// When a bank's bulletin of a day can be had, and when it is looked for next.
import { dayIn, startOfDay } from '../../kit/clock.ts';
import { BANK_ZONE, type RateSource } from './rates.ts';

/** How the last look at a bank went; `new` before the first. */
export type LookState = 'new' | 'current' | 'waiting' | 'unreachable' | 'refused' | 'held';

const MINUTE = 60_000;
/** Of its day, once it can be had; and where that day has passed without one, as on holidays. */
const POLL_MS = 15 * MINUTE;
const OVERDUE_MS = 60 * MINUTE;
/** A bulletin that is there may yet be corrected. */
const RECHECK_MS = 120 * MINUTE;

/**
 * From when on a business day's bulletin can be had, in the bank's own time. The bank of Northern Cyprus dates a bulletin by the day
 * it is for and publishes it the afternoon before.
 */
const OPENS_MS: Readonly<Record<RateSource, number>> = { TCMB: (15 * 60 + 30) * MINUTE, KKTCMB: 0 };

/** Today as the bank counts days. */
export const bankDay = (source: RateSource, now: Date): string => dayIn(now, BANK_ZONE[source]);

export const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);

/** The last business day whose bulletin could be had by now. Holidays are not known: the bank's silence tells them. */
export function expectedDay(source: RateSource, now: Date): string {
  let day = bankDay(source, now);
  while (isWeekend(day) || opening(source, day) > now) day = daysBefore(day, 1);
  return day;
}

/** So far back what was missed while nobody looked is asked for: as long as a bulletin can be in force. */
const MAX_MISSED = 10;

/** Business days before the expected one, oldest first, that come after `done`. */
export function daysToFill(source: RateSource, done: string | null, now: Date): string[] {
  const expected = expectedDay(source, now);
  return Array.from({ length: MAX_MISSED }, (_, back) => daysBefore(expected, MAX_MISSED - back)).filter(
    (day) => !isWeekend(day) && (done === null || day > done),
  );
}

/** How long a look may take before another process may look in its place. */
export const claimedUntil = (now: Date): Date => new Date(now.getTime() + POLL_MS);

export function nextLook(source: RateSource, state: LookState, failures: number, now: Date): Date {
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  // Soon after the first failure, then ever later.
  if (failures > 0) return later(Math.min(POLL_MS, 2 ** (failures - 1) * MINUTE));
  const isToday = expectedDay(source, now) === bankDay(source, now);
  const opens = nextOpening(source, now);
  if (state === 'current') return isToday ? sooner(later(RECHECK_MS), opens) : opens;
  return sooner(later(isToday ? POLL_MS : OVERDUE_MS), opens);
}

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

const opening = (source: RateSource, day: string): Date =>
  new Date(startOfDay(day, BANK_ZONE[source]).getTime() + OPENS_MS[source]);

function nextOpening(source: RateSource, now: Date): Date {
  for (let day = bankDay(source, now); ; day = daysBefore(day, -1)) {
    const at = opening(source, day);
    if (!isWeekend(day) && at > now) return at;
  }
}

const sooner = (one: Date, other: Date): Date => (one < other ? one : other);
