// The rate for paying a debt in another currency: the bank's rate of the day, or an agreed one.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { refusedDay } from '../formats/written.ts';
import { isAgreedRateInRange, paymentPair } from './applied-rate.ts';
import { accountSource, bulletinInForce } from './rate-table.ts';
import { type APPLIED_SOURCES, type Pair, pairRate, rateText } from './rates.ts';

export interface PaymentRate {
  readonly pair: Pair;
  /** Millionths. */
  readonly rate: bigint;
  readonly day: string;
  readonly source: (typeof APPLIED_SOURCES)[number];
}

/** Null if both are in the same currency. Without a bulletin an agreed rate is required. */
export async function paymentRate(
  db: Db,
  {
    debt,
    paid,
    day,
    agreed,
  }: { readonly debt: Currency; readonly paid: Currency; readonly day: string; readonly agreed?: bigint | undefined },
): Promise<PaymentRate | null> {
  const quote = paymentPair(debt, paid);
  if (quote === null) return agreed === undefined ? null : refuseNeedlessRate();
  const { pair, side } = quote;
  const source = await accountSource(db);
  const bulletin = await bulletinInForce(db, source, day);
  const table = bulletin === null ? null : pairRate(bulletin.rates, pair)[side];
  if (agreed !== undefined) {
    if (!isAgreedRateInRange(agreed, table)) refuseRate(table!);
    return { pair, rate: agreed, day, source: 'manuel' };
  }
  if (bulletin === null || table === null) return fail('rate_not_available', { words: { source, day: refusedDay(day) } });
  return { pair, rate: table, day: bulletin.rateDate, source: bulletin.source };
}

export const refuseNeedlessRate = (): never => fail('exchange_rate_not_needed', { details: [NOT_NEEDED] });

const NOT_NEEDED = {
  field: 'exchange_rate',
  code: 'exchange_rate_not_needed',
  message: {
    en: 'Both amounts are in the same currency; remove the exchange rate',
    tr: 'İki tutar aynı para biriminde; kuru göndermeyin',
  },
};

export function refuseRate(table: bigint): never {
  const rate = rateText(table);
  const words = { en: rate, tr: rate.replace('.', ',') };
  const message = { en: `It must be within 20% of ${words.en}`, tr: `${words.tr} kurundan en çok %20 sapabilir` };
  return fail('exchange_rate_out_of_range', {
    words: { rate: words },
    details: [{ field: 'exchange_rate', code: 'exchange_rate_out_of_range', message }],
  });
}
