// Restructuring: open installments are reduced to their settled amount, and the rest becomes new installments.
import { sum } from '../../kit/money.ts';
import { isOverdue } from './late-interest.ts';
import { isOpen, type PlanInstallment, remainingOf, settle, settledOf } from './plan-installment.ts';
import {
  type CustomInput,
  type PlanInput,
  type ScheduleRefusal,
  type SplitInput,
  scheduleInstallments,
} from './plan-schedule.ts';

export type RestructuringPlan = Omit<SplitInput, 'first_due_date'> | CustomInput;

export interface Restructured<Row extends PlanInstallment> {
  /** The reduced installments afterwards. */
  readonly cut: Row[];
  readonly added: PlanInstallment[];
  readonly finance_charge: bigint;
  readonly down_payment: bigint;
}

export function restructure<Row extends PlanInstallment>(
  sale: { readonly finance_charge: bigint; readonly down_payment: bigint },
  installments: readonly Row[],
  request: {
    readonly from: string;
    readonly today: string;
    readonly plan: RestructuringPlan;
    readonly add_finance_charge: bigint;
    /** The day of the latest collection on the installment, which is its paid_at once it is closed. */
    readonly lastCollectedOn: (installment: Row) => string | null;
  },
): Restructured<Row> | ScheduleRefusal | { readonly refused: 'nothing_to_restructure' } {
  const { from, today, plan, add_finance_charge: added } = request;
  const affected = installments.filter(
    (installment) => isOpen(installment) && (isOverdue(installment, today, 'Aktif') || installment.due_date >= from),
  );
  if (affected.length === 0) return { refused: 'nothing_to_restructure' };
  const cutOff = sum(affected.map(remainingOf));
  const input: PlanInput = 'installments' in plan ? plan : { ...plan, first_due_date: from };
  const firstSeq = Math.max(0, ...installments.map(({ seq }) => seq)) + 1;
  const scheduled = scheduleInstallments(cutOff + added, input, { firstSeq, earliest: from });
  if ('refused' in scheduled) return scheduled;
  return {
    cut: affected.map((installment) => reduceInstallment(installment, request.lastCollectedOn(installment))),
    added: scheduled.installments,
    finance_charge: sale.finance_charge + added,
    down_payment: sale.down_payment - sum(affected.filter(({ seq }) => seq === 0).map(remainingOf)),
  };
}

function reduceInstallment<Row extends PlanInstallment>(installment: Row, lastCollectedOn: string | null): Row {
  const settled = settledOf(installment);
  return settled === 0n
    ? { ...installment, amount: 0n, status: 'Yapılandırıldı' }
    : settle({ ...installment, amount: settled }, lastCollectedOn);
}
