// The reports: one at a time, its range and groups in the address, each table as a file, and the period before beside it.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type DaySpan, monthOf, spanBefore } from '../../../../src/domain/reports/reports-states.ts';
import { FIXED_REPORTS, type FixedReport, REPORT_SHAPES } from '../../../../src/domain/reports/words-states.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/choice-chips.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { FilterBar, FilterSelect } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Day } from '../../parts/values.tsx';
import { useBranches } from '../../records/branches.ts';
import { useToday } from '../../records/sales.ts';
import { useStaff } from '../../records/staff.ts';
import { useFormat, useRole } from '../../session.ts';
import { csvOf, saveFile } from './report-csv.ts';
import { type ReportRow, ReportTable } from './report-table.tsx';
import { reportsTexts } from './texts.ts';

type Name = FixedReport;
type Figure = keyof typeof reportsTexts.tr.columns;
type Part = 'rows' | 'currency_rows' | 'buckets' | 'customers';

type Report = Readonly<Partial<Record<Part, readonly ReportRow[]>>> & { readonly external_count?: number };

const useReport = (name: Name, query: Partial<DaySpan> & { group_by?: string }, enabled = true) =>
  useQuery({
    queryKey: ['report', name, query],
    // Each report has a row of its own; what they have in common is what this screen shows.
    queryFn: ({ signal }) =>
      call(`GET v1/reports/${name}` as 'GET v1/reports/sales-summary', { query, signal }) as Promise<unknown> as Promise<Report>,
    enabled,
  });

export function ReportsScreen() {
  const t = useTexts(reportsTexts);
  const search = useSearch({ from: '/shell/raporlar' });
  const navigate = useNavigate({ from: '/raporlar' });
  const today = useToday();
  const isTrusted = useRole('owner', 'finance');
  const names = FIXED_REPORTS.filter((name) => isTrusted || !REPORT_SHAPES[name].isSensitive);
  const name = names.find((one) => one === search.report) ?? 'sales-summary';
  const { groups, isOfToday } = REPORT_SHAPES[name];
  const span = { from: search.from ?? monthOf(today).from, to: search.to ?? monthOf(search.from ?? today).to };
  const group = groups?.find((one) => one === search.group_by) ?? groups?.[0];
  const set = (next: Partial<typeof search>) => navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <ChoiceChips
        label={t.report}
        value={name}
        chips={names.map((one) => ({ value: one, label: t.names[one] }))}
        onChange={(report) => set({ report, group_by: undefined })}
      />
      {!isOfToday && (
        <FilterBar>
          <Field label={t.from}>
            <TextInput type="date" value={span.from} onChange={(from) => set({ from })} />
          </Field>
          <Field label={t.to}>
            <TextInput type="date" value={span.to} onChange={(to) => set({ to })} />
          </Field>
          {groups && group && (
            <FilterSelect
              label={t.groupBy}
              value={group}
              options={groups.map((one) => ({ value: one, label: t.groups[one] }))}
              onChange={(group_by) => set({ group_by })}
            />
          )}
        </FilterBar>
      )}
      <ReportOf key={name} name={name} span={isOfToday ? null : span} group={group} />
    </>
  );
}

interface OfProps {
  readonly name: Name;
  readonly span: DaySpan | null;
  readonly group: keyof typeof reportsTexts.tr.groups | undefined;
}

function ReportOf({ name, span, group }: OfProps) {
  const t = useTexts(reportsTexts);
  const format = useFormat();
  const grouped = group === undefined ? {} : { group_by: group };
  const report = useReport(name, { ...span, ...grouped });
  const before = useReport(name, { ...(span === null ? {} : spanBefore(span)), ...grouped }, span !== null);
  return (
    <>
      <Loaded query={report}>
        {(shown) => (
          <>
            <Parts name={name} report={shown} group={group} span={span} />
            {shown.external_count ? (
              <p className="text-13 text-text-2">{t.external(format.number(shown.external_count))}</p>
            ) : null}
          </>
        )}
      </Loaded>
      {span !== null && before.data && (
        <details className="mt-4">
          <summary className="cursor-pointer text-13 font-medium">
            {t.before}: <Day day={spanBefore(span).from} /> – <Day day={spanBefore(span).to} />
          </summary>
          <div className="mt-3">
            <Parts name={name} report={before.data} group={group} span={spanBefore(span)} />
          </div>
        </details>
      )}
    </>
  );
}

function Parts({ name, report, group, span }: OfProps & { readonly report: Report }) {
  const t = useTexts(reportsTexts);
  const [staff, branches] = [useStaff(), useBranches()];
  const named = (id: string | null): string =>
    id === null ? t.nobody : (staff.find((one) => one.id === id)?.full_name ?? branches.find((one) => one.id === id)?.name ?? id);
  const titles: Readonly<Record<Part, string>> = {
    ...{ rows: t.byGroup, currency_rows: t.byCurrency, buckets: t.byAge, customers: t.customers },
  };
  const parts = (Object.entries(REPORT_SHAPES[name].parts) as [Part, readonly Figure[]][]).map(([part, figures]) => {
    const rows = (report[part] ?? []).map((row) =>
      part === 'customers' ? { ...row, name: `${row.first_name} ${row.last_name}` } : row,
    );
    return { part, figures, rows };
  });
  if (parts.every(({ rows }) => rows.length === 0))
    return (
      <div className="card">
        <EmptyState title={t.nothing} />
      </div>
    );
  const groupName = group === undefined ? t.groups.salesperson : t.groups[group];
  const save = (part: Part, figures: readonly Figure[], rows: readonly ReportRow[]) => {
    const heads = figures.map((figure) => (figure === 'group' ? groupName : t.columns[figure]));
    const whole = rows.map((row) => ('group' in row ? { ...row, group: named(row.group as string | null) } : row));
    saveFile(`${name}-${part}${span === null ? '' : `-${span.from}-${span.to}`}.csv`, csvOf(heads, whole, figures));
  };
  return parts
    .filter(({ rows }) => rows.length > 0)
    .map(({ part, figures, rows }) => (
      <section key={part} className="mb-6">
        <div className="mb-2 flex items-center justify-between gap-3">
          <h2 className="m-0 text-16 font-semibold">{titles[part]}</h2>
          <Button onClick={() => save(part, figures, rows)}>{t.csv}</Button>
        </div>
        <ReportTable label={titles[part]} rows={rows} figures={figures} groupName={groupName} named={named} />
      </section>
    ));
}
