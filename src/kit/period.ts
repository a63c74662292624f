// `from` and `to` of a query as one half-open span of time.
import { endOf, type Moment, startOf } from './clock.ts';
import { fail } from './errors.ts';

export interface Period {
  readonly from: Date;
  /** The first instant after the period. */
  readonly end: Date;
}

export function readPeriod(
  query: { from?: Moment | undefined; to?: Moment | undefined },
  now: Date,
  timeZone: string,
  { days, max }: { days: number; max: number },
): Period {
  const end = query.to === undefined ? new Date(now.getTime() + 1) : endOf(query.to, timeZone);
  const from = query.from === undefined ? new Date(end.getTime() - days * 86_400_000) : startOf(query.from, timeZone);
  if (from >= end) {
    fail('invalid_parameter', {
      param: 'from',
      words: { allowed: { en: 'on or before to', tr: 'to değerinden sonra olmayan bir tarih' } },
    });
  }
  // A clock change may make a span of whole days an hour longer; `end` is a millisecond after the last instant.
  if (end.getTime() - from.getTime() > max * 86_400_000 + 3_600_001) {
    fail('invalid_parameter', {
      param: query.from === undefined ? 'to' : 'from',
      words: { allowed: { en: `at most ${max} days before to`, tr: `to değerinden en çok ${max} gün önce` } },
    });
  }
  return { from, end };
}
