// Genel bakış: concerns, today's traffic, stock.
import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../../../src/panel/overview.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Figure } from '../../parts/figure.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { callsOf, errorShareOf, troubleOf } from '../../records/usage.ts';
import { useFormat, useRole, useSession } from '../../session.ts';
import { KeyHealth, LiveRows, Stock, sumOf, TrafficCard } from './cards.tsx';
import { FirstSteps, leftOf } from './first-steps.tsx';
import { overviewTexts } from './texts.ts';

export function OverviewScreen() {
  const t = useTexts(overviewTexts);
  const { account } = useSession();
  return account ? (
    <>
      <PageHeader title={t.title} description={t.description(account.name)} />
      <AccountOverview />
    </>
  ) : (
    <>
      <PageHeader title={t.title} />
      <div className="card">
        <EmptyState title={t.noAccount}>{t.noAccountHint}</EmptyState>
      </div>
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
  const starter = useRole('owner', 'developer');
  return (
    <div className="flex flex-col gap-4">
      {starter && leftOf(view.steps) > 0 && !(view.steps.has_key && view.steps.has_call) && <FirstSteps steps={view.steps} />}
      <Glance view={view} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          {view.traffic && <TrafficCard traffic={view.traffic} />}
          <Stock stock={view.stock} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {view.keys && <KeyHealth keys={view.keys} />}
          <LiveRows rows={view.live_rows} />
        </div>
      </div>
    </div>
  );
}

function Glance({ view: { traffic, keys, stock, customers } }: { readonly view: Overview }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const vehicles = Object.values(stock).reduce((sum, count) => sum + count, 0);
  const counts = traffic && sumOf(traffic.points);
  return (
    <dl className="m-0 grid grid-cols-1 gap-3 min-[360px]:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none max-lg:[&>:last-child:nth-child(odd)]:col-span-full">
      {counts && traffic && (
        <>
          <Figure
            name={t.requests}
            value={format.number(callsOf(counts))}
            hint={<Change now={callsOf(counts)} before={traffic.calls_before} />}
          />
          <Figure
            name={t.errors}
            value={format.percent(errorShareOf(counts))}
            hint={t.errorParts(format.number(troubleOf(counts)), format.number(counts.failed))}
          />
        </>
      )}
      {keys && <Figure name={t.workingKeys} value={format.number(keys.working)} />}
      <Figure name={t.stock} value={t.stockTotal(format.number(vehicles))} />
      <Figure name={t.customers} value={format.number(customers)} />
    </dl>
  );
}

function Change({ now, before }: { readonly now: number; readonly before: number }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  if (before === 0) return t.noBefore;
  const change = (now - before) / before;
  return t.before(`${change > 0 ? '+' : ''}${format.percent(Math.round(change * 1000) / 1000)}`);
}

function Waiting() {
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
        {['requests', 'errors', 'keys', 'stock', 'customers'].map((name) => (
          <Skeleton key={name} className="h-[92px]" />
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {['traffic', 'health', 'stock', 'rows'].map((name) => (
          <Skeleton key={name} className="h-[300px]" />
        ))}
      </div>
    </div>
  );
}
