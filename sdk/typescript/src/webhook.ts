// Verifies a received webhook as defined by Standard Webhooks. Runs on every platform with Web Crypto.
import type { EventObjects, EventType } from './generated.ts';

export class WebhookRefused extends Error {}

/** An event of one type. Events about people, documents and the wallet carry ids only: read the record if you need more. */
export interface EventOf<T extends EventType> {
  readonly id: string;
  readonly type: T;
  readonly timestamp: string;
  readonly api_version: string;
  readonly account_id: string;
  readonly environment: 'production' | 'sandbox';
  /** Without gaps per account; null for `test.ping`. */
  readonly sequence: T extends 'test.ping' ? null : number;
  readonly resource: { readonly kind: string; readonly id: string; readonly path: string };
  readonly data: {
    readonly object: EventObjects[T];
    readonly changed: readonly string[];
    readonly previous: Partial<EventObjects[T]>;
  };
  readonly request_id: string | null;
}

/** `switch (event.type)` narrows `event.data.object`. Types may be added at any time: ignore those that you do not know. */
export type WebhookEvent = { [T in EventType]: EventOf<T> }[EventType];

/** Whether an event belongs to a resource: `isEvent(event, 'vehicle')`. */
export const isEvent = <R extends string>(
  event: WebhookEvent,
  resource: R,
): event is Extract<WebhookEvent, { readonly type: `${R}.${string}` }> => event.type.startsWith(`${resource}.`);

type HeaderSource = Headers | Readonly<Record<string, string | string[] | undefined>>;

/** The event, or a refusal: then answer 400. `secrets`: two while a secret is being changed. */
export async function verifyWebhook(
  body: string,
  headers: HeaderSource,
  secrets: string | readonly string[],
  toleranceSeconds = 300,
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, `webhook-${name}`));
  if (!id || !timestamp || !signatures || !/^\d+$/.test(timestamp)) throw new WebhookRefused('headers are missing');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRefused('the timestamp is too far from now');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const secret of [secrets].flat()) {
    const bytes = bytesOf((secret ?? '').replace(/^whsec_/, ''));
    // Anyone can sign with an empty key.
    if (bytes.length === 0) throw new TypeError('a secret is whsec_ and base64');
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const one of signatures.split(' ').filter((text) => text.startsWith('v1,')))
      if (await crypto.subtle.verify('HMAC', key, bytesOf(one.slice(3)), signed)) return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookRefused('no signature matches');
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
