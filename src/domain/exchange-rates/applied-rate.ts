// What a payment in one currency is worth of a debt in another, and what a refund of that debt is in the payer's currency. Money is
// computed from the six-digit rate that is recorded, and rounded once.
import type { Currency } from '../../kit/money.ts';
import { canonicalPair, divideHalfUp, type Pair, sidesOf } from './rates.ts';

const ONE = 1_000_000n;

export type RateSide = 'buying' | 'selling';

/** Whoever pays in the pair's quote makes the dealer buy the base, at the selling rate; the base itself is worth its buying rate. */
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

/** The way back: what giving back `refund` of the debt's currency is in another one. */
export function refundedAmount(refund: bigint, refunded: Currency, debt: Currency, rate: bigint | null): bigint {
  if (rate === null || refunded === debt) return refund;
  return isQuote(refunded, debt) ? divideHalfUp(refund * rate, ONE) : divideHalfUp(refund * ONE, rate);
}

/** Whether an agreed rate lies within 20 % of the table's, bounds included; where the table has none, any does. */
export const isAgreedRateInRange = (agreed: bigint, table: bigint | null): boolean =>
  agreed > 0n && (table === null || (agreed * 5n >= table * 4n && agreed * 5n <= table * 6n));
