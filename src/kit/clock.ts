// Real time is the database's; a node keeps its difference to it, measured with every heartbeat of the change channel. Business
// time is real time plus the offset of the test clock, which is 0 in every deployment that is not a rehearsal
// (docs/decisions/0039-test-clock.md).

/** One moment on both clocks. */
export interface Times {
  readonly now: Date;
  readonly realNow: Date;
}

export interface Clock {
  /** Business time: of dealers' records, their "today" and everything that falls due. The test clock moves it. */
  now(): Date;
  /**
   * Real time: of sessions, keys, the request log, leases, links and everything that involves other systems. Nothing moves it.
   */
  realNow(): Date;
  times(): Times;
  /** `database` is its clock's answer to a query sent at `sent` and answered at `answered` by the local clock (milliseconds). */
  align(database: number, sent: number, answered: number): void;
  /**
   * Business time minus real time, in milliseconds, as the database answered to a query sent at `sent` (`performance.now()`). An
   * answer that is older than the one in use is ignored: a slow heartbeat must not undo a move of the clock.
   */
  setOffset(milliseconds: number, sent?: number): void;
  /** Advances both clocks of this process; for tests. */
  advance(milliseconds: number): void;
}

export function createClock(): Clock {
  let difference: number | null = null;
  let passed = 0;
  let offset = 0;
  let offsetAt = 0;
  const real = () => Date.now() + (difference ?? 0) + passed;
  return {
    now: () => new Date(real() + offset),
    realNow: () => new Date(real()),
    times: () => {
      const realNow = real();
      return { now: new Date(realNow + offset), realNow: new Date(realNow) };
    },
    align: (database, sent, answered) => {
      // The database read its clock at some moment of the round trip. The middle is the best first guess; later it moves only as
      // far as a round trip proves it wrong, so that a slow one does not set the time back.
      difference = Math.min(database - sent, Math.max(database - answered, difference ?? database - (sent + answered) / 2));
    },
    setOffset: (milliseconds, sent = performance.now()) => {
      if (sent < offsetAt) return;
      offset = milliseconds;
      offsetAt = performance.now();
    },
    advance: (milliseconds) => {
      passed += milliseconds;
    },
  };
}

/** `2026-11-14T21:03:11+00:00`, the form of meta.timestamp. */
export function offsetTimestamp(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+00:00`;
}

/** The instant at which a calendar day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const guess = Date.parse(`${day}T00:00:00Z`);
  // Twice, because the zone's offset at the guess may differ from the one at midnight (a clock change in between).
  const first = guess - zoneOffset(guess, timeZone);
  return new Date(guess - zoneOffset(first, timeZone));
}

/** `2026-11-15T09:30:00` as the clocks of a zone show it. */
export function civilIn(at: Date, timeZone: string): string {
  return new Date(at.getTime() + zoneOffset(at.getTime(), timeZone)).toISOString().slice(0, 19);
}

export const dayIn = (at: Date, timeZone: string): string => civilIn(at, timeZone).slice(0, 10);

const formats = new Map<string, Intl.DateTimeFormat>();
/** Kept per quarter of an hour, because no zone changes its clocks within one. */
const offsets = new Map<string, { readonly quarter: number; readonly offset: number }>();

function zoneOffset(at: number, timeZone: string): number {
  const quarter = Math.floor(at / 900_000);
  const known = offsets.get(timeZone);
  if (known?.quarter === quarter) return known.offset;
  const offset = readOffset(at, timeZone);
  offsets.set(timeZone, { quarter, offset });
  return offset;
}

function readOffset(at: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = 'numeric' as const;
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    formats.set(timeZone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const local = Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!);
  return local - Math.floor(at / 1000) * 1000;
}

/** A calendar day (in the account's time zone) or an instant, as `from` and `to` accept them. */
export type Moment = { day: string } | { at: Date };

export const startOf = (moment: Moment, timeZone: string): Date =>
  'at' in moment ? moment.at : startOfDay(moment.day, timeZone);

/** The first instant that no longer belongs to it: `to` includes its whole day. */
export function endOf(moment: Moment, timeZone: string): Date {
  if ('at' in moment) return new Date(moment.at.getTime() + 1);
  const next = new Date(Date.parse(`${moment.day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return startOfDay(next, timeZone);
}
