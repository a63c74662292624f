// The platform's price list of boosts, by kind and days; the same for every dealer.
import type { Currency } from '../../kit/money.ts';
import type { BoostKind } from './boost-states.ts';

export interface BoostPackage {
  /** `Vitrin-7`, as used in an order. */
  readonly code: string;
  /** Two boosts of the same kind never overlap on a listing. */
  readonly kind: BoostKind;
  readonly name: string;
  readonly days: number;
  readonly price_minor: bigint;
  readonly currency: Currency;
}

const PRICES = {
  Vitrin: { 7: 120_000n, 14: 210_000n, 30: 400_000n },
  'Üst Sıra': { 7: 105_000n, 14: 190_000n, 30: 360_000n },
  Acil: { 7: 60_000n, 14: 110_000n, 30: 200_000n },
} as const satisfies Record<BoostKind, Readonly<Record<number, bigint>>>;

export const BOOST_PACKAGES: readonly BoostPackage[] = Object.entries(PRICES).flatMap(([kind, prices]) =>
  Object.entries(prices).map(([days, price_minor]) => ({
    code: `${kind}-${days}`,
    kind: kind as BoostKind,
    name: `${kind}, ${days} gün`,
    days: Number(days),
    price_minor,
    currency: 'TL',
  })),
);
