// The effective yearly rate of a sale's plan: twelve times the monthly rate at which its discounted installments are worth the
// financed amount without the finance charge.
import { sum } from '../../kit/money.ts';
import { monthsAndDays } from '../clock/days.ts';

/**
 * The result has two decimals. Instead of approximating the rate we test whether it reaches the half below a candidate, in fixed
 * point with an error below the tolerance. Plans whose rate is exactly a half exist (of whole months) and count as reaching it;
 * floating point would decide those by chance.
 */
const BITS = 256n;
const ONE = 1n << BITS;
/** 2^-150 of a cent. A power loses less than its exponent times 2^-254, a sum of amounts 2^54 times that. */
const TOLERANCE = 1n << (BITS - 150n);

const MAX_RATE = 99_999n;
/** Remaining days count as thirtieths of a month. */
const PARTS = 30n;

export interface RatedInstallment {
  readonly due_date: string;
  readonly amount: bigint;
}

/**
 * Hundredths of a percent; null if nothing is financed, no rate fits, or it is above 999.99 %. `rows` are those from seq 1 on.
 */
export function yearlyRate(saleDate: string, financedPrice: bigint, installments: readonly RatedInstallment[]): bigint | null {
  if (installments.length === 0 || financedPrice <= 0n) return null;
  const parts = installments.map(({ due_date, amount }) => {
    const { months, days } = monthsAndDays(saleDate, due_date);
    return { amount, time: BigInt(months) * PARTS + BigInt(days) };
  });
  // The value falls as the rate rises, so for any rate r, `worth at r0 ≥ price` means that r ≥ r0.
  const reaches = (rate: bigint): boolean => {
    const base = discountBase(rate);
    const worth = sum(parts.map(({ amount, time }) => amount * power(base, time)));
    return worth + TOLERANCE >= financedPrice << BITS;
  };
  const total = sum(installments.map(({ amount }) => amount));
  if (total < financedPrice) return null;
  if (total === financedPrice) return 0n;
  if (reaches(MAX_RATE + 1n)) return null;
  let [low, high] = [0n, MAX_RATE];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (reaches(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}

/** 1/(1 + r) to the power of one thirtieth, where 1200·r is half a hundredth below `rate`. */
function discountBase(rate: bigint): bigint {
  const growth = 240_000n + 2n * rate - 1n;
  const target = (240_000n << (BITS * PARTS)) / growth;
  // Newton's steps double the correct digits; from a floating-point root a few are enough, and they end when no digit is gained.
  let root = BigInt(Math.round((240_000 / Number(growth)) ** (1 / Number(PARTS)) * 2 ** 52)) << (BITS - 52n);
  for (;;) {
    const next = ((PARTS - 1n) * root + target / root ** (PARTS - 1n)) / PARTS;
    const moved = next - root;
    root = next;
    if (moved >= -1n && moved <= 1n) return root;
  }
}

function power(base: bigint, exponent: bigint): bigint {
  let result = ONE;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) >> BITS;
    square = (square * square) >> BITS;
  }
  return result;
}
