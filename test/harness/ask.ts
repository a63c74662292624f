// One request of a dealer to a service that may be gone, hang or answer.
import { Agent, request } from 'node:http';
import { request as requestOverTls, type Agent as TlsAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { deadline, measureSlowness, patience } from '../support/patience.ts';

export interface HarnessRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v1/. */
  readonly path: string;
  readonly key: string;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of work that takes long; on a busy machine longer. */
  readonly withinMs?: number;
  /** Of an address with https: its connections and its certificate. */
  readonly tls?: TlsAgent;
}

export interface Answered {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });
const REPLY_MS = patience(15_000);

/** Throws without a complete reply: the outcome is then unknown. `api` ends with /api/v1/. */
export function ask(
  api: string,
  { method, path, key, idempotencyKey, headers, body, withinMs, tls }: HarnessRequest,
): Promise<Answered> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = (tls === undefined ? request : requestOverTls)(
      `${api}${path}`,
      {
        agent: tls ?? agent,
        method,
        timeout: withinMs === undefined ? REPLY_MS : patience(withinMs),
        headers: {
          authorization: `Bearer ${key}`,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          if (!incoming.complete) return reject(new Error('the reply was cut off'));
          resolve({
            status: incoming.statusCode!,
            replayed: incoming.headers['idempotent-replayed'] === 'true',
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no reply in time')));
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}

/** Like `ask`, for races in which no request may fail. */
export const askInRace = (api: string, request: HarnessRequest): Promise<Answered> => repeatWhenOverrun(() => ask(api, request));

/** On an overloaded machine the service correctly returns 503 without any effect: only then the request is repeated. */
export async function repeatWhenOverrun<Answer extends { readonly status: number }>(
  once: () => Promise<Answer>,
): Promise<Answer> {
  for (const isOver = deadline(60_000); ; await wait(100)) {
    const answer = await once();
    if (answer.status !== 503 || !isOverrun() || isOver()) return answer;
  }
}

let measured = { at: Number.NEGATIVE_INFINITY, slowness: 1 };
/** Measured now: the one-minute load average lags after a load that has just started. Services with coverage on are always slow. */
function isOverrun(): boolean {
  if (process.env.RECORD_TESTS !== undefined) return true;
  if (performance.now() - measured.at > 1000) measured = { slowness: measureSlowness(), at: performance.now() };
  return measured.slowness >= 2;
}

/**
 * Like `ask`, for a service that is killed: repeats the request with its key until there is a reply; null if none came in time.
 * `onAttempt` is called for every attempt.
 */
export async function askUntilAnswered(
  api: () => string,
  request: HarnessRequest,
  onAttempt: (status: string) => void,
): Promise<Answered | null> {
  for (const isOver = deadline(); !isOver(); await wait(100)) {
    const answer = await ask(api(), request).catch(() => null);
    onAttempt(answer === null ? 'none' : String(answer.status));
    if (answer === null || answer.status === 503) continue;
    if (answer.status === 409 && codeOf(answer) === 'idempotency_in_progress') continue;
    return answer;
  }
  return null;
}

// biome-ignore lint/suspicious/noExplicitAny: harnesses read arbitrary JSON
export const dataOf = ({ text }: Answered): any => JSON.parse(text).data;

export const codeOf = ({ text }: Answered): string | undefined => JSON.parse(text).error?.code;

/** A vehicle as a dealer would enter it. */
export const aCar = (plate: string, overrides: Record<string, unknown> = {}) => ({
  brand: 'Volkswagen',
  model: 'Golf',
  model_year: 2018,
  km: 84_000,
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Hatchback',
  color: 'Gümüş',
  plate,
  city: 'Lefkoşa',
  price: '14500.00',
  currency: 'STG',
  ...overrides,
});
