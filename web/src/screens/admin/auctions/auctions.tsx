// Requests of dealers for a live event, and the events themselves: decided and planned here.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Check, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { REQUEST_STATUSES } from '../../../../../src/domain/auctions/auction-states.ts';
import type { AdminAuctionRequest } from '../../../../../src/panel/admin/auction-requests.ts';
import type { AdminEventLine } from '../../../../../src/panel/admin/live-events.ts';
import { callPage } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ChoiceChips } from '../../../parts/input/choice-chips.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { EmptyState } from '../../../parts/page/states.tsx';
import { TabLink, TabLinks } from '../../../parts/page/tabs.tsx';
import { Pagination } from '../../../parts/table/pagination.tsx';
import { type Column, Table } from '../../../parts/table/table.tsx';
import { DateTime, Money } from '../../../parts/values.tsx';
import { AuctionBadge } from '../../../records/auctions/auction-badge.tsx';
import { auctionWord } from '../../../records/auctions/auction-texts.ts';
import { OnlyAdmins } from '../only-admins.tsx';
import { AuctionDecision } from './auction-decision.tsx';
import { adminAuctionTexts } from './auction-texts.ts';
import { PlanEvent } from './event-forms.tsx';

function AuctionTabs() {
  const t = useTexts(adminAuctionTexts);
  return (
    <TabLinks label={t.title}>
      <TabLink to="/yonetim/muzayede" activeOptions={{ exact: true }}>
        {t.requests}
      </TabLink>
      <TabLink to="/yonetim/muzayede/etkinlikler" activeOptions={{ exact: true }}>
        {t.events}
      </TabLink>
    </TabLinks>
  );
}

const WAITING = REQUEST_STATUSES[0];
const ALL = 'hepsi';

export function AdminAuctionRequestsScreen() {
  const t = useTexts(adminAuctionTexts);
  const locale = useLocale();
  const { durum = WAITING, offset } = useSearch({ from: '/shell/yonetim/muzayede' });
  const navigate = useNavigate({ from: '/yonetim/muzayede' });
  const [deciding, setDeciding] = useState<{ request: AdminAuctionRequest; approve: boolean } | null>(null);
  const requests = useQuery({
    queryKey: ['admin', 'auction-requests', durum, offset],
    queryFn: ({ signal }) =>
      callPage('GET admin/auction-requests', { query: { status: durum === ALL ? '' : durum, offset }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  const chips = [
    ...REQUEST_STATUSES.map((value) => ({ value: value as string, label: auctionWord(locale, value) })),
    { value: ALL, label: t.all },
  ];
  return (
    <OnlyAdmins>
      <PageHeader title={t.title} description={t.requestsHint} />
      <AuctionTabs />
      <ChoiceChips
        label={t.status}
        value={durum}
        chips={chips}
        onChange={(next) => navigate({ search: next === WAITING ? {} : { durum: next } })}
      />
      <Loaded query={requests} rows={5}>
        {(page) =>
          page.items.length === 0 ? (
            <div className="card">
              <EmptyState title={t.noRequests}>{t.noRequestsText}</EmptyState>
            </div>
          ) : (
            <>
              <ul aria-label={t.requests} className="m-0 mb-3 flex list-none flex-col gap-3 p-0">
                {page.items.map((request) => (
                  <RequestCard key={request.id} request={request} onDecide={(approve) => setDeciding({ request, approve })} />
                ))}
              </ul>
              <Pagination
                page={page}
                onMove={(next) => navigate({ search: (now) => ({ ...now, offset: next === 0 ? undefined : String(next) }) })}
              />
            </>
          )
        }
      </Loaded>
      {deciding && <AuctionDecision {...deciding} onClose={() => setDeciding(null)} />}
    </OnlyAdmins>
  );
}

interface RequestCardProps {
  readonly request: AdminAuctionRequest;
  readonly onDecide: (approve: boolean) => void;
}

function RequestCard({ request, onDecide }: RequestCardProps) {
  const t = useTexts(adminAuctionTexts);
  const { currency, start_price, reserve_price, min_increment, status } = request;
  return (
    <li className="card grid gap-x-6 gap-y-2 p-4 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.2fr)_auto]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <strong className="font-semibold wrap-anywhere">{request.car}</strong>
          <AuctionBadge status={status} />
        </div>
        <Link to="/yonetim/hesaplar/$accountId" params={{ accountId: request.account_id }} className="link text-13 wrap-anywhere">
          {request.account}
        </Link>
        <p className="m-0 text-12 text-text-2">
          <DateTime at={request.created_at} show="relative" />
        </p>
      </div>
      <div className="min-w-0 text-13">
        <p className="m-0">
          {t.startPrice}: <Money amount={start_price} currency={currency} short />
        </p>
        <p className="m-0 text-text-2">
          {t.reserve}: <Money amount={reserve_price} currency={currency} short />
        </p>
        {min_increment !== null && (
          <p className="m-0 text-text-2">
            {t.step}: <Money amount={min_increment} currency={currency} short />
          </p>
        )}
      </div>
      <div className="min-w-0 text-13">
        {request.event && (
          <p className="m-0">{request.lot_no === null ? t.wishes(request.event) : t.lotIn(request.lot_no, request.event)}</p>
        )}
        {request.note && <p className="m-0 whitespace-pre-line text-text-2 wrap-anywhere">{request.note}</p>}
        {request.decided_at && (
          <p className="m-0 text-12 text-text-2">
            <DateTime at={request.decided_at} show="relative" />
            {request.decision_note && <span className="block wrap-anywhere">“{request.decision_note}”</span>}
          </p>
        )}
      </div>
      {status === WAITING && (
        <div className="flex flex-wrap items-start gap-2 lg:justify-end">
          <Button look="primary" icon={Check} onClick={() => onDecide(true)} aria-label={`${t.approve}: ${request.car}`}>
            {t.approve}
          </Button>
          <Button icon={X} onClick={() => onDecide(false)} aria-label={`${t.reject}: ${request.car}`}>
            {t.reject}
          </Button>
        </div>
      )}
    </li>
  );
}

export function AdminEventsScreen() {
  const t = useTexts(adminAuctionTexts);
  const { durum = 'open', offset } = useSearch({ from: '/shell/yonetim/muzayede/etkinlikler' });
  const navigate = useNavigate({ from: '/yonetim/muzayede/etkinlikler' });
  const [isPlanning, setPlanning] = useState(false);
  const columns = useEventColumns();
  const events = useQuery({
    queryKey: ['admin', 'live-events', durum, offset],
    queryFn: ({ signal }) => callPage('GET admin/live-events', { query: { status: durum, offset }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  return (
    <OnlyAdmins>
      <PageHeader
        title={t.title}
        description={t.eventsHint}
        actions={
          <Button look="primary" icon={Plus} onClick={() => setPlanning(true)}>
            {t.plan}
          </Button>
        }
      />
      <AuctionTabs />
      <ChoiceChips
        label={t.status}
        value={durum}
        chips={[
          { value: 'open', label: t.open },
          { value: 'over', label: t.over },
        ]}
        onChange={(next) => navigate({ search: next === 'open' ? {} : { durum: next } })}
      />
      <Loaded query={events} rows={5}>
        {(page) => (
          <Table
            label={t.events}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            onOpen={({ id }) => navigate({ to: '/yonetim/muzayede/etkinlikler/$eventId', params: { eventId: id } })}
            empty={<EmptyState title={t.noEvents}>{t.noEventsText}</EmptyState>}
            footer={
              <Pagination
                page={page}
                onMove={(next) => navigate({ search: (now) => ({ ...now, offset: next === 0 ? undefined : String(next) }) })}
              />
            }
          />
        )}
      </Loaded>
      {isPlanning && <PlanEvent onClose={() => setPlanning(false)} />}
    </OnlyAdmins>
  );
}

function useEventColumns(): readonly Column<AdminEventLine>[] {
  const t = useTexts(adminAuctionTexts);
  return [
    {
      id: 'title',
      head: t.event,
      onCard: 'title',
      cell: ({ id, title }) => (
        <Link
          to="/yonetim/muzayede/etkinlikler/$eventId"
          params={{ eventId: id }}
          className="font-medium text-text no-underline hover:underline"
        >
          {title}
        </Link>
      ),
    },
    { id: 'starts', head: t.starts, cell: ({ starts_at }) => <DateTime at={starts_at} /> },
    { id: 'operator', head: t.operator, cell: ({ operator }) => operator },
    { id: 'lots', head: t.lots, align: 'end', cell: ({ lot_count }) => lot_count },
    { id: 'waiting', head: t.waiting, align: 'end', cell: ({ waiting_count }) => waiting_count },
    { id: 'sold', head: t.sold, align: 'end', cell: ({ sold_count }) => sold_count },
    { id: 'status', head: t.status, cell: ({ status }) => <AuctionBadge status={status} /> },
  ];
}
