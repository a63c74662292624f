// A node's clock follows the database's, as far as a round trip allows, and a slow round trip does not set it back.
import { expect, test } from 'vitest';
import { createClock } from '../../src/kit/clock.ts';

/** Both clocks are read within one millisecond, or the read is repeated on a busy machine. */
function ahead(clock: ReturnType<typeof createClock>): number {
  for (;;) {
    const [before, read, after] = [Date.now(), clock.now().getTime(), Date.now()];
    if (before === after) return read - before;
  }
}
const near = (value: number, expected: number) => expect(value).toBe(expected);

test('the first answer sets it to the middle of the round trip', () => {
  const clock = createClock();
  const now = Date.now();
  clock.align(now + 60_000, now - 10, now + 10);
  near(ahead(clock), 60_000);
});

test('a slow answer that agrees changes nothing; one that cannot agree moves it by the minimum', () => {
  const clock = createClock();
  const now = Date.now();
  clock.align(now + 60_000, now, now);
  // Sent 8 s ago and answered now: the database may have read its clock at any moment in between.
  clock.align(now + 60_000 - 8000, now - 8000, now);
  near(ahead(clock), 60_000);
  clock.align(now + 60_000, now - 8000, now);
  near(ahead(clock), 60_000);
  clock.align(now + 90_000, now - 8000, now);
  near(ahead(clock), 90_000);
  clock.align(now + 30_000, now - 8000, now);
  near(ahead(clock), 38_000);
});
