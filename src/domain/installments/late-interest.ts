// Days overdue and the simple interest for them. Late interest is shown for information: no balance contains it.

import { MAX_AMOUNT, smallerOf, sum } from '../../kit/money.ts';
import { daysBetween } from '../clock/days.ts';
import { divideHalfUp } from '../exchange-rates/rates.ts';
import { isOpen, type PlanInstallment, remainingOf } from './plan-installment.ts';
import type { SaleStatus } from './sales-states.ts';

/** 0 if the installment is not overdue. */
export const daysOverdue = (installment: PlanInstallment, today: string, sale: SaleStatus): number =>
  sale === 'Aktif' && isOpen(installment) && installment.due_date < today ? daysBetween(installment.due_date, today) : 0;

export const isOverdue = (installment: PlanInstallment, today: string, sale: SaleStatus): boolean =>
  daysOverdue(installment, today, sale) > 0;

/** `lateRate` is hundredths of a percent a year. It is shown only, so the largest amount takes the place of a larger one. */
export function lateInterest(installment: PlanInstallment, lateRate: bigint | null, today: string, sale: SaleStatus): bigint {
  const interest = remainingOf(installment) * (lateRate ?? 0n) * BigInt(daysOverdue(installment, today, sale));
  return smallerOf(divideHalfUp(interest, 10_000n * 365n), MAX_AMOUNT);
}

/** Of several installments. */
export const totalLateInterest = (parts: readonly bigint[]): bigint => smallerOf(sum(parts), MAX_AMOUNT);
