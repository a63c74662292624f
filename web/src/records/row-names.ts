// What a row of a plan is called: «2/4. taksit», by its place among the rows that still belong to the plan.
import { useTexts } from '../language.ts';
import { saleTexts } from './sales/sale-texts.ts';
import type { Installment, PlanWithRows } from './sales/sales.ts';

interface RowNames {
  /** «2/4. taksit» */
  readonly long: (id: string) => string;
  /** «2/4», in a column of them */
  readonly short: (id: string) => string;
}

/** A restructured row has no place any more and goes by its old number. */
export function useRowNames(plan: Pick<PlanWithRows, 'installments'> | undefined): RowNames {
  const s = useTexts(saleTexts);
  const rows = new Map(plan?.installments.map((row) => [row.id, row]));
  const kept = plan?.installments.filter(isKept) ?? [];
  const name = (id: string, placed: (n: number, all: number) => string): string => {
    const row = rows.get(id);
    if (row === undefined) return '';
    if (row.seq === 0) return s.down;
    return isKept(row) ? placed(kept.findIndex((one) => one.id === id) + 1, kept.length) : s.oldRow(row.seq);
  };
  return { long: (id) => name(id, s.rowOf), short: (id) => name(id, (n, all) => `${n}/${all}`) };
}

const isKept = ({ seq, status }: Installment): boolean => seq > 0 && status !== 'Yapılandırıldı';
