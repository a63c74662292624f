// What an installment of a plan is called: «2/4. taksit», by its place among the installments that still belong to the plan.
import { useTexts } from '../language.ts';
import { saleTexts } from './sales/sale-texts.ts';
import type { Installment, PlanWithInstallments } from './sales/sales.ts';

interface InstallmentNames {
  /** «2/4. taksit» */
  readonly long: (id: string) => string;
  /** «2/4», in a column of them */
  readonly short: (id: string) => string;
}

/** A restructured installment has no place any more and goes by its old number. */
export function useInstallmentNames(plan: Pick<PlanWithInstallments, 'installments'> | undefined): InstallmentNames {
  const s = useTexts(saleTexts);
  const installments = new Map(plan?.installments.map((installment) => [installment.id, installment]));
  const kept = plan?.installments.filter(isKept) ?? [];
  const name = (id: string, placed: (n: number, all: number) => string): string => {
    const installment = installments.get(id);
    if (installment === undefined) return '';
    if (installment.seq === 0) return s.down;
    return isKept(installment) ? placed(kept.findIndex((one) => one.id === id) + 1, kept.length) : s.oldRow(installment.seq);
  };
  return { long: (id) => name(id, s.rowOf), short: (id) => name(id, (n, all) => `${n}/${all}`) };
}

const isKept = ({ seq, status }: Installment): boolean => seq > 0 && status !== 'Yapılandırıldı';
