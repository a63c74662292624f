// A live room as a browser holds it: messages with their ids, until it is closed or the server ends it.
import type { RoomMessage, RoomStanding } from '../../src/domain/auctions/live-room.ts';
import type { Browser } from './people.ts';

export interface Room {
  readonly status: number;
  readonly messages: (RoomMessage & { readonly position: string })[];
  readonly standings: RoomStanding[];
  /** All messages, in the order received. */
  text(): string;
  /** `lot.number` of all bids, in the order received. */
  seen(): string[];
  lastId(): string;
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export async function openRoom(browser: Browser, eventId: string, lastEventId?: string, path = 'live-auctions'): Promise<Room> {
  const ending = new AbortController();
  const response = await fetch(`${browser.url}/panel/api/${path}/${eventId}/room`, {
    signal: ending.signal,
    headers: {
      cookie: browser.cookieText(),
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  const messages: Room['messages'] = [];
  const standings: RoomStanding[] = [];
  const whole: string[] = [];
  const ended = readFrames(response, (frame) => {
    whole.push(frame);
    const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
    if (data === undefined) return;
    if (frame.includes('event: standing\n')) standings.push(JSON.parse(data));
    else messages.push({ ...JSON.parse(data), position: /^id: (.*)$/m.exec(frame)![1]! });
  });
  return {
    status: response.status,
    messages,
    standings,
    text: () => whole.join('\n\n'),
    seen: () => messages.flatMap(({ bids }) => bids.map(({ lot_id, bid_seq }) => `${lot_id}.${bid_seq}`)),
    lastId: () => messages.at(-1)!.position,
    ended,
    close: () => {
      ending.abort();
      return ended;
    },
  };
}

async function readFrames(response: Response, take: (frame: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop()!;
      for (const frame of frames) take(frame);
    }
  } catch {
    // The connection was cut, by either side.
  }
}
