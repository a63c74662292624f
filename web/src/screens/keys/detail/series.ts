// Hours or days without calls are missing in the rollups; a chart shows them as zero, not as a gap.
import { dayIn, startOfDay } from '../../../../../src/kit/clock.ts';

export interface Point {
  readonly at: string;
  readonly count: number;
  readonly errors: number;
}

const HOUR = 3_600_000;

export function filledSeries(points: readonly Point[], from: string, to: string, step: 'hour' | 'day', zone: string): Point[] {
  const known = new Map(points.map((point) => [new Date(point.at).getTime(), point]));
  const end = new Date(to).getTime();
  const filled: Point[] = [];
  for (let at = firstOf(new Date(from), step, zone); at <= end; at = nextOf(at, step, zone))
    filled.push(known.get(at) ?? { at: new Date(at).toISOString(), count: 0, errors: 0 });
  return filled;
}

const firstOf = (at: Date, step: 'hour' | 'day', zone: string): number =>
  step === 'hour' ? Math.floor(at.getTime() / HOUR) * HOUR : startOfDay(dayIn(at, zone), zone).getTime();

/** A day with a clock change has 23 or 25 hours, so 36 hours later is always in the next day. */
const nextOf = (at: number, step: 'hour' | 'day', zone: string): number =>
  step === 'hour' ? at + HOUR : startOfDay(dayIn(new Date(at + 36 * HOUR), zone), zone).getTime();
