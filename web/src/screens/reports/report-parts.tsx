// The tables of a report, each with its CSV, which the service makes: what shows cost or debtors asks for the password again there.
import type { DaySpan } from '../../../../src/domain/reports/reports-states.ts';
import { type AnyReport, REPORT_SHAPES, rowsOf } from '../../../../src/domain/reports/shapes-states.ts';
import type { FixedReport, ReportFigure, ReportGroup, ReportPart } from '../../../../src/domain/reports/words-states.ts';
import type { Currency } from '../../../../src/kit/money.ts';
import { download } from '../../download.ts';
import { useLocale, useTexts } from '../../language.ts';
import { EmptyState } from '../../parts/page/states.tsx';
import { Day } from '../../parts/values.tsx';
import { useBranches } from '../../records/branches.ts';
import { useStaff } from '../../records/staff.ts';
import { useFormat } from '../../session.ts';
import { CsvButton } from './report-files.tsx';
import { type ReportRow, ReportTable } from './report-table.tsx';
import { reportsTexts } from './texts.ts';

/** What the reports have in common. */
export type Report = AnyReport & {
  readonly rows?: readonly ReportRow[];
  readonly buckets?: readonly ReportRow[];
  readonly external_count?: number;
  /** Why it could not be valued in one currency. */
  readonly unvalued?: string;
};

/** In which currency the totals are valued besides, and by the rates of which day. */
export interface Valued {
  readonly convert_to?: Currency;
  readonly rate_date?: string;
}

const ID = /^[\da-f]{8}-[\da-f-]{27}$/;

/** Groups by branch and by people are ids; months, brands and methods name themselves. */
export function useNames(): (group: string | null) => string {
  const t = useTexts(reportsTexts);
  const [staff, branches] = [useStaff(), useBranches()];
  const format = useFormat();
  const month = new Intl.DateTimeFormat(useLocale(), { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return (id) =>
    id === null
      ? t.notSet
      : /^\d{4}-\d\d$/.test(id)
        ? month.format(new Date(id))
        : /^\d{4}-\d\d-\d\d$/.test(id)
          ? format.date(`${id}T12:00:00Z`)
          : (staff.find((one) => one.id === id)?.full_name ??
            branches.find((one) => one.id === id)?.name ??
            (ID.test(id) ? t.notSet : id));
}

interface Props {
  readonly name: FixedReport;
  readonly report: Report;
  readonly group: ReportGroup | undefined;
  readonly span: DaySpan | null;
  readonly valued: Valued;
  readonly named: (group: string | null) => string;
}

export function ReportParts({ name, report, group, span, valued, named }: Props) {
  const t = useTexts(reportsTexts);
  const parts = (Object.entries(REPORT_SHAPES[name].parts) as [ReportPart, readonly ReportFigure[]][])
    .map(([part, figures]) => ({ part, figures, rows: rowsOf(report, part) as readonly ReportRow[] }))
    .filter(({ part, rows }) => rows.length > 0 && part !== 'rates');
  if (parts.length === 0)
    return (
      <div className="card">
        <EmptyState title={t.nothing} />
      </div>
    );
  const groupName = group === undefined ? t.groups.salesperson : t.groups[group];
  const query = {
    report: name,
    ...span,
    ...(report.unvalued ? {} : valued),
    ...(REPORT_SHAPES[name].groups && group ? { group_by: group } : {}),
  };
  return parts.map(({ part, figures, rows }) => (
    <section key={part} className="mb-6">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="m-0 text-16 font-semibold">{t.parts[part]}</h2>
        <CsvButton make={() => download('GET reports/report.csv', { query: { ...query, part } })} />
      </div>
      <ReportTable
        label={t.parts[part]}
        rows={rows}
        figures={figures}
        groupName={groupName}
        named={named}
        hasTotals={part === 'rows' || part === 'buckets'}
      />
      {part === 'converted' && <RatesUsed rates={rowsOf(report, 'rates') as readonly ReportRow[]} />}
    </section>
  ));
}

/** Whose rates and of which day, under the total that they made. */
function RatesUsed({ rates }: { readonly rates: readonly ReportRow[] }) {
  const t = useTexts(reportsTexts);
  const format = useFormat();
  const [first] = rates;
  return first === undefined ? null : (
    <p className="mt-2 mb-0 flex flex-wrap gap-x-3 text-13 text-text-2">
      <span>
        {t.ratesOf(String(first.source))} <Day day={String(first.rate_date)} />:
      </span>
      {rates.map(({ pair, rate }) => (
        <span key={String(pair)} className="tabular whitespace-nowrap">
          {pair} {format.rate(String(rate), String(pair).split('-')[1]!)}
        </span>
      ))}
    </p>
  );
}
