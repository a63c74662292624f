// The value of a payment in the currency of the debt, and of a refund in the payer's currency. Money is computed from the
// six-digit rate that is recorded, and rounded once.
import type { Currency } from '../../kit/money.ts';
import { canonicalPair, divideHalfUp, type Pair, sidesOf } from './rates.ts';

const ONE = 1_000_000n;

export type RateSide = 'buying' | 'selling';

/**
 * A payment in the pair's quote currency buys the base, at the selling rate; a payment in the base is valued at the buying rate.
 */
export function paymentPair(debt: Currency, paid: Currency): { readonly pair: Pair; readonly side: RateSide } | null {
  if (debt === paid) return null;
  const pair = canonicalPair(`${debt}-${paid}` as Pair);
  return { pair, side: sidesOf(pair)[1] === paid ? 'selling' : 'buying' };
}

const isQuote = (currency: Currency, debt: Currency): boolean => paymentPair(debt, currency)?.side === 'selling';

/** The part of the debt that `amount` pays; `rate` (millionths, of the canonical pair) is null in the same currency. */
export function appliedAmount(amount: bigint, paid: Currency, debt: Currency, rate: bigint | null): bigint {
  if (rate === null || paid === debt) return amount;
  return isQuote(paid, debt) ? divideHalfUp(amount * ONE, rate) : divideHalfUp(amount * rate, ONE);
}

/** The inverse: a refund in the debt's currency, converted to another one. */
export function refundedAmount(refund: bigint, refunded: Currency, debt: Currency, rate: bigint | null): bigint {
  if (rate === null || refunded === debt) return refund;
  return isQuote(refunded, debt) ? divideHalfUp(refund * rate, ONE) : divideHalfUp(refund * ONE, rate);
}

/** True if an agreed rate is within 20 % of the table's, bounds included; without a table rate any rate is accepted. */
export const isAgreedRateInRange = (agreed: bigint, table: bigint | null): boolean =>
  agreed > 0n && (table === null || (agreed * 5n >= table * 4n && agreed * 5n <= table * 6n));
