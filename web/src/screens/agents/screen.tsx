// Writes of agents: those that wait for a person, each with its preview as fields, and what was decided before.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { AgentWriteLine } from '../../../../src/panel/agents/agents.ts';
import { call, callPage } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { RiskBadge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { ErrorSummary } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { agentsTexts } from './texts.ts';

const route = getRouteApi('/shell/ajanlar');
const PAGE = 25;

export function AgentsScreen() {
  const t = useTexts(agentsTexts);
  const { offset: at = '0' } = route.useSearch();
  const navigate = useNavigate();
  const offset = Number(at) || 0;
  const query = { limit: PAGE, offset };
  const writes = useQuery({
    queryKey: ['agent-writes', query],
    queryFn: ({ signal }) => callPage('GET agent-writes', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  const lines = writes.data?.items ?? [];
  const waiting = lines.filter(({ status }) => status === 'waiting');
  const decided = lines.filter(({ status }) => status !== 'waiting');
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      {writes.isPending ? (
        <SkeletonRows />
      ) : writes.isError ? (
        <ErrorState error={writes.error} onRetry={writes.refetch} />
      ) : lines.length === 0 ? (
        <EmptyState title={t.none}>{t.noneText}</EmptyState>
      ) : (
        <div className="flex flex-col gap-4">
          {waiting.map((write) => (
            <WriteCard key={write.id} write={write} />
          ))}
          {decided.length > 0 && <Decided writes={decided} />}
          {(writes.data.hasMore || offset > 0) && (
            <Pagination
              page={writes.data}
              onMove={(next) => navigate({ to: '/ajanlar', search: next === 0 ? {} : { offset: String(next) } })}
            />
          )}
        </div>
      )}
    </>
  );
}

function WriteCard({ write }: { readonly write: AgentWriteLine }) {
  const t = useTexts(agentsTexts);
  const locale = useLocale();
  const client = useQueryClient();
  const decide = useMutation({
    mutationFn: (isApproved: boolean) =>
      isApproved
        ? call('POST agent-writes/{write_id}/approve', { params: { write_id: write.id } })
        : call('POST agent-writes/{write_id}/reject', { params: { write_id: write.id } }),
    onSuccess: (_, isApproved) => notify({ title: isApproved ? t.approved : t.rejected }),
    onSettled: () => client.invalidateQueries({ queryKey: ['agent-writes'] }),
  });
  return (
    <section aria-label={write.name[locale]} className="card border-write p-4">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 className="m-0 text-14 font-semibold">{write.name[locale]}</h2>
        <RiskBadge risk={write.risk} />
      </div>
      <Fields
        fields={[
          [
            t.request,
            <span key="r" className="code wrap-anywhere">
              {write.endpoint}
            </span>,
          ],
          [t.money, <Sums key="m" sums={write.money} />],
          [t.key, write.key_name],
          [t.client, write.client ?? '–'],
          [t.expires, <DateTime key="e" at={write.expires_at} />],
        ]}
      />
      {write.may_decide ? (
        <>
          <Preview preview={write.preview} />
          <ErrorSummary error={decide.error} />
          <div className="mt-3 flex flex-wrap gap-2">
            <Button look="primary" busy={decide.isPending} onClick={() => decide.mutate(true)}>
              {t.approve}
            </Button>
            <Button disabled={decide.isPending} onClick={() => decide.mutate(false)}>
              {t.reject}
            </Button>
          </div>
        </>
      ) : (
        <p className="mt-2 mb-0 text-13 text-text-2">{t.notYours}</p>
      )}
    </section>
  );
}

function Sums({ sums }: { readonly sums: AgentWriteLine['money'] }) {
  const t = useTexts(agentsTexts);
  if (sums.length === 0) return t.noMoney;
  return sums.map(({ amount, currency }) => (
    <span key={currency} className="mr-2">
      <Money amount={amount} currency={currency as 'TL'} />
    </span>
  ));
}

type FieldLine = readonly [name: string, value: React.ReactNode];

function Fields({ fields }: { readonly fields: readonly FieldLine[] }) {
  return (
    <dl className="m-0 grid grid-cols-1 gap-x-4 gap-y-1 text-13 sm:grid-cols-[10rem_1fr]">
      {fields.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-text-2">{name}</dt>
          <dd className="m-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Shown {
  readonly request?: { readonly method?: string; readonly path?: string; readonly query?: string; readonly body?: unknown };
  readonly events?: readonly string[];
  readonly untrusted_data?: { readonly value?: unknown };
}

/** Each value is in a field, so that a text of a record cannot look like one of ours. */
function Preview({ preview }: { readonly preview: unknown }) {
  const t = useTexts(agentsTexts);
  const { request, events, untrusted_data } = (preview ?? {}) as Shown;
  return (
    <div className="mt-3 rounded-control border border-line bg-subtle p-3">
      <h3 className="m-0 text-13 font-semibold">{t.preview}</h3>
      <p className="mt-0 mb-2 text-12 text-text-2">{t.dataHint}</p>
      <Fields
        fields={[
          [
            t.request,
            <span key="p" className="code">
              {[request?.method, request?.path, request?.query].filter(Boolean).join(' ')}
            </span>,
          ],
          ...linesOf(request?.body),
          ...((events ?? []).length > 0 ? [[t.events, (events ?? []).join(', ')] as const] : []),
        ]}
      />
      <details className="mt-2">
        <summary className="cursor-pointer text-13">{t.data}</summary>
        <pre className="code m-0 mt-2 max-h-80 overflow-auto text-12 whitespace-pre-wrap wrap-anywhere">
          {JSON.stringify(untrusted_data?.value ?? null, null, 2)}
        </pre>
      </details>
    </div>
  );
}

const linesOf = (body: unknown): FieldLine[] =>
  Object.entries((body ?? {}) as object).map(([name, value]) => [
    name,
    <span key={name} className="code">
      {JSON.stringify(value)}
    </span>,
  ]);

function Decided({ writes }: { readonly writes: readonly AgentWriteLine[] }) {
  const t = useTexts(agentsTexts);
  const locale = useLocale();
  return (
    <section aria-label={t.decided} className="card p-4">
      <h2 className="mt-0 mb-2 text-14 font-semibold">{t.decided}</h2>
      <ul className="m-0 flex list-none flex-col gap-2 p-0 text-13">
        {writes.map((write) => (
          <li key={write.id} className="flex flex-wrap gap-x-3 gap-y-0.5">
            <span className="font-medium">{write.name[locale]}</span>
            <span>{t.statuses[write.status]}</span>
            {write.confirmed_by !== null && (
              <span className="text-text-2">
                {write.confirmed_by === 'panel' ? t.by.panel(write.decided_by_name) : t.by[write.confirmed_by]}
              </span>
            )}
            {write.money.length > 0 && <Sums sums={write.money} />}
            <span className="text-text-2">{write.key_name}</span>
            <DateTime at={write.created_at} show="relative" />
          </li>
        ))}
      </ul>
    </section>
  );
}
