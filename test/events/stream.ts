// An event stream as an integrator holds it: messages with their ids, until it is closed or the service ends it.
import { readEventStream } from '../../src/domain/formats/event-stream.ts';

export interface OpenStream {
  readonly status: number;
  readonly headers: Headers;
  /** Of a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  readonly json: any;
  /** `[sequence, type]` of each event, in the order received. */
  readonly seen: (readonly [sequence: number, type: string])[];
  /** The exact text of each. */
  readonly texts: string[];
  readonly missed: unknown[];
  /** The last id, also of messages without data. */
  lastId(): string | null;
  /** Settles when the service, or close(), has ended it. */
  readonly ended: Promise<void>;
  /** Whether the connection broke before the end of the reply. */
  wasCut(): boolean;
  close(): Promise<void>;
}

export async function openStream(
  url: string,
  key: string,
  { query = '', lastEventId, headers = {} }: { query?: string; lastEventId?: string; headers?: Record<string, string> } = {},
): Promise<OpenStream> {
  const ending = new AbortController();
  const response = await fetch(`${url}/events/v1${query}`, {
    signal: ending.signal,
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...headers,
    },
  });
  const seen: [number, string][] = [];
  const texts: string[] = [];
  const missed: unknown[] = [];
  let lastId: string | null = null;
  let isCut = false;
  const read = async () => {
    for await (const { id, event, data } of readEventStream(response.body!)) {
      lastId = id ?? lastId;
      if (data === null) continue;
      if (event === 'missed') missed.push(JSON.parse(data));
      else {
        seen.push([Number(id), JSON.parse(data).type]);
        texts.push(data);
      }
    }
  };
  const cut = () => {
    isCut = true;
  };
  const ended = response.status === 200 ? read().catch(cut) : Promise.resolve();
  return {
    status: response.status,
    headers: response.headers,
    json: response.status === 200 ? null : await response.json(),
    seen,
    texts,
    missed,
    lastId: () => lastId,
    ended,
    wasCut: () => isCut,
    close: () => {
      ending.abort();
      return ended;
    },
  };
}
