// A request in the pipeline: what is known of it so far.
import type { IncomingMessage } from 'node:http';
import type { AgentVia } from '../../domain/keys/agent-states.ts';
import type { LiveKey } from '../../domain/keys/keys.ts';
import { clientAddress, type Range } from '../../domain/net/address.ts';
import type { Clock } from '../../kit/clock.ts';
import { newRequestId } from '../../kit/ids.ts';
import type { NewEvent } from '../../kit/work.ts';
import type { LimitResult } from '../rate-limits/rate-limit.ts';
import type { ApiEndpoint } from './api-endpoints.ts';

export interface Call {
  readonly id: string;
  readonly errorPages: string | null;
  /** Business time, of the data; real time, of the call itself (kit/clock.ts). */
  readonly now: Date;
  readonly realNow: Date;
  readonly started: number;
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  /** The part after the prefix (/api/v1/), without the query. */
  readonly path: string;
  readonly rawQuery: string;
  readonly ip: string;
  readonly headers: CallHeaders;
  key: LiveKey | null;
  limitResult: LimitResult | null;
  endpoint: ApiEndpoint | null;
  /** Set on calls that an agent makes through /mcp. */
  agent: AgentCall | null;
}

/** An agent's call: who it is, what it acts on, and what looks at its write. */
export interface AgentCall {
  readonly via: AgentVia;
  readonly watch?: WriteWatch;
}

/** Looks at a write from inside its transaction. */
export interface WriteWatch {
  /** The ETag of the record in the path, before the write; null where it has none. */
  seesRecord(etag: string | null): void;
  /** What the write made, before it is committed; an error rolls it back. */
  seesResult(data: unknown, events: readonly NewEvent[], isDry: boolean): void;
}

/** The headers that the pipeline needs. Reading these few from the raw list costs a tenth of Node's own headers object. */
export interface CallHeaders {
  authorization: string | undefined;
  /** How many Authorization headers were sent: with two, different servers could read different keys. */
  authorizations: number;
  ifNoneMatch: string | undefined;
  cacheControl: string | undefined;
  acceptLanguage: string | undefined;
  userAgent: string | undefined;
  forwardedFor: string | undefined;
  /** X-Request-Id of the caller or its proxy; kept beside ours, which is always our own. */
  requestId: string | undefined;
  hasBody: boolean;
}

/** Longer ones, and characters that have no place in an id, are not kept. */
const FOREIGN_ID = /^[\x21-\x7e]{1,128}$/;

/** Header names of other lengths are skipped. */
const LENGTHS = new Set(
  ['authorization', 'accept-language', 'user-agent', 'content-length', 'transfer-encoding', 'x-request-id'].map(
    (name) => name.length,
  ),
);

function readHeaders(raw: readonly string[]): CallHeaders {
  const headers: CallHeaders = {
    authorization: undefined,
    authorizations: 0,
    ifNoneMatch: undefined,
    cacheControl: undefined,
    acceptLanguage: undefined,
    userAgent: undefined,
    forwardedFor: undefined,
    requestId: undefined,
    hasBody: false,
  };
  for (let index = 0; index < raw.length; index += 2) {
    if (LENGTHS.has(raw[index]!.length)) readHeader(headers, raw[index]!.toLowerCase(), raw[index + 1]!);
  }
  return headers;
}

function readHeader(headers: CallHeaders, name: string, value: string): void {
  const also = (before: string | undefined) => (before === undefined ? value : `${before}, ${value}`);
  if (name === 'authorization') {
    headers.authorization ??= value;
    headers.authorizations += 1;
  } else if (name === 'if-none-match') headers.ifNoneMatch = also(headers.ifNoneMatch);
  else if (name === 'cache-control') headers.cacheControl = also(headers.cacheControl);
  else if (name === 'accept-language') headers.acceptLanguage = also(headers.acceptLanguage);
  else if (name === 'user-agent') headers.userAgent ??= value;
  else if (name === 'x-forwarded-for') headers.forwardedFor = also(headers.forwardedFor);
  else if (name === 'x-request-id') headers.requestId = FOREIGN_ID.test(value) ? value : undefined;
  else if (name === 'transfer-encoding' || (name === 'content-length' && value !== '0')) headers.hasBody = true;
}

export const API_PREFIX = '/api/v1/';

/** The path of a request target. Proxies may send an absolute target (`GET http://host/path`). */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = /^https?:\/\/[^/?#]*(.*)$/i.exec(target);
  return absolute ? absolute[1] || '/' : target;
}

export interface CallParts {
  readonly clock: Clock;
  readonly trustProxy: readonly Range[];
  /** The address of the pages about error codes; null without PUBLIC_URL. */
  readonly errorPages: string | null;
}

export function beginCall(request: IncomingMessage, { clock, trustProxy, errorPages }: CallParts, prefix = API_PREFIX): Call {
  const realNow = clock.realNow();
  const target = request.url ?? '/';
  const whole = pathOf(target);
  const mark = whole.indexOf('?');
  const headers = readHeaders(request.rawHeaders);
  return {
    id: newRequestId(realNow.getTime()),
    errorPages,
    now: clock.now(),
    realNow,
    started: performance.now(),
    method: request.method ?? 'GET',
    target,
    path: whole.slice(prefix.length, mark < 0 ? undefined : mark),
    rawQuery: mark < 0 ? '' : whole.slice(mark + 1),
    ip: addressOf(request, headers.forwardedFor, trustProxy),
    headers,
    key: null,
    limitResult: null,
    endpoint: null,
    agent: null,
  };
}

const addresses = new WeakMap<object, string>();

export function addressOf(request: IncomingMessage, forwarded: string | undefined, trusted: readonly Range[]): string {
  const { socket } = request;
  const known = addresses.get(socket);
  if (known !== undefined && trusted.length === 0) return known;
  const address = clientAddress(socket.remoteAddress ?? '', forwarded, trusted);
  if (trusted.length === 0) addresses.set(socket, address);
  return address;
}
