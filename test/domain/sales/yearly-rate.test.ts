// The yearly rate against bounds in fractions: the value of the installments half a hundredth below the result and half a hundredth above
// it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueDates, splitAmount } from '../../../src/domain/installments/plan-schedule.ts';
import { PERIODS } from '../../../src/domain/installments/sales-states.ts';
import { type RatedInstallment, yearlyRate } from '../../../src/domain/installments/yearly-rate.ts';
import { dayAt, dayNumber, dayOf, daysLater, monthsLater } from '../../harness/civil-days.ts';

const SCALE = 10n ** 60n;

/** A number between two fractions of SCALE. */
interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** 1/(1 + r)^(1/30) by bisection: the 30th power of the lower bound is not more, that of the upper bound not less. */
function dailyBounds(growth: bigint): Bounds {
  let [low, high] = [0n, SCALE];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** 30n * growth <= 240_000n * SCALE ** 30n) low = middle;
    else high = middle;
  }
  return { low, high };
}

/** The powers 0, 1, 2 … of a number, each from the one before. */
function powersOf(bounds: Bounds, max: number): Bounds[] {
  const powers = [{ low: SCALE, high: SCALE }];
  for (let step = 0; step < max; step += 1) {
    const { low, high } = powers[step]!;
    powers.push({ low: (low * bounds.low) / SCALE, high: (high * bounds.high) / SCALE + 1n });
  }
  return powers;
}

function timeOf(saleDate: string, due: string): number {
  let months = 0;
  while (monthsLater(saleDate, months + 1, dayOf(saleDate)) <= due) months += 1;
  return months * 30 + dayNumber(due) - dayNumber(monthsLater(saleDate, months, dayOf(saleDate)));
}

/** The value of the installments where 1200·r is half a hundredth below `rate`. */
function worthBelow(rate: bigint, saleDate: string, rows: readonly RatedInstallment[]): Bounds {
  const times = rows.map(({ due_date }) => timeOf(saleDate, due_date));
  const powers = powersOf(dailyBounds(240_000n + 2n * rate - 1n), Math.max(...times));
  let [low, high] = [0n, 0n];
  for (const [index, { amount }] of rows.entries()) {
    const factor = powers[times[index]!]!;
    low += amount * factor.low;
    high += amount * factor.high;
  }
  return { low, high };
}

function expectRight(saleDate: string, price: bigint, rows: readonly RatedInstallment[]): void {
  const rate = yearlyRate(saleDate, price, rows);
  const expected = price * SCALE;
  if (rate === null) {
    expect(worthBelow(100_000n, saleDate, rows).high >= expected).toBe(true);
    return;
  }
  if (rate > 0n) expect(worthBelow(rate, saleDate, rows).high >= expected).toBe(true);
  expect(worthBelow(rate + 1n, saleDate, rows).low < expected).toBe(true);
}

describe('the yearly rate', () => {
  test('is correct to the last digit for any plan', () => {
    fc.assert(
      fc.property(
        fc.nat(9000).map(dayAt),
        fc.bigInt({ min: 100n, max: 99_999_999_999n }),
        fc.nat(900),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(...PERIODS),
        fc.nat(45),
        (saleDate, price, charge, count, period, after) => {
          const amounts = splitAmount(price + (price * BigInt(charge)) / 1000n, count)!;
          const dates = dueDates(daysLater(saleDate, after), count, period);
          expectRight(
            saleDate,
            price,
            dates.map((due_date, index) => ({ due_date, amount: amounts[index]! })),
          );
        },
      ),
      { seed: 1, numRuns: 25 },
    );
  });

  test('on a half is rounded up', () => {
    for (let rate = 1n; rate <= 99_999n; rate += 2_381n) {
      // After whole months a plan can be exactly on the half: (1 + r)·240 000 is a whole number.
      const [price, growth] = [240_000n, 240_000n + 2n * rate - 1n];
      expect(yearlyRate('2026-01-31', price, [{ due_date: '2026-02-28', amount: growth }])).toBe(rate);
      expect(yearlyRate('2026-01-31', price ** 3n, [{ due_date: '2026-04-30', amount: growth ** 3n }])).toBe(rate);
      expect(yearlyRate('2026-01-31', price ** 3n, [{ due_date: '2026-04-30', amount: growth ** 3n - 1n }])).toBe(rate - 1n);
    }
  });

  test('is zero without a charge, and unknown if nothing is financed, no rate fits or it is unreasonable', () => {
    const row = (due_date: string, amount: bigint) => ({ due_date, amount });
    expect(yearlyRate('2026-01-10', 1000n, [row('2026-02-10', 500n), row('2026-03-10', 500n)])).toBe(0n);
    expect(yearlyRate('2026-01-10', 1000n, [row('2026-01-10', 1000n)])).toBe(0n);
    expect(yearlyRate('2026-01-10', 1000n, [])).toBeNull();
    expect(yearlyRate('2026-01-10', 0n, [row('2026-02-10', 500n)])).toBeNull();
    expect(yearlyRate('2026-01-10', -10n, [row('2026-02-10', 500n)])).toBeNull();
    // Paid at once: no time to earn the charge.
    expect(yearlyRate('2026-01-10', 1000n, [row('2026-01-10', 1100n)])).toBeNull();
    expect(yearlyRate('2026-01-10', 1000n, [row('2026-01-10', 1000n), row('2026-02-10', 100n)])).toBeNull();
    expect(yearlyRate('2026-01-10', 240_000n, [row('2026-02-10', 240_000n + 199_998n)])).toBe(99_999n);
    expect(yearlyRate('2026-01-10', 240_000n, [row('2026-02-10', 240_000n + 199_999n)])).toBeNull();
  });

  test('of 120 installments over ten years is correct too', () => {
    const amounts = splitAmount(99_999_999_999_999n, 120)!;
    const dates = dueDates('2026-02-17', 120, 'Aylık');
    expectRight(
      '2026-01-31',
      55_555_555_555_555n,
      dates.map((due_date, index) => ({ due_date, amount: amounts[index]! })),
    );
  });
});
