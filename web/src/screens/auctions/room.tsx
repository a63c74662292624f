// The live room of an event: what is on the block, bidding, the log of bids and the lots; for its operator the auctioneer's buttons.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import type { RoomLot } from '../../../../src/domain/auctions/live-room.ts';
import { addressOf, call, callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { AuctionBadge } from '../../records/auctions/auction-badge.tsx';
import { AUCTIONS, eventQuery, type LiveEvent, type LiveLot, type LiveLotDetail } from '../../records/auctions/auctions.ts';
import { BidHistory } from '../../records/auctions/bid-history.tsx';
import { BidPanel } from '../../records/auctions/bid-panel.tsx';
import { carName } from '../../records/network/network.ts';
import { CarFacts, CarPicture, DealerName } from '../../records/vehicles/car-card.tsx';
import { type Auctioneer, Console } from '../live-room/console.tsx';
import { type Room, useRoom } from '../live-room/room-stream.ts';
import { Seat } from '../live-room/seat.tsx';
import { Stage } from '../live-room/stage.tsx';
import { auctionsTexts } from './texts.ts';

const AfterLot = lazy(async () => ({ default: (await import('./after-lot.tsx')).AfterLot }));

/** The caller's own car that was sold, or one that the caller won. */
const isStruckForMe = ({ status, my_role, am_i_leading }: LiveLot): boolean =>
  status === 'Satıldı' && (my_role === 'seller' || am_i_leading);

export function RoomScreen() {
  const t = useTexts(auctionsTexts);
  const { eventId } = useParams({ from: '/shell/muzayede/canli/$eventId' });
  const event = useQuery(eventQuery(eventId));
  if (event.isPending) return <RecordSkeleton cards={{ stage: 'h-96', bids: 'h-60' }} />;
  if (event.isError)
    return (
      <RecordGone
        error={event.error}
        onRetry={event.refetch}
        back={<ToEvents />}
        title={t.live}
        texts={{ notFound: t.eventGone, notFoundText: t.eventGoneText, toList: t.toEvents }}
        list="/muzayede"
      />
    );
  return <RoomPage key={eventId} event={event.data} />;
}

function ToEvents() {
  const t = useTexts(auctionsTexts);
  return <BackLink to="/muzayede">{t.title}</BackLink>;
}

const ACTS: Auctioneer = {
  start: (lot_id, headers) => call('POST v1/live-auctions/lots/{lot_id}/start', { params: { lot_id }, headers }),
  call: (lot_id, body, headers) => call('POST live-auctions/lots/{lot_id}/call', { params: { lot_id }, body, headers }),
  end: (lot_id, body, headers) => call('POST v1/live-auctions/lots/{lot_id}/end', { params: { lot_id }, body, headers }),
};

function RoomPage({ event }: { readonly event: LiveEvent }) {
  const t = useTexts(auctionsTexts);
  const room = useRoom(event.id, (since) =>
    addressOf('GET live-auctions/{event_id}/room', { params: { event_id: event.id }, query: { since } }),
  );
  const lots = useLots(event.id, room);
  const lot = useLot(room);
  const mayAct = useMay('live-auctions:write', 'sensitive');
  const now = room.message?.event;
  const next = lots.find(({ id }) => id === now?.next_lot_id);
  return (
    <>
      <PageHeader
        title={event.title}
        above={<ToEvents />}
        beside={<AuctionBadge status={now?.status ?? event.status} />}
        description={
          <span className="flex flex-wrap gap-x-3 gap-y-0.5">
            <DateTime at={event.starts_at} />
            <DealerName dealer={event.operator} />
            {now && <span>{t.lotsSold(now.lot_count, now.sold_count)}</span>}
          </span>
        }
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {room.message === null ? (
            <div className="card skeleton h-96" aria-hidden />
          ) : (
            <Stage room={room} car={lot ? carName(lot.vehicle) : ''} picture={lot && <Block lot={lot} />}>
              {mayAct && !event.am_i_operator && isAhead(room) && (
                <Seat eventId={event.id} isOperator={false}>
                  <Bidding room={room} lot={lot} />
                </Seat>
              )}
            </Stage>
          )}
          {event.am_i_operator && mayAct && room.message && (
            <Seat eventId={event.id} isOperator>
              <Console
                room={room}
                acts={ACTS}
                reservePrice={lot?.reserve_price ?? null}
                next={next ? `${t.lot(next.lot_no)} ${carName(next.vehicle)}` : null}
              />
            </Seat>
          )}
        </div>
        <aside className="flex min-w-0 flex-col gap-4">
          {room.message?.lot && (
            <BidHistory
              id={room.message.lot.id}
              bids={room.bids}
              currency={room.message.lot.currency}
              chainHead={room.message.lot.chain_head}
              mine={room.standing?.lot_id === room.message.lot.id ? room.standing.alias : null}
            />
          )}
          <Lots lots={lots} current={room.message?.lot ?? null} />
        </aside>
      </div>
    </>
  );
}

/** Something is still to be bid on: a seat is taken before the lot that one waits for. */
const isAhead = ({ message }: Room): boolean => message?.lot?.status === 'Açık' || message?.event.next_lot_id != null;

/** All of them, read again when the stream says that the list is another one. */
function useLots(event_id: string, room: Room): readonly LiveLot[] {
  const lots = useQuery({
    queryKey: [AUCTIONS, 'lots', event_id, room.message?.lots_version],
    queryFn: ({ signal }) =>
      callPage('GET v1/live-auctions/{event_id}/lots', { params: { event_id }, query: { limit: 100 }, signal }),
    enabled: room.message !== null,
    placeholderData: (before) => before,
  });
  return lots.data?.items ?? [];
}

/** What is the caller's own in the lot on the block, and its car. */
function useLot(room: Room): LiveLotDetail | undefined {
  const client = useQueryClient();
  const { id = '', status } = room.message?.lot ?? {};
  const lot = useQuery({
    queryKey: [AUCTIONS, 'lot', id],
    queryFn: ({ signal }) => call('GET v1/live-auctions/lots/{lot_id}', { params: { lot_id: id }, signal }),
    enabled: id !== '',
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when it is opened or struck
  useEffect(() => {
    if (id !== '') void client.invalidateQueries({ queryKey: [AUCTIONS, 'lot', id] });
  }, [client, id, status]);
  return lot.data;
}

/** The car on the block. */
function Block({ lot }: { readonly lot: LiveLotDetail }) {
  const t = useTexts(auctionsTexts);
  const { vehicle, seller, my_role, winner } = lot;
  return (
    <div className="grid border-b border-line sm:grid-cols-[16rem_minmax(0,1fr)]">
      <CarPicture car={vehicle} className="aspect-[16/9] w-full max-sm:aspect-[3/1] sm:h-full" />
      <div className="flex flex-col gap-1 p-4 text-13">
        <p className="m-0 text-text-2">
          <CarFacts car={vehicle} />
        </p>
        <p className="m-0">
          {t.seller}: <DealerName dealer={seller} />
        </p>
        {my_role === 'seller' && <p className="m-0 font-medium">{t.yourCar}</p>}
        {winner && 'account_id' in winner && (
          <p className="m-0">
            {t.winner}: <DealerName dealer={winner} />
          </p>
        )}
      </div>
    </div>
  );
}

function Bidding({ room, lot }: { readonly room: Room; readonly lot: LiveLotDetail | undefined }) {
  const t = useTexts(auctionsTexts);
  const now = room.message!.lot!;
  if (now.status !== 'Açık' || now.next_min_bid === null || lot === undefined || lot.my_role === 'seller') return null;
  const isLeading = room.standing?.lot_id === now.id && room.standing.alias === now.leader_alias;
  return (
    <BidPanel
      key={now.id}
      currency={now.currency}
      nextMinimum={now.next_min_bid}
      step={now.min_increment}
      isLeading={isLeading}
      words={{ leading: t.leadingNow, other: t.otherAmount, binding: t.binding }}
      send={(amount, headers) =>
        call('POST v1/live-auctions/lots/{lot_id}/bid', { params: { lot_id: now.id }, body: { amount }, headers })
      }
      onDone={() => {}}
    />
  );
}

function Lots({ lots, current }: { readonly lots: readonly LiveLot[]; readonly current: RoomLot | null }) {
  const t = useTexts(auctionsTexts);
  if (lots.length === 0) return null;
  return (
    <section className="card min-w-0 p-4" aria-label={t.lots}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.lots}</h2>
      <ol className="m-0 flex list-none flex-col divide-y divide-line p-0">
        {lots.map((lot) => (
          <li
            key={lot.id}
            aria-current={lot.id === current?.id || undefined}
            className={cx('flex flex-wrap items-center gap-3 py-2 text-13', lot.id === current?.id && 'font-semibold')}
          >
            <span className="tabular w-6 shrink-0 text-text-2">{lot.lot_no}</span>
            <span className="min-w-0 flex-1">
              <span className="block truncate">{carName(lot.vehicle)}</span>
              <span className="block text-12 font-normal text-text-2">
                <Money
                  amount={(lot.id === current?.id ? current.current_bid : lot.current_bid) ?? lot.start_price}
                  currency={lot.currency}
                  short
                />
              </span>
            </span>
            <AuctionBadge status={lot.status} />
            {isStruckForMe(lot) && (
              <span className="flex w-full">
                <Suspense fallback={null}>
                  <AfterLot lot={lot} />
                </Suspense>
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
