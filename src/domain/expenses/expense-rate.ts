// The value of an expense in the currency in which its car or the business is kept: at the bank's buying rates of its day, or at an
// agreed rate. An expense is money already paid, so a missing rate does not refuse it.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { isAgreedRateInRange } from '../exchange-rates/applied-rate.ts';
import { type PaymentRate, refuseNeedlessRate, refuseRate } from '../exchange-rates/payment-rate.ts';
import { accountSource, bulletinInForce } from '../exchange-rates/rate-table.ts';
import { canonicalPair, divideHalfUp, type Pair, sidesOf } from '../exchange-rates/rates.ts';
import { valuationRate } from '../exchange-rates/valuation.ts';

const ONE = 1_000_000n;

export interface Valued {
  /** Null if the bank has no rate of the ten days up to the day and none was agreed. */
  readonly amount: bigint | null;
  readonly rate: PaymentRate | null;
}

interface Paid {
  readonly amount: bigint;
  readonly currency: Currency;
  readonly day: string;
  readonly agreed: bigint | undefined;
}

export async function valueExpense(db: Db, { amount, currency, day, agreed }: Paid, into: Currency): Promise<Valued> {
  if (currency === into) return agreed === undefined ? { amount, rate: null } : refuseNeedlessRate();
  const pair = canonicalPair(`${currency}-${into}` as Pair);
  const bulletin = await bulletinInForce(db, await accountSource(db), day);
  const table = bulletin === null ? null : valuationRate(bulletin.rates, currency, into).rate;
  if (agreed !== undefined) {
    if (!isAgreedRateInRange(agreed, table)) refuseRate(table!);
    return { amount: valueAt(amount, currency, pair, agreed), rate: { pair, rate: agreed, day, source: 'manuel' } };
  }
  if (bulletin === null || table === null) return { amount: null, rate: null };
  const rate: PaymentRate = { pair, rate: table, day: bulletin.rateDate, source: bulletin.source };
  return { amount: valueAt(amount, currency, pair, table), rate };
}

/** Into the weaker currency the pair's rate multiplies; into the stronger it divides. Rounded once. */
export const valueAt = (amount: bigint, from: Currency, pair: Pair, rate: bigint): bigint =>
  sidesOf(pair)[0] === from ? divideHalfUp(amount * rate, ONE) : divideHalfUp(amount * ONE, rate);
