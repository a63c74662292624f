// All endpoints: search, filter, and vote for those that are not open yet.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Check, Megaphone } from 'lucide-react';
import { useMemo, useState } from 'react';
import { slugOf } from '../../../../src/domain/catalog/catalog.ts';
import type { CatalogLine, CatalogView, VotesView } from '../../../../src/panel/developer/catalog.ts';
import { useLocale, useTexts } from '../../language.ts';
import { MethodChip, RiskBadge, StatusBadge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { ReferenceLink } from '../../parts/page/reference-link.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../parts/page/states.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { None } from '../../parts/values.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { useCatalog } from '../endpoint-picker/catalog-data.ts';
import { filterFrom } from '../endpoint-picker/filter-address.ts';
import { filtered } from '../endpoint-picker/selection.ts';
import { CatalogFilters, type CatalogSearch } from './filters.tsx';
import { catalogTexts } from './texts.ts';
import { VoteDialog } from './vote-dialog.tsx';
import { useMayVote, votesQuery } from './votes.ts';

const NO_VOTES: VotesView = { counts: {}, mine: {} };

export function CatalogScreen() {
  const t = useTexts(catalogTexts);
  const search: CatalogSearch = useSearch({ from: '/shell/katalog' });
  const navigate = useNavigate({ from: '/katalog' });
  const { view, error, retry } = useCatalog();
  const go = (next: CatalogSearch) => navigate({ search: next, replace: true });
  const live = view?.rows.filter((endpoint) => endpoint.status === 'Aktif').length ?? 0;
  return (
    <>
      <PageHeader
        title={t.title}
        description={view ? t.description(view.rows.length, live) : t.descriptionLoading}
        actions={<ReferenceLink>{t.reference}</ReferenceLink>}
      />
      <CatalogFilters view={view} search={search} onChange={go} />
      {view ? (
        <CatalogList view={view} search={search} onChange={go} />
      ) : error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <SkeletonRows rows={14} />
      )}
    </>
  );
}

interface CatalogListProps {
  readonly view: CatalogView;
  readonly search: CatalogSearch;
  readonly onChange: (search: CatalogSearch) => void;
}

function CatalogList({ view, search, onChange }: CatalogListProps) {
  const t = useTexts(catalogTexts);
  const p = useTexts(partsTexts);
  const locale = useLocale();
  const navigate = useNavigate();
  const votes = useQuery(votesQuery).data ?? NO_VOTES;
  const [asking, setAsking] = useState<CatalogLine | null>(null);
  const endpoints = useShown(view, search, votes);
  const columns = useColumns(view, votes, setAsking);
  const note = view.categories.find(({ id }) => id === search.kategori)?.note[locale];
  const live = endpoints.filter((endpoint) => endpoint.status === 'Aktif').length;
  return (
    <>
      <div className="mb-2 flex flex-col gap-1 text-13 text-text-2">
        {note && <p className="m-0">{note}</p>}
        <p role="status" className="tabular m-0">
          {t.shown(endpoints.length, live)}
        </p>
      </div>
      <Table
        label={t.list}
        rows={endpoints}
        rowKey={(endpoint) => endpoint.id}
        columns={columns}
        onOpen={(endpoint) => navigate({ to: '/katalog/$endpointId', params: { endpointId: slugOf(endpoint.id) } })}
        empty={
          <EmptyState title={t.noMatch} action={<Button onClick={() => onChange({})}>{p.clearFilters}</Button>}>
            {t.noMatchHint}
          </EmptyState>
        }
      />
      <VoteDialog endpoint={asking} mine={asking ? (votes.mine[asking.id] ?? null) : null} onClose={() => setAsking(null)} />
    </>
  );
}

function useShown(view: CatalogView, search: CatalogSearch, votes: VotesView): readonly CatalogLine[] {
  const { q, kategori, risk, durum, yontem, sirala } = search;
  return useMemo(() => {
    const names = new Map(view.categories.map(({ id, name }) => [id, [name.tr, name.en]]));
    const filter = filterFrom({ q, kategori, risk, durum, yontem });
    const found = filtered(view.rows, filter, new Set(), (category) => names.get(category) ?? []);
    const count = (endpoint: CatalogLine) => votes.counts[endpoint.id] ?? 0;
    return sirala === 'talep' ? found.sort((one, other) => count(other) - count(one)) : found;
  }, [view, q, kategori, risk, durum, yontem, sirala, votes]);
}

function useColumns(view: CatalogView, votes: VotesView, onAsk: (endpoint: CatalogLine) => void): readonly Column<CatalogLine>[] {
  const t = useTexts(catalogTexts);
  const locale = useLocale();
  const mayVote = useMayVote();
  const categories = useMemo(() => new Map(view.categories.map(({ id, name }) => [id, name[locale]])), [view, locale]);
  return [
    { id: 'endpoint', head: t.endpoint, onCard: 'title', cell: (endpoint) => <EndpointName endpoint={endpoint} /> },
    {
      id: 'category',
      head: t.category,
      onCard: 'hide',
      cell: (endpoint) => <span className="text-13">{categories.get(endpoint.category)}</span>,
    },
    { id: 'risk', head: t.risk, cell: (endpoint) => <RiskBadge risk={endpoint.risk} /> },
    { id: 'status', head: t.status, cell: (endpoint) => <StatusBadge status={endpoint.status} /> },
    {
      id: 'votes',
      head: t.votes,
      align: 'end',
      cell: (endpoint) =>
        endpoint.status === 'Aktif' ? (
          <None />
        ) : (
          <span className="inline-flex items-center justify-end gap-2">
            <span className="text-13 text-text-2" title={t.voteCount(votes.counts[endpoint.id] ?? 0)}>
              {votes.counts[endpoint.id] ?? 0}
            </span>
            {mayVote && <AskButton endpoint={endpoint} isVoted={votes.mine[endpoint.id] !== undefined} onAsk={onAsk} />}
          </span>
        ),
    },
  ];
}

export function EndpointName({ endpoint }: { readonly endpoint: CatalogLine }) {
  const t = useTexts(catalogTexts);
  const locale = useLocale();
  return (
    <span className="flex items-center gap-2.5 py-1">
      <MethodChip method={endpoint.method} />
      <span className="min-w-0">
        <Link
          to="/katalog/$endpointId"
          params={{ endpointId: slugOf(endpoint.id) }}
          className="code block text-13 text-text no-underline wrap-anywhere hover:underline"
        >
          {endpoint.path}
        </Link>
        <span className="block text-12 text-text-2">
          {endpoint.name[locale]} · <span className="code">{endpoint.scope}</span>
          {endpoint.deprecated && <span className="font-medium text-write"> · {t.deprecated}</span>}
        </span>
      </span>
    </span>
  );
}

interface AskButtonProps {
  readonly endpoint: CatalogLine;
  readonly isVoted: boolean;
  readonly onAsk: (endpoint: CatalogLine) => void;
}

function AskButton({ endpoint, isVoted, onAsk }: AskButtonProps) {
  const t = useTexts(catalogTexts);
  return (
    <Button
      look={isVoted ? 'quiet' : 'secondary'}
      icon={isVoted ? Check : Megaphone}
      className="w-[8.5rem]"
      aria-label={isVoted ? t.votedFor(endpoint.id) : t.askFor(endpoint.id)}
      onClick={() => onAsk(endpoint)}
    >
      {isVoted ? t.youVoted : t.ask}
    </Button>
  );
}
