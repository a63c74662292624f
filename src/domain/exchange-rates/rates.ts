// Rates between the four currencies, computed from one bulletin's values against the lira, in whole millionths with exact
// division that is rounded once at the end. Floating point is never used.
import type { Currency } from '../../kit/money.ts';

/** Central banks whose bulletins are kept; an account names one of them. */
export const RATE_SOURCES = ['TCMB', 'KKTCMB'] as const;
export type RateSource = (typeof RATE_SOURCES)[number];

/** Where a shown rate is from: in a world, on days after the real one, the last bulletin is carried on and marked. */
export const SHOWN_SOURCES = [...RATE_SOURCES, 'sandbox'] as const;
export type ShownSource = (typeof SHOWN_SOURCES)[number];

/** Where the rate of a payment is from. */
export const APPLIED_SOURCES = [...RATE_SOURCES, 'manuel', 'sandbox'] as const;

/** The bank's time zone, in which its bulletins are dated. */
export const BANK_ZONE: Readonly<Record<RateSource, string>> = { TCMB: 'Europe/Istanbul', KKTCMB: 'Asia/Famagusta' };

/** Strongest first: of two currencies the one that comes first here is the base of their canonical pair. */
const STRENGTH = ['STG', 'EUR', 'USD', 'TL'] as const satisfies readonly Currency[];

/** The currencies that a bulletin quotes against the lira. */
export const BASES = ['STG', 'EUR', 'USD'] as const;
export type Base = (typeof BASES)[number];

type PairOf<B extends Currency, Q extends Currency> = B extends Q ? never : `${B}-${Q}`;
export type Pair = { [B in Currency]: { [Q in Currency]: PairOf<B, Q> }[Currency] }[Currency];

export const CANONICAL_PAIRS = ['STG-TL', 'EUR-TL', 'USD-TL', 'STG-EUR', 'STG-USD', 'EUR-USD'] as const satisfies readonly Pair[];

/** All twelve: the canonical ones, then each the other way round. */
export const PAIRS: readonly Pair[] = [
  ...CANONICAL_PAIRS,
  ...CANONICAL_PAIRS.map((pair) => pair.split('-').reverse().join('-') as Pair),
];

export const isPair = (text: string): text is Pair => PAIRS.some((pair) => pair === text);

/** The same name for both directions of a pair: `USD-STG` → `STG-USD`. */
export function canonicalPair(pair: Pair): Pair {
  const [base, quote] = sidesOf(pair);
  return STRENGTH.indexOf(base) < STRENGTH.indexOf(quote) ? pair : (`${quote}-${base}` as Pair);
}

export const sidesOf = (pair: Pair): [base: Currency, quote: Currency] => pair.split('-') as [Currency, Currency];

/** The price of one unit in millionths of a lira. */
export interface LiraRate {
  readonly buying: bigint;
  readonly selling: bigint;
  readonly banknote_buying: bigint | null;
  readonly banknote_selling: bigint | null;
}

export type LiraRates = Readonly<Record<Base, LiraRate>>;

const ONE = 1_000_000n;
const LIRA: LiraRate = { buying: ONE, selling: ONE, banknote_buying: null, banknote_selling: null };

/**
 * The bank buys the base by selling the quote. With a lira that costs one lira, this rule gives quoted pairs, crosses and
 * inverses alike: the buying rate of an inverse is one over the pair's selling rate, computed from the bulletin and not from a
 * rounded rate.
 */
export function pairRate(rates: LiraRates, pair: Pair): LiraRate {
  const [base, quote] = sidesOf(pair);
  const of = (currency: Currency): LiraRate => (currency === 'TL' ? LIRA : rates[currency]);
  if (quote === 'TL') return of(base);
  return {
    buying: divideHalfUp(of(base).buying * ONE, of(quote).selling),
    selling: divideHalfUp(of(base).selling * ONE, of(quote).buying),
    banknote_buying: null,
    banknote_selling: null,
  };
}

/** To the nearest whole number, halves away from zero; `whole` is positive. */
export const divideHalfUp = (part: bigint, whole: bigint): bigint =>
  part < 0n ? -divideHalfUp(-part, whole) : (2n * part + whole) / (2n * whole);

/** 34231500n → '34.231500' */
export function rateText(millionths: bigint): string {
  const digits = millionths.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** '34.231500', as PostgreSQL writes a numeric(18,6). */
export const parseRate = (text: string): bigint => BigInt(text.replace('.', ''));
