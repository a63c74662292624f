// Release status of all endpoints, most requested first; an endpoint is reviewed in a drawer before it is opened or closed.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { useMemo } from 'react';
import { slugOf } from '../../../../../src/domain/catalog/catalog.ts';
import type { ReleaseLine } from '../../../../../src/panel/admin/releases.ts';
import { call } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Badge, MethodChip, RiskBadge, StatusBadge } from '../../../parts/badges.tsx';
import { Button } from '../../../parts/button.tsx';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { useIsNarrow } from '../../../parts/narrow.ts';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { EmptyState } from '../../../parts/page/states.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../../parts/table/filters.tsx';
import { type Column, Table } from '../../../parts/table/table.tsx';
import { None } from '../../../parts/values.tsx';
import { useFormat } from '../../../session.ts';
import { partsTexts } from '../../../texts/parts.ts';
import { found } from '../../endpoint-picker/selection.ts';
import { OnlyAdmins } from '../only-admins.tsx';
import { adminTexts } from '../texts.ts';
import { ReleaseDrawer } from './release-drawer.tsx';
import { ReleaseGroups } from './release-groups.tsx';

interface ReleasesSearch {
  readonly q?: string | undefined;
  readonly durum?: string | undefined;
  /** '1': only endpoints that have a body. */
  readonly hazir?: string | undefined;
  /** The endpoint under review. */
  readonly uc?: string | undefined;
}

export function ReleasesScreen() {
  const t = useTexts(adminTexts);
  const search: ReleasesSearch = useSearch({ from: '/shell/yonetim/yayinlar' });
  const navigate = useNavigate({ from: '/yonetim/yayinlar' });
  const board = useQuery({
    queryKey: ['admin', 'releases'],
    queryFn: ({ signal }) => call('GET admin/releases', { signal }),
  });
  // Beside what the address holds by then: an endpoint may be opened while the text above is still on its way there.
  const set = (part: ReleasesSearch) => navigate({ search: (now) => ({ ...now, ...part }) });
  return (
    <OnlyAdmins>
      <PageHeader title={t.releasesTitle} description={t.releasesHint} />
      <BoardFilters search={search} onChange={set} />
      <Loaded query={board} rows={14}>
        {(data) => <Board lines={data} search={search} onChange={set} />}
      </Loaded>
      <ReleaseDrawer slug={search.uc ?? null} onClose={() => set({ uc: undefined })} />
    </OnlyAdmins>
  );
}

interface BoardProps {
  readonly search: ReleasesSearch;
  readonly onChange: (part: ReleasesSearch) => void;
}

/** More than these are grouped where rows are cards. */
const MOST_CARDS = 20;
const NO_FILTERS: ReleasesSearch = { q: undefined, durum: undefined, hazir: undefined };

function BoardFilters({ search, onChange }: BoardProps) {
  const t = useTexts(adminTexts);
  const p = useTexts(partsTexts);
  const filtered = Boolean(search.q || search.durum || search.hazir);
  return (
    <FilterBar onClear={filtered ? () => onChange(NO_FILTERS) : undefined}>
      <SearchInput
        label={t.releasesSearch}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
        pause={120}
      />
      <FilterSelect
        label={t.status}
        none={t.allStatuses}
        value={search.durum}
        onChange={(durum) => onChange({ durum })}
        options={[
          { value: 'Yakında', label: p.statuses.Yakında },
          { value: 'Aktif', label: p.statuses.Aktif },
        ]}
      />
      <Checkbox
        label={t.onlyBuilt}
        checked={search.hazir === '1'}
        onChange={(checked) => onChange({ hazir: checked ? '1' : undefined })}
        className="self-center text-13"
      />
    </FilterBar>
  );
}

function Board({ lines, search, onChange }: BoardProps & { readonly lines: readonly ReleaseLine[] }) {
  const t = useTexts(adminTexts);
  const p = useTexts(partsTexts);
  const { q, durum, hazir } = search;
  const shown = useMemo(
    () =>
      lines.filter(
        (line) =>
          (q === undefined || found(line, q, [line.category])) &&
          (durum === undefined || line.status === durum) &&
          (hazir === undefined || line.built),
      ),
    [lines, q, durum, hazir],
  );
  const review = (line: ReleaseLine) => onChange({ uc: slugOf(line.id) });
  const columns = useColumns(review);
  const isNarrow = useIsNarrow();
  const table = (endpoints: readonly ReleaseLine[], label: string) => (
    <Table
      label={label}
      rows={endpoints}
      rowKey={(line) => line.id}
      columns={columns}
      onOpen={review}
      isCurrent={(line) => slugOf(line.id) === search.uc}
      empty={<EmptyState title={t.noEndpoints} action={<Button onClick={() => onChange(NO_FILTERS)}>{p.clearFilters}</Button>} />}
    />
  );
  // As cards, all of them are fifty screens of a phone long.
  return isNarrow && shown.length > MOST_CARDS ? <ReleaseGroups lines={shown} table={table} /> : table(shown, t.releasesTitle);
}

function useColumns(onReview: (line: ReleaseLine) => void): readonly Column<ReleaseLine>[] {
  const t = useTexts(adminTexts);
  const locale = useLocale();
  const format = useFormat();
  return [
    {
      id: 'endpoint',
      head: t.endpoint,
      onCard: 'title',
      cell: (line) => (
        <span className="flex items-center gap-2.5 py-1">
          <MethodChip method={line.method} />
          <span className="min-w-0">
            <span className="code block text-13 wrap-anywhere">{line.path}</span>
            <span className="block text-12 text-text-2">{line.name[locale]}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'votes',
      head: t.votes,
      align: 'end',
      cell: ({ votes, blocking }) => (
        <span className="block">
          {format.number(votes)}
          {blocking > 0 && <span className="block text-12 whitespace-nowrap text-write">{t.blocking(blocking)}</span>}
        </span>
      ),
    },
    {
      id: 'keys',
      head: t.holders,
      align: 'end',
      cell: ({ keys, accounts }) => (
        <span title={t.holdersOf(format.number(keys), format.number(accounts))}>{format.number(keys)}</span>
      ),
    },
    { id: 'risk', head: t.risk, cell: ({ risk }) => <RiskBadge risk={risk} /> },
    { id: 'status', head: t.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      id: 'built',
      head: t.built,
      cell: ({ built, status }) =>
        // An open endpoint needs no mark of being ready.
        status === 'Aktif' ? (
          <None />
        ) : (
          <Badge tone={built ? 'read' : 'soon'} icon={built ? CircleCheck : CircleDashed}>
            {built ? t.isBuilt : t.notBuilt}
          </Badge>
        ),
    },
    {
      id: 'act',
      head: t.review,
      headHidden: true,
      align: 'end',
      cell: (line) => (
        <Button onClick={() => onReview(line)} aria-label={`${t.review}: ${line.id}`}>
          {t.review}
        </Button>
      ),
    },
  ];
}
