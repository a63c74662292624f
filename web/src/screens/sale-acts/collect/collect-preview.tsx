// What the server says a collection would do: installments filled, rate, what stays.
import type { ReactNode } from 'react';
import { ApiError } from '../../../api.ts';
import { formatFor } from '../../../format.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { cx } from '../../../parts/cx.ts';
import type { DryRun } from '../../../parts/form/dry-run.ts';
import { amountOf } from '../../../parts/form/form-amount.ts';
import type { Form } from '../../../parts/form/form-state.ts';
import { refusalOf } from '../../../parts/input/error-summary.tsx';
import { Money } from '../../../parts/values.tsx';
import { isAbove, minus, plus, typedOf } from '../../../records/amounts.ts';
import { useInstallmentNames } from '../../../records/installment-names.ts';
import type { Collection, PlanWithInstallments, SaleDetail } from '../../../records/sales/sales.ts';
import { useFormat } from '../../../session.ts';
import { partsTexts } from '../../../texts/parts.ts';
import { saleActsTexts } from '../texts.ts';
import type { CollectForm } from './collect-values.ts';

interface PreviewProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments;
  readonly form: Form<CollectForm>;
  /** The money, and what is forgiven with it. */
  readonly preview: DryRun<readonly Collection[]>;
  /** Field → its label in the form. */
  readonly names: Readonly<Record<string, string>>;
}

export function CollectPreview({ sale, plan, form, preview, names }: PreviewProps) {
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
          <Refused sale={sale} form={form} error={error} names={names} />
        ) : reply ? (
          <Filled sale={sale} plan={plan} form={form} made={reply} />
        ) : (
          <p className="m-0 text-13 text-text-2">{isBehind ? t.previewBusy : t.previewNone}</p>
        )}
      </div>
    </section>
  );
}

/** Too much money is the refusal that a till meets daily: then it says what to hand back. */
function Refused({ sale, form, error, names }: { readonly error: Error } & Pick<PreviewProps, 'sale' | 'form' | 'names'>) {
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
  if (known?.code === 'rate_not_available') return <p className="m-0 text-13 text-danger">{t.noRate}</p>;
  return <p className="m-0 text-13 text-danger">{refusalOf(error, names, p.offline)}</p>;
}

type FilledProps = Omit<PreviewProps, 'preview' | 'names'> & { readonly made: readonly Collection[] };

function Filled({ sale, plan, made }: FilledProps) {
  const t = useTexts(saleActsTexts);
  const { currency } = sale;
  const reply = made[0]!;
  const money = made.find(({ type }) => type !== 'İndirim');
  const forgiven = made.find(({ type }) => type === 'İndirim');
  const [applied, discount] = [money?.applied_amount ?? '0.00', forgiven?.amount ?? '0.00'];
  const isDiscount = isAbove(discount);
  const after = minus(sale.outstanding_amount, applied, discount);
  return (
    <>
      <FilledRows plan={plan} money={money?.allocations ?? []} forgiven={forgiven?.allocations ?? []} />
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
  readonly plan: PlanWithInstallments;
  readonly money: Collection['allocations'];
  readonly forgiven: Collection['allocations'];
}

/** All installments between the first two and the last are filled whole, so a long list says how many they are. */
const MAX_ROWS = 6;

function FilledRows({ plan, money, forgiven }: FilledRowsProps) {
  const t = useTexts(saleActsTexts);
  const names = useInstallmentNames(plan);
  const { currency } = plan;
  const installments = new Map(plan.installments.map((installment) => [installment.id, installment]));
  const amountIn = (some: Collection['allocations'], id: string) =>
    some.find(({ installment_id }) => installment_id === id)?.amount ?? '0.00';
  const filled = [...new Set([...money, ...forgiven].map(({ installment_id }) => installment_id))].map((id) => {
    const [pays, discount] = [amountIn(money, id), amountIn(forgiven, id)];
    return { id, pays, discount, left: minus(installments.get(id)?.remaining_amount ?? plus(pays, discount), pays, discount) };
  });
  const isLong = filled.length > MAX_ROWS && !filled.slice(2, -1).some(({ left }) => isAbove(left));
  const isDiscount = forgiven.length > 0;
  const head = 'pb-1 font-medium';
  const line = ({ id, pays, discount, left }: (typeof filled)[number]) => (
    <tr key={id} className="border-t border-line">
      <td className="py-1">{names.long(id)}</td>
      <td className="num py-1">
        <Money amount={pays} currency={currency} />
      </td>
      {isDiscount && (
        <td className="num py-1">
          <Money amount={discount} currency={currency} />
        </td>
      )}
      <td className="num py-1">
        {isAbove(left) ? <Money amount={left} currency={currency} /> : <span className="text-live">{t.closes}</span>}
      </td>
    </tr>
  );
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
          {isDiscount && (
            <th scope="col" className={`num ${head}`}>
              {t.discount}
            </th>
          )}
          <th scope="col" className={`num ${head}`}>
            {t.stays}
          </th>
        </tr>
      </thead>
      <tbody>
        {(isLong ? filled.slice(0, 2) : filled).map(line)}
        {isLong && (
          <tr className="border-t border-line">
            <td colSpan={isDiscount ? 4 : 3} className="py-1 text-text-2">
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
