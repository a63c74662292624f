// The API's entry point: the steps of every request, in order (ARCHITECTURE.md, "The life of a request").
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Catalog, grantedOf, scopesOf } from '../../domain/catalog/catalog.ts';
import { admit, type Release, type Routed, route } from '../../domain/keys/key-policy.ts';
import { isWellFormed } from '../../domain/keys/key-secret.ts';
import type { LiveKey } from '../../domain/keys/keys.ts';
import { addressGroup } from '../../domain/net/address.ts';
import { currentSpan, traced } from '../../domain/tracing/spans.ts';
import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import { isUnavailable, sqlState } from '../../kit/db.ts';
import type { CallingKey } from '../../kit/endpoint.ts';
import { type ErrorCode, Failure, type FailureFacts, fail, type RefusalCode, type Text } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { type Limiter, WINDOW_MS } from '../rate-limits/rate-limit.ts';
import type { Metrics } from '../wire/metrics.ts';
import { localeOf, type Reply, refused, writeReply } from '../wire/reply.ts';
import { countUnread, hasRoomFor } from '../wire/unread-replies.ts';
import type { ApiEndpoint } from './api-endpoints.ts';
import { API_PREFIX, beginCall, type Call, type CallParts, pathOf } from './call.ts';
import { type EndpointCall, inWorld, type WriteRunner } from './endpoint-call.ts';
import type { KeyCache } from './key-cache.ts';
import { pushDeprecation } from './push-deprecation.ts';
import type { ReleaseCache } from './release-cache.ts';
import { type RequestLog, refusalText } from './request-log.ts';
import { runRead } from './run-read.ts';
import { runWrite } from './run-write.ts';
import { unknownPathHint } from './unknown-path.ts';

export interface ApiParts extends WriteRunner, CallParts {
  readonly catalog: Catalog<ApiEndpoint>;
  readonly keyCache: KeyCache;
  readonly release: ReleaseCache;
  readonly limiter: Limiter;
  /** Failed authentications by address group, over all processes. */
  readonly failures: Pick<Limiter, 'admit'>;
  readonly failedAuthLimit: number;
  readonly requestLog: RequestLog;
  /** Headers of every reply. */
  readonly common: readonly string[];
  readonly metrics: Metrics;
  readonly log: Log;
}

/** We refuse longer targets; the parser refuses longer headers (server.ts). */
export const MAX_TARGET_BYTES = 8192;

/**
 * A request that is answered from memory (known key, rate limit, release status, cached reply) runs without promises. Only what
 * must be waited for uses a promise (`whenReady`), which costs another turn of the event loop.
 */
export function createApi(parts: ApiParts): (request: IncomingMessage, response: ServerResponse) => Promise<void> | null {
  return (request, response) => {
    const call = beginCall(request, parts);
    const finish = (made: Reply) => finishCall(parts, call, response, made);
    try {
      const reply = answer(parts, call, request);
      if (reply instanceof Promise) return reply.catch((error) => replyToError(parts, call, error)).then(finish);
      finish(reply);
    } catch (error) {
      finish(replyToError(parts, call, error));
    }
    return null;
  };
}

export function finishCall(parts: ApiParts, call: Call, response: ServerResponse, made: Reply): void {
  record(parts, call, writeUnrecorded(parts, call, response, made));
}

/** For a reply whose request is not a call of its own. Returns what was sent. */
export function writeUnrecorded(parts: ApiParts, call: Call, response: ServerResponse, made: Reply): Reply {
  const owner = call.key?.accountId ?? call.ip;
  const reply = hasRoomFor(parts.budgets, call.method, owner, made) ? made : refuse(call, 'service_unavailable');
  if (call.limitResult !== null) pushLimit(reply.headers, call);
  pushDeprecation(reply, call, parts.publicUrl);
  writeReply(response, call.id, reply, parts.common, call.headers.hasBody && !response.req.complete);
  countUnread(response, parts.budgets.replyBytes, owner, reply);
  return reply;
}

/** Answers and records a call that an agent makes through /mcp, with every check of a client's own request. */
export function answerAgent(parts: ApiParts, call: Call, request: IncomingMessage): Promise<Reply> {
  return traced('call of an agent', {}, async () => {
    let reply: Reply;
    try {
      reply = await answer(parts, call, request);
    } catch (error) {
      reply = replyToError(parts, call, error);
    }
    record(parts, call, reply);
    return reply;
  });
}

function answer(parts: ApiParts, call: Call, request: IncomingMessage): Reply | Promise<Reply> {
  const { requests } = parts.budgets;
  return whenReady(
    identifyCaller(parts, call),
    (refusal) => refusal ?? requests.during(call.key!.accountId, () => answerKnown(parts, call, call.key!, request)),
  );
}

/** Finds the key and checks revocation, expiry and address; null if it may be used, and `call.key` is then set. */
export function identifyCaller(parts: ApiParts, call: Call): Reply | null | Promise<Reply | null> {
  if (call.target.length > MAX_TARGET_BYTES) return refuse(call, 'uri_too_long', { words: { allowed: MAX_TARGET_BYTES } });
  if (isKnown(parts, call)) return refuseKey(call);
  return parts.budgets.strangers.during(addressGroup(call.ip), () => recognise(parts, call));
}

function answerKnown(parts: ApiParts, call: Call, key: LiveKey, request: IncomingMessage): Reply | Promise<Reply> {
  return whenReady(
    countCall(parts, call, key),
    (limited) =>
      limited ??
      whenReady(parts.release.now(), (release) =>
        answerRouted(parts, call, { ...route(parts.catalog, release, key, call.method, call.path), release }, request),
      ),
  );
}

/** Counts the call in the key's per-minute window; null if it is within the limit. */
export function countCall(parts: ApiParts, call: Call, key: LiveKey): Reply | null | Promise<Reply | null> {
  return whenReady(parts.limiter.admit(key.id, key.limitPerMinute), (limitResult) => {
    call.limitResult = limitResult;
    return limitResult.admitted ? null : refuseLimited(call, key.limitPerMinute);
  });
}

/** Whether the key of an open stream may still be used for an endpoint; not counted as a request. */
export async function isStillAllowed(parts: ApiParts, call: Call, path: string): Promise<boolean> {
  if (!isKnown(parts, call) && (await authenticate(parts, call)) !== null) return false;
  const key = call.key!;
  if (admit(key, call.ip, parts.clock.realNow().getTime()) !== null) return false;
  return route(parts.catalog, await parts.release.now(), key, call.method, path).refusal === null;
}

function answerRouted(
  parts: ApiParts,
  call: Call,
  { endpoint, params, refusal, release }: Routed<ApiEndpoint> & { readonly release: Release },
  request: IncomingMessage,
): Reply | Promise<Reply> {
  call.endpoint = endpoint;
  if (refusal !== null) {
    const hint = refusal.code === 'not_found' ? unknownPathHint(parts.catalog, call) : refusal.facts.hint;
    return refuse(call, refusal.code, { ...refusal.facts, hint });
  }
  return whenReady(worldOf(parts, call), (world) =>
    runRouted(parts, call, { endpoint: endpoint!, params, world, release }, request),
  );
}

/** Endpoints about the calling key itself: its usage and its log are the account's, not the world's. */
const ABOUT_KEY = 'developer:read';

/** The isolated sandbox that a call uses; null in production, without a promise. */
const worldOf = (parts: ApiParts, { key, endpoint }: Call): OpenWorld | null | Promise<OpenWorld> =>
  endpoint!.scope === ABOUT_KEY ? null : worldOfKey(parts, key!);

export function worldOfKey({ worlds }: ApiParts, { environment, accountId }: LiveKey): OpenWorld | null | Promise<OpenWorld> {
  return worlds === null || environment === 'production' ? null : worlds.of(accountId);
}

/** Where a request goes: the endpoint, and what holds for it at this moment. */
interface Routing {
  readonly endpoint: ApiEndpoint;
  readonly params: Routed<ApiEndpoint>['params'];
  readonly world: OpenWorld | null;
  readonly release: Release;
}

function runRouted(parts: ApiParts, call: Call, routing: Routing, request: IncomingMessage): Reply | Promise<Reply> {
  const { endpoint, params } = routing;
  const endpointCall = endpointCallOf(parts, call, routing);
  if (endpoint.method === 'GET') return runRead(parts, endpointCall, endpoint, params);
  const { name } = call.key!;
  const { ip, agent } = call;
  const userAgent = call.headers.userAgent ?? null;
  const actor = { type: 'api_key', name, ip, userAgent, requestId: call.id, via: agent?.via } as const;
  const locale = localeOf(call.headers.acceptLanguage);
  return runWrite(parts, { ...endpointCall, actor, locale, request, watch: agent?.watch }, endpoint, params);
}

const whenReady = <T, R>(value: T | Promise<T>, use: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(use) : use(value);

function endpointCallOf({ catalog }: ApiParts, call: Call, { world, release }: Routing): EndpointCall {
  const { id, errorPages, now, realNow, method, path, rawQuery, headers } = call;
  const { dataSetId, accountId, timezone, settings } = call.key!;
  const key = () => callingKey(call.key!, catalog, release);
  const used = call.limitResult!.used;
  const caller = {
    dataSetId,
    accountId,
    timezone,
    settings,
    key,
    used,
    masked: false,
    role: null,
    ownerId: accountId,
    world: null,
    requires: (endpointId: string) => requireHeld(catalog, release, call.key!, endpointId),
  };
  const rowCall = { id, errorPages, now, realNow, method, prefix: API_PREFIX, path, rawQuery, headers, caller };
  return world === null ? rowCall : inWorld(rowCall, world);
}

/** As for a request to that endpoint. */
function requireHeld(catalog: Catalog<ApiEndpoint>, release: Release, key: LiveKey, endpointId: string): void {
  const path = endpointId.slice('GET '.length).replace(/\{\w+\}/g, '0');
  const { refusal } = route(catalog, release, key, 'GET', path);
  if (refusal !== null) fail(refusal.code, refusal.facts);
}

const heldBy = ({ endpoints }: LiveKey, catalog: Catalog<ApiEndpoint>): ApiEndpoint[] =>
  catalog.endpoints.filter(({ id }) => endpoints.has(id));

const callingKey = (key: LiveKey, catalog: Catalog<ApiEndpoint>, release: Release): CallingKey => ({
  id: key.id,
  name: key.name,
  environment: key.environment,
  prefix: key.prefix,
  expires_at: key.keyExpiresAt?.toISOString() ?? null,
  limit_per_minute: key.limitPerMinute,
  limit_per_hour: key.limitPerHour,
  limit_per_day: key.limitPerDay,
  endpoint_count: key.endpoints.size,
  allowed_ip_count: key.allowedIps.length,
  grants: () => ({ scopes: scopesOf(heldBy(key, catalog)), special_authorizations: [...key.authorizations].sort() }),
  endpoints: () => grantedOf(heldBy(key, catalog), release),
});

/** Finds the key and checks that it may be used now, from this address; null if it may. */
async function recognise(parts: ApiParts, call: Call): Promise<Reply | null> {
  const missing = await authenticate(parts, call);
  return missing === null ? refuseKey(call) : refuseStranger(parts, call, missing);
}

function refuseKey(call: Call): Reply | null {
  const refused = admit(call.key!, call.ip, call.realNow.getTime());
  if (refused === null) return null;
  const to = call.key!.moved?.to ?? null;
  const redirect = to === null ? {} : { status: 308, headers: { Location: to + pathOf(call.target) } };
  return refuse(call, refused.code, { ...refused.facts, ...redirect });
}

/** The usual case: a cached key, whose form was checked before. */
function isKnown(parts: ApiParts, call: Call): boolean {
  const { authorization, authorizations } = call.headers;
  if (authorizations === 1 && authorization!.startsWith('Bearer ')) call.key = parts.keyCache.known(authorization!.slice(7));
  return call.key !== null;
}

/** Answers a page that shows a key its own endpoints as a request of the API: the key is checked, the request counted and logged. */
export async function answerAsCall(
  parts: ApiParts,
  request: IncomingMessage,
  response: ServerResponse,
  answer: (key: LiveKey) => Promise<Reply>,
): Promise<void> {
  const call = beginCall(request, parts, '/');
  const replied = async (): Promise<Reply> => {
    const refusal = (await identifyCaller(parts, call)) ?? (await countCall(parts, call, call.key!));
    return refusal ?? parts.budgets.requests.during(call.key!.accountId, () => answer(call.key!));
  };
  finishCall(parts, call, response, await replied().catch((error) => replyToError(parts, call, error)));
}

/** Finds the key, or returns why there is none. Keys in the query string are never accepted. */
async function authenticate(parts: ApiParts, call: Call): Promise<ErrorCode | null> {
  const { authorization: sent, authorizations } = call.headers;
  const header = sent?.trim();
  if (header === undefined || header === '' || /^bearer$/i.test(header)) return 'key_missing';
  const secret = /^bearer +(\S+)$/i.exec(header)?.[1];
  if (secret === undefined || !isWellFormed(secret) || authorizations > 1) return 'key_malformed';
  call.key = await parts.keyCache.find(secret);
  return call.key === null ? 'key_invalid' : null;
}

const USE_BEARER: Text = {
  en: 'send it as Authorization: Bearer <API_KEY>, not with Basic',
  tr: 'Basic yerine Authorization: Bearer <API_KEY> biçiminde gönderin',
};

/** Many tools offer Basic first, so the message names the right scheme. */
const wrongScheme = ({ headers }: Call): FailureFacts =>
  /^\s*basic\b/i.test(headers.authorization ?? '') ? { hint: USE_BEARER } : {};

/** Failed authentications are limited by address (IPv6: by /64). Requests with a valid key are not affected. */
async function refuseStranger(parts: ApiParts, call: Call, code: ErrorCode): Promise<Reply> {
  const limitResult = await parts.failures.admit(addressGroup(call.ip), parts.failedAuthLimit);
  if (limitResult.admitted) return refuse(call, code, wrongScheme(call));
  const headers = { 'Retry-After': String(seconds(limitResult.retryIn)) };
  return refuse(call, 'too_many_failed_attempts', { headers, words: { address: call.ip } });
}

function refuseLimited(call: Call, limit: number): Reply {
  const wait = seconds(call.limitResult!.retryIn);
  return refuse(call, 'rate_limit_exceeded', { headers: { 'Retry-After': String(wait) }, words: { limit, seconds: wait } });
}

/** Rounded up, ignoring floating-point noise: 60 000.000 000 1 ms are 60 s. */
const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(Math.round(milliseconds) / 1000));

export function refuse(call: Call, code: RefusalCode, facts: FailureFacts = {}): Reply {
  return refused(code, facts, call, localeOf(call.headers.acceptLanguage));
}

export function replyToError(parts: ApiParts, call: Call, error: unknown): Reply {
  if (error instanceof Failure) return refuse(call, error.code, error.facts);
  const unavailable = isUnavailable(error);
  // The caller gets the request id only; the reason is in the log.
  const facts = {
    request_id: call.id,
    client_request_id: call.headers.requestId,
    endpoint: call.endpoint?.id,
    sqlstate: sqlState(error),
    reason: String(error),
  };
  if (unavailable) parts.log.warn('a request failed because the database or the file store is unavailable', facts);
  else parts.log.error('a request failed', { ...facts, stack: (error as Error)?.stack });
  return refuse(call, unavailable ? 'service_unavailable' : 'internal_error');
}

export function pushLimit(headers: string[], call: Call): void {
  const { used, oldestLeavesIn } = call.limitResult!;
  const limit = call.key!.limitPerMinute;
  const remaining = Math.max(0, limit - used);
  const reset = seconds(oldestLeavesIn);
  headers.push(
    'RateLimit-Policy',
    `"minute";q=${limit};w=${WINDOW_MS / 1000}`,
    'RateLimit',
    `"minute";r=${remaining};t=${reset}`,
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.floor(call.realNow.getTime() / 1000) + reset),
  );
}

function withoutQuery(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/** Writes the request log and usage of the key, if one was recognised. */
export function record(parts: ApiParts, call: Call, reply: Reply): void {
  const durationMs = performance.now() - call.started;
  parts.metrics.answered(reply.status, reply.errorCode, durationMs, call.endpoint?.id);
  describeSpan(call, reply);
  // The log and usage of an account that has moved are in its new place.
  if (call.key === null || call.key.moved !== undefined) return;
  parts.requestLog.record({
    accountId: call.key.accountId,
    keyId: call.key.id,
    secretId: call.key.secretId,
    at: call.realNow,
    requestId: call.id,
    method: call.method,
    path: shortened(withoutQuery(call.target), 2000),
    // A request refused before routing still counts for the endpoint of its path.
    endpoint: (call.endpoint ?? parts.catalog.match(call.path)?.methods.get(call.method))?.id ?? null,
    status: reply.status,
    errorCode: reply.errorCode,
    durationMs: Math.round(durationMs * 1000) / 1000,
    ip: call.ip,
    userAgent: call.headers.userAgent === undefined ? null : shortened(call.headers.userAgent, 300),
    responseBytes: call.method === 'HEAD' ? 0 : (reply.body?.length ?? 0),
    refusal: reply.refusal === undefined ? null : refusalText(reply.refusal),
    queryNames: namesOf(call.target),
    via: call.agent?.via.channel ?? null,
    client: call.agent?.via.client ?? null,
  });
}

function describeSpan({ id, key, endpoint }: Call, { status }: Reply): void {
  const span = currentSpan();
  if (span === undefined) return;
  const account = key === null ? {} : { 'galeri.account_id': key.accountId };
  const attributes = { 'galeri.request_id': id, 'http.response.status_code': status, ...account };
  if (endpoint === null) span.describe(attributes);
  else {
    const route = API_PREFIX + endpoint.path;
    span.describe({ ...attributes, 'http.route': route }, `${endpoint.method} ${route}`);
  }
}

const MAX_NAMES = 30;

/** The names of the query's parameters as they were sent; null without a query. */
function namesOf(target: string): string | null {
  const mark = target.indexOf('?');
  if (mark < 0) return null;
  const pairs = target.slice(mark + 1, mark + 4000).split('&', MAX_NAMES);
  const names = new Set(pairs.map((pair) => pair.split('=', 1)[0]!).filter((name) => name !== ''));
  return names.size === 0 ? null : shortened([...names].join(','), 300);
}

/** Makes a copy, because a slice would keep the whole string in memory while the line waits. */
function shortened(text: string, max: number): string {
  return text.length <= max ? text : Buffer.from(text.slice(0, max), 'latin1').toString('latin1');
}
