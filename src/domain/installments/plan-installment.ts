// One installment of a plan, and the status that follows from its amounts.
import type { InstallmentKind, InstallmentStatus } from './sales-states.ts';

export interface PlanInstallment {
  /** 0 is the down payment. */
  readonly seq: number;
  readonly kind: InstallmentKind;
  readonly due_date: string;
  readonly original_due_date: string;
  /** The day of the month that postponing by months leads to, if the month has it. */
  readonly due_day: number;
  readonly amount: bigint;
  readonly paid_amount: bigint;
  readonly discounted_amount: bigint;
  readonly status: InstallmentStatus;
  readonly paid_at: string | null;
  readonly postpone_count: number;
}

/** The paid and discounted amount. */
export const settledOf = (installment: PlanInstallment): bigint => installment.paid_amount + installment.discounted_amount;

/** The open amount: zero once the sale is cancelled. */
export const remainingOf = (installment: PlanInstallment): bigint =>
  installment.status === 'İptal' ? 0n : installment.amount - settledOf(installment);

export const isOpen = (installment: PlanInstallment): boolean =>
  installment.status === 'Bekliyor' || installment.status === 'Kısmi Ödendi';

/** Why an installment can be neither paid nor changed; null if it is open. */
export function closedCode(installment: PlanInstallment): 'installment_paid' | 'installment_cancelled' | null {
  if (isOpen(installment)) return null;
  return installment.status === 'Ödendi' ? 'installment_paid' : 'installment_cancelled';
}

/** The installment with the status and paid_at that follow from its new amounts; `on` is the day that closes it. */
export function settle<Row extends PlanInstallment>(installment: Row, on: string | null): Row {
  const settled = settledOf(installment);
  if (settled === installment.amount) return { ...installment, status: 'Ödendi', paid_at: on };
  return { ...installment, status: settled === 0n ? 'Bekliyor' : 'Kısmi Ödendi', paid_at: null };
}

/** The installments of a cancelled sale: open ones are cancelled, their amounts stay as history. */
export const cancelInstallments = <Row extends PlanInstallment>(installments: readonly Row[]): Row[] =>
  installments.map((installment) => (isOpen(installment) ? { ...installment, status: 'İptal' } : installment));

/** All installments, with the changed ones replaced. */
export function withChanged<Row extends PlanInstallment>(installments: readonly Row[], changed: readonly Row[]): Row[] {
  const bySeq = new Map(changed.map((installment) => [installment.seq, installment]));
  return installments.map((installment) => bySeq.get(installment.seq) ?? installment);
}
