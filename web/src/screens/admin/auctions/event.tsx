// One event for administrators: the auctioneer's screen, its lots in order, moved by dragging or by their buttons, and withdrawn.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Ban, CalendarClock } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AdminEvent } from '../../../../../src/panel/admin/live-events.ts';
import { addressOf, call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { Field, TextArea } from '../../../parts/input/field.tsx';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../../parts/page/record.tsx';
import { DateTime } from '../../../parts/values.tsx';
import { AuctionBadge } from '../../../records/auctions/auction-badge.tsx';
import { BidHistory } from '../../../records/auctions/bid-history.tsx';
import { type Auctioneer, Console } from '../../live-room/console.tsx';
import { useRoom } from '../../live-room/room-stream.ts';
import { Stage } from '../../live-room/stage.tsx';
import { OnlyAdmins } from '../only-admins.tsx';
import { adminAuctionTexts } from './auction-texts.ts';
import { MoveEvent } from './event-forms.tsx';
import { EventLots } from './event-lots.tsx';

export function AdminEventScreen() {
  const t = useTexts(adminAuctionTexts);
  const { eventId: event_id } = useParams({ from: '/shell/yonetim/muzayede/etkinlikler/$eventId' });
  const event = useQuery({
    queryKey: ['admin', 'live-event', event_id],
    queryFn: ({ signal }) => call('GET admin/live-events/{event_id}', { params: { event_id }, signal }),
  });
  return (
    <OnlyAdmins>
      {event.isPending ? (
        <RecordSkeleton cards={{ stage: 'h-80', lots: 'h-60' }} />
      ) : event.isError ? (
        <RecordGone
          error={event.error}
          onRetry={event.refetch}
          back={<ToEvents />}
          title={t.events}
          texts={{ notFound: t.eventGone, notFoundText: t.eventGoneText, toList: t.toEvents }}
          list="/yonetim/muzayede/etkinlikler"
        />
      ) : (
        <EventPage event={event.data} />
      )}
    </OnlyAdmins>
  );
}

function ToEvents() {
  const t = useTexts(adminAuctionTexts);
  return <BackLink to="/yonetim/muzayede/etkinlikler">{t.events}</BackLink>;
}

const ACTS: Auctioneer = {
  start: (lot_id, headers) => call('POST admin/live-lots/{lot_id}/start', { params: { lot_id }, headers }),
  call: (lot_id, body, headers) => call('POST admin/live-lots/{lot_id}/call', { params: { lot_id }, body, headers }),
  end: (lot_id, body, headers) => call('POST admin/live-lots/{lot_id}/end', { params: { lot_id }, body, headers }),
};

function EventPage({ event }: { readonly event: AdminEvent }) {
  const t = useTexts(adminAuctionTexts);
  const client = useQueryClient();
  const room = useRoom(event.id, (since) =>
    addressOf('GET admin/live-events/{event_id}/room', { params: { event_id: event.id }, query: { since } }),
  );
  const now = room.message;
  const version = `${now?.lots_version} ${now?.event.status}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the list of lots is another one
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['admin', 'live-event', event.id] });
  }, [client, event.id, version]);
  const lotOf = (id: string | null | undefined) => event.lots.find((lot) => lot.id === id);
  const [current, next] = [lotOf(now?.lot?.id), lotOf(now?.event.next_lot_id)];
  return (
    <>
      <PageHeader
        title={event.title}
        above={<ToEvents />}
        beside={<AuctionBadge status={now?.event.status ?? event.status} />}
        description={
          <span className="flex flex-wrap gap-x-3 gap-y-0.5">
            <DateTime at={event.starts_at} />
            <span>{t.runBy(event.operator)}</span>
          </span>
        }
        actions={<EventActs event={event} />}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {now && <Stage room={room} car={current?.car ?? ''} />}
          {now && now.event.status !== 'İptal' && now.event.status !== 'Bitti' && (
            <Console
              room={room}
              acts={ACTS}
              reservePrice={current?.reserve_price ?? null}
              next={next ? t.lotCar(next.lot_no, next.car) : null}
            />
          )}
          {now?.lot && (
            <BidHistory id={now.lot.id} bids={room.bids} currency={now.lot.currency} chainHead={now.lot.chain_head} mine={null} />
          )}
        </div>
        <EventLots event={event} current={now?.lot ?? null} />
      </div>
    </>
  );
}

function EventActs({ event }: { readonly event: AdminEvent }) {
  const t = useTexts(adminAuctionTexts);
  const [act, setAct] = useState<'move' | 'cancel' | null>(null);
  const isOver = event.status === 'Bitti' || event.status === 'İptal';
  if (isOver) return null;
  return (
    <>
      {event.status === 'Planlandı' && (
        <Button icon={CalendarClock} onClick={() => setAct('move')}>
          {t.move}
        </Button>
      )}
      <Button icon={Ban} onClick={() => setAct('cancel')}>
        {t.cancel}
      </Button>
      {act === 'move' && <MoveEvent eventId={event.id} onClose={() => setAct(null)} />}
      {act === 'cancel' && <CancelEvent eventId={event.id} onClose={() => setAct(null)} />}
    </>
  );
}

function CancelEvent({ eventId, onClose }: { readonly eventId: string; readonly onClose: () => void }) {
  const t = useTexts(adminAuctionTexts);
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const run = async () => {
    const body = reason.trim() === '' ? {} : { reason };
    await call('POST admin/live-events/{event_id}/cancel', { params: { event_id: eventId }, body });
    notify({ title: t.cancelled });
    void client.invalidateQueries({ queryKey: ['admin'] });
  };
  return (
    <ConfirmDialog open onClose={onClose} title={t.cancelTitle} action={t.cancel} run={run}>
      <div className="flex flex-col gap-3">
        <p className="m-0">{t.cancelText}</p>
        <Field label={t.reason} optional>
          <TextArea rows={2} maxLength={500} value={reason} onChange={setReason} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
