// When a bank publishes the bulletin of a day, and when we ask for it next.
import { dayIn, startOfDay } from '../../kit/clock.ts';
import { BANK_ZONE, type RateSource } from './rates.ts';

/** The result of the last look at a bank; `new` before the first. */
export type LookState = 'new' | 'current' | 'waiting' | 'unreachable' | 'refused' | 'held';

const MINUTE = 60_000;
/** How often we ask for a bulletin that should be published, and how often once its day has passed, as on holidays. */
const POLL_MS = 15 * MINUTE;
const OVERDUE_MS = 60 * MINUTE;
/** A bank may still correct a published bulletin, so we ask again. */
const RECHECK_MS = 120 * MINUTE;

/**
 * The time of a business day, in the bank's zone, from which its bulletin is published. The bank of Northern Cyprus publishes a
 * bulletin on the afternoon before its date.
 */
const OPENS_MS: Readonly<Record<RateSource, number>> = { TCMB: (15 * 60 + 30) * MINUTE, KKTCMB: 0 };

/** Today in the bank's time zone. */
export const bankDay = (source: RateSource, at: Date): string => dayIn(at, BANK_ZONE[source]);

export const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);

/** The last business day whose bulletin should be published by now. We do not know holidays: the bank simply has no bulletin then. */
export function expectedDay(source: RateSource, realNow: Date): string {
  let day = bankDay(source, realNow);
  while (isWeekend(day) || opening(source, day) > realNow) day = daysBefore(day, 1);
  return day;
}

/** How many days back missed bulletins are fetched: as long as a bulletin can be in force. */
export const MAX_MISSED = 10;

/** Business days after `done` and before the expected one, oldest first. */
export function daysToFill(source: RateSource, done: string | null, realNow: Date): string[] {
  const expected = expectedDay(source, realNow);
  return Array.from({ length: MAX_MISSED }, (_, back) => daysBefore(expected, MAX_MISSED - back)).filter(
    (day) => !isWeekend(day) && (done === null || day > done),
  );
}

/** The time after which another process may take over a look that was not finished. */
export const claimedUntil = (realNow: Date): Date => new Date(realNow.getTime() + POLL_MS);

export function nextLook(source: RateSource, state: LookState, failures: number, realNow: Date): Date {
  const later = (milliseconds: number) => new Date(realNow.getTime() + milliseconds);
  // The pause doubles with each failure.
  if (failures > 0) return later(Math.min(POLL_MS, 2 ** (failures - 1) * MINUTE));
  const isToday = expectedDay(source, realNow) === bankDay(source, realNow);
  const opens = nextOpening(source, realNow);
  if (state === 'current') return isToday ? sooner(later(RECHECK_MS), opens) : opens;
  return sooner(later(isToday ? POLL_MS : OVERDUE_MS), opens);
}

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

const opening = (source: RateSource, day: string): Date =>
  new Date(startOfDay(day, BANK_ZONE[source]).getTime() + OPENS_MS[source]);

function nextOpening(source: RateSource, realNow: Date): Date {
  for (let day = bankDay(source, realNow); ; day = daysBefore(day, -1)) {
    const at = opening(source, day);
    if (!isWeekend(day) && at > realNow) return at;
  }
}

const sooner = (one: Date, other: Date): Date => (one < other ? one : other);
