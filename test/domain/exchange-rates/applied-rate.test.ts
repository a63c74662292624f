// Payments and refunds in another currency: every result is the nearest cent, checked without the division that computed it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appliedAmount,
  isAgreedRateInRange,
  paymentPair,
  refundedAmount,
} from '../../../src/domain/exchange-rates/applied-rate.ts';
import { divideHalfUp } from '../../../src/domain/exchange-rates/rates.ts';
import { CURRENCIES, type Currency } from '../../../src/kit/money.ts';

const amount = fc.oneof(fc.bigInt({ min: 1n, max: 5000n }), fc.bigInt({ min: 1n, max: 99_999_999_999_999n }));
const rate = fc.oneof(fc.bigInt({ min: 1n, max: 2_000_000n }), fc.bigInt({ min: 1n, max: 99_999_000_000n }));

/** `found` is over/under to the nearest whole number, the upper one on a tie. */
const isNearest = (found: bigint, over: bigint, under: bigint): boolean => {
  const twiceAway = 2n * over - 2n * found * under;
  return -under <= twiceAway && twiceAway < under;
};

describe('a pair', () => {
  test('has the stronger currency first; its quote is paid at the selling rate, its base at the buying rate', () => {
    const order: Currency[] = ['STG', 'EUR', 'USD', 'TL'];
    for (const debt of CURRENCIES) {
      for (const paid of CURRENCIES) {
        const [stronger, weaker] = [debt, paid].sort((a, b) => order.indexOf(a) - order.indexOf(b));
        expect(paymentPair(debt, paid)).toEqual(
          debt === paid ? null : { pair: `${stronger}-${weaker}`, side: paid === weaker ? 'selling' : 'buying' },
        );
      }
    }
  });
});

describe('an amount in another currency', () => {
  test('is the nearest cent, in either direction', () => {
    fc.assert(
      fc.property(amount, rate, (paid, at) => {
        expect(isNearest(appliedAmount(paid, 'TL', 'STG', at), paid * 1_000_000n, at)).toBe(true);
        expect(isNearest(appliedAmount(paid, 'STG', 'TL', at), paid * at, 1_000_000n)).toBe(true);
        expect(isNearest(refundedAmount(paid, 'TL', 'STG', at), paid * at, 1_000_000n)).toBe(true);
        expect(isNearest(refundedAmount(paid, 'STG', 'TL', at), paid * 1_000_000n, at)).toBe(true);
        expect([appliedAmount(paid, 'USD', 'USD', null), refundedAmount(paid, 'USD', 'USD', null)]).toEqual([paid, paid]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test('on a half cent is rounded away from zero, also below it', () => {
    expect(appliedAmount(1n, 'STG', 'TL', 2_500_000n)).toBe(3n);
    expect(appliedAmount(5n, 'TL', 'USD', 2_000_000n)).toBe(3n);
    expect([divideHalfUp(5n, 2n), divideHalfUp(-5n, 2n), divideHalfUp(-4n, 3n), divideHalfUp(0n, 7n)]).toEqual([
      3n,
      -3n,
      -1n,
      0n,
    ]);
  });
});

test('an agreed rate may differ up to 20 % from the table, bounds included; without a table rate it is free', () => {
  expect(isAgreedRateInRange(51_600_000n, 64_500_000n)).toBe(true);
  expect(isAgreedRateInRange(51_599_999n, 64_500_000n)).toBe(false);
  expect(isAgreedRateInRange(77_400_000n, 64_500_000n)).toBe(true);
  expect(isAgreedRateInRange(77_400_001n, 64_500_000n)).toBe(false);
  // Bounds that are not whole millionths.
  expect(isAgreedRateInRange(1_077_244n, 1_346_555n)).toBe(true);
  expect(isAgreedRateInRange(1_077_243n, 1_346_555n)).toBe(false);
  expect(isAgreedRateInRange(1_615_866n, 1_346_555n)).toBe(true);
  expect(isAgreedRateInRange(1_615_867n, 1_346_555n)).toBe(false);
  expect(isAgreedRateInRange(1n, null)).toBe(true);
  expect(isAgreedRateInRange(0n, null)).toBe(false);
});
