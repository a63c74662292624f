// The reports: one at a time, its range and groups in the address, each table as a file, and the period before beside it.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type DaySpan, monthOf, spanBefore } from '../../../../src/domain/reports/reports-states.ts';
import { FIXED_REPORTS, REPORT_SHAPES } from '../../../../src/domain/reports/shapes-states.ts';
import type { FixedReport, ReportGroup } from '../../../../src/domain/reports/words-states.ts';
import { CURRENCIES, type Currency } from '../../../../src/kit/money.ts';
import { ApiError, call } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import { useTexts } from '../../language.ts';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { Day } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useToday } from '../../records/sales/sales.ts';
import { useFormat, useRole } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { CustomReport } from './custom.tsx';
import { MailButton } from './mail-dialog.tsx';
import { ReportChart } from './report-chart.tsx';
import { ReportFiles } from './report-files.tsx';
import { type Report, ReportParts, useNames, type Valued } from './report-parts.tsx';
import { SpanChips } from './spans.tsx';
import { reportsTexts } from './texts.ts';

/** Of the newest; a file has them all. */
const LISTINGS_SHOWN = 100;

type ReportQuery = Partial<DaySpan> & Valued & { readonly group_by?: string; readonly limit?: number };

const useReport = (name: FixedReport, query: ReportQuery, enabled = true) =>
  useQuery({
    queryKey: ['report', name, query],
    queryFn: ({ signal }) => readReport(name, query, signal),
    enabled,
  });

// Each report has a row of its own; what they have in common is what this screen shows.
const readRow = (name: FixedReport, query: ReportQuery, signal: AbortSignal) =>
  call(`GET v1/reports/${name}` as 'GET v1/reports/marketplace-performance', {
    query: query as Omit<ReportQuery, keyof Valued>,
    signal,
  }) as Promise<unknown> as Promise<Report>;

/** Where no bulletin is near that day, the report stays as it is without one, and says so. */
async function readReport(name: FixedReport, query: ReportQuery, signal: AbortSignal): Promise<Report> {
  try {
    return await readRow(name, query, signal);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'rate_not_available')) throw error;
    const { convert_to: _, rate_date: __, ...rest } = query;
    return { ...(await readRow(name, rest, signal)), unvalued: error.message };
  }
}

export function ReportsScreen() {
  const t = useTexts(reportsTexts);
  const p = useTexts(partsTexts);
  if (useMay('reports:read')) return <Reports />;
  return (
    <>
      <PageHeader title={t.title} />
      <div className="card">
        <EmptyState title={p.forbidden}>{t.forbidden}</EmptyState>
      </div>
    </>
  );
}

function Reports() {
  const t = useTexts(reportsTexts);
  const search = useSearch({ from: '/shell/raporlar' });
  const navigate = useNavigate({ from: '/raporlar' });
  const today = useToday();
  const isTrusted = useRole('owner', 'finance');
  const isOwner = useRole('owner');
  const names = FIXED_REPORTS.filter((name) => isTrusted || !REPORT_SHAPES[name].isSensitive);
  const isCustom = search.report === 'custom';
  const name = names.find((one) => one === search.report) ?? 'sales-summary';
  const { groups, isOfToday, parts } = REPORT_SHAPES[name];
  const span = { from: search.from ?? monthOf(today).from, to: search.to ?? monthOf(search.from ?? today).to };
  const group = groups?.find((one) => one === search.group_by) ?? usualGroup(groups, span);
  const valued = valuedBy(search, !isOfToday);
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
      {!isCustom && (
        <>
          <FilterBar>
            {!isOfToday && (
              <>
                <Field label={t.from}>
                  <TextInput type="date" value={span.from} onChange={(from) => set({ from })} />
                </Field>
                <Field label={t.to}>
                  <TextInput type="date" value={span.to} onChange={(to) => set({ to })} />
                </Field>
              </>
            )}
            {groups && group && (
              <FilterSelect
                labelShown
                label={t.groupBy}
                value={group}
                options={groups.map((one) => ({ value: one, label: t.groups[one] }))}
                onChange={(group_by) => set({ group_by })}
              />
            )}
            {parts.converted && <ValuedFilter valued={valued} hasDay={!isOfToday} set={set} />}
          </FilterBar>
          <ReportOf key={name} name={name} span={isOfToday ? null : span} group={group} valued={parts.converted ? valued : {}} />
        </>
      )}
    </>
  );
}

/** A month or less is shown by day where the report can be. */
const usualGroup = (groups: readonly ReportGroup[] | undefined, { from, to }: DaySpan): ReportGroup | undefined =>
  (groups?.[0] === 'month' && to <= monthOf(from).to ? groups.find((one) => one === 'day') : undefined) ?? groups?.[0];

/** What the address asks to be valued in; a report of today is valued by the rates of today. */
function valuedBy(
  { convert_to, rate_date }: { convert_to?: string | undefined; rate_date?: string | undefined },
  hasDay: boolean,
): Valued {
  const into = CURRENCIES.find((one) => one === convert_to);
  if (into === undefined) return {};
  return { convert_to: into, ...(hasDay && rate_date ? { rate_date } : {}) };
}

interface ValuedProps {
  readonly valued: Valued;
  readonly hasDay: boolean;
  readonly set: (next: { convert_to?: Currency | undefined; rate_date?: string | undefined }) => void;
}

function ValuedFilter({ valued, hasDay, set }: ValuedProps) {
  const t = useTexts(reportsTexts);
  return (
    <>
      <FilterSelect
        labelShown
        label={t.convertTo}
        value={valued.convert_to ?? ''}
        options={[{ value: '', label: t.notConverted }, ...useCurrencies()]}
        onChange={(value) => set({ convert_to: (value || undefined) as Currency | undefined, rate_date: undefined })}
      />
      {valued.convert_to && hasDay && (
        <Field label={t.rateDate}>
          <TextInput type="date" value={valued.rate_date ?? ''} onChange={(day) => set({ rate_date: day || undefined })} />
        </Field>
      )}
    </>
  );
}

interface OfProps {
  readonly name: FixedReport;
  readonly span: DaySpan | null;
  readonly group: ReportGroup | undefined;
  readonly valued: Valued;
}

function ReportOf({ name, span, group, valued }: OfProps) {
  const t = useTexts(reportsTexts);
  const format = useFormat();
  const named = useNames();
  const grouped = group === undefined ? {} : { group_by: group };
  const query = { ...grouped, ...valued, ...(group === 'listing' ? { limit: LISTINGS_SHOWN } : {}) };
  const report = useReport(name, { ...span, ...query });
  const before = useReport(name, { ...(span === null ? {} : spanBefore(span)), ...query }, span !== null);
  return (
    <>
      <Loaded query={report}>
        {(shown) => (
          <>
            <ReportFiles query={{ report: name, ...span, ...grouped, ...(shown.unvalued ? {} : valued) }} />
            {shown.unvalued && (
              <p role="status" className="mt-0 mb-4 text-13 font-medium">
                {t.unvalued(shown.unvalued)}
              </p>
            )}
            <ReportChart name={name} group={group} report={shown} span={span} before={before.data} named={named} />
            <ReportParts name={name} report={shown} group={group} span={span} valued={valued} named={named} />
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
            <ReportParts name={name} report={before.data} group={group} span={spanBefore(span)} valued={valued} named={named} />
          </div>
        </details>
      )}
    </>
  );
}
