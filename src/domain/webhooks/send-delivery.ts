// One attempt: signs the event's bytes, sends them, and describes the result without revealing anything about a network.
import { NoAnswer, type OutboundAnswer, type OutboundRules, sendOutbound } from '../net/outbound.ts';
import { currentSpan } from '../tracing/spans.ts';
import type { KeyRing } from '../vault/vault.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { tryOpenSecret } from './webhook-secrets.ts';
import { signatureHeaders } from './webhook-signing.ts';

export interface Attempt {
  readonly delivery: ClaimedDelivery;
  /** `unsigned`: nothing was sent, because the webhook's secret cannot be decrypted. */
  readonly outcome: 'delivered' | 'failed' | 'gone' | 'unsigned';
  readonly status: number | null;
  readonly excerpt: string | null;
  readonly error: 'no_response' | 'bad_status' | 'secret_unreadable' | null;
  readonly durationMs: number;
  /** From the receiver's Retry-After header. */
  readonly retryAfterMs: number;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4096;
const MAX_EXCERPT = 500;

export interface SendRules {
  readonly vault: KeyRing;
  readonly outbound: OutboundRules;
  /** The limit for one attempt; tests set it. */
  readonly timeoutMs?: number;
}

/** Null if the attempt was aborted because the sender is stopping. */
export async function sendDelivery(
  delivery: ClaimedDelivery,
  { vault, outbound, timeoutMs = TIMEOUT_MS }: SendRules,
  realNow: Date,
  stopping: AbortSignal,
): Promise<Attempt | null> {
  const from = performance.now();
  const took = () => Math.round(performance.now() - from);
  const secrets = secretsOf(delivery, vault, realNow);
  if (secrets === null) return { delivery, ...UNSIGNED };
  try {
    const answer = await sendOutbound(
      delivery.url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Galeri-Webhooks/1',
          // This machine's clock, not the service's, which a test may move: the receiver compares it with its own.
          ...signatureHeaders(secrets, { id: delivery.event_id, payload: delivery.payload }, new Date()),
          ...traceHeaders(),
        },
        body: delivery.payload,
        timeoutMs,
        maxBytes: MAX_BYTES,
        signal: stopping,
      },
      outbound,
    );
    return { delivery, ...readAnswer(answer), durationMs: took() };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (stopping.aborted) return null;
    const failed = { outcome: 'failed', status: null, excerpt: null, error: 'no_response', retryAfterMs: 0 } as const;
    return { delivery, ...failed, durationMs: took() };
  }
}

/** So that the receiver's own spans join the trace. */
function traceHeaders(): { traceparent?: string } {
  const span = currentSpan();
  return span === undefined ? {} : { traceparent: span.traceparent };
}

const UNSIGNED = {
  outcome: 'unsigned',
  status: null,
  excerpt: null,
  error: 'secret_unreadable',
  durationMs: 0,
  retryAfterMs: 0,
} as const;

/** Null if there is no secret to sign with. An old secret that cannot be decrypted is skipped, because the new one signs. */
function secretsOf(delivery: ClaimedDelivery, ring: KeyRing, realNow: Date): string[] | null {
  const keys = { account: delivery.account_id, ring };
  const { webhook_id, previous_secret_encrypted: previous, previous_valid_until: until } = delivery;
  const current = tryOpenSecret(keys, 'secret_encrypted', webhook_id, delivery.secret_encrypted);
  if (current === null) return null;
  const isOverlapping = previous !== null && until !== null && until > realNow;
  const old = isOverlapping ? tryOpenSecret(keys, 'previous_secret_encrypted', webhook_id, previous) : null;
  return old === null ? [current] : [current, old];
}

function readAnswer({ status, headers, body }: OutboundAnswer): Omit<Attempt, 'delivery' | 'durationMs'> {
  const delivered = status >= 200 && status < 300;
  return {
    outcome: delivered ? 'delivered' : status === 410 ? 'gone' : 'failed',
    status,
    excerpt: excerptOf(body),
    error: delivered ? null : 'bad_status',
    retryAfterMs: delivered ? 0 : readRetryAfter(headers['retry-after']),
  };
}

/** The beginning of the answer as readable text, without NUL, which PostgreSQL does not store. */
function excerptOf(body: Buffer): string | null {
  const text = body
    .toString('utf8')
    .replace(/(?![\n\t])\p{C}/gu, '')
    .trim();
  return text === '' ? null : [...text].slice(0, MAX_EXCERPT).join('');
}

const MAX_RETRY_AFTER_MS = 86_400_000;

/** Seconds or a date, limited to a day so that a receiver cannot postpone its deliveries indefinitely. */
function readRetryAfter(header: string | string[] | undefined): number {
  const text = [header].flat()[0]?.trim() ?? '';
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : 0;
}
