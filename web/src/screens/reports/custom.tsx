// A custom report: records, measures and groups from fixed lists, stored in the address. Money is always grouped by currency.
import { useQuery } from '@tanstack/react-query';
import {
  CUSTOM_GROUPS,
  CUSTOM_STATUSES,
  DATASETS,
  type Dataset,
  type DaySpan,
  MAX_METRICS,
  METRICS,
  type Metric,
} from '../../../../src/domain/reports/reports-states.ts';
import type { ReportFigure, ReportGroup } from '../../../../src/domain/reports/words-states.ts';
import { call } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import { useTexts } from '../../language.ts';
import { Checkbox } from '../../parts/input/choices.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Money, None } from '../../parts/values.tsx';
import { CustomFiles } from './report-files.tsx';
import { useNames } from './report-parts.tsx';
import type { ReportRow } from './report-table.tsx';
import { reportsTexts } from './texts.ts';

export interface CustomSearch {
  readonly dataset?: string | undefined;
  readonly metrics?: string | undefined;
  readonly group_by?: string | undefined;
  readonly then_by?: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: string | undefined;
}

interface Props {
  readonly search: CustomSearch;
  readonly span: DaySpan;
  readonly set: (next: CustomSearch & Partial<DaySpan>) => void;
}

/** What the address says, as far as the records have it. */
function chosenIn({ dataset: named, metrics, group_by, then_by, currency, status: state }: CustomSearch) {
  const dataset = DATASETS.find((one) => one === named) ?? 'sales';
  const known: readonly Metric[] = METRICS[dataset];
  const chosen = (metrics ?? 'count').split(',').filter((one): one is Metric => known.includes(one as Metric));
  const groups: readonly ReportGroup[] = CUSTOM_GROUPS[dataset];
  const statuses: readonly string[] = CUSTOM_STATUSES[dataset];
  const status = statuses.find((one) => one === state);
  const first = groups.find((one) => one === group_by);
  const second = groups.find((one) => one === then_by && one !== first);
  return { dataset, metrics: chosen.slice(0, MAX_METRICS), groups, first, second, currency, statuses, status };
}

export function CustomReport({ search, span, set }: Props) {
  const t = useTexts(reportsTexts);
  const chosen = chosenIn(search);
  const { dataset, metrics, first, second, currency, status } = chosen;
  const group_by = [first, second].filter((one) => one !== undefined).join(',');
  const query = {
    dataset,
    metrics: metrics.join(','),
    ...span,
    ...(group_by === '' ? {} : { group_by }),
    ...(currency ? { currency } : {}),
    ...(status ? { status } : {}),
  };
  const report = useQuery({
    queryKey: ['report', 'custom', query],
    queryFn: ({ signal }) => call('GET custom-report', { query, signal }),
    enabled: metrics.length > 0,
  });
  return (
    <>
      <Choices chosen={chosen} span={span} set={set} />
      {metrics.length === 0 ? (
        <p role="status">{t.chooseMetric}</p>
      ) : (
        <Loaded query={report}>
          {({ rows, group_by: groups, metrics: shown, names }) => (
            <>
              <CustomFiles query={query} />
              <CustomTable rows={rows} names={names} groups={groups as ReportGroup[]} metrics={shown as ReportFigure[]} />
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

interface ChoicesProps extends Omit<Props, 'search'> {
  readonly chosen: ReturnType<typeof chosenIn>;
}

function Choices({ chosen: { dataset, metrics, groups, first, second, currency, statuses, status }, span, set }: ChoicesProps) {
  const t = useTexts(reportsTexts);
  const grouped = (leaving: ReportGroup | undefined) => [
    { value: '', label: t.noGroup },
    ...groups.filter((one) => one !== leaving).map((one) => ({ value: one as string, label: t.groups[one] })),
  ];
  return (
    <>
      <FilterBar>
        <FilterSelect
          labelShown
          label={t.dataset}
          value={dataset}
          options={DATASETS.map((value) => ({ value: value as string, label: t.datasets[value] }))}
          onChange={(value) =>
            set({ dataset: value as Dataset, metrics: 'count', group_by: undefined, then_by: undefined, status: undefined })
          }
        />
        <Field label={t.from}>
          <TextInput type="date" value={span.from} onChange={(from) => set({ from })} />
        </Field>
        <Field label={t.to}>
          <TextInput type="date" value={span.to} onChange={(to) => set({ to })} />
        </Field>
        <FilterSelect
          labelShown
          label={t.groupBy}
          value={first ?? ''}
          options={grouped(undefined)}
          onChange={(value) => set({ group_by: value || undefined })}
        />
        <FilterSelect
          labelShown
          label={t.thenBy}
          value={second ?? ''}
          options={grouped(first)}
          onChange={(value) => set({ then_by: value || undefined })}
        />
        <FilterSelect
          labelShown
          label={t.columns.currency}
          value={currency ?? ''}
          options={[{ value: '', label: t.anyCurrency }, ...useCurrencies()]}
          onChange={(value) => set({ currency: value || undefined })}
        />
        <FilterSelect
          labelShown
          label={t.groups.status}
          value={status ?? ''}
          options={[{ value: '', label: t.anyStatus }, ...statuses.map((value) => ({ value, label: value }))]}
          onChange={(value) => set({ status: value || undefined })}
        />
      </FilterBar>
      <Metrics dataset={dataset} metrics={metrics} set={set} />
    </>
  );
}

type MetricsProps = Pick<ReturnType<typeof chosenIn>, 'dataset' | 'metrics'> & Pick<Props, 'set'>;

function Metrics({ dataset, metrics, set }: MetricsProps) {
  const t = useTexts(reportsTexts);
  // Measures in different currencies are not shown beside each other.
  const toggle = (metric: Metric, on: boolean) => {
    const clash = metric === 'sum_applied' ? 'sum_amount' : metric === 'sum_amount' ? 'sum_applied' : null;
    const next = on
      ? [...metrics.filter((one) => one !== clash || dataset !== 'collections'), metric]
      : metrics.filter((one) => one !== metric);
    set({ metrics: next.join(',') || 'none' });
  };
  return (
    <fieldset className="m-0 mb-4 flex flex-wrap gap-x-4 gap-y-2 border-0 p-0">
      <legend className="mb-1 p-0 text-13 font-medium">{t.metrics}</legend>
      {METRICS[dataset].map((metric) => (
        <Checkbox
          key={metric}
          label={t.columns[metric]}
          checked={metrics.includes(metric)}
          onChange={(on) => toggle(metric, on)}
        />
      ))}
    </fieldset>
  );
}

interface TableProps {
  readonly rows: readonly ReportRow[];
  /** Of customers. */
  readonly names: Readonly<Record<string, string>>;
  readonly groups: readonly ReportGroup[];
  readonly metrics: readonly ReportFigure[];
}

function CustomTable({ rows, names, groups, metrics }: TableProps) {
  const t = useTexts(reportsTexts);
  const named = useNames();
  if (rows.length === 0)
    return (
      <div className="card">
        <EmptyState title={t.nothing} />
      </div>
    );
  const shown = (value: ReportRow[string] | undefined, currency: unknown) => {
    if (value === null || value === undefined) return <None />;
    const isAmount = typeof value === 'string' && /^-?\d+\.\d\d$/.test(value);
    return isAmount ? <Money amount={value} currency={String(currency)} /> : String(value);
  };
  const columns: Column<ReportRow>[] = [
    ...groups.map(
      (group, place): Column<ReportRow> => ({
        id: group,
        head: t.groups[group],
        ...(place === 0 ? { onCard: 'title' } : {}),
        cell: (row) => names[String(row[group])] ?? named((row[group] ?? null) as string | null),
      }),
    ),
    ...metrics.map(
      (metric): Column<ReportRow> => ({
        id: metric,
        head: t.columns[metric],
        align: 'end',
        cell: (row) => shown(row[metric], row.currency),
      }),
    ),
  ];
  return (
    <Table label={t.names.custom} rows={rows} rowKey={(row) => groups.map((group) => row[group]).join(' ')} columns={columns} />
  );
}
