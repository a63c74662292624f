// One table of a report: a column for each figure that the server gave, amounts in their row's currency.
import { Link } from '@tanstack/react-router';
import { NAMING, RATIOS } from '../../../../src/domain/reports/shapes-states.ts';
import type { ReportFigure } from '../../../../src/domain/reports/words-states.ts';
import { useTexts } from '../../language.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Money, None, Plate } from '../../parts/values.tsx';
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
}

export function ReportTable({ label, rows, figures, groupName, named }: Props) {
  const t = useTexts(reportsTexts);
  const format = useFormat();
  const shown = (name: string, row: ReportRow) => {
    const value = row[name];
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
  const keyOf = (row: ReportRow) => [row.group, row.bucket, row.customer_id, row.currency, row.id, row.status].join(' ');
  return <Table contained label={label} rows={rows} rowKey={keyOf} columns={columns} />;
}
