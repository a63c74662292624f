// The reports: one at a time, its range and groups in the address, each table as a file, and the period before beside it.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type DaySpan, monthOf, spanBefore } from '../../../../src/domain/reports/reports-states.ts';
import { FIXED_REPORTS, type FixedReport, REPORT_SHAPES, type ReportGroup } from '../../../../src/domain/reports/words-states.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { ChoiceChips } from '../../parts/choice-chips.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { FilterBar, FilterSelect } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Day } from '../../parts/values.tsx';
import { useToday } from '../../records/sales.ts';
import { useFormat, useRole } from '../../session.ts';
import { CustomReport } from './custom.tsx';
import { MailButton } from './mail-dialog.tsx';
import { ReportChart } from './report-chart.tsx';
import { ReportFiles } from './report-files.tsx';
import { type Report, ReportParts, useNames } from './report-parts.tsx';
import { SpanChips } from './spans.tsx';
import { reportsTexts } from './texts.ts';

/** Of the newest; a file has them all. */
const LISTINGS_SHOWN = 100;

const useReport = (name: FixedReport, query: Partial<DaySpan> & { group_by?: string; limit?: number }, enabled = true) =>
  useQuery({
    queryKey: ['report', name, query],
    // Each report has a row of its own; what they have in common is what this screen shows.
    queryFn: ({ signal }) =>
      call(`GET v1/reports/${name}` as 'GET v1/reports/marketplace-performance', {
        query,
        signal,
      }) as Promise<unknown> as Promise<Report>,
    enabled,
  });

export function ReportsScreen() {
  const t = useTexts(reportsTexts);
  const search = useSearch({ from: '/shell/raporlar' });
  const navigate = useNavigate({ from: '/raporlar' });
  const today = useToday();
  const isTrusted = useRole('owner', 'finance');
  const isOwner = useRole('owner');
  const names = FIXED_REPORTS.filter((name) => isTrusted || !REPORT_SHAPES[name].isSensitive);
  const isCustom = search.report === 'custom';
  const name = names.find((one) => one === search.report) ?? 'sales-summary';
  const { groups, isOfToday } = REPORT_SHAPES[name];
  const span = { from: search.from ?? monthOf(today).from, to: search.to ?? monthOf(search.from ?? today).to };
  const group = groups?.find((one) => one === search.group_by) ?? groups?.[0];
  const set = (next: Partial<typeof search>) => navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  return (
    <>
      <PageHeader title={t.title} description={t.description} actions={isOwner && <MailButton report={name} />} />
      <ChoiceChips
        label={t.report}
        value={isCustom ? 'custom' : name}
        chips={([...names, 'custom'] as const).map((one) => ({ value: one, label: t.names[one] }))}
        onChange={(report) => set({ report, group_by: undefined })}
      />
      {(isCustom || !isOfToday) && <SpanChips span={span} today={today} set={set} />}
      {isCustom && <CustomReport search={search} span={span} set={set} />}
      {!isCustom && !isOfToday && (
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
      {!isCustom && <ReportOf key={name} name={name} span={isOfToday ? null : span} group={group} />}
    </>
  );
}

interface OfProps {
  readonly name: FixedReport;
  readonly span: DaySpan | null;
  readonly group: ReportGroup | undefined;
}

function ReportOf({ name, span, group }: OfProps) {
  const t = useTexts(reportsTexts);
  const format = useFormat();
  const named = useNames();
  const grouped = group === undefined ? {} : { group_by: group };
  const asked = { ...grouped, ...(group === 'listing' ? { limit: LISTINGS_SHOWN } : {}) };
  const report = useReport(name, { ...span, ...asked });
  const before = useReport(name, { ...(span === null ? {} : spanBefore(span)), ...asked }, span !== null);
  return (
    <>
      <Loaded query={report}>
        {(shown) => (
          <>
            <ReportFiles query={{ report: name, ...span, ...grouped }} />
            <ReportChart name={name} group={group} report={shown} named={named} />
            <ReportParts name={name} report={shown} group={group} span={span} named={named} />
            {group === 'listing' && shown.rows?.length === LISTINGS_SHOWN && (
              <p className="text-13 text-text-2">{t.firstListings(format.number(LISTINGS_SHOWN))}</p>
            )}
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
            <ReportParts name={name} report={before.data} group={group} span={spanBefore(span)} named={named} />
          </div>
        </details>
      )}
    </>
  );
}
