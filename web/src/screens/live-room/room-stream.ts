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

type RoomEvent =
  | { readonly line: RoomLine }
  | { readonly message: RoomMessage }
  | { readonly standing: RoomStanding }
  | { readonly reset: true };

function roomReducer(room: Room, change: RoomEvent): Room {
  if ('reset' in change) return EMPTY;
  if ('line' in change) return { ...room, line: change.line };
  if ('standing' in change) return { ...room, standing: change.standing };
  const { message } = change;
  const lotId = message.lot?.id;
  const before = message.is_fresh ? [] : room.bids.filter(({ lot_id }) => lot_id === lotId);
  const bids = [...before, ...message.bids.filter(({ lot_id }) => lot_id === lotId)];
  const isSame = before.length === room.bids.length && bids.length === before.length;
  return { ...room, line: 'live', message, bids: isSame ? room.bids : bids, ahead: aheadBy(message.server_time) };
}

/** `address(since)` is the stream's, from a position on. */
export function useRoom(eventId: string, address: (since: string | undefined) => string): Room {
  const [room, dispatch] = useReducer(roomReducer, EMPTY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the event's
  useEffect(() => {
    dispatch({ reset: true });
    return follow(address, dispatch);
  }, [eventId]);
  return room;
}

/** Returns a function that stops it. */
function follow(address: (since: string | undefined) => string, dispatch: (change: RoomEvent) => void): () => void {
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
    dispatch({ line: 'lost' });
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
      dispatch({ message: JSON.parse(event.data) });
      listen();
    });
    source.addEventListener('standing', (event) => dispatch({ standing: JSON.parse(event.data) }));
    source.onerror = lose;
  };
  connect();
  return rest;
}
