// The value of an amount in another currency: a valuation by the bank's buying rates of one day, not a payment. Money is computed
// from the six-digit rate that is shown, and rounded once.
import type { Currency } from '../../kit/money.ts';
import { canonicalPair, divideHalfUp, type LiraRates, type Pair, sidesOf } from './rates.ts';

const ONE = 1_000_000n;

const buying = (rates: LiraRates, currency: Currency): bigint => (currency === 'TL' ? ONE : rates[currency].buying);

/** The rate of the canonical pair of two different currencies, in millionths: one buying rate divided by the other. */
export function valuationRate(rates: LiraRates, one: Currency, other: Currency): { readonly pair: Pair; readonly rate: bigint } {
  const pair = canonicalPair(`${one}-${other}` as Pair);
  const [base, quote] = sidesOf(pair);
  return { pair, rate: divideHalfUp(buying(rates, base) * ONE, buying(rates, quote)) };
}

/** Into the weaker currency the pair's rate multiplies; into the stronger it divides. */
export function valueIn(rates: LiraRates, amount: bigint, from: Currency, to: Currency): bigint {
  if (from === to) return amount;
  const { pair, rate } = valuationRate(rates, from, to);
  return sidesOf(pair)[0] === from ? divideHalfUp(amount * rate, ONE) : divideHalfUp(amount * ONE, rate);
}
