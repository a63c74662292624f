// What the server says a collection would do: rows filled, rate, what stays.
import type { ReactNode } from 'react';
import { ApiError } from '../../api.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import type { DryRun } from '../../parts/form/dry-run.ts';
import { amountOf } from '../../parts/form/form-amount.ts';
import type { Form } from '../../parts/form/form-state.ts';
import { Money } from '../../parts/values.tsx';
import { isAbove, minus, plus, typedOf } from '../../records/amounts.ts';
import { useRowNames } from '../../records/row-names.ts';
import type { Collection, PlanWithRows, SaleDetail } from '../../records/sales.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import type { CollectForm } from './collect-values.ts';
import { saleActsTexts } from './texts.ts';

interface PreviewProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithRows;
  readonly form: Form<CollectForm>;
  readonly preview: DryRun<Collection>;
}

export function CollectPreview({ sale, plan, form, preview }: PreviewProps) {
  const t = useTexts(saleActsTexts);
  const { reply, error, isBehind } = preview;
  return (
    <section
      aria-label={t.preview}
      aria-live="polite"
      aria-busy={isBehind}
      className="rounded-card border border-line bg-subtle p-3"
    >
      <h3 className="m-0 mb-2 text-12 font-medium text-text-2">{t.preview}</h3>
      <div className={cx('min-h-12', isBehind && 'opacity-60')}>
        {error ? (
          <Refused sale={sale} form={form} error={error} />
        ) : reply ? (
          <Filled sale={sale} plan={plan} form={form} reply={reply} />
        ) : (
          <p className="m-0 text-13 text-text-2">{isBehind ? t.previewBusy : t.previewNone}</p>
        )}
      </div>
    </section>
  );
}

/** Too much money is the refusal that a till meets daily: then it says what to hand back. */
function Refused({ sale, form, error }: { readonly error: Error } & Pick<PreviewProps, 'sale' | 'form'>) {
  const t = useTexts(saleActsTexts);
  const p = useTexts(partsTexts);
  const locale = useLocale();
  const format = useFormat();
  const typed = amountOf(form.values.amount);
  const known = error instanceof ApiError ? error : null;
  const discount = amountOf(form.values.discount_amount) ?? '0';
  const owed = minus(sale.outstanding_amount, discount);
  const isTooMuch = known?.code === 'amount_exceeds_balance' && typed !== undefined && form.values.currency === sale.currency;
  if (isTooMuch && isAbove(typed, owed))
    return (
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="m-0 font-medium text-write">{t.change(format.money(minus(typed, owed), sale.currency))}</p>
        <Button onClick={() => form.set('amount', typedOf(owed, locale))}>{t.takeAll}</Button>
      </div>
    );
  if (known?.code === 'day_closed') return <p className="m-0 text-13 text-danger">{t.dayClosed}</p>;
  const said = known?.details.map(({ message }) => message).join(' ');
  return <p className="m-0 text-13 text-danger">{known ? said || known.message : p.offline}</p>;
}

type FilledProps = Omit<PreviewProps, 'preview'> & { readonly reply: Collection };

function Filled({ sale, plan, form, reply }: FilledProps) {
  const t = useTexts(saleActsTexts);
  const { currency } = sale;
  const discount = amountOf(form.values.discount_amount) ?? '0';
  const isDiscount = isAbove(discount);
  const isForgiven = reply.type === 'İndirim';
  const applied = isForgiven ? '0.00' : (reply.applied_amount ?? '0.00');
  const after = minus(sale.outstanding_amount, applied, discount);
  return (
    <>
      {!isForgiven && <FilledRows plan={plan} filled={reply.allocations} isDiscount={isDiscount} />}
      <dl className="mt-2 mb-0 flex flex-col gap-0.5 border-t border-line pt-2 text-13">
        {reply.rate_pair !== null && (
          <Line name={t.applied}>
            <Money amount={applied} currency={currency} />
          </Line>
        )}
        {isAbove(reply.late_interest_amount) && (
          <Line name={t.lateTaken}>
            <Money amount={reply.late_interest_amount} currency={reply.currency} />
          </Line>
        )}
        {isDiscount && (
          <Line name={t.discount}>
            <Money amount={plus(discount)} currency={currency} />
          </Line>
        )}
        <Line name={t.after} strong>
          <Money amount={after} currency={currency} />
        </Line>
      </dl>
      <Rate reply={reply} />
      {!isAbove(after) && <p className="mt-1 mb-0 text-13 font-medium text-live">{t.settled}</p>}
    </>
  );
}

interface FilledRowsProps {
  readonly plan: PlanWithRows;
  readonly filled: Collection['allocations'];
  /** Which rows a discount fills besides is known only once it is saved, so what stays of each is not told. */
  readonly isDiscount: boolean;
}

/** All rows between the first two and the last are filled whole, so a long list says how many they are. */
const MAX_ROWS = 6;

function FilledRows({ plan, filled, isDiscount }: FilledRowsProps) {
  const t = useTexts(saleActsTexts);
  const names = useRowNames(plan);
  const { currency } = plan;
  const rows = new Map(plan.installments.map((row) => [row.id, row]));
  const isLong = filled.length > MAX_ROWS;
  const head = 'pb-1 font-medium';
  const line = ({ installment_id, amount }: Collection['allocations'][number]) => {
    const left = minus(rows.get(installment_id)?.remaining_amount ?? amount, amount);
    return (
      <tr key={installment_id} className="border-t border-line">
        <td className="py-1">{names.long(installment_id)}</td>
        <td className="num py-1">
          <Money amount={amount} currency={currency} />
        </td>
        {!isDiscount && (
          <td className="num py-1">
            {isAbove(left) ? <Money amount={left} currency={currency} /> : <span className="text-live">{t.closes}</span>}
          </td>
        )}
      </tr>
    );
  };
  return (
    <table className="w-full border-collapse text-13">
      <thead>
        <tr className="text-12 text-text-2">
          <th scope="col" className={`text-start ${head}`}>
            {t.row}
          </th>
          <th scope="col" className={`num ${head}`}>
            {t.pays}
          </th>
          {!isDiscount && (
            <th scope="col" className={`num ${head}`}>
              {t.stays}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {(isLong ? filled.slice(0, 2) : filled).map(line)}
        {isLong && (
          <tr className="border-t border-line">
            <td colSpan={3} className="py-1 text-text-2">
              {t.between(filled.length - 3)}
            </td>
          </tr>
        )}
        {isLong && filled.slice(-1).map(line)}
      </tbody>
    </table>
  );
}

function Line({
  name,
  strong = false,
  children,
}: {
  readonly name: string;
  readonly strong?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={cx('flex justify-between gap-3', strong && 'font-semibold')}>
      <dt>{name}</dt>
      <dd className="m-0">{children}</dd>
    </div>
  );
}

function Rate({ reply }: { readonly reply: Collection }) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const { rate_pair: pair, exchange_rate: rate, rate_date: day, rate_source } = reply;
  if (pair === null || rate === null) return null;
  const shown = format.rate(rate, pair.split('-')[1] ?? 'TL');
  return (
    <p className="mt-1 mb-0 text-12 text-text-2">
      {rate_source === 'manuel' ? t.rateManual(pair, shown) : t.rate(pair, shown, formatFor(locale, 'UTC').date(day ?? ''))}
    </p>
  );
}
