// K1: all keys of the account with their state, scope and concerns.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus, TriangleAlert } from 'lucide-react';
import type { KeyLine } from '../../../../src/panel/keys/key-views.ts';
import { useTexts } from '../../language.ts';
import { EnvironmentBadge, KeyStateBadge } from '../../parts/badges.tsx';
import { Button, buttonLook } from '../../parts/button.tsx';
import { Sparkline } from '../../parts/chart/sparkline.tsx';
import { Field, Select } from '../../parts/input/field.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { ReferenceLink } from '../../parts/page/reference-link.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../parts/page/states.tsx';
import { FilterBar, SearchInput } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { UsageUnread } from '../../parts/usage-unread.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { keysQuery, PAGE, useMayChange } from './key-data.ts';
import { Concerns, RiskSummary } from './key-parts.tsx';
import { keysTexts } from './texts.ts';

const route = getRouteApi('/shell/api-anahtarlari');

export function KeysScreen() {
  const t = useTexts(keysTexts);
  const search = route.useSearch();
  const navigate = useNavigate();
  const { may } = useMayChange();
  const columns = useColumns();
  const filter = { q: search.q, state: search.durum, environment: search.ortam };
  const keys = useQuery(keysQuery({ ...filter, limit: PAGE, offset: search.offset }));
  const create = () => may && navigate({ to: '/api-anahtarlari/yeni' });
  useShortcut('c', create);
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          <>
            <ReferenceLink to="/docs#first-request">{t.reference}</ReferenceLink>
            {may && <CreateLink />}
          </>
        }
      />
      <KeyFilters />
      {keys.isPending ? (
        <SkeletonRows />
      ) : keys.data === undefined ? (
        <ErrorState error={keys.error} onRetry={keys.refetch} />
      ) : (
        <>
          {keys.isError && <StaleNote onRetry={keys.refetch} />}
          <Table
            label={t.title}
            rows={keys.data.items}
            rowKey={(key) => key.id}
            columns={columns}
            onOpen={({ id }) => navigate({ to: '/api-anahtarlari/$keyId/genel', params: { keyId: id } })}
            empty={<Nothing filtered={Object.values(filter).some(Boolean)} />}
            footer={
              <Pagination
                page={keys.data}
                onMove={(offset) =>
                  navigate({ to: '.', search: { ...search, offset: offset === 0 ? undefined : String(offset) } })
                }
              />
            }
          />
        </>
      )}
    </>
  );
}

function CreateLink({ first = false }: { readonly first?: boolean }) {
  const t = useTexts(keysTexts);
  return (
    <Link to="/api-anahtarlari/yeni" className={buttonLook('primary')}>
      <Plus aria-hidden className="size-4" />
      {first ? t.createFirst : t.create}
    </Link>
  );
}

function StaleNote({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts(keysTexts);
  return (
    <div role="alert" className="mb-3 flex flex-wrap items-center gap-2 rounded-card bg-write-bg px-3 py-2 text-13 text-write">
      <TriangleAlert aria-hidden className="size-4" />
      {t.stale}
      <Button look="quiet" onClick={onRetry}>
        {t.retry}
      </Button>
    </div>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  const t = useTexts(keysTexts);
  const { may } = useMayChange();
  if (filtered) return <EmptyState title={t.noMatch} />;
  return (
    <EmptyState
      title={t.empty}
      action={
        <>
          {may && <CreateLink first />}
          <ReferenceLink to="/docs#first-request">{t.docs}</ReferenceLink>
        </>
      }
    />
  );
}

const STATES = ['active', 'expiring', 'expired', 'revoked'] as const;
const ENVIRONMENTS = ['production', 'sandbox'] as const;

function KeyFilters() {
  const t = useTexts(keysTexts);
  const search = route.useSearch();
  const navigate = useNavigate();
  const set = (changes: Partial<typeof search>) =>
    navigate({ to: '.', search: { ...search, offset: undefined, ...changes }, replace: true });
  const filtered = Boolean(search.q || search.durum || search.ortam);
  return (
    <FilterBar onClear={filtered ? () => navigate({ to: '.', search: {}, replace: true }) : undefined}>
      <SearchInput label={t.search} value={search.q ?? ''} onChange={(q) => set({ q: q || undefined })} />
      <div className="min-w-36 flex-1 sm:flex-none">
        <Field label={t.state} labelHidden>
          <Select
            value={search.durum ?? ''}
            options={[{ value: '', label: t.allStates }, ...STATES.map((value) => ({ value, label: t.states[value] }))]}
            onChange={(durum) => set({ durum: durum || undefined })}
          />
        </Field>
      </div>
      <div className="min-w-36 flex-1 sm:flex-none">
        <Field label={t.environment} labelHidden>
          <Select
            value={search.ortam ?? ''}
            options={[
              { value: '', label: t.allEnvironments },
              ...ENVIRONMENTS.map((value) => ({ value, label: t.environments[value] })),
            ]}
            onChange={(ortam) => set({ ortam: ortam || undefined })}
          />
        </Field>
      </div>
    </FilterBar>
  );
}

function useColumns(): Column<KeyLine>[] {
  const t = useTexts(keysTexts);
  return [
    {
      id: 'name',
      head: t.name,
      onCard: 'title',
      cell: (key) => (
        <span className="flex flex-col items-start py-1 sm:min-w-44">
          <Link to="/api-anahtarlari/$keyId/genel" params={{ keyId: key.id }} className="font-medium text-text wrap-anywhere">
            {key.name}
          </Link>
          <span className="code text-12 text-text-2">
            {key.prefix}…{key.last_four}
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      head: t.state,
      cell: (key) => (
        <span className="flex flex-wrap justify-end gap-1 py-1 sm:flex-col sm:items-start">
          <KeyStateBadge state={key.state} />
          <EnvironmentBadge environment={key.environment} />
        </span>
      ),
    },
    { id: 'risks', head: t.risks, cell: (key) => <RiskSummary risks={key.risks} /> },
    { id: 'works', head: t.worksToday, align: 'end', cell: (key) => `${key.works_today} / ${key.endpoint_count}` },
    {
      id: 'used',
      head: t.lastUse,
      cell: (key) =>
        key.calls_24h === null ? (
          <UsageUnread />
        ) : key.last_used_at === null ? (
          <span className="text-text-3">{t.never}</span>
        ) : (
          <DateTime at={key.last_used_at} show="relative" />
        ),
    },
    { id: 'traffic', head: t.traffic24, cell: (key) => <Day shown={key} /> },
    {
      id: 'health',
      head: t.health,
      cell: (key) => <Concerns concerns={key.concerns} ended={key.state === 'revoked' || key.state === 'expired'} />,
    },
  ];
}

function Day({ shown }: { readonly shown: KeyLine }) {
  const t = useTexts(keysTexts);
  const format = useFormat();
  const { calls_24h, errors_24h, hours } = shown;
  if (calls_24h === null || errors_24h === null || hours === null) return <UsageUnread />;
  if (calls_24h === 0) return <None />;
  return (
    <span className="flex flex-col items-end sm:items-start">
      <Sparkline values={hours} label={t.calls24(calls_24h)} />
      <span className="tabular text-12 whitespace-nowrap text-text-2">
        {format.number(calls_24h)} · {t.errorShareOf(format.percent(errors_24h / calls_24h))}
      </span>
    </span>
  );
}
