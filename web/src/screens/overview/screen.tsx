// Home: what waits, this month beside the last, the stock by age, the newest events; for a developer, the API.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Overview } from '../../../../src/panel/home/overview.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRows } from '../../parts/page/states.tsx';
import { useSession } from '../../session.ts';
import { StockAges } from './cards.tsx';
import { DeskCard } from './desk.tsx';
import { overviewTexts } from './texts.ts';

// Below the first view, and for few: fetched after the rest is shown.
const ApiGlance = lazy(async () => ({ default: (await import('./api-glance.tsx')).ApiGlance }));
/** Below the desk, where it is looked at second. */
const MonthFigures = lazy(async () => ({ default: (await import('./month-figures.tsx')).MonthFigures }));
const Events = lazy(async () => ({ default: (await import('./events.tsx')).Events }));
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));
const AdminHome = lazy(async () => ({ default: (await import('./admin-home.tsx')).AdminHome }));

export function OverviewScreen() {
  const t = useTexts(overviewTexts);
  const { account, person } = useSession();
  if (account)
    return (
      <>
        <PageHeader title={t.title} description={t.description(account.name)} />
        <AccountOverview />
      </>
    );
  return (
    <>
      <PageHeader title={t.title} {...(person.is_admin ? { description: t.adminDescription } : {})} />
      {person.is_admin ? (
        <Suspense fallback={<SkeletonRows />}>
          <AdminHome />
        </Suspense>
      ) : (
        <div className="card">
          <EmptyState title={t.noAccount}>{t.noAccountHint}</EmptyState>
        </div>
      )}
    </>
  );
}

function AccountOverview() {
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => call('GET overview', { signal }),
    refetchInterval: 60_000,
  });
  if (overview.isPending) return <Waiting />;
  if (overview.isError)
    return (
      <div className="card">
        <ErrorState error={overview.error} onRetry={overview.refetch} />
      </div>
    );
  return <Filled view={overview.data} />;
}

function Filled({ view }: { readonly view: Overview }) {
  const role = useSession().account?.role;
  // Their list is shown until the work has begun: a sale was made, a request was sent.
  const isBeginning = role === 'owner' ? !view.steps.has_sale : role === 'developer' && !view.steps.has_call;
  return (
    <div className="flex flex-col gap-4">
      {isBeginning && (
        <Suspense fallback={<Skeleton className="h-[140px]" />}>
          <FirstSteps steps={view.steps} />
        </Suspense>
      )}
      {view.keys && (
        <Suspense fallback={<Skeleton className="h-[220px]" />}>
          <ApiGlance keys={view.keys} traffic={view.traffic} />
        </Suspense>
      )}
      <DeskCard desk={view.desk} />
      <Suspense fallback={<Skeleton className="h-[140px]" />}>
        <MonthFigures desk={view.desk} />
      </Suspense>
      <div className="flex flex-wrap gap-4 *:min-w-0 *:grow *:basis-80">
        <StockAges ages={view.desk.stock_ages} value={view.desk.stock_value} />
        <Suspense fallback={<Skeleton className="h-[220px]" />}>
          <Events events={view.desk.events} />
        </Suspense>
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-[220px]" />
      <div className="flex flex-wrap gap-3 *:grow *:basis-64">
        {['sold', 'collected'].map((name) => (
          <Skeleton key={name} className="h-[140px]" />
        ))}
      </div>
      <div className="flex flex-wrap gap-4 *:grow *:basis-80">
        {['stock', 'events'].map((name) => (
          <Skeleton key={name} className="h-[220px]" />
        ))}
      </div>
    </div>
  );
}
