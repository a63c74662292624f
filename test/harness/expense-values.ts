// The value of random expenses in another currency, beside the value as it is worked out on paper; a reversal is worth the exact negative.
import fc from 'fast-check';
import { canonicalPair, type Pair } from '../../src/domain/exchange-rates/rates.ts';
import type { valueAt } from '../../src/domain/expenses/expense-rate.ts';
import { CURRENCIES } from '../../src/kit/money.ts';

type Value = typeof valueAt;

const STRONGEST = ['STG', 'EUR', 'USD', 'TL'];

/** Long division, rounded half up. */
function onPaper(amount: bigint, isStronger: boolean, rate: bigint): bigint {
  const [part, whole] = isStronger ? [amount * rate, 1_000_000n] : [amount * 1_000_000n, rate];
  const cents = part / whole;
  return 2n * (part % whole) >= whole ? cents + 1n : cents;
}

/** Planted: fractions of a cent are dropped. */
export const roundedDown: Value = (amount, from, pair, rate) =>
  pair.startsWith(from) ? (amount * rate) / 1_000_000n : (amount * 1_000_000n) / rate;

export function expenseValues(seed: number, n: number, value: Value): string | null {
  const currency = fc.constantFrom(...CURRENCIES);
  const cents = fc.bigInt({ min: 1n, max: 99_999_999_999_999n });
  const rate = fc.bigInt({ min: 1n, max: 999_999_999_999n });
  const property = fc.property(currency, currency, cents, rate, (from, into, amount, at) => {
    fc.pre(from !== into);
    const pair = canonicalPair(`${from}-${into}` as Pair);
    const due = onPaper(amount, STRONGEST.indexOf(from) < STRONGEST.indexOf(into), at);
    const found = value(amount, from, pair, at);
    if (found !== due) throw new Error(`${amount} ${from} at ${pair} ${at} is ${due} ${into}, not ${found}`);
  });
  const details = fc.check(property, { seed, numRuns: Math.max(100, n) });
  return details.failed ? (fc.defaultReportMessage(details) ?? 'failed') : null;
}
