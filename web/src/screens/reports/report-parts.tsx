// The tables of a report, each with its CSV, which the service makes: what shows cost or debtors asks for the password again there.
import type { DaySpan } from '../../../../src/domain/reports/reports-states.ts';
import {
  type FixedReport,
  REPORT_SHAPES,
  type ReportFigure,
  type ReportGroup,
  type ReportPart,
  rowsOfPart,
} from '../../../../src/domain/reports/words-states.ts';
import { download } from '../../download.ts';
import { useLocale, useTexts } from '../../language.ts';
import { EmptyState } from '../../parts/states.tsx';
import { useBranches } from '../../records/branches.ts';
import { useStaff } from '../../records/staff.ts';
import { CsvButton } from './report-files.tsx';
import { type ReportRow, ReportTable } from './report-table.tsx';
import { reportsTexts } from './texts.ts';

type SinglePart = 'totals' | 'platform_expense';

/** What the reports have in common. */
export type Report = Readonly<Partial<Record<Exclude<ReportPart, SinglePart>, readonly ReportRow[]>>> &
  Readonly<Partial<Record<SinglePart, ReportRow>>> & { readonly external_count?: number };

/** Groups by branch and by people are ids; months, brands and methods name themselves. */
export function useNames(): (group: string | null) => string {
  const t = useTexts(reportsTexts);
  const [staff, branches] = [useStaff(), useBranches()];
  const month = new Intl.DateTimeFormat(useLocale(), { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return (id) =>
    id === null
      ? t.nobody
      : /^\d{4}-\d\d$/.test(id)
        ? month.format(new Date(id))
        : (staff.find((one) => one.id === id)?.full_name ?? branches.find((one) => one.id === id)?.name ?? id);
}

interface Props {
  readonly name: FixedReport;
  readonly report: Report;
  readonly group: ReportGroup | undefined;
  readonly span: DaySpan | null;
  readonly named: (group: string | null) => string;
}

export function ReportParts({ name, report, group, span, named }: Props) {
  const t = useTexts(reportsTexts);
  const parts = (Object.entries(REPORT_SHAPES[name].parts) as [ReportPart, readonly ReportFigure[]][])
    .map(([part, figures]) => ({ part, figures, rows: rowsOfPart(report[part]).map((row) => shownRow(part, row)) }))
    .filter(({ rows }) => rows.length > 0);
  if (parts.length === 0)
    return (
      <div className="card">
        <EmptyState title={t.nothing} />
      </div>
    );
  const groupName = group === undefined ? t.groups.salesperson : t.groups[group];
  const asked = { report: name, ...span, ...(REPORT_SHAPES[name].groups && group ? { group_by: group } : {}) };
  return parts.map(({ part, figures, rows }) => (
    <section key={part} className="mb-6">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="m-0 text-16 font-semibold">{t.parts[part]}</h2>
        <CsvButton make={() => download('GET reports/report.csv', { query: { ...asked, part } })} />
      </div>
      <ReportTable label={t.parts[part]} rows={rows} figures={figures} groupName={groupName} named={named} />
    </section>
  ));
}

const shownRow = (part: ReportPart, row: ReportRow): ReportRow =>
  part === 'customers' ? { ...row, name: `${row.first_name} ${row.last_name}` } : row;
