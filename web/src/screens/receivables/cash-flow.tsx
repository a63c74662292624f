// Money due and collected in the past months, due and expected in the next ones: a chart and its table, one currency at a time.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { CashFlow, CashFlowMonth } from '../../../../src/domain/receivables/cash-flow.ts';
import { call } from '../../api.ts';
import { useOwnFirst } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Money, None } from '../../parts/values.tsx';
import { minus, plus } from '../../records/amounts.ts';
import { useToday } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { receivablesTexts } from './texts.ts';

export function CashFlowScreen() {
  const t = useTexts(receivablesTexts);
  const { currency } = useSearch({ from: '/shell/tahsilat/nakit-akisi' });
  const navigate = useNavigate({ from: '/tahsilat/nakit-akisi' });
  const ownFirst = useOwnFirst();
  const flows = useQuery({
    queryKey: ['receivables', 'cash-flow'],
    queryFn: ({ signal }) => call('GET receivables/cash-flow', { signal }),
  });
  return (
    <Loaded query={flows}>
      {(found) => {
        const loaded = ownFirst(found);
        const shown = loaded.find((flow) => flow.currency === currency) ?? loaded[0];
        if (shown === undefined)
          return (
            <div className="card">
              <EmptyState title={t.noFlow} />
            </div>
          );
        return (
          <>
            {loaded.length > 1 && (
              <ChoiceChips
                label={t.currency}
                value={shown.currency}
                chips={loaded.map((flow) => ({ value: flow.currency, label: flow.currency }))}
                onChange={(next) => navigate({ search: { currency: next } })}
              />
            )}
            <Flow key={shown.currency} flow={shown} />
          </>
        );
      }}
    </Loaded>
  );
}

const isPast = ({ collected }: CashFlowMonth): boolean => collected !== null;
/** Viewers see no expenses. */
const showsExpenses = (months: readonly CashFlowMonth[]): boolean =>
  months.some(({ paid_out, expected_out }) => paid_out !== null || expected_out !== null);

/** What came in less what went out; in months to come, what is expected of both. Null where amounts are due that have no forecast. */
function netOf({ due, collected, expected, paid_out, expected_out }: CashFlowMonth): string | null {
  const came = collected ?? expected ?? (due === '0.00' ? due : null);
  const went = paid_out ?? expected_out;
  return came === null || went === null ? null : minus(came, went);
}

type Amount = 'due' | 'collected' | 'expected' | 'paid_out' | 'expected_out';
const total = (months: readonly CashFlowMonth[], of: Amount): string => plus(...months.map((month) => month[of] ?? '0'));

function Flow({ flow }: { readonly flow: CashFlow }) {
  const t = useTexts(receivablesTexts);
  const format = useFormat();
  const { currency, share, months } = flow;
  const [past, next] = [months.filter(isPast), months.filter((month) => !isPast(month))];
  const sums = {
    due: total(past, 'due'),
    collected: total(past, 'collected'),
    next: total(next, 'due'),
    expected: total(next, 'expected'),
    paidOut: total(past, 'paid_out'),
    expectedOut: total(next, 'expected_out'),
  };
  const hasExpenses = showsExpenses(months);
  const money = (amount: string) => format.money(amount, currency);
  // For drawing, an amount may become a floating-point number.
  const drawn = useMemo(() => {
    const numbers = (of: Amount) => months.map((month) => (month[of] === null ? null : Number(month[of])));
    return {
      at: months.map(({ month }) => `${month}-15T12:00:00Z`),
      series: [
        { name: t.dueSum, values: numbers('due'), color: 'c1' as const, kind: 'bars' as const },
        { name: t.collectedSum, values: numbers('collected'), color: 'c2' as const },
        ...(share === null ? [] : [{ name: t.expectedSum, values: numbers('expected'), color: 'c3' as const }]),
        ...(hasExpenses
          ? [
              {
                name: t.out,
                values: months.map(({ paid_out, expected_out }) => Number(paid_out ?? expected_out)),
                color: 'c4' as const,
              },
            ]
          : []),
      ],
    };
  }, [months, share, hasExpenses, t]);
  return (
    <>
      <dl className="card m-0 mb-4 grid grid-cols-2 gap-x-4 gap-y-3 p-4 lg:grid-cols-6">
        <Sum name={t.dueSum} span={t.past} value={money(sums.due)} />
        <Sum name={t.collectedSum} span={t.past} value={money(sums.collected)} />
        <Sum name={t.dueNext} span={t.next} value={money(sums.next)} />
        <Sum name={t.expectedSum} span={t.next} value={share === null ? <None /> : money(sums.expected)} />
        {hasExpenses && <Sum name={t.paidOutSum} span={t.past} value={money(sums.paidOut)} />}
        {hasExpenses && <Sum name={t.expectedOutSum} span={t.next} value={money(sums.expectedOut)} />}
      </dl>
      <div className="card mb-4 p-4">
        <Chart
          label={t.flowOf(currency)}
          summary={t.flowSummary(money(sums.due), money(sums.collected), money(sums.next))}
          {...drawn}
          step="month"
          hasTable
        />
        <p className="mt-2 mb-0 text-12 text-text-2">
          {share === null ? t.noShare : t.shareOf(format.percent(Number(share) / 100))}
        </p>
      </div>
      <MonthTable flow={flow} />
    </>
  );
}

function Sum({ name, span, value }: { readonly name: string; readonly span: string; readonly value: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-text-2">
        {name} · {span}
      </dt>
      <dd className="tabular m-0 text-16 font-semibold tracking-tight wrap-anywhere sm:text-20">{value}</dd>
    </div>
  );
}

function MonthTable({ flow: { currency, months } }: { readonly flow: CashFlow }) {
  const t = useTexts(receivablesTexts);
  const locale = useLocale();
  const thisMonth = useToday().slice(0, 7);
  const hasExpenses = showsExpenses(months);
  const name = (month: string, length: 'long' | 'short') =>
    new Intl.DateTimeFormat(locale, { month: length, year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`));
  const shown = (amount: string | null) =>
    amount !== null && amount !== '0.00' ? <Money amount={amount} currency={currency} /> : <None />;
  const sum = (of: Amount, head: string): Column<CashFlowMonth> => ({
    id: of,
    head,
    align: 'end',
    ...(of === 'due' ? {} : { onCard: 'hide' }),
    cell: (month) => shown(month[of]),
  });
  const columns: readonly Column<CashFlowMonth>[] = [
    {
      id: 'month',
      head: t.month,
      onCard: 'title',
      cell: ({ month }) => (
        <span className="whitespace-nowrap">
          <span className="max-sm:hidden">{name(month, 'long')}</span>
          <span className="sm:hidden">{name(month, 'short')}</span>
          {month === thisMonth && <span className="text-12 text-text-2 max-sm:block"> · {t.current}</span>}
        </span>
      ),
    },
    sum('due', t.dueSum),
    sum('collected', t.collectedSum),
    sum('expected', t.expectedSum),
    ...(hasExpenses
      ? [
          sum('paid_out', t.paidOutSum),
          sum('expected_out', t.expectedOutSum),
          {
            id: 'net',
            head: t.net,
            align: 'end' as const,
            onCard: 'hide' as const,
            cell: (month: CashFlowMonth) => shown(netOf(month)),
          },
        ]
      : []),
    // On a phone there is room for one: a month has either. What goes out is below it.
    {
      id: 'came',
      head: t.collectedOrExpected,
      align: 'end',
      onCard: 'only',
      cell: (month) => (
        <>
          {shown(month.collected ?? month.expected)}
          {hasExpenses && (
            <span className="block text-12 text-text-2">
              {t.outShort} {shown(month.paid_out ?? month.expected_out)}
            </span>
          )}
        </>
      ),
    },
  ];
  return <Table slim label={t.flowOf(currency)} rows={months} rowKey={({ month }) => month} columns={columns} />;
}
