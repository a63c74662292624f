// Where a clock is to be moved to: a duration, a day or an instant.
import { startOfDay } from '../kit/clock.ts';
import { fail, type Text } from '../kit/errors.ts';
import { readDay, readInstant } from '../kit/params.ts';
import type { ClockTarget } from './sandbox-actions.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const ADVANCE: Text = {
  en: 'advance must be a duration such as 30d, 6h or 45m',
  tr: 'advance 30d, 6h ya da 45m gibi bir süre olmalı',
};
const TO: Text = {
  en: 'to must be a day such as 2027-03-01 or an instant such as 2027-03-01T09:00:00Z',
  tr: 'to 2027-03-01 gibi bir gün ya da 2027-03-01T09:00:00Z gibi bir an olmalı',
};
const ONE_OF: Text = { en: 'send either advance or to', tr: 'advance ya da to gönderin' };

export interface ClockBody {
  readonly advance?: string | undefined;
  readonly to?: string | undefined;
}

/** A day is its first moment in the time zone of the world. */
export function readClockTarget({ advance, to }: ClockBody, timezone: string): ClockTarget {
  const refuse = (field: string, code: string, message: Text): never =>
    fail('validation_failed', { details: [{ field, code, message }] });
  if ((advance === undefined) === (to === undefined)) return refuse('advance', 'required', ONE_OF);
  if (advance !== undefined) {
    const [, count = '0', unit = 'd'] = /^([1-9]\d{0,6})([dhm])$/.exec(advance) ?? [];
    return count === '0' ? refuse('advance', 'invalid', ADVANCE) : { advanceMs: Number(count) * UNIT_MS[unit]! };
  }
  const day = readDay(to!);
  return (day === null ? readInstant(to!) : startOfDay(day, timezone)) ?? refuse('to', 'invalid', TO);
}
