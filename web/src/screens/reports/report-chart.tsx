// The main figure of a report, as bars: one chart for each currency, because amounts are never mixed. The tables below have the same values.
import { addDays, addMonths } from '../../../../src/domain/clock/days.ts';
import { type DaySpan, spanBefore } from '../../../../src/domain/reports/reports-states.ts';
import type { FixedReport, ReportFigure } from '../../../../src/domain/reports/words-states.ts';
import { useOwnFirst } from '../../currencies.ts';
import { useTexts } from '../../language.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import type { ChartSeries } from '../../parts/chart/chart-props.ts';
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
  readonly report: ChartedReport;
  /** Null for a report of today. */
  readonly span: DaySpan | null;
  /** The report of the period before. */
  readonly before: ChartedReport | undefined;
  readonly named: (group: string | null) => string;
}

type ChartedReport = Readonly<Partial<Record<Drawn['part'], readonly ReportRow[]>>>;

/** Each month or day of a period has its place, with or without a row. */
function placesOf({ from, to }: DaySpan, step: 'month' | 'day'): readonly string[] {
  const length = step === 'month' ? 7 : 10;
  const places: string[] = [];
  for (let day = from; day <= to; day = step === 'month' ? addMonths(`${day.slice(0, 7)}-01`, 1) : addDays(day, 1))
    places.push(day.slice(0, length));
  return places;
}

export function ReportChart({ name, group, report, span, before, named }: Props) {
  const t = useTexts(reportsTexts);
  const ownFirst = useOwnFirst();
  const { part, figure, isCount } = DRAWN[name];
  const step = part === 'rows' && span !== null && (group === 'month' || group === 'day') ? group : undefined;
  const all = group === 'listing' ? [] : (report[part] ?? []);
  const currencies = ownFirst([...new Set(all.map(({ currency }) => String(currency)))].map((currency) => ({ currency })));
  const charts = currencies.flatMap(({ currency }) => {
    const ofCurrency = (from: ChartedReport | undefined) => (from?.[part] ?? []).filter((row) => row.currency === currency);
    const rows = ofCurrency(report);
    const places =
      step === undefined ? rows.map(({ group: of, bucket }) => (part === 'buckets' ? bucket : of)) : placesOf(span!, step);
    // A single bar says nothing that the table does not.
    if (places.length < 2 || (step === undefined && rows.length > MAX_BARS)) return [];
    const valueAt = (from: readonly ReportRow[], place: unknown): number => {
      const row = from.find((one) => (part === 'buckets' ? one.bucket : one.group) === place);
      return row === undefined ? 0 : Number(row[figure]);
    };
    const earlier = ofCurrency(before);
    const placesBefore = step === undefined ? places : placesOf(spanBefore(span!), step);
    const compared =
      before === undefined
        ? []
        : [
            {
              name: t.before,
              values: places.map((_, at) => (placesBefore[at] === undefined ? null : valueAt(earlier, placesBefore[at]))),
              color: 'border-strong' as const,
              kind: 'bars' as const,
            },
          ];
    return [
      <CurrencyChart
        key={currency}
        figure={figure}
        isCount={isCount}
        currency={currency}
        step={step}
        places={places.map(String)}
        labels={places.map((place) => (part === 'buckets' ? String(place) : named(place as string | null)))}
        values={places.map((place) => valueAt(rows, place))}
        compared={compared}
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
  readonly places: readonly string[];
  readonly labels: readonly string[];
  readonly values: readonly number[];
  /** The same of the period before. */
  readonly compared: readonly ChartSeries[];
}

function CurrencyChart({ figure, isCount, currency, step, places, labels, values, compared }: CurrencyProps) {
  const t = useTexts(reportsTexts);
  const format = useFormat();
  const label = isCount ? t.columns[figure] : t.chart(t.columns[figure], currency);
  const at = step === undefined ? [] : places.map((place) => `${place}${step === 'month' ? '-01' : ''}T12:00:00Z`);
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
        series={[{ name: t.columns[figure], values, color: 'c1', kind: 'bars' }, ...compared]}
      />
    </section>
  );
}
