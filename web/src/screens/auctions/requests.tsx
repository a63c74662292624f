// One's own requests for a live event: what was asked, what the platform decided, and why.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Pencil, Plus, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { REQUEST_STATUSES } from '../../../../src/domain/auctions/auction-states.ts';
import { call, callPage } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { AuctionBadge } from '../../records/auctions/auction-badge.tsx';
import { auctionWord } from '../../records/auctions/auction-texts.ts';
import { AUCTIONS, type AuctionRequest, eventQuery, useAuctionsChanged } from '../../records/auctions/auctions.ts';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { RequestForm } from './request-form.tsx';
import { auctionsTexts } from './texts.ts';

export function AuctionRequestsScreen() {
  const t = useTexts(auctionsTexts);
  const locale = useLocale();
  const { durum = '', offset } = useSearch({ from: '/shell/muzayede/talepler' });
  const navigate = useNavigate({ from: '/muzayede/talepler' });
  const mayAsk = useMay('auction-requests:write');
  const [asking, setAsking] = useState<AuctionRequest | 'new' | null>(null);
  const requests = useQuery({
    queryKey: [AUCTIONS, 'requests', durum, offset],
    queryFn: ({ signal }) => callPage('GET v1/auction-requests', { query: { status: durum, offset }, signal }),
    placeholderData: keepPreviousData,
  });
  const chips = [
    { value: '', label: t.all },
    ...REQUEST_STATUSES.map((value) => ({ value: value as string, label: auctionWord(locale, value) })),
  ];
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <ChoiceChips
          label={t.status}
          value={durum}
          chips={chips}
          onChange={(next) => navigate({ search: next === '' ? {} : { durum: next } })}
        />
        {mayAsk && (
          <Button look="primary" icon={Plus} className="mb-3" onClick={() => setAsking('new')}>
            {t.ask}
          </Button>
        )}
      </div>
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
                  <RequestCard key={request.id} request={request} onEdit={() => setAsking(request)} />
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
      {asking !== null && <RequestForm request={asking === 'new' ? null : asking} onClose={() => setAsking(null)} />}
    </>
  );
}

function RequestCard({ request, onEdit }: { readonly request: AuctionRequest; readonly onEdit: () => void }) {
  const t = useTexts(auctionsTexts);
  const mayEdit = useMay('auction-requests:write');
  const mayWithdraw = useMay('auction-requests:write', 'destructive');
  const [isWithdrawing, setWithdrawing] = useState(false);
  const { currency, start_price, reserve_price, min_increment, status } = request;
  const isWaiting = status === 'Beklemede';
  return (
    <li className="card grid gap-x-6 gap-y-2 p-4 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.2fr)_auto]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2 font-medium">
          <VehicleName id={request.vehicle_id} />
          <AuctionBadge status={status} />
        </div>
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
          {min_increment !== null && (
            <>
              {' · '}
              {t.step}: <Money amount={min_increment} currency={currency} short />
            </>
          )}
        </p>
        {request.event_id && <WishedEvent id={request.event_id} />}
      </div>
      <div className="min-w-0 text-13">
        {request.note && <p className="m-0 whitespace-pre-line text-text-2 wrap-anywhere">{request.note}</p>}
        {request.decision_note && (
          <p className="m-0 wrap-anywhere">
            {t.decision}: “{request.decision_note}”
          </p>
        )}
        {request.decided_at && (
          <p className="m-0 text-12 text-text-2">
            <DateTime at={request.decided_at} show="relative" />
          </p>
        )}
      </div>
      {isWaiting && (
        <div className="flex flex-wrap items-start gap-2 lg:justify-end">
          {mayEdit && (
            <Button icon={Pencil} onClick={onEdit}>
              {t.edit}
            </Button>
          )}
          {mayWithdraw && (
            <Button icon={Undo2} onClick={() => setWithdrawing(true)}>
              {t.withdraw}
            </Button>
          )}
        </div>
      )}
      {isWithdrawing && <Withdraw id={request.id} onClose={() => setWithdrawing(false)} />}
    </li>
  );
}

function WishedEvent({ id }: { readonly id: string }) {
  const event = useQuery({ ...eventQuery(id), retry: false });
  if (!event.data) return null;
  return (
    <Link to="/muzayede/canli/$eventId" params={{ eventId: id }} className="link">
      {event.data.title}
    </Link>
  );
}

function Withdraw({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(auctionsTexts);
  const changed = useAuctionsChanged();
  const write = useWrite({
    send: (_: undefined, headers) => call('DELETE v1/auction-requests/{request_id}', { params: { request_id: id }, headers }),
    onDone: () => {
      notify({ title: t.isWithdrawn });
      void changed();
    },
  });
  return (
    <ConfirmDialog open onClose={onClose} title={t.withdrawTitle} action={t.withdraw} run={() => write.runAndWait(undefined)}>
      {t.withdrawText}
    </ConfirmDialog>
  );
}
