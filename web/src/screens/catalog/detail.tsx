// One endpoint: description, request and reply, samples, votes, the keys that hold it, and a form to try it.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Check, Megaphone } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { EndpointDetail } from '../../../../src/panel/developer/catalog.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { MethodChip, RiskBadge, StatusBadge } from '../../parts/badges.tsx';
import { Button, buttonLook } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordError } from '../../parts/page/record.tsx';
import { ReferenceLink } from '../../parts/page/reference-link.tsx';
import { Skeleton, SkeletonRows } from '../../parts/page/states.tsx';
import { Tabs } from '../../parts/page/tabs.tsx';
import { useSession } from '../../session.ts';
import { useCategoryNames } from './categories.ts';
import { DeprecationCard } from './deprecation-card.tsx';
import { KeyLinks } from './key-links.tsx';
import { Playground, type Values } from './playground.tsx';
import { filledPath, SAMPLES, type SampleCall } from './samples.ts';
import { Shapes } from './shapes.tsx';
import { catalogTexts } from './texts.ts';
import { VoteDialog } from './vote-dialog.tsx';
import { useMayVote } from './votes.ts';

export function EndpointScreen() {
  const t = useTexts(catalogTexts);
  const { endpointId } = useParams({ from: '/shell/katalog/$endpointId' });
  const endpoint = useQuery({
    queryKey: ['catalog', 'row', endpointId],
    queryFn: ({ signal }) => call('GET catalog/{slug}', { params: { slug: endpointId }, signal }),
  });
  if (endpoint.isError)
    return (
      <RecordError
        error={endpoint.error}
        onRetry={endpoint.refetch}
        back={<ToCatalog />}
        title={t.title}
        gone={{
          title: t.notFound,
          text: t.notFoundText,
          action: (
            <Link to="/katalog" className={buttonLook('secondary')}>
              {t.toList}
            </Link>
          ),
        }}
      />
    );
  if (endpoint.isPending)
    return (
      <>
        <PageHeader title={t.endpoint} above={<ToCatalog />} description={<Skeleton className="h-5 w-80" />} />
        <SkeletonRows rows={12} />
      </>
    );
  return <EndpointView key={endpoint.data.id} endpoint={endpoint.data} />;
}

function ToCatalog() {
  const t = useTexts(catalogTexts);
  return <BackLink to="/katalog">{t.title}</BackLink>;
}

function EndpointView({ endpoint }: { readonly endpoint: EndpointDetail }) {
  const t = useTexts(catalogTexts);
  const locale = useLocale();
  const [values, setValues] = useState<Values>({});
  return (
    <>
      <PageHeader
        title={endpoint.name[locale]}
        above={<ToCatalog />}
        description={endpoint.note[locale]}
        beside={
          <>
            <RiskBadge risk={endpoint.risk} />
            <StatusBadge status={endpoint.status} />
          </>
        }
        actions={<ReferenceLink to={endpoint.reference}>{t.reference}</ReferenceLink>}
      />
      <p className="mt-0 mb-4 flex items-center gap-2">
        <MethodChip method={endpoint.method} />
        <span className="code min-w-0 wrap-anywhere">/api/v1/{endpoint.path}</span>
        <CopyButton text={`/api/v1/${endpoint.path}`} />
      </p>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Playground endpoint={endpoint} values={values} onChange={setValues} />
          <Shapes endpoint={endpoint} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {endpoint.deprecation && <DeprecationCard deprecation={endpoint.deprecation} />}
          {endpoint.status === 'Yakında' && <VoteCard endpoint={endpoint} />}
          <EndpointFacts endpoint={endpoint} />
          <SampleCard endpoint={endpoint} values={values} />
        </div>
      </div>
    </>
  );
}

function VoteCard({ endpoint }: { readonly endpoint: EndpointDetail }) {
  const t = useTexts(catalogTexts);
  const mayVote = useMayVote();
  const [open, setOpen] = useState(false);
  const { my_vote: mine } = endpoint;
  return (
    <section aria-labelledby="votes" className="card p-4">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="votes" className="m-0 text-14 font-semibold">
          {t.voteCount(endpoint.votes)}
        </h2>
        <span className="text-13 text-text-2">{endpoint.rank === null ? t.rankNone : t.rankOf(endpoint.rank)}</span>
      </div>
      {mine && (
        <div className="mt-2 text-13 text-text-2">
          {mine.use_case && <p className="m-0 whitespace-pre-line wrap-anywhere">“{mine.use_case}”</p>}
          {mine.blocks_go_live && <p className="m-0 font-medium text-write">{t.myVoteBlocks}</p>}
        </div>
      )}
      {mayVote && (
        <Button
          look={mine ? 'secondary' : 'primary'}
          icon={mine ? Check : Megaphone}
          className="mt-3 w-full"
          aria-label={mine ? t.votedFor(endpoint.id) : undefined}
          onClick={() => setOpen(true)}
        >
          {mine ? t.youVoted : t.ask}
        </Button>
      )}
      <VoteDialog endpoint={open ? endpoint : null} mine={mine} onClose={() => setOpen(false)} />
    </section>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: EndpointDetail }) {
  const t = useTexts(catalogTexts);
  const { account } = useSession();
  return (
    <Facts
      title={t.details}
      facts={[
        { name: t.scope, value: <span className="code">{endpoint.scope}</span> },
        { name: t.category, value: <CategoryName id={endpoint.category} /> },
      ]}
    >
      {account && (
        <div className="mt-3 border-t border-line pt-3">
          <h3 className="m-0 mb-2 text-13 font-medium text-text-2">{t.keys}</h3>
          {endpoint.keys.length === 0 ? <p className="m-0 text-13 text-text-2">{t.noKeys}</p> : <KeyLinks keys={endpoint.keys} />}
        </div>
      )}
    </Facts>
  );
}

function CategoryName({ id }: { readonly id: string }) {
  const locale = useLocale();
  const names = useCategoryNames();
  return (
    <Link to="/katalog" search={{ kategori: id }} className="link">
      {names.get(id)?.[locale] ?? id}
    </Link>
  );
}

function SampleCard({ endpoint, values }: { readonly endpoint: EndpointDetail; readonly values: Values }) {
  const t = useTexts(catalogTexts);
  const call: SampleCall = useMemo(
    () => ({
      api: endpoint.api,
      method: endpoint.method,
      path: filledPath(endpoint.path, values),
      query: endpoint.params.flatMap(({ name, in: place }) =>
        place === 'query' && values[name] ? [[name, values[name]] as const] : [],
      ),
      body: endpoint.example ?? undefined,
    }),
    [endpoint, values],
  );
  return (
    <section aria-labelledby="samples" className="card min-w-0 p-4">
      <h2 id="samples" className="m-0 text-14 font-semibold">
        {t.samples}
      </h2>
      <p className="mt-1 mb-2 text-12 text-text-2">{t.samplesHint}</p>
      <Tabs
        label={t.samples}
        tabs={Object.entries(SAMPLES).map(([name, write]) => ({
          id: name,
          name,
          content: <CodeBlock label={name} text={write(call)} wrap />,
        }))}
      />
    </section>
  );
}
