// The two HTTP calls of `listen`: the event stream of the service, and the local receiver. Both addresses come from the person who runs the
// command on their own machine, so private addresses are allowed here (unlike in domain/net/outbound.ts).
import { readEventStream, type StreamMessage } from '../../domain/formats/event-stream.ts';
import { signatureHeaders } from '../../domain/webhooks/webhook-signing.ts';
import { reasonOf } from '../service-key.ts';
import { refusalOf } from '../service-refusals.ts';

export interface StreamRequest {
  /** Of the service, without `/events/v1`. */
  readonly service: string;
  readonly key: string;
  readonly events: string | undefined;
  readonly since: string | undefined;
  /** The last sequence that was forwarded. */
  readonly position: string | null;
  readonly stop: AbortSignal;
}

/** The service sends a heartbeat every 15 seconds: a connection that is silent for this long is dead. */
const SILENT_MS = 60_000;

export async function openEventStream(request: StreamRequest): Promise<AsyncGenerator<StreamMessage>> {
  const { service, key, events, since, position, stop } = request;
  const query = new URLSearchParams({ ...(events === undefined ? {} : { events }), ...(since === undefined ? {} : { since }) });
  const connecting = fetch(`${service}/events/v1${query.size > 0 ? `?${query}` : ''}`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(position === null ? {} : { 'last-event-id': position }),
    },
    redirect: 'manual',
    signal: stop,
  });
  const response = await orSilence(connecting);
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw await refusalOf(response);
  return readEventStream(untilSilent(response.body!.getReader()));
}

async function orSilence<T>(awaited: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('nothing came for a minute')), SILENT_MS);
  });
  return Promise.race([awaited, silence]).finally(() => clearTimeout(timer));
}

async function* untilSilent(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { value, done } = await orSilence(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

export interface Forwarded {
  /** null: no answer. */
  readonly status: number | null;
  readonly reason: string | null;
  readonly durationMs: number;
}

const RECEIVER_TIMEOUT_MS = 15_000;

/** Like a webhook of the service: same headers and body, no redirects, 15 seconds timeout. */
export async function forwardEvent(
  url: string,
  secret: string,
  event: { readonly id: string; readonly payload: string },
  stop: AbortSignal,
): Promise<Forwarded> {
  const from = performance.now();
  const took = () => Math.round(performance.now() - from);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Galeri-Webhooks/1',
        ...signatureHeaders([secret], event, new Date()),
      },
      body: event.payload,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(RECEIVER_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, reason: null, durationMs: took() };
  } catch (error) {
    return { status: null, reason: reasonOf(error), durationMs: took() };
  }
}
