import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { Money } from '../../parts/values.tsx';
import { isAbove, minus, shareOf } from '../../records/amounts.ts';
import type { SaleDetail } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { salesTexts } from './texts.ts';

/** What has become of the total: collected, discounted, overdue, still to come. The figures say the same in words. */
export function MoneyBar({ sale }: { readonly sale: SaleDetail }) {
  const t = useTexts(salesTexts);
  const format = useFormat();
  const { currency, total_receivable: total } = sale;
  const money = (amount: string) => format.money(amount, currency);
  const parts = [
    { name: 'collected', amount: sale.collected_amount, look: 'bg-[var(--s-live-fg)]' },
    { name: 'discounted', amount: sale.discounted_amount, look: 'bg-[var(--r-sens-fg)]' },
    { name: 'overdue', amount: sale.overdue_amount, look: 'bg-danger' },
    { name: 'open', amount: minus(sale.outstanding_amount, sale.overdue_amount), look: 'bg-[var(--border-strong)] opacity-50' },
  ];
  return (
    <section className="card p-4" aria-label={t.money}>
      <dl className="m-0 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
        <Sum name={t.collected} look="bg-[var(--s-live-fg)]">
          <Money amount={sale.collected_amount} currency={currency} />
        </Sum>
        <Sum name={t.discounted} look="bg-[var(--r-sens-fg)]">
          <Money amount={sale.discounted_amount} currency={currency} />
        </Sum>
        <Sum name={t.open} look="bg-[var(--border-strong)]">
          <Money amount={sale.outstanding_amount} currency={currency} />
        </Sum>
        <Sum name={t.ofWhich} look="bg-danger" isAlarming={isAbove(sale.overdue_amount)}>
          <Money amount={sale.overdue_amount} currency={currency} />
        </Sum>
      </dl>
      <div aria-hidden className="mt-3 flex h-2 w-full gap-px overflow-hidden rounded-badge bg-soon-bg">
        {parts
          .filter(({ amount }) => isAbove(amount))
          .map(({ name, amount, look }) => (
            <div key={name} className={look} style={{ width: `${Math.max(shareOf(amount, total) * 100, 0.5)}%` }} />
          ))}
      </div>
      <p className="mt-2 mb-0 flex flex-wrap gap-x-4 text-13 text-text-2">
        <span>{t.ofTotal(money(total))}</span>
        {sale.status === 'İptal' && (
          <>
            <span>{t.refunded(money(sale.refunded_amount))}</span>
            <span>{t.retained(money(sale.retained_amount))}</span>
            {sale.cancel_reason && <span className="wrap-anywhere">{t.cancelledBecause(sale.cancel_reason)}</span>}
          </>
        )}
      </p>
    </section>
  );
}

interface SumProps {
  readonly name: string;
  readonly look: string;
  readonly isAlarming?: boolean;
  readonly children: ReactNode;
}

function Sum({ name, look, isAlarming = false, children }: SumProps) {
  return (
    <div className="min-w-0">
      <dt className="flex items-center gap-1.5 text-13 text-text-2">
        <span aria-hidden className={cx('size-2 shrink-0 rounded-[2px]', look)} />
        {name}
      </dt>
      <dd className={cx('m-0 text-20 font-semibold tracking-tight', isAlarming && 'text-danger')}>{children}</dd>
    </div>
  );
}
