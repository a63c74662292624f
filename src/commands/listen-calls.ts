// The two calls of `listen`, both from the machine of whoever runs it to addresses they named: the event stream of their service, and
// their own receiver. Nobody else has a say in where, so nothing is kept from them.
import { readEventStream, type StreamMessage } from '../domain/formats/event-stream.ts';
import { signatureHeaders } from '../domain/webhooks/webhook-signing.ts';

export interface StreamRequest {
  /** Of the service, without `/events/v1`. */
  readonly service: string;
  readonly key: string;
  readonly events: string | undefined;
  readonly since: string | undefined;
  /** The last sequence that is done with. */
  readonly position: string | null;
  readonly stop: AbortSignal;
}

/** The service answered, and not with a stream. */
export class Refused extends Error {
  readonly status: number;
  readonly retryAfterMs: number;
  constructor(status: number, message: string, retryAfterMs: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A quiet stream says something every fifteen seconds: after so long without a word the connection is dead. */
const SILENT_MS = 60_000;

export async function openEventStream(request: StreamRequest): Promise<AsyncGenerator<StreamMessage>> {
  const { service, key, events, since, position, stop } = request;
  const query = new URLSearchParams({ ...(events === undefined ? {} : { events }), ...(since === undefined ? {} : { since }) });
  const asked = fetch(`${service}/events/v1${query.size > 0 ? `?${query}` : ''}`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(position === null ? {} : { 'last-event-id': position }),
    },
    redirect: 'manual',
    signal: stop,
  });
  const response = await orSilence(asked);
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw await refusalOf(response);
  return readEventStream(untilSilent(response.body!.getReader()));
}

async function orSilence<T>(awaited: Promise<T>): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error('nothing came for a minute')), SILENT_MS);
  return Promise.race([awaited, silence.promise]).finally(() => clearTimeout(timer));
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

async function refusalOf(response: Response): Promise<Refused> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => null);
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  const said = typeof error?.message === 'string' ? `${error.message} (${error.code})` : null;
  return new Refused(
    status,
    said ?? `it answered ${status}, and not as this service does`,
    Number(headers.get('retry-after') ?? 0) * 1000,
  );
}

export interface Forwarded {
  /** null: no answer. */
  readonly status: number | null;
  readonly reason: string | null;
  readonly durationMs: number;
}

const RECEIVER_TIMEOUT_MS = 15_000;

/** As the service sends a webhook: the same headers, the same body, no redirects; 15 seconds for all of it. */
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

/** What lies under `fetch failed`, in a few words. */
export function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return 'it took too long';
  const { code, message: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? (inner || message);
}
