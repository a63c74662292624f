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
export const settledOf = (row: PlanInstallment): bigint => row.paid_amount + row.discounted_amount;

/** The open amount: zero once the sale is cancelled. */
export const remainingOf = (row: PlanInstallment): bigint => (row.status === 'İptal' ? 0n : row.amount - settledOf(row));

export const isOpen = (row: PlanInstallment): boolean => row.status === 'Bekliyor' || row.status === 'Kısmi Ödendi';

/** Why an installment can be neither paid nor changed; null if it is open. */
export function closedCode(row: PlanInstallment): 'installment_paid' | 'installment_cancelled' | null {
  if (isOpen(row)) return null;
  return row.status === 'Ödendi' ? 'installment_paid' : 'installment_cancelled';
}

/** The installment with the status and paid_at that follow from its new amounts; `on` is the day that closes it. */
export function settle<Row extends PlanInstallment>(row: Row, on: string | null): Row {
  const settled = settledOf(row);
  if (settled === row.amount) return { ...row, status: 'Ödendi', paid_at: on };
  return { ...row, status: settled === 0n ? 'Bekliyor' : 'Kısmi Ödendi', paid_at: null };
}

/** The installments of a cancelled sale: open ones are cancelled, their amounts stay as history. */
export const cancelInstallments = <Row extends PlanInstallment>(rows: readonly Row[]): Row[] =>
  rows.map((row) => (isOpen(row) ? { ...row, status: 'İptal' } : row));

/** All installments, with the changed ones replaced. */
export function withChanged<Row extends PlanInstallment>(rows: readonly Row[], changed: readonly Row[]): Row[] {
  const bySeq = new Map(changed.map((row) => [row.seq, row]));
  return rows.map((row) => bySeq.get(row.seq) ?? row);
}
