// The installments of a sale's plan: how an amount is split and when the parts are due.
import { sum } from '../../kit/money.ts';
import { addDays, addMonths, dayOfMonth } from '../clock/days.ts';
import type { PlanInstallment } from './plan-installment.ts';
import type { CustomKind, Period, RoundTo } from './sales-states.ts';

export interface SplitInput {
  readonly installment_count: number;
  readonly period: Period;
  readonly first_due_date: string;
  readonly round_to?: RoundTo | undefined;
}

export interface CustomInstallment {
  readonly due_date: string;
  readonly amount: bigint;
  readonly kind?: CustomKind | undefined;
}

export interface CustomInput {
  readonly installments: readonly CustomInstallment[];
}

export type PlanInput = SplitInput | CustomInput;

export type ScheduleRefusal =
  /** An installment would be less than a cent, or rounded down to zero. */
  | { readonly refused: 'split_too_small' }
  | { readonly refused: 'installments_sum_mismatch'; readonly expected: bigint; readonly actual: bigint }
  | { readonly refused: 'amount_not_positive' | 'dates_not_ascending' | 'due_date_too_early'; readonly index: number };

/** Equal parts rounded down, the rest in the last one; null if a part would be zero. `roundTo` is in whole units. */
export function splitAmount(total: bigint, count: number, roundTo?: number): bigint[] | null {
  const unit = roundTo === undefined ? 1n : BigInt(roundTo) * 100n;
  const even = total / BigInt(count);
  const part = even - (even % unit);
  if (part <= 0n) return null;
  return [...Array<bigint>(count - 1).fill(part), total - part * BigInt(count - 1)];
}

/** The due date that many periods after the first: monthly ones keep the first one's day of the month. */
export function dueDate(first: string, periods: number, period: Period): string {
  return period === 'Aylık' ? addMonths(first, periods) : addDays(first, periods * (period === 'Haftalık' ? 7 : 15));
}

export const dueDates = (first: string, count: number, period: Period): string[] =>
  Array.from({ length: count }, (_, index) => dueDate(first, index, period));

/** The default first due date: one period after the sale. */
export const defaultFirstDueDate = (saleDate: string, period: Period): string => dueDate(saleDate, 1, period);

const newInstallment = (
  installment: Pick<PlanInstallment, 'seq' | 'kind' | 'due_date' | 'amount' | 'due_day'>,
): PlanInstallment => ({
  ...installment,
  original_due_date: installment.due_date,
  paid_amount: 0n,
  discounted_amount: 0n,
  status: 'Bekliyor',
  paid_at: null,
  postpone_count: 0,
});

/** `total` as installments from `firstSeq` on, none due before `earliest`. */
export function scheduleInstallments(
  total: bigint,
  plan: PlanInput,
  { firstSeq, earliest }: { readonly firstSeq: number; readonly earliest: string },
): { readonly installments: PlanInstallment[] } | ScheduleRefusal {
  if ('installments' in plan) return customInstallments(total, plan.installments, firstSeq, earliest);
  const { installment_count: count, period, first_due_date: first } = plan;
  if (first < earliest) return { refused: 'due_date_too_early', index: 0 };
  const amounts = splitAmount(total, count, plan.round_to);
  if (amounts === null) return { refused: 'split_too_small' };
  return {
    installments: dueDates(first, count, period).map((due_date, index) =>
      newInstallment({
        seq: firstSeq + index,
        kind: 'Taksit',
        due_date,
        due_day: dayOfMonth(period === 'Aylık' ? first : due_date),
        amount: amounts[index]!,
      }),
    ),
  };
}

function customInstallments(
  total: bigint,
  custom: readonly CustomInstallment[],
  firstSeq: number,
  earliest: string,
): { readonly installments: PlanInstallment[] } | ScheduleRefusal {
  for (const [index, { amount, due_date }] of custom.entries()) {
    if (amount <= 0n) return { refused: 'amount_not_positive', index };
    if (due_date < earliest) return { refused: 'due_date_too_early', index };
    if (index > 0 && due_date <= custom[index - 1]!.due_date) return { refused: 'dates_not_ascending', index };
  }
  const givenSum = sum(custom.map(({ amount }) => amount));
  if (givenSum !== total) return { refused: 'installments_sum_mismatch', expected: total, actual: givenSum };
  return {
    installments: custom.map(({ due_date, amount, kind = 'Taksit' }, index) =>
      newInstallment({ seq: firstSeq + index, kind, due_date, due_day: dayOfMonth(due_date), amount }),
    ),
  };
}

/**
 * The installments of a new sale: 0 for the down payment if there is one, 1 and up for the financed amount (`plan` null: none).
 */
export function buildSchedule(sale: {
  readonly sale_date: string;
  readonly down_payment: bigint;
  readonly financed_amount: bigint;
  readonly plan: PlanInput | null;
}): { readonly installments: PlanInstallment[] } | ScheduleRefusal {
  const { sale_date, down_payment, plan } = sale;
  const down =
    down_payment > 0n
      ? [newInstallment({ seq: 0, kind: 'Peşinat', due_date: sale_date, due_day: dayOfMonth(sale_date), amount: down_payment })]
      : [];
  if (plan === null) return { installments: down };
  const financed = scheduleInstallments(sale.financed_amount, plan, { firstSeq: 1, earliest: sale_date });
  return 'refused' in financed ? financed : { installments: [...down, ...financed.installments] };
}
