// What the panel's handlers use, and a request in their pipeline.
import type { IncomingMessage } from 'node:http';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { clientAddress, type Range } from '../../domain/net/address.ts';
import type { Actor } from '../../domain/writes/audit.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Locale } from '../../kit/errors.ts';
import { newRequestId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { PanelEndpoint, PanelSession } from '../../panel/kit/endpoint.ts';
import type { PanelServices } from '../../panel/kit/services.ts';
import type { ApiEndpoint } from '../api/api-endpoints.ts';
import type { WriteRunner } from '../api/endpoint-call.ts';
import type { Limiter } from '../rate-limits/rate-limit.ts';
import type { Metrics } from '../wire/metrics.ts';
import { localeOf } from '../wire/reply.ts';

export interface PanelParts extends WriteRunner {
  readonly services: PanelServices;
  readonly catalog: Catalog<ApiEndpoint>;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly trustProxy: readonly Range[];
  readonly common: readonly string[];
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface PanelCall {
  readonly id: string;
  /** Business time, of the data; real time, of the call itself (kit/clock.ts). */
  readonly now: Date;
  readonly realNow: Date;
  readonly started: number;
  readonly method: string;
  /** By the path: /panel/api/… or /panel/api/sandbox/… */
  readonly environment: 'production' | 'sandbox';
  /** The part after the prefix, without the query. */
  readonly path: string;
  readonly rawQuery: string;
  readonly ip: string;
  readonly userAgent: string | null;
  /** The person's language once they are known, and the browser's until then. */
  locale: Locale;
  session: PanelSession | null;
  /** The same session in the isolated sandbox; null in production. */
  inWorld: PanelSession | null;
  endpoint: PanelEndpoint | null;
  /** The new cookie; null deletes it, undefined leaves it. */
  token: string | null | undefined;
}

export function beginPanelCall(
  request: IncomingMessage,
  parts: PanelParts,
  path: string,
  rawQuery: string,
  environment: PanelCall['environment'] = 'production',
): PanelCall {
  const realNow = parts.clock.realNow();
  const forwarded = request.headers['x-forwarded-for'];
  return {
    id: newRequestId(realNow.getTime()),
    now: parts.clock.now(),
    realNow,
    started: performance.now(),
    method: request.method ?? 'GET',
    environment,
    path,
    rawQuery,
    ip: clientAddress(
      request.socket.remoteAddress ?? '',
      Array.isArray(forwarded) ? forwarded.join(', ') : forwarded,
      parts.trustProxy,
    ),
    userAgent: request.headers['user-agent']?.replace(/[^\x20-\x7e]/g, '?').slice(0, 300) ?? null,
    locale: localeOf(request.headers['accept-language']),
    session: null,
    inWorld: null,
    endpoint: null,
    token: undefined,
  };
}

export function actorOf({ person, account, look, ip, userAgent, requestId }: PanelSession): Actor {
  const role = look ? 'look' : person.is_admin && account === null ? 'admin' : (account?.role ?? 'person');
  return { type: 'panel', name: person.email, fullName: person.full_name, personId: person.id, role, ip, userAgent, requestId };
}
