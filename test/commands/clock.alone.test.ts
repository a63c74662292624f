// What `clock` refuses before it opens anything, in one line with the remedy; its moves are in
// test/start/test-clock.full.test.ts.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clockCommand } from '../../src/commands/clock.ts';
import { UsageError } from '../../src/commands/command.ts';

afterEach(() => vi.unstubAllEnvs());

describe.each([['off'], ['']])('with TEST_CLOCK=%s', (off) => {
  test.each([['show'], ['advance', '1h'], ['set', '2027-01-01T00:00:00Z']])('clock %s is refused', async (...words) => {
    vi.stubEnv('TEST_CLOCK', off);
    await expect(clockCommand.run(words)).rejects.toThrow(/^there is no test clock: set TEST_CLOCK=on/);
  });
});

test.each([
  [[], /takes show, advance or set/],
  [['back'], /takes show, advance or set/],
  [['show', 'me'], /unexpected argument "me"/],
  [['advance'], /clock needs a time such as 90m/],
  [['advance', '1h', '1h'], /clock needs a time/],
  [['advance', '-1h'], /not "-1h"; the clock moves forward only/],
  [['advance', '1e9d'], /not "1e9d"/],
  [['advance', '5'], /such as 45s, 90m, 12h or 30d/],
  [['advance', '1.5h'], /not "1.5h"/],
  [['advance', '1w'], /not "1w"/],
  [['advance', '--force', '1h'], /clock needs a time/],
  [['set'], /clock needs an instant/],
  [['set', 'tomorrow'], /such as 2026-01-15T09:00:00Z/],
  [['set', '2026-02-30T10:00:00Z'], /not "2026-02-30T10:00:00Z"/],
  [['set', '2026-01-15T10:00:00'], /not "2026-01-15T10:00:00"/],
  [['set', '2026-01-15T25:00:00Z'], /not "2026-01-15T25:00:00Z"/],
  [['set', '1999-12-31T23:59:59Z'], /from 2000 to 2199/],
  [['set', '2200-01-01'], /from 2000 to 2199/],
] as const)('clock %j is refused', async (words, refusal) => {
  vi.stubEnv('TEST_CLOCK', 'on');
  const refused = await clockCommand.run([...words]).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as Error).message).toMatch(refusal);
  expect((refused as Error).message).not.toContain('\n');
});
