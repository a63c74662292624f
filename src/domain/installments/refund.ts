// The possible and required refund when a sale is cancelled. For a refund in another currency see
// domain/exchange-rates/applied-rate.ts.
import { addDays } from '../clock/days.ts';
import type { Disposition, PaymentType } from './sales-states.ts';

/** The number of days after an installment sale in which a consumer in Türkiye may withdraw and gets everything back. */
const WITHDRAWAL_DAYS = 7;

export interface CancelledSale {
  readonly country: 'TR' | 'KKTC';
  readonly sale_date: string;
  readonly payment_type: PaymentType;
  readonly customerIsCompany: boolean;
  /** The sum of its payments without late interest, which is not refunded. */
  readonly collected_amount: bigint;
  readonly trade_in_amount: bigint;
}

/** A traded-in car that the dealer keeps counts as a payment. */
export const refundCeiling = (sale: CancelledSale, tradeIn: Disposition): bigint =>
  sale.collected_amount + (tradeIn === 'kalsın' ? sale.trade_in_amount : 0n);

export const isRetentionAllowed = (sale: CancelledSale, today: string): boolean =>
  sale.country !== 'TR' ||
  sale.payment_type !== 'Taksitli' ||
  sale.customerIsCompany ||
  today > addDays(sale.sale_date, WITHDRAWAL_DAYS);

/** With `refund` null, all of it. */
export function settleCancellation(
  sale: CancelledSale,
  { refund, tradeIn, today }: { readonly refund: bigint | null; readonly tradeIn: Disposition; readonly today: string },
):
  | { readonly refunded_amount: bigint; readonly retained_amount: bigint }
  | { readonly refused: 'refund_exceeds_collected' | 'retention_not_allowed' } {
  const ceiling = refundCeiling(sale, tradeIn);
  const refunded = refund ?? ceiling;
  if (refunded > ceiling) return { refused: 'refund_exceeds_collected' };
  const retained = ceiling - refunded;
  if (retained > 0n && !isRetentionAllowed(sale, today)) return { refused: 'retention_not_allowed' };
  return { refunded_amount: refunded, retained_amount: retained };
}
