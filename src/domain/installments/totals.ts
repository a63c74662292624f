// The figures of a sale and its plan, from its terms, its installments and the sums of its collections.
import { sum } from '../../kit/money.ts';
import { isOverdue } from './late-interest.ts';
import { isOpen, type PlanInstallment, remainingOf } from './plan-installment.ts';
import type { PaymentType, SaleStatus } from './sales-states.ts';

export interface SaleTerms {
  readonly sale_price: bigint;
  readonly trade_in_amount: bigint;
  readonly down_payment: bigint;
  readonly finance_charge: bigint;
}

export const totalReceivable = (terms: SaleTerms): bigint => terms.sale_price - terms.trade_in_amount + terms.finance_charge;

export const financedAmount = (terms: SaleTerms): bigint => totalReceivable(terms) - terms.down_payment;

/** The open amount of a sale by its collections; equal to the open amount of its installments. */
export const outstandingAmount = (total: bigint, collected: bigint, discounted: bigint, status: SaleStatus): bigint =>
  status === 'İptal' ? 0n : total - collected - discounted;

/** «Aktif» and «Tamamlandı» follow from the open amount; «İptal» is final. */
export const saleStatus = (status: SaleStatus, outstanding: bigint): SaleStatus =>
  status === 'İptal' ? status : outstanding === 0n ? 'Tamamlandı' : 'Aktif';

export const paymentType = (installments: readonly PlanInstallment[]): PaymentType =>
  installments.some(({ seq }) => seq >= 1) ? 'Taksitli' : 'Peşin';

export const overdueAmount = (installments: readonly PlanInstallment[], today: string, status: SaleStatus): bigint =>
  sum(installments.filter((installment) => isOverdue(installment, today, status)).map(remainingOf));

export interface PlanFigures {
  readonly total_amount: bigint;
  readonly financed_amount: bigint;
  readonly installment_count: number;
  readonly first_due_date: string | null;
  readonly last_due_date: string | null;
  readonly paid_amount: bigint;
  readonly discounted_amount: bigint;
  readonly remaining_amount: bigint;
  readonly overdue_amount: bigint;
  readonly next_due_date: string | null;
}

export function planFigures(installments: readonly PlanInstallment[], today: string, status: SaleStatus): PlanFigures {
  const financed = installments.filter(({ seq }) => seq >= 1);
  const dueDates = financed
    .filter((installment) => installment.status !== 'Yapılandırıldı')
    .map(({ due_date }) => due_date)
    .sort();
  const openDueDates = installments
    .filter(isOpen)
    .map(({ due_date }) => due_date)
    .sort();
  return {
    total_amount: sum(installments.map(({ amount }) => amount)),
    financed_amount: sum(financed.map(({ amount }) => amount)),
    installment_count: dueDates.length,
    first_due_date: dueDates[0] ?? null,
    last_due_date: dueDates.at(-1) ?? null,
    paid_amount: sum(installments.map(({ paid_amount }) => paid_amount)),
    discounted_amount: sum(installments.map(({ discounted_amount }) => discounted_amount)),
    remaining_amount: sum(installments.map(remainingOf)),
    overdue_amount: overdueAmount(installments, today, status),
    next_due_date: openDueDates[0] ?? null,
  };
}
