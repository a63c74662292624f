// Runs an endpoint that reads: parameters, the cache, the endpoint's body, the envelope.

import { readAt } from '../../domain/worlds/enter-world.ts';
import type { Db } from '../../kit/db.ts';
import type { Body, ReplyRecord } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { JsonPieces } from '../../kit/json-pieces.ts';
import { formatMoney } from '../../kit/money.ts';
import type { Page, Walk } from '../../kit/page.ts';
import { cursorParam, readQuery } from '../../kit/params.ts';
import { listBody, NO_STORE, notModified, objectBody, ok, piecesBody, REVALIDATE, type Reply } from '../wire/reply.ts';
import { type ApiEndpoint, isList } from './api-endpoints.ts';
import { cursorTime, readCursor, signCursor } from './cursor.ts';
import { contextOf, type EndpointCall, type EndpointRunner, type PathParams, requireIds } from './endpoint-call.ts';
import { isFreshWith, jsonWithFields, requireIncludes, withIncluded } from './include.ts';
import { preparationOf } from './prepare-file.ts';
import { readInLog, withLogHere } from './read-in-log.ts';
import { type CachedReply, matchesEtag, type PageLink, strongEtag, weakEtag } from './response-cache.ts';

type Values = Record<string, unknown>;

export function runRead(
  runner: EndpointRunner,
  call: EndpointCall,
  endpoint: ApiEndpoint,
  params: PathParams,
): Reply | Promise<Reply> {
  requireIds(params);
  const request = readRequest(runner, call, endpoint, params);
  const late = runner.catchUp.ensure(call.caller, call.now);
  if (late !== null) return late.then(() => runSettled(runner, call, endpoint, request));
  return runSettled(runner, call, endpoint, request);
}

/** The parameters of a read. */
interface ReadRequest {
  readonly params: PathParams;
  readonly query: Values;
  /** The query in canonical form: part of the cached reply's name. */
  readonly text: string;
  /** With a cursor; `list` is what the cursors are signed over. */
  readonly walk?: Walk & { readonly list: string };
}

function readRequest(runner: EndpointRunner, call: EndpointCall, endpoint: ApiEndpoint, params: PathParams): ReadRequest {
  const { query, text } = parsedQuery(endpoint, call.rawQuery);
  if (query.include !== undefined) requireIncludes(call, endpoint.body!, query);
  if (query.cursor === undefined) return { params, query, text };
  if (query.sort !== undefined) return fail('invalid_parameter', { param: 'sort', words: { allowed: NO_SORT } });
  const list = JSON.stringify([call.caller.dataSetId, endpoint.id, params, queryText(endpoint, query, NOT_FILTERS)]);
  const after = readCursor(runner.secrets.cursors, list, query.cursor as string, call.realNow);
  const { world } = call.caller;
  if (
    after === undefined &&
    world !== null &&
    (cursorTime(query.cursor as string) ?? Number.POSITIVE_INFINITY) < world.openedAt.getTime()
  )
    return fail('gone');
  if (after === undefined || new URLSearchParams(call.rawQuery).has('offset')) {
    return fail('invalid_parameter', { param: 'cursor', words: { allowed: cursorParam.allowed } });
  }
  // By position, not by the cursor's bytes, so that walks at the same position share a cached page.
  return { params, query, text: `${text} ${after}`, walk: { list, after, byChange: query.updated_since !== undefined } };
}

const NO_SORT = { en: 'omitted when cursor is sent', tr: 'cursor gönderildiğinde boş' };

const NOT_FILTERS: readonly string[] = ['limit', 'offset', 'cursor'];
const NOT_IN_WALK: readonly string[] = ['offset', 'cursor'];

function runSettled(
  runner: EndpointRunner,
  call: EndpointCall,
  endpoint: ApiEndpoint,
  request: ReadRequest,
): Reply | Promise<Reply> {
  const body = endpoint.body!;
  if (!isList(body) || body.fresh || request.query.include !== undefined) return runUncached(runner, call, endpoint, request);
  // The clock of a world moves without a write, so its replies are not cached.
  if (call.caller.world !== null)
    return readList(runner, call, endpoint, request, null).then((list) => replyWithList(runner, call, list));
  // A masked caller's search finds less, so their pages are cached separately.
  const name = `${call.caller.dataSetId} ${call.caller.masked ? 'masked ' : ''}${call.path}?${request.text}`;
  const known = isBypass(call.headers) ? undefined : runner.cache.get(name);
  if (known !== undefined) return replyWithList(runner, call, known);
  return readList(runner, call, endpoint, request, name).then((list) => replyWithList(runner, call, list));
}

async function runUncached(
  runner: EndpointRunner,
  call: EndpointCall,
  endpoint: ApiEndpoint,
  request: ReadRequest,
): Promise<Reply> {
  const body = endpoint.body!;
  if (body.prepares !== undefined) await body.prepares(preparationOf(runner, call, request.params) as never);
  const found = await runBody(runner, call, endpoint, request);
  const isFresh = isFreshWith(body, request.query);
  if (!isList(body)) return replyWithObject(call, isFresh, await withRecordsOf(runner, call, body, request, found));
  const page = found as Page;
  const { limit, offset } = request.query as { limit: number; offset: number };
  const json = await jsonWithIncluded(runner, call, body, request, page);
  const links = pageLinksOf(call, endpoint, request, page);
  const written = listBody(json, limit, offset, page.count);
  if (isFresh) return withLinks(runner, call, ok(written, NO_STORE), links);
  return replyWithList(runner, call, { body: written, etag: strongEtag(written), links });
}

async function jsonWithIncluded(
  runner: EndpointRunner,
  call: EndpointCall,
  body: Body,
  request: ReadRequest,
  { json }: Page,
): Promise<string> {
  if (request.query.include === undefined) return jsonWithFields(request.query, json);
  const records = await withIncluded(runner, call, body, request, JSON.parse(json));
  return jsonWithFields(request.query, JSON.stringify(records));
}

async function withRecordsOf(
  runner: EndpointRunner,
  call: EndpointCall,
  body: Body,
  request: ReadRequest,
  found: unknown,
): Promise<unknown> {
  if (request.query.include === undefined) return found;
  return (await withIncluded(runner, call, body, request, [found as ReplyRecord]))[0];
}

type ListReply = Pick<CachedReply, 'body' | 'etag' | 'links'>;

function replyWithList(runner: EndpointRunner, call: EndpointCall, list: ListReply): Reply {
  const since = call.headers.ifNoneMatch;
  const reply = since !== undefined && matchesEtag(since, list.etag) ? notModified() : ok(list.body, REVALIDATE);
  reply.headers.push('ETag', list.etag);
  return withLinks(runner, call, reply, list.links);
}

interface ParsedQuery {
  readonly query: Values;
  readonly text: string;
}

const MAX_PARSED = 1000;
const parsed = new WeakMap<ApiEndpoint, Map<string, ParsedQuery>>();

/** Callers repeat the same queries, so parsed queries are cached, a limited number for each endpoint. */
function parsedQuery(endpoint: ApiEndpoint, raw: string): ParsedQuery {
  const known = parsed.get(endpoint) ?? new Map<string, ParsedQuery>();
  parsed.set(endpoint, known);
  let found = known.get(raw);
  if (found === undefined) {
    const query = readQuery(raw, endpoint.params) as Values;
    found = { query, text: queryText(endpoint, query) };
    if (known.size >= MAX_PARSED) known.clear();
    if (raw.length <= 500 && query.cursor === undefined) known.set(raw, found);
  }
  return found;
}

/** Reads a list from the database and caches the reply under `name`; null: it is not cached. */
async function readList(
  runner: EndpointRunner,
  call: EndpointCall,
  endpoint: ApiEndpoint,
  request: ReadRequest,
  name: string | null,
): Promise<CachedReply> {
  const epoch = runner.cache.epoch();
  const page = (await runBody(runner, call, endpoint, request)) as Page;
  if (page.version !== null) cachedLists.add(endpoint);
  const { limit, offset } = request.query as { limit: number; offset: number };
  const body = listBody(jsonWithFields(request.query, page.json), limit, offset, page.count);
  const links = pageLinksOf(call, endpoint, request, page);
  const reply = { dataSet: call.caller.dataSetId, version: page.version ?? -1n, body, etag: strongEtag(body), links };
  if (page.version !== null && name !== null) runner.cache.set(name, reply, epoch);
  return reply;
}

function replyWithObject(call: EndpointCall, isFresh: boolean, data: unknown): Reply {
  if (data instanceof JsonPieces) return replyWithPieces(call, data);
  const json = JSON.stringify(data);
  // An array gets list meta even where it is not paged.
  const envelope = () => (Array.isArray(data) ? listBody(json, data.length, 0, data.length) : objectBody(json, call));
  if (isFresh) return ok(envelope(), NO_STORE);
  const etag = Array.isArray(data) ? strongEtag(envelope()) : weakEtag(json);
  const since = call.headers.ifNoneMatch;
  const reply = since !== undefined && matchesEtag(since, etag) ? notModified() : ok(envelope(), REVALIDATE);
  reply.headers.push('ETag', etag);
  return reply;
}

function replyWithPieces(call: EndpointCall, json: JsonPieces): Reply {
  const etag = `W/"${json.digest().slice(0, 27)}"`;
  const since = call.headers.ifNoneMatch;
  const reply = since !== undefined && matchesEtag(since, etag) ? notModified() : ok(piecesBody(json, call), REVALIDATE);
  reply.headers.push('ETag', etag);
  return reply;
}

async function runBody(
  runner: EndpointRunner,
  call: EndpointCall,
  endpoint: ApiEndpoint,
  { params, query, walk }: ReadRequest,
): Promise<unknown> {
  const { dataSetId, world } = call.caller;
  const { log } = runner.database;
  const work = withLogHere(log === null, (db: Db) => {
    if (world !== null) readAt(db, world);
    return endpoint.body!.run(contextOf(runner, call, { db, params, query, walk }));
  });
  const run = readsOnStandby(endpoint, call)
    ? () => runner.copies.read(dataSetId, cachedLists.has(endpoint) ? 'known' : 'latest', work)
    : () => runner.database.inTenant(dataSetId, 'read', work);
  const found = await runner.catchUp.settled(run, call.now, world);
  return readInLog(found, (read) => log!.inTenant(dataSetId, 'read', read));
}

/** Lists whose pages may be cached: a page from a standby is held to what a cached one is held to. */
const cachedLists = new WeakSet<ApiEndpoint>();

/**
 * Lists and reports, whose content the version of the data set covers. A single record is read from the primary: asking for its
 * version would cost as much. A caller who bypasses the cache does not want a copy either.
 */
function readsOnStandby({ body, path, scope }: ApiEndpoint, { caller, headers }: EndpointCall): boolean {
  if (body!.fresh || body!.prepares !== undefined || caller.world !== null) return false;
  if (isBypass(headers)) return false;
  return isList(body!) || (!path.includes('{') && scope !== 'account:read');
}

/** fetch() sends no-cache whenever it revalidates; our cache is exact, so no-cache with If-None-Match is ignored. */
const isBypass = ({ cacheControl, ifNoneMatch }: EndpointCall['headers']): boolean =>
  cacheControl?.includes('no-cache') === true && ifNoneMatch === undefined;

/** The query in canonical form, for the cache's name and for links. */
function queryText(endpoint: ApiEndpoint, query: Values, except: readonly string[] = ['cursor']): string {
  const parts: string[] = [];
  for (const name of Object.keys(endpoint.params)) {
    const value = query[name];
    if (value !== undefined && !except.includes(name)) parts.push(`${name}=${encodeURIComponent(textOf(value))}`);
  }
  return parts.join('&');
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? formatMoney(value) : String(value);
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return 'day' in value ? String(value.day) : (value as { at: Date }).at.toISOString();
}

/** Links to the next and the previous page, without the prefix. */
function pageLinksOf(
  call: EndpointCall,
  endpoint: ApiEndpoint,
  { query, walk }: ReadRequest,
  { hasMore, last }: Page,
): PageLink[] {
  const { limit, offset } = query as { limit: number; offset: number };
  const path = call.path.endsWith('.php') || endpoint.path.includes('{') ? call.path : endpoint.path;
  if (walk !== undefined) {
    if (!hasMore) return [];
    if (!last) throw new Error(`${endpoint.id} does not say where a page of its walk ended`);
    return [
      { rel: 'next', target: `${path}?${queryText(endpoint, query, NOT_IN_WALK)}`, walk: { list: walk.list, after: last } },
    ];
  }
  const at = (other: number) => `${path}?${queryText(endpoint, { ...query, offset: other })}`;
  const links: PageLink[] = [];
  if (hasMore) links.push({ rel: 'next', target: at(offset + limit) });
  if (offset > 0) links.push({ rel: 'prev', target: at(Math.max(0, offset - limit)) });
  return links;
}

/** Adds the Link header (RFC 8288) with the caller's own prefix, because API and panel share cached replies. */
function withLinks(
  { publicUrl, secrets }: EndpointRunner,
  { prefix, realNow }: EndpointCall,
  reply: Reply,
  links: readonly PageLink[],
): Reply {
  if (links.length === 0) return reply;
  const base = publicUrl() + prefix;
  // The cursor is signed for each reply, so it does not expire with a cached page.
  const cursor = ({ walk }: PageLink) =>
    walk === undefined ? '' : `&cursor=${signCursor(secrets.cursors, walk.list, walk.after, realNow)}`;
  reply.headers.push('Link', links.map((link) => `<${base}${link.target}${cursor(link)}>; rel="${link.rel}"`).join(', '));
  return reply;
}
