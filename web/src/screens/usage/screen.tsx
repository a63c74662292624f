// Kullanım: calls, errors and latency, over time and by key, endpoint or error.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { UsageView } from '../../../../src/panel/developer/usage.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { periodOf, Range } from '../../parts/input/range.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { useLogKeys } from '../../records/log-keys.ts';
import { Breakdown, type Group } from './breakdown.tsx';
import { Figures, TimesChart, VolumeChart } from './figures.tsx';
import { usageTexts } from './texts.ts';
import type { UsageSearch } from './usage-search.ts';

const GROUPS = ['key', 'endpoint', 'error'] as const;

export function UsageScreen() {
  const t = useTexts(usageTexts);
  const search: UsageSearch = useSearch({ from: '/shell/kullanim' });
  const navigate = useNavigate({ from: '/kullanim' });
  const change = (part: UsageSearch) => navigate({ search: cleanSearch({ ...search, ...part }), resetScroll: false });
  const { group: _, ...filters } = search;
  const usage = useQuery({
    queryKey: ['usage', filters],
    queryFn: ({ signal }) =>
      call('GET usage', { query: { key: search.key, endpoint: search.endpoint, ...periodOf(search, '7d') }, signal }),
    placeholderData: keepPreviousData,
  });
  const group = GROUPS.find((name) => name === search.group) ?? 'key';
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <UsageFilters search={search} view={usage.data} onChange={change} />
      {usage.isPending ? (
        <Waiting />
      ) : usage.isError ? (
        <div className="card">
          <ErrorState error={usage.error} onRetry={usage.refetch} />
        </div>
      ) : isEmpty(usage.data) ? (
        <div className="card">
          <EmptyState
            title={t.empty}
            action={<Button onClick={() => change({ range: '30d', from: undefined, to: undefined })}>{t.widen}</Button>}
          />
        </div>
      ) : (
        <Filled view={usage.data} search={search} group={group} onChange={change} />
      )}
    </>
  );
}

const cleanSearch = (search: UsageSearch): { [Name in keyof UsageSearch]: string } =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value));

const isEmpty = ({ totals: { ok, refused, failed } }: UsageView): boolean => ok + refused + failed === 0;

interface FilledProps {
  readonly view: UsageView;
  readonly search: UsageSearch;
  readonly group: Group;
  readonly onChange: (part: UsageSearch) => void;
}

function Filled({ view, search, group, onChange }: FilledProps) {
  const t = useTexts(usageTexts);
  return (
    <div className="flex flex-col gap-4">
      <Figures view={view} byEndpoint={search.endpoint !== undefined} />
      <div className={search.endpoint === undefined ? 'grid gap-4 xl:grid-cols-2' : 'grid gap-4'}>
        <VolumeChart view={view} />
        {search.endpoint === undefined && <TimesChart view={view} />}
      </div>
      <section aria-label={t.breakdown}>
        <ChoiceChips
          label={t.breakdown}
          value={group}
          chips={GROUPS.map((name) => ({ value: name, label: t.groups[name] }))}
          onChange={(name) => onChange({ group: name === 'key' ? undefined : name })}
        />
        <Breakdown view={view} group={group} search={search} onChange={onChange} />
      </section>
    </div>
  );
}

interface UsageFiltersProps {
  readonly search: UsageSearch;
  readonly view: UsageView | undefined;
  readonly onChange: (part: UsageSearch) => void;
}

function UsageFilters({ search, view, onChange }: UsageFiltersProps) {
  const t = useTexts(usageTexts);
  const keys = useLogKeys();
  // The endpoints that were called, and the chosen filter even before the data is loaded.
  const endpoints = new Set([...(view?.by_endpoint ?? []).map(({ endpoint }) => endpoint), search.endpoint ?? null]);
  endpoints.delete(null);
  const clear = search.key || search.endpoint ? () => onChange({ key: undefined, endpoint: undefined }) : undefined;
  return (
    <FilterBar onClear={clear}>
      <Range value={search} usual="7d" ranges={['24h', '7d', '30d', '90d']} onChange={onChange} />
      <FilterSelect
        label={t.key}
        none={t.allKeys}
        value={search.key}
        options={[...(keys.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(key) => onChange({ key })}
      />
      <FilterSelect
        label={t.endpoint}
        none={t.allEndpoints}
        value={search.endpoint}
        options={[...[...endpoints].sort().map((endpoint) => ({ value: endpoint!, label: endpoint! }))]}
        onChange={(endpoint) => onChange({ endpoint })}
      />
    </FilterBar>
  );
}

function Waiting() {
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {['requests', 'errors', 'limits', 'times'].map((name) => (
          <Skeleton key={name} className="h-[104px]" />
        ))}
      </div>
      <div className="grid gap-4 xl:grid-cols-2">
        <Skeleton className="h-[320px]" />
        <Skeleton className="h-[320px]" />
      </div>
      <Skeleton className="h-72" />
    </div>
  );
}
