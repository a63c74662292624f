// The main display of the room: the current bid, the leader, the clock and the connection state.
import { Radio, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocale, useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { Money } from '../../parts/values.tsx';
import { AuctionBadge } from '../../records/auctions/auction-badge.tsx';
import { aliasWord, bidTexts } from '../../records/auctions/auction-texts.ts';
import { durationText, useServerNow } from '../../records/auctions/auctions.ts';
import { useFormat } from '../../session.ts';
import type { Room, RoomLine } from './room-stream.ts';
import { roomTexts } from './texts.ts';

interface StageProps {
  readonly room: Room;
  /** The car's name, as far as it is known. */
  readonly car: string;
  /** Picture and facts of the car. */
  readonly picture?: ReactNode;
  /** Bidding, or the auctioneer's buttons. */
  readonly children?: ReactNode;
}

export function Stage({ room, car, picture, children }: StageProps) {
  const t = useTexts(roomTexts);
  const lot = room.message?.lot;
  if (!lot) return <p className="card m-0 p-6 text-center text-text-2">{t.noLots}</p>;
  return (
    <section className="card min-w-0 overflow-hidden" aria-label={t.lot(lot.lot_no)}>
      {picture}
      <div className="flex flex-col gap-4 p-4">
        <header className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="m-0 text-20 font-semibold wrap-anywhere">
            {t.lot(lot.lot_no)} <span className="font-medium">{car}</span>
          </h2>
          <AuctionBadge status={lot.status} />
        </header>
        <Standing room={room} />
        <Clocks room={room} />
        {children}
        <Announced room={room} />
      </div>
    </section>
  );
}

function Standing({ room }: { readonly room: Room }) {
  const t = useTexts(roomTexts);
  const locale = useLocale();
  const lot = room.message!.lot!;
  const { current_bid, currency, start_price, next_min_bid, leader_alias, bid_count } = lot;
  const isMine = leader_alias !== null && room.standing?.lot_id === lot.id && room.standing.alias === leader_alias;
  const isOver = lot.status !== 'Açık' && lot.status !== 'Sırada';
  return (
    <>
      <dl className="m-0 grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[auto_1fr]">
        <div>
          <dt className="text-13 text-text-2">{current_bid === null ? t.startPrice : isOver ? t.lastBid : t.currentBid}</dt>
          <dd className="m-0 text-[clamp(2.25rem,9vw,3.5rem)] leading-none font-semibold tracking-tight" data-current-bid>
            <Money amount={current_bid ?? start_price} currency={currency} short />
          </dd>
          <dd className="m-0 mt-1 text-13 text-text-2">
            {leader_alias === null ? t.noLeader : `${isMine ? t.you : aliasWord(locale, leader_alias)} · ${t.bids(bid_count)}`}
          </dd>
        </div>
        <div>
          <dt className="text-13 text-text-2">{t.nextMinimum}</dt>
          <dd className="m-0 text-24 font-semibold">
            <Money amount={next_min_bid} currency={currency} short />
          </dd>
          <dd className="m-0 mt-1 text-13 text-text-2">
            {lot.has_reserve ? (lot.reserve_met ? t.reserveMet : t.reserveNotMet) : t.noReserve}
          </dd>
        </div>
      </dl>
      <OwnStanding room={room} isMine={isMine} isOver={isOver} />
      {lot.call > 0 && lot.status === 'Açık' && (
        <p className="m-0 rounded-control bg-write-bg px-3 py-2 text-center text-20 font-semibold text-write">
          {lot.call === 1 ? t.once : t.twice}
        </p>
      )}
    </>
  );
}

function OwnStanding({ room, isMine, isOver }: { readonly room: Room; readonly isMine: boolean; readonly isOver: boolean }) {
  const t = useTexts(roomTexts);
  const format = useFormat();
  const lot = room.message!.lot!;
  if (room.standing?.lot_id !== lot.id) return null;
  const highest = format.money(room.standing.highest_bid, lot.currency, true);
  const isWon = isOver && isMine && lot.status === 'Satıldı';
  const words = isWon ? t.won : isMine ? (isOver ? t.wasHighest : t.leading(highest)) : isOver ? t.lost : t.outbid(highest);
  return (
    <p
      className={cx(
        'm-0 rounded-control px-3 py-2 text-14 font-medium',
        isMine ? 'bg-live-bg text-live' : 'bg-write-bg text-write',
      )}
    >
      {words}
    </p>
  );
}

function Clocks({ room }: { readonly room: Room }) {
  const t = useTexts(roomTexts);
  const b = useTexts(bidTexts);
  const format = useFormat();
  const now = useServerNow(room.ahead);
  const { event, lot } = room.message!;
  const since = lot!.status === 'Açık' && lot!.opened_at ? now - Date.parse(lot!.opened_at) : null;
  const until = event.status === 'Planlandı' ? Date.parse(event.starts_at) - now : null;
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-text-2">
      <LineState line={room.line} />
      <span className="tabular">
        {t.serverTime} {format.time(now).slice(0, 8)}
      </span>
      {since !== null && <span className="tabular">{t.openFor(durationText(since, b.day, b.hour))}</span>}
      {until !== null && until > 0 && <span className="tabular">{t.startsIn(durationText(until, b.day, b.hour))}</span>}
    </p>
  );
}

export function LineState({ line }: { readonly line: RoomLine }) {
  const t = useTexts(roomTexts);
  const Icon = line === 'live' ? Radio : Unplug;
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 font-medium',
        line === 'live' ? 'text-live' : line === 'lost' ? 'text-danger' : 'text-text-2',
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      {t.lines[line]}
    </span>
  );
}

/** For those who hear the room. */
function Announced({ room }: { readonly room: Room }) {
  const t = useTexts(roomTexts);
  const locale = useLocale();
  const format = useFormat();
  const lot = room.message!.lot!;
  const last = room.bids.at(-1);
  const words = last
    ? `${aliasWord(locale, last.bidder_alias)}: ${format.money(last.amount, lot.currency, true)}`
    : t.lot(lot.lot_no);
  const call = lot.call === 1 ? t.once : lot.call === 2 ? t.twice : '';
  return (
    <p role="status" className="sr-only">
      {words} {call}
    </p>
  );
}
