// The lots of an event. Those that wait are put in order by dragging, or by the buttons at each, which a keyboard and a finger reach.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GripVertical, Undo2 } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import type { RoomLot } from '../../../../../src/domain/auctions/live-room.ts';
import type { AdminEvent, AdminLot } from '../../../../../src/panel/admin/live-events.ts';
import { ApiError, call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { IconButton } from '../../../parts/button.tsx';
import { cx } from '../../../parts/cx.ts';
import { Field, TextArea } from '../../../parts/input/field.tsx';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Money } from '../../../parts/values.tsx';
import { AuctionBadge } from '../../../records/auctions/auction-badge.tsx';
import { partsTexts } from '../../../texts/parts.ts';
import { adminAuctionTexts } from './auction-texts.ts';

const moved = (ids: readonly string[], from: number, to: number): string[] => {
  const without = ids.filter((_, index) => index !== from);
  return [...without.slice(0, to), ids[from]!, ...without.slice(to)];
};

interface EventLotsProps {
  readonly event: AdminEvent;
  /** The state of the current lot, which changes faster than the list. */
  readonly current: RoomLot | null;
}

export function EventLots({ event, current }: EventLotsProps) {
  const t = useTexts(adminAuctionTexts);
  const order = useOrder(event);
  const [dragged, setDragged] = useState<string | null>(null);
  const [withdrawing, setWithdrawing] = useState<AdminLot | null>(null);
  const waiting = order.ids;
  const shown = [
    ...event.lots.filter(({ status }) => status !== 'Sırada'),
    ...waiting.flatMap((id) => event.lots.find((lot) => lot.id === id) ?? []),
  ];
  const drop = (over: string) => {
    if (dragged === null || dragged === over) return;
    order.move(waiting.indexOf(dragged), waiting.indexOf(over));
  };
  return (
    <section className="card min-w-0 p-4" aria-label={t.lots}>
      <h2 className="m-0 text-14 font-semibold">{t.lots}</h2>
      <p className="mt-1 mb-2 text-12 text-text-2">{waiting.length > 1 ? t.orderHint : t.lotsHint}</p>
      {shown.length === 0 && <p className="m-0 text-text-2">{t.noLots}</p>}
      <ol className="m-0 flex list-none flex-col divide-y divide-line p-0">
        {shown.map((lot) => {
          const place = waiting.indexOf(lot.id);
          const isWaiting = place >= 0;
          return (
            <li
              key={lot.id}
              draggable={isWaiting}
              onDragStart={(event: DragEvent) => {
                event.dataTransfer.effectAllowed = 'move';
                setDragged(lot.id);
              }}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event: DragEvent) => isWaiting && dragged !== null && event.preventDefault()}
              onDrop={() => isWaiting && drop(lot.id)}
              className={cx('flex items-center gap-2 py-2 text-13', dragged === lot.id && 'opacity-50')}
            >
              {isWaiting && <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-text-3" />}
              <LotLine lot={lot.id === current?.id ? { ...lot, current_bid: current.current_bid } : lot} />
              {isWaiting ? (
                <LotButtons
                  lot={lot}
                  isFirst={place === 0}
                  isLast={place === waiting.length - 1}
                  onMove={(by) => order.move(place, place + by)}
                  onWithdraw={() => setWithdrawing(lot)}
                />
              ) : (
                <AuctionBadge status={lot.status} />
              )}
            </li>
          );
        })}
      </ol>
      <p role="status" className="sr-only">
        {order.announcement}
      </p>
      {withdrawing && <Withdraw lot={withdrawing} onClose={() => setWithdrawing(null)} />}
    </section>
  );
}

/** The order as it is on its way to the server, and then as the server has it. */
function useOrder(event: AdminEvent) {
  const t = useTexts(adminAuctionTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const [announcement, setAnnouncement] = useState('');
  const known = event.lots.filter(({ status }) => status === 'Sırada').map(({ id }) => id);
  const send = useMutation({
    mutationFn: (lot_ids: string[]) =>
      call('POST admin/live-events/{event_id}/order', { params: { event_id: event.id }, body: { lot_ids } }),
    onError: (error) => notify({ title: error instanceof ApiError ? error.message : p.offline, failed: true }),
    onSettled: () => client.invalidateQueries({ queryKey: ['admin', 'live-event', event.id] }),
  });
  const ids = send.isPending ? send.variables : known;
  return {
    ids,
    announcement,
    move: (from: number, to: number) => {
      if (from < 0 || to < 0 || to >= ids.length || send.isPending) return;
      const lot = event.lots.find(({ id }) => id === ids[from]);
      setAnnouncement(t.movedTo(lot?.car ?? '', to + 1));
      send.mutate(moved(ids, from, to));
    },
  };
}

function LotLine({
  lot: { lot_no, car, seller, start_price, reserve_price, current_bid, currency },
}: {
  readonly lot: AdminLot;
}) {
  const t = useTexts(adminAuctionTexts);
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-medium">
        <span className="tabular text-text-2">{lot_no}</span> {car}
      </span>
      <span className="block truncate text-12 text-text-2">
        {seller} · <Money amount={current_bid ?? start_price} currency={currency} short />
        {reserve_price !== null && (
          <>
            {' '}
            ({t.reserve} <Money amount={reserve_price} currency={currency} short />)
          </>
        )}
      </span>
    </span>
  );
}

interface LotButtonsProps {
  readonly lot: AdminLot;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onWithdraw: () => void;
}

function LotButtons({ lot, isFirst, isLast, onMove, onWithdraw }: LotButtonsProps) {
  const t = useTexts(adminAuctionTexts);
  return (
    <span className="flex shrink-0">
      <IconButton label={t.up(lot.car)} icon={ArrowUp} disabled={isFirst} onClick={() => onMove(-1)} />
      <IconButton label={t.down(lot.car)} icon={ArrowDown} disabled={isLast} onClick={() => onMove(1)} />
      <IconButton label={t.withdrawLot(lot.car)} icon={Undo2} onClick={onWithdraw} />
    </span>
  );
}

function Withdraw({ lot, onClose }: { readonly lot: AdminLot; readonly onClose: () => void }) {
  const t = useTexts(adminAuctionTexts);
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const run = async () => {
    const body = reason.trim() === '' ? {} : { reason };
    await call('POST admin/live-lots/{lot_id}/withdraw', { params: { lot_id: lot.id }, body });
    notify({ title: t.withdrawn });
    void client.invalidateQueries({ queryKey: ['admin'] });
  };
  return (
    <ConfirmDialog open onClose={onClose} title={t.withdrawTitle(lot.car)} action={t.withdraw} run={run}>
      <div className="flex flex-col gap-3">
        <p className="m-0">{t.withdrawText}</p>
        <Field label={t.reason} optional>
          <TextArea rows={2} maxLength={500} value={reason} onChange={setReason} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
