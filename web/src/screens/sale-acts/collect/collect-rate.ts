// What a sum of the debt is in the money that the customer brings, at the rate that the server would record.

import { formatMoney } from '../../../../../src/kit/money.ts';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useDryRun } from '../../../parts/form/dry-run.ts';
import { rateToSend } from '../../../parts/form/form-amount.ts';
import { filled } from '../../../parts/form/form-body.ts';
import { minorOf } from '../../../records/amounts.ts';
import type { SaleDetail } from '../../../records/sales/sales.ts';
import type { CollectForm } from './collect-values.ts';

export interface PaidRate {
  /** `STG-TL` */
  readonly pair: string;
  /** `64.500000` */
  readonly rate: string;
}

/** A small payment is tried, because a rate is part of a payment. */
const TRIED = '10';

/** Null in the sale's own currency, undefined while it is not known or where the bank has none. */
export function useRate(sale: SaleDetail, values: CollectForm): PaidRate | null | undefined {
  const { currency, exchange_rate, collected_on } = values;
  const isForeign = currency !== sale.currency;
  const body: RawBody<'POST v1/collections'> = {
    sale_id: sale.id,
    amount: TRIED,
    currency,
    collected_on: filled(collected_on),
    exchange_rate: filled(exchange_rate, rateToSend),
  };
  const { reply } = useDryRun('collect-rate', isForeign ? body : null, (typed, headers, signal) =>
    call('POST v1/collections', { rawBody: typed, headers, signal }),
  );
  if (!isForeign) return null;
  if (reply?.currency !== currency || reply.rate_pair === null || reply.exchange_rate === null) return undefined;
  return { pair: reply.rate_pair, rate: reply.exchange_rate };
}

/** Of the pair's quote the debt is so many times more, of its base so many times less; rounded up, so that it covers the debt. */
export function amountPaid(amount: string, currency: string, { pair, rate }: PaidRate): string {
  const [minor, millionths] = [minorOf(amount), BigInt(rate.replace('.', ''))];
  const [part, whole] = pair.endsWith(`-${currency}`) ? [minor * millionths, 1_000_000n] : [minor * 1_000_000n, millionths];
  return formatMoney((part + whole - 1n) / whole);
}
