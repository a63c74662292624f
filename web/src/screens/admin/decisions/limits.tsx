// Requests for a higher limit: who asks, the key's traffic, and the decision.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { LimitRequestLine } from '../../../../../src/panel/admin/limits.ts';
import { callPage } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { EnvironmentBadge } from '../../../parts/badges.tsx';
import { Button } from '../../../parts/button.tsx';
import { ChoiceChips } from '../../../parts/input/choice-chips.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../../parts/page/states.tsx';
import { Pagination } from '../../../parts/table/pagination.tsx';
import { useRowKeys, useShortcut } from '../../../parts/table/row-keys.ts';
import { UsageUnread } from '../../../parts/usage-unread.tsx';
import { DateTime } from '../../../parts/values.tsx';
import { useFormat } from '../../../session.ts';
import { OnlyAdmins } from '../only-admins.tsx';
import { adminTexts } from '../texts.ts';
import { type Deciding, DecisionDialog } from './decision-dialog.tsx';

interface LimitsSearch {
  readonly durum?: string;
  readonly offset?: string;
}

const STATES = ['pending', 'approved', 'refused', 'all'] as const;

export function LimitsScreen() {
  const t = useTexts(adminTexts);
  const search: LimitsSearch = useSearch({ from: '/shell/yonetim/limit-talepleri' });
  const navigate = useNavigate({ from: '/yonetim/limit-talepleri' });
  const state = STATES.find((one) => one === search.durum) ?? 'pending';
  const requests = useQuery({
    queryKey: ['admin', 'limit-requests', search],
    queryFn: ({ signal }) =>
      callPage('GET admin/limit-requests', { query: { status: state === 'all' ? '' : state, offset: search.offset }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  return (
    <OnlyAdmins>
      <PageHeader title={t.limitsTitle} description={t.limitsHint} />
      <ChoiceChips
        label={t.status}
        value={state}
        chips={STATES.map((value) => ({ value, label: t.states[value] }))}
        onChange={(durum) => navigate({ search: durum === 'pending' ? {} : { durum } })}
      />
      {requests.isPending ? (
        <SkeletonRows rows={6} />
      ) : requests.isError ? (
        <div className="card">
          <ErrorState error={requests.error} onRetry={requests.refetch} />
        </div>
      ) : requests.data.items.length === 0 ? (
        <div className="card">
          <EmptyState title={state === 'pending' ? t.noRequests.pending : t.noRequests.other}>{t.noRequestsHint}</EmptyState>
        </div>
      ) : (
        <>
          <RequestList requests={requests.data.items} />
          <div className="mt-3">
            <Pagination
              page={requests.data}
              onMove={(offset) => navigate({ search: { ...search, offset: offset === 0 ? '' : String(offset) } })}
            />
          </div>
        </>
      )}
    </OnlyAdmins>
  );
}

function RequestList({ requests }: { readonly requests: readonly LimitRequestLine[] }) {
  const t = useTexts(adminTexts);
  const list = useRef<HTMLUListElement>(null);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  useRowKeys(list);
  /** For the focused request. A dialog follows, so that a single key press decides nothing. */
  const decide = (approve: boolean) => {
    const id = document.activeElement?.closest<HTMLElement>('[data-request]')?.dataset.request;
    const request = requests.find((one) => one.id === id && one.status === 'pending');
    if (request && !(approve && request.key_revoked)) setDeciding({ request, approve });
  };
  useShortcut('a', () => decide(true));
  useShortcut('r', () => decide(false));
  return (
    <>
      <ul ref={list} className="m-0 flex list-none flex-col gap-3 p-0">
        {requests.map((request) => (
          <RequestCard key={request.id} request={request} onDecide={(approve) => setDeciding({ request, approve })} />
        ))}
      </ul>
      <p className="mt-2 mb-0 hidden text-12 text-text-3 sm:block">{t.shortcuts}</p>
      <DecisionDialog deciding={deciding} onClose={() => setDeciding(null)} />
    </>
  );
}

interface RequestCardProps {
  readonly request: LimitRequestLine;
  readonly onDecide: (approve: boolean) => void;
}

function RequestCard({ request, onDecide }: RequestCardProps) {
  const t = useTexts(adminTexts);
  const format = useFormat();
  const pending = request.status === 'pending';
  return (
    <li
      tabIndex={-1}
      data-request={request.id}
      className="card grid gap-x-6 gap-y-3 p-4 focus:border-accent lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.2fr)_auto]"
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">{request.key_name}</span>
          <EnvironmentBadge environment={request.environment} />
        </div>
        <Link to="/yonetim/hesaplar/$accountId" params={{ accountId: request.account_id }} className="link text-13 wrap-anywhere">
          {request.account}
        </Link>
        <p className="m-0 text-12 text-text-2">
          {t.askedBy}: {request.asked_by_name} · <DateTime at={request.created_at} show="relative" />
        </p>
      </div>
      <Figures request={request} />
      <div className="min-w-0 text-13">
        <p className="m-0 whitespace-pre-line wrap-anywhere">{request.reason ?? '—'}</p>
        {!pending && <Decision request={request} />}
        {pending && request.first_by_name !== null && (
          <p className="m-0 mt-1 text-12 text-text-2">
            {t.firstBy(request.first_by_name, format.number(request.first_per_minute ?? 0))}
          </p>
        )}
        {pending && request.key_revoked && <p className="m-0 mt-1 font-medium text-write">{t.keyRevoked}</p>}
      </div>
      {pending && (
        <div className="flex flex-wrap items-start gap-2 lg:justify-end">
          <Button
            look="primary"
            icon={Check}
            disabled={request.key_revoked}
            onClick={() => onDecide(true)}
            aria-label={`${t.approve}: ${request.key_name}`}
          >
            {t.approve}
          </Button>
          <Button icon={X} onClick={() => onDecide(false)} aria-label={`${t.refuse}: ${request.key_name}`}>
            {t.refuse}
          </Button>
        </div>
      )}
    </li>
  );
}

function Figures({ request }: { readonly request: LimitRequestLine }) {
  const t = useTexts(adminTexts);
  const format = useFormat();
  const { busiest_hour, rate_limited, calls } = request;
  return (
    <div className="min-w-0 text-13">
      <p className="tabular m-0">
        <span className="text-text-2">{t.now}</span> {t.perMin(format.number(request.current_per_minute))}
        <span aria-hidden> → </span>
        <span className="text-text-2">{t.requested}</span>{' '}
        <strong className="font-semibold">{t.perMin(format.number(request.asked_per_minute))}</strong>
      </p>
      <p className="tabular m-0 text-12 text-text-2">
        {t.traffic}:{' '}
        {calls === null || busiest_hour === null ? (
          <UsageUnread />
        ) : calls === 0 ? (
          t.noTraffic
        ) : (
          t.busiest(format.number(busiest_hour), format.number(Math.ceil(busiest_hour / 60)))
        )}
      </p>
      {rate_limited !== null && rate_limited > 0 && (
        <p className="tabular m-0 text-12 font-medium text-write">{t.limited(format.number(rate_limited))}</p>
      )}
    </div>
  );
}

function Decision({ request }: { readonly request: LimitRequestLine }) {
  const t = useTexts(adminTexts);
  const format = useFormat();
  const approved = request.status === 'approved';
  return (
    <div className="mt-2 border-t border-line pt-2 text-12 text-text-2">
      <p className="m-0">
        <strong className="font-semibold text-text">{t.states[request.status]}</strong>
        {approved && ` · ${t.granted} ${t.perMin(format.number(request.granted_per_minute ?? 0))}`}
      </p>
      <p className="m-0">
        {t.decidedBy}: {request.decided_by_name} · <DateTime at={request.decided_at} show="relative" />
      </p>
      {request.note && <p className="m-0 whitespace-pre-line wrap-anywhere">“{request.note}”</p>}
    </div>
  );
}
