// One table of a report: a column for each figure that the server gave, amounts in their row's currency.
import { Link } from '@tanstack/react-router';
import { NAMING, RATIOS } from '../../../../src/domain/reports/shapes-states.ts';
import type { ReportFigure } from '../../../../src/domain/reports/words-states.ts';
import { useOwnFirst } from '../../currencies.ts';
import { useTexts } from '../../language.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Money, None, Plate } from '../../parts/values.tsx';
import { plus } from '../../records/amounts.ts';
import { useFormat } from '../../session.ts';
import { reportsTexts } from './texts.ts';

export type ReportRow = Readonly<Record<string, string | number | boolean | null>>;

const isAmount = (value: unknown): value is string => typeof value === 'string' && /^-?\d+\.\d\d$/.test(value);

/** Counts, and averages as the API writes them (21.5); a year is no count. */
const isCounted = (name: string, value: unknown): boolean =>
  name !== 'model_year' && (typeof value === 'number' || (typeof value === 'string' && /^\d+\.\d$/.test(value)));

interface Props {
  readonly label: string;
  readonly rows: readonly ReportRow[];
  /** In this order; the others are left out. */
  readonly figures: readonly ReportFigure[];
  readonly groupName?: string | undefined;
  readonly named: (group: string | null) => string;
  /** Whether its rows are parts of a whole. */
  readonly hasTotals: boolean;
}

export function ReportTable({ label, rows, figures, groupName, named, hasTotals }: Props) {
  const t = useTexts(reportsTexts);
  const ownFirst = useOwnFirst();
  const format = useFormat();
  const shown = (name: string, row: ReportRow) => {
    const value = row[name];
    if (row.is_total && name === figures[0]) return <span className="font-semibold">{t.total}</span>;
    if (name === 'group') return row.title ?? named(value as string | null);
    if (value === null || value === undefined) return <None />;
    if (name === 'vehicle')
      return (
        <Link to="/araclar/$vehicleId" params={{ vehicleId: String(row.id) }}>
          {value}
        </Link>
      );
    if (name === 'plate') return <Plate plate={String(value)} />;
    if (name === 'status') return t.statuses[value as keyof typeof t.statuses];
    if (name === 'category') return t.categories[value as keyof typeof t.categories];
    if (RATIOS.includes(name)) return format.percent(Number(value));
    if (isAmount(value)) return <Money amount={value} currency={String(row.currency)} />;
    return isCounted(name, value) ? format.number(Number(value)) : String(value);
  };
  const columns = figures.map(
    (name, place): Column<ReportRow> => ({
      id: name,
      head: name === 'group' ? (groupName ?? t.columns.group) : t.columns[name],
      ...(NAMING.includes(name) ? {} : { align: 'end' }),
      ...(place === 0 ? { onCard: 'title' } : {}),
      cell: (row) => shown(name, row),
    }),
  );
  const keyOf = (row: ReportRow) =>
    [row.is_total, row.group, row.bucket, row.customer_id, row.currency, row.id, row.status, row.category].join(' ');
  const totals = hasTotals ? totalsOf(rows, figures) : [];
  return (
    <Table label={label} rows={[...rows, ...ownFirst(totals)]} rowKey={keyOf} columns={columns} isWide={figures.length > 9} />
  );
}

/** Averages and ratios are not added up. */
const isSummed = (name: string): boolean =>
  !NAMING.includes(name) && !RATIOS.includes(name) && !/^average_|^days_|_risk$|_score$/.test(name);

/** One row for each currency that has several. */
function totalsOf(rows: readonly ReportRow[], figures: readonly ReportFigure[]): ReportRow[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => {
    const added = rows.filter((row) => row.currency === currency);
    if (added.length < 2) return [];
    const sums = figures.filter(isSummed).map((name) => [name, sumOf(added.map((row) => row[name]))] as const);
    return [{ ...Object.fromEntries(sums), currency: currency ?? null, is_total: true }];
  });
}

function sumOf(values: readonly (ReportRow[string] | undefined)[]): string | number | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  if (known.length > 0 && known.every(isAmount)) return plus(...known);
  return known.length > 0 && known.every((value) => typeof value === 'number')
    ? known.reduce((sum, value) => sum + value, 0)
    : null;
}
