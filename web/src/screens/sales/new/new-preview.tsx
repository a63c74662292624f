import { Info } from 'lucide-react';
import type { SalePreview } from '../../../../../src/domain/sales/sale-preview.ts';
import { useTexts } from '../../../language.ts';
import { cx } from '../../../parts/cx.ts';
import type { DryRun } from '../../../parts/form/dry-run.ts';
import { refusalOf } from '../../../parts/input/error-summary.tsx';
import { Day, Money } from '../../../parts/values.tsx';
import { isAbove } from '../../../records/amounts.ts';
import { saleTexts } from '../../../records/sales/sale-texts.ts';
import { useFormat } from '../../../session.ts';
import { partsTexts } from '../../../texts/parts.ts';
import { ownInstallmentsTexts } from '../../sale-acts/own-installments-texts.ts';
import { newSaleTexts } from './new-texts.ts';

/** The plan that saving would make: the server has made it and taken it back. */
interface PreviewCardProps {
  readonly preview: DryRun<SalePreview>;
  /** Field → its label in the form. */
  readonly names: Readonly<Record<string, string>>;
  /** What to do to see one; without it, of a new sale. */
  readonly none?: string;
}

export function SalePreviewCard({ preview: { reply, error, isBehind }, names, none }: PreviewCardProps) {
  const n = useTexts(newSaleTexts);
  const p = useTexts(partsTexts);
  return (
    <aside className="flex flex-col gap-4 lg:sticky lg:top-[calc(var(--band)+4.5rem)]">
      <section aria-label={n.preview} aria-live="polite" aria-busy={isBehind} className="card p-4">
        <h2 className="m-0 mb-3 text-14 font-semibold">{n.preview}</h2>
        <div className={cx(isBehind && 'opacity-60')}>
          {error ? (
            <p className="m-0 text-13 text-danger">{refusalOf(error, names, p.offline)}</p>
          ) : reply ? (
            <Shown preview={reply} />
          ) : (
            <p className="m-0 text-13 text-text-2">{none ?? n.previewNone}</p>
          )}
        </div>
      </section>
      {none === undefined && <Papers />}
    </aside>
  );
}

/** More rows scroll within the card. */
const SHOWN_AT_ONCE = 12;

function Shown({ preview: { sale, plan } }: { readonly preview: SalePreview }) {
  const n = useTexts(newSaleTexts);
  const o = useTexts(ownInstallmentsTexts);
  const s = useTexts(saleTexts);
  const format = useFormat();
  const { currency } = sale;
  const sums = [
    { name: n.total, value: sale.total_receivable },
    ...(isAbove(sale.financed_amount) ? [{ name: n.financed, value: sale.financed_amount }] : []),
    ...(isAbove(sale.collected_amount) ? [{ name: n.paidByDeposit, value: sale.collected_amount }] : []),
  ];
  return (
    <>
      <dl className="m-0 flex flex-col gap-1">
        {sums.map(({ name, value }) => (
          <div key={name} className="flex justify-between gap-3">
            <dt className="text-13 text-text-2">{name}</dt>
            <dd className="m-0 font-medium">
              <Money amount={value} currency={currency} />
            </dd>
          </div>
        ))}
        {sale.yearly_rate !== null && (
          <div className="flex justify-between gap-3">
            <dt className="text-13 text-text-2">{n.rate}</dt>
            <dd className="m-0 font-medium">{format.percent(Number(sale.yearly_rate) / 100)}</dd>
          </div>
        )}
      </dl>
      {plan.installments.length > SHOWN_AT_ONCE && (
        <p className="mt-3 mb-0 text-12 text-text-2">
          {n.planUntil(plan.installment_count, format.date(`${plan.installments.at(-1)!.due_date}T12:00:00Z`))}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
      <section className="mt-3 max-h-96 overflow-y-auto" aria-label={o.rows} tabIndex={0}>
        <table className="w-full border-collapse text-13">
          <tbody>
            {plan.installments.map(({ id, seq, due_date, amount }) => (
              <tr key={id} className="border-t border-line">
                <th scope="row" className="py-1 text-start font-normal text-text-2">
                  {seq === 0 ? n.down_payment : s.rowOf(seq, plan.installment_count)}
                </th>
                <td className="py-1">
                  <Day day={due_date} />
                </td>
                <td className="num py-1">
                  <Money amount={amount} currency={currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Papers() {
  const n = useTexts(newSaleTexts);
  return (
    <section aria-label={n.papers} className="card p-4 text-13 text-text-2">
      <h2 className="m-0 mb-1 flex items-center gap-1.5 text-13 font-medium text-text">
        <Info aria-hidden className="size-4" />
        {n.papers}
      </h2>
      <ul className="m-0 list-disc pl-5">
        {Object.values(n.paper).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
