// This month beside the last, by currency, the account's own first: what was sold and collected.
import type { ReactNode } from 'react';
import type { MonthTotal, YearOfCurrency } from '../../../../src/domain/reports/desk-figures.ts';
import type { ShownDesk } from '../../../../src/panel/home/overview.ts';
import { useTexts } from '../../language.ts';
import { MiniBars } from '../../parts/chart/mini-bars.tsx';
import { Figure } from '../../parts/figure.tsx';
import { Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { More } from './cards.tsx';
import { overviewTexts } from './texts.ts';

interface Shown {
  readonly name: string;
  readonly report: string;
  readonly value: ReactNode;
}

export function MonthFigures({ desk }: { readonly desk: ShownDesk }) {
  const t = useTexts(overviewTexts).desk;
  const mayReport = useMay('reports:read');
  const { sold, collected, is_own } = desk;
  const figures: readonly Shown[] = [
    ...(sold
      ? [
          {
            name: is_own ? t.ownSold : t.sold,
            report: 'sales-summary',
            value: <Months totals={sold} year={desk.year} of="sold" />,
          },
        ]
      : []),
    ...(collected
      ? [
          {
            name: is_own ? t.ownCollected : t.collected,
            report: 'collections-summary',
            value: <Months totals={collected} year={desk.year} of="collected" />,
          },
        ]
      : []),
  ];
  if (figures.length === 0) return null;
  return (
    <dl className="m-0 flex flex-wrap gap-3 *:grow *:basis-64">
      {figures.map(({ name, report, value }) => (
        <Figure
          key={name}
          name={name}
          value={value}
          hint={
            mayReport && (
              <More to={`/raporlar?report=${report}`}>
                {t.details} <span className="sr-only">({name})</span>
              </More>
            )
          }
        />
      ))}
    </dl>
  );
}

interface MonthsProps {
  readonly totals: readonly MonthTotal[];
  readonly year: readonly YearOfCurrency[] | null;
  readonly of: 'sold' | 'collected';
}

function Months({ totals, year, of }: MonthsProps) {
  const t = useTexts(overviewTexts).desk;
  if (totals.length === 0) return <Nothing />;
  return totals.map(({ currency, amount, count, before }) => {
    const months = year?.find((one) => one.currency === currency)?.months ?? [];
    return (
      <span key={currency} className="mt-2 block text-20 first:mt-0">
        <Money amount={amount} currency={currency} />
        <span className="block text-12 font-normal tracking-normal text-text-2">
          {of === 'sold' && `${t.sales(count)} · `}
          {t.before} <Money amount={before} currency={currency} />
        </span>
        {months.length > 0 && <MiniBars values={months.map((month) => Number(month[of]))} label={t.twelveMonths(currency)} />}
      </span>
    );
  });
}

function Nothing() {
  const t = useTexts(overviewTexts).desk;
  return <span className="text-14 font-normal text-text-2">{t.noneYet}</span>;
}
