// A live room as it happens. The browser reconnects with the number of the last bid it has, so that nothing is lost and nothing comes twice.
import { useEffect, useReducer } from 'react';
import type { RoomBid, RoomMessage, RoomStanding } from '../../../../src/domain/auctions/live-room.ts';
import { aheadBy } from '../../records/auctions/auctions.ts';

/** `lost`: there is no stream; what is shown may be old, and it is tried again. */
export type RoomLine = 'connecting' | 'live' | 'lost';

export interface Room {
  readonly line: RoomLine;
  readonly message: RoomMessage | null;
  /** Of the lot that is shown. */
  readonly bids: readonly RoomBid[];
  readonly standing: RoomStanding | null;
  /** How far the server's clock is ahead. */
  readonly ahead: number;
}

const EMPTY: Room = { line: 'connecting', message: null, bids: [], standing: null, ahead: 0 };
/** Each try after another waits twice as long. */
const RETRY_MS = { first: 1000, longest: 15_000 } as const;
/** The server sends something at least every ten seconds. */
const SILENCE_MS = 25_000;

type Told =
  | { readonly line: RoomLine }
  | { readonly message: RoomMessage }
  | { readonly standing: RoomStanding }
  | { readonly anew: true };

function heard(room: Room, told: Told): Room {
  if ('anew' in told) return EMPTY;
  if ('line' in told) return { ...room, line: told.line };
  if ('standing' in told) return { ...room, standing: told.standing };
  const { message } = told;
  const lotId = message.lot?.id;
  const before = message.is_fresh ? [] : room.bids.filter(({ lot_id }) => lot_id === lotId);
  const bids = [...before, ...message.bids.filter(({ lot_id }) => lot_id === lotId)];
  const isSame = before.length === room.bids.length && bids.length === before.length;
  return { ...room, line: 'live', message, bids: isSame ? room.bids : bids, ahead: aheadBy(message.server_time) };
}

/** `address(since)` is the stream's, from a position on. */
export function useRoom(eventId: string, address: (since: string | undefined) => string): Room {
  const [room, tell] = useReducer(heard, EMPTY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the event's
  useEffect(() => {
    tell({ anew: true });
    return follow(address, tell);
  }, [eventId]);
  return room;
}

/** Returns a function that stops it. */
function follow(address: (since: string | undefined) => string, tell: (told: Told) => void): () => void {
  let position: string | undefined;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause: number = RETRY_MS.first;
  const rest = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const lose = () => {
    rest();
    tell({ line: 'lost' });
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, RETRY_MS.longest);
  };
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(lose, SILENCE_MS);
  };
  const connect = () => {
    rest();
    source = new EventSource(address(position));
    source.onopen = listen;
    source.addEventListener('news', (event) => {
      position = event.lastEventId;
      pause = RETRY_MS.first;
      tell({ message: JSON.parse(event.data) });
      listen();
    });
    source.addEventListener('standing', (event) => tell({ standing: JSON.parse(event.data) }));
    source.onerror = lose;
  };
  connect();
  return rest;
}
