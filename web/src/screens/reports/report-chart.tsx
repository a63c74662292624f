// The main figure of a report, as bars: one chart for each currency, because amounts are never mixed. The tables below have the same values.
import type { FixedReport, ReportFigure } from '../../../../src/domain/reports/words-states.ts';
import { useTexts } from '../../language.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { useFormat } from '../../session.ts';
import type { ReportRow } from './report-table.tsx';
import { reportsTexts } from './texts.ts';

interface Drawn {
  readonly part: 'rows' | 'buckets';
  readonly figure: ReportFigure;
  readonly isCount?: true;
}

const DRAWN: Readonly<Record<FixedReport, Drawn>> = {
  'sales-summary': { part: 'rows', figure: 'gross_sales' },
  'collections-summary': { part: 'rows', figure: 'net' },
  'inventory-aging': { part: 'buckets', figure: 'list_value' },
  'profit-loss': { part: 'rows', figure: 'gross_profit' },
  'salesperson-performance': { part: 'rows', figure: 'gross_sales' },
  'overdue-risk': { part: 'buckets', figure: 'amount' },
  'marketplace-performance': { part: 'rows', figure: 'views', isCount: true },
};

/** More groups than this have no room for their names. */
const MAX_BARS = 24;

interface Props {
  readonly name: FixedReport;
  /** What the rows are grouped by. */
  readonly group: string | undefined;
  readonly report: Readonly<Partial<Record<Drawn['part'], readonly ReportRow[]>>>;
  readonly named: (group: string | null) => string;
}

export function ReportChart({ name, group, report, named }: Props) {
  const { part, figure, isCount } = DRAWN[name];
  const step = part === 'rows' && (group === 'month' || group === 'day') ? group : undefined;
  const all = group === 'listing' ? [] : (report[part] ?? []);
  const currencies = [...new Set(all.map(({ currency }) => String(currency)))];
  const charts = currencies.flatMap((currency) => {
    const rows = all.filter((row) => row.currency === currency && (step === undefined || row.group !== null));
    // A single bar says nothing that the table does not.
    if (rows.length < 2 || (step === undefined && rows.length > MAX_BARS)) return [];
    const labels = rows.map((row) => (part === 'buckets' ? String(row.bucket) : named(row.group as string | null)));
    return [
      <CurrencyChart
        key={currency}
        figure={figure}
        isCount={isCount}
        currency={currency}
        step={step}
        rows={rows}
        labels={labels}
      />,
    ];
  });
  return charts.length === 0 ? null : (
    <div className={`mb-6 grid gap-4 ${charts.length > 1 ? 'lg:grid-cols-2' : ''}`}>{charts}</div>
  );
}

interface CurrencyProps {
  readonly figure: ReportFigure;
  readonly isCount: true | undefined;
  readonly currency: string;
  readonly step: 'month' | 'day' | undefined;
  readonly rows: readonly ReportRow[];
  readonly labels: readonly string[];
}

function CurrencyChart({ figure, isCount, currency, step, rows, labels }: CurrencyProps) {
  const t = useTexts(reportsTexts);
  const format = useFormat();
  const label = isCount ? t.columns[figure] : t.chart(t.columns[figure], currency);
  const at = step === undefined ? [] : rows.map(({ group }) => `${group}${step === 'month' ? '-01' : ''}T12:00:00Z`);
  const values = rows.map((row) => Number(row[figure]));
  const [first, last] = step === undefined ? [labels[0]!, labels.at(-1)!] : [format.date(at[0]!), format.date(at.at(-1)!)];
  const highest = format.number(Math.max(...values));
  return (
    <section className="card min-w-0 p-4">
      <h2 className="m-0 mb-2 text-14 font-semibold">{label}</h2>
      <Chart
        label={label}
        summary={t.chartSummary(first, last, isCount ? highest : `${highest} ${currency}`)}
        at={at}
        {...(step === undefined ? { labels } : { step })}
        hasTable
        series={[{ name: t.columns[figure], values, color: 'c1', kind: 'bars' }]}
      />
    </section>
  );
}
