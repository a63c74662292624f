// The installments of a plan that an act would change, as the server would leave them, beside how they are.
import { ArrowRight } from 'lucide-react';
import type { SalePreview } from '../../../../src/domain/sales/sale-preview.ts';
import { useTexts } from '../../language.ts';
import type { DryRun } from '../../parts/form/dry-run.ts';
import { DryRunNote } from '../../parts/form/dry-run-note.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { useInstallmentNames } from '../../records/installment-names.ts';
import type { Installment, PlanWithInstallments } from '../../records/sales/sales.ts';
import { saleActsTexts } from './texts.ts';

interface PlanPreviewProps {
  readonly run: DryRun<SalePreview>;
  readonly plan: PlanWithInstallments;
  /** Field → its label in the form. */
  readonly names: Readonly<Record<string, string>>;
  readonly children: (preview: SalePreview) => string;
}

export function PlanPreview({ run, plan, names, children }: PlanPreviewProps) {
  return (
    <div className="flex flex-col gap-2">
      <DryRunNote run={run} names={names}>
        {children}
      </DryRunNote>
      {run.error === null && run.reply && <ChangedRows before={plan} after={run.reply.plan} />}
    </div>
  );
}

const signatureOf = ({ due_date, amount, status }: Installment): string => `${due_date} ${amount} ${status}`;

function ChangedRows({ before, after }: { readonly before: PlanWithInstallments; readonly after: PlanWithInstallments }) {
  const t = useTexts(saleActsTexts);
  const names = useInstallmentNames(after);
  const known = new Map(before.installments.map((installment) => [installment.id, installment]));
  const isChanged = (installment: Installment) =>
    known.get(installment.id) === undefined || signatureOf(known.get(installment.id)!) !== signatureOf(installment);
  // An installment that this closes is named by the sentence above.
  const changed = after.installments.filter((installment) => installment.status !== 'Yapılandırıldı' && isChanged(installment));
  if (changed.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <section aria-label={t.changedRows} tabIndex={0} className="max-h-56 overflow-y-auto rounded-control border border-line px-3">
      <table className="w-full border-collapse text-13">
        <tbody>
          {changed.map((installment) => {
            const old = known.get(installment.id);
            return (
              <tr key={installment.id} className="border-t border-line first:border-t-0">
                <th scope="row" className="py-1 pr-2 text-start font-normal whitespace-nowrap text-text-2">
                  {names.long(installment.id)}
                </th>
                <td className="py-1 pr-2 whitespace-nowrap">
                  {old && old.due_date !== installment.due_date && <Was>{<Day day={old.due_date} />}</Was>}
                  <Day day={installment.due_date} />
                </td>
                <td className="num py-1 whitespace-nowrap">
                  {old && old.amount !== installment.amount && (
                    <Was>{<Money amount={old.amount} currency={after.currency} />}</Was>
                  )}
                  <Money amount={installment.amount} currency={after.currency} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Was({ children }: { readonly children: React.ReactNode }) {
  const t = useTexts(saleActsTexts);
  return (
    <span className="block text-text-2 sm:inline">
      {children} <ArrowRight aria-hidden className="inline size-3" />
      <span className="sr-only">{t.becomes}</span>{' '}
    </span>
  );
}
