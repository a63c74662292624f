// The cards of the overview, each with a link to its screen.

import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BoardTotal } from '../../../../src/domain/receivables/board.ts';
import type { StockAge } from '../../../../src/domain/reports/desk-figures.ts';
import { useTexts } from '../../language.ts';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { Money } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { overviewTexts } from './texts.ts';

interface CardProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, aside, children }: CardProps) {
  return (
    <section aria-label={title} className="card min-w-0 p-4">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="m-0 text-14 font-semibold">{title}</h2>
        <span className="flex gap-3 text-13">{aside}</span>
      </div>
      {children}
    </section>
  );
}

export function More({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <PanelLink to={to} className="link inline-flex min-h-6 items-center gap-1">
      {children}
      <ArrowRight aria-hidden className="size-3.5" />
    </PanelLink>
  );
}

const AGE_LINKS: Readonly<Record<StockAge['bucket'], string>> = {
  '0-30': '/araclar',
  '31-60': '/araclar?days_min=31',
  '61-90': '/araclar?days_min=61',
  '91+': '/araclar?days_min=91',
};

interface StockProps {
  readonly ages: readonly StockAge[];
  /** Null for those who may not see it. */
  readonly value: readonly BoardTotal[] | null;
}

/** Cars in stock by age, those of ninety days and more in the colour of what is late; and what the stock is worth. */
export function StockAges({ ages, value }: StockProps) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const all = ages.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title={t.stock} aside={<More to="/araclar">{t.toVehicles}</More>}>
      {all === 0 ? (
        <p className="m-0 text-text-2">{t.noStock}</p>
      ) : (
        <ul className="m-0 flex list-none flex-col gap-2 p-0">
          {ages.map(({ bucket, count }) => (
            <li key={bucket}>
              <PanelLink
                to={AGE_LINKS[bucket]}
                className="grid min-h-8 grid-cols-[7.5rem_1fr_3.5rem] items-center gap-3 rounded-control text-text no-underline hover:bg-subtle"
              >
                <span className="text-13">{t.ages[bucket]}</span>
                <Share of={count / all} isLate={bucket === '91+'} />
                <span className="num">{format.number(count)}</span>
              </PanelLink>
            </li>
          ))}
        </ul>
      )}
      {value && value.length > 0 && <StockValue totals={value} />}
    </Card>
  );
}

function StockValue({ totals }: { readonly totals: readonly BoardTotal[] }) {
  const t = useTexts(overviewTexts).desk;
  return (
    <div className="mt-3 border-t border-line pt-3">
      <p className="m-0 flex flex-wrap justify-between gap-x-4 text-13 text-text-2">
        {t.stockValue}
        <More to="/raporlar?report=inventory-aging">
          {t.details} <span className="sr-only">({t.stockValue})</span>
        </More>
      </p>
      <ul className="m-0 mt-1 list-none p-0">
        {totals.map(({ currency, amount, count }) => (
          <li key={currency} className="flex items-baseline justify-between gap-3 py-0.5">
            <span className="text-13 text-text-2">{t.cars(count)}</span>
            <span className="tabular font-semibold">
              <Money amount={amount} currency={currency} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A bar that shows a share; the number is beside it. */
function Share({ of: share, isLate }: { readonly of: number; readonly isLate: boolean }) {
  return (
    <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-full rounded-badge bg-soon-bg">
      <rect width={share * 100} height={6} fill={isLate ? 'var(--danger)' : 'var(--c1)'} />
    </svg>
  );
}
