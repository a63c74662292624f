// From an admitted call to its reply: parameters, the cache, the row's body, the envelope.

import { signLink } from '../../domain/files/file-links.ts';
import type { Secrets } from '../../domain/vault/secrets.ts';
import type { Database, Db } from '../../kit/db.ts';
import type { Body, CallingKey, Context, FileLink, NewFile, UploadedFile } from '../../kit/endpoint.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { JsonPieces } from '../../kit/json-pieces.ts';
import { formatMoney } from '../../kit/money.ts';
import type { Page } from '../../kit/page.ts';
import { readQuery } from '../../kit/params.ts';
import type { AccountSettings, Work } from '../../kit/work.ts';
import { listBody, type Meta, NO_STORE, notModified, objectBody, ok, piecesBody, REVALIDATE, type Reply } from '../wire/reply.ts';
import { type ApiRow, isList } from './api-rows.ts';
import type { CatchUp } from './catch-up.ts';
import { type CachedReply, matchesEtag, type PageLink, type ResponseCache, strongEtag, weakEtag } from './response-cache.ts';

export interface RowRunner {
  readonly database: Database;
  readonly cache: ResponseCache;
  readonly catchUp: CatchUp;
  readonly publicUrl: () => string;
  readonly secrets: Secrets;
}

/** For whom a row runs: a key through the API, or a person through the panel. */
export interface Caller {
  readonly dataSetId: string;
  readonly accountId: string;
  readonly timezone: string;
  readonly settings: AccountSettings | null;
  /** What a body may know of the key. A function, because cached replies do not need it. */
  readonly key: () => CallingKey;
  /** Requests in the trailing minute, this one included. */
  readonly used: number;
  readonly masked: boolean;
}

/** A request that may run its row. */
export interface RowCall extends Meta {
  readonly method: string;
  /** The path prefix for links: `/api/v1/`. */
  readonly prefix: string;
  /** The part after the prefix, without the query. */
  readonly path: string;
  readonly rawQuery: string;
  readonly headers: { readonly ifNoneMatch: string | undefined; readonly cacheControl: string | undefined };
  readonly caller: Caller;
}

type Values = Record<string, unknown>;

export function runRow(
  runner: RowRunner,
  call: RowCall,
  row: ApiRow,
  params: Readonly<Record<string, string>>,
): Reply | Promise<Reply> {
  requireIds(params);
  const { query, text } = parsedQuery(row, call.rawQuery);
  const late = runner.catchUp.ensure(call.caller, call.at);
  if (late !== null) return late.then(() => runSettled(runner, call, row, params, query, text));
  return runSettled(runner, call, row, params, query, text);
}

function runSettled(
  runner: RowRunner,
  call: RowCall,
  row: ApiRow,
  params: Readonly<Record<string, string>>,
  query: Values,
  text: string,
): Reply | Promise<Reply> {
  const body = row.body!;
  if (!isList(body) || body.fresh) return runUncached(runner, call, row, params, query);
  // A masked caller's search finds less, so their pages are cached separately.
  const name = `${call.caller.dataSetId} ${call.caller.masked ? 'masked ' : ''}${call.path}?${text}`;
  // fetch() sends no-cache whenever it revalidates; our cache is exact, so no-cache with If-None-Match is ignored.
  const bypass = call.headers.cacheControl?.includes('no-cache') === true && call.headers.ifNoneMatch === undefined;
  const known = bypass ? undefined : runner.cache.get(name);
  if (known !== undefined) return replyWithList(runner, call, known);
  return readList(runner, call, row, params, query, name).then((list) => replyWithList(runner, call, list));
}

async function runUncached(
  runner: RowRunner,
  call: RowCall,
  row: ApiRow,
  params: Readonly<Record<string, string>>,
  query: Values,
): Promise<Reply> {
  const body = row.body!;
  const found = await runBody(runner, call, body, params, query);
  if (!isList(body)) return replyWithObject(call, body, found);
  const { json, count, hasMore } = found as Page;
  const reply = ok(listBody(json, query.limit as number, query.offset as number, count), NO_STORE);
  return withLinks(runner, call, reply, pageLinksOf(call, row, query, hasMore));
}

function replyWithList(runner: RowRunner, call: RowCall, list: CachedReply): Reply {
  const since = call.headers.ifNoneMatch;
  const reply = since !== undefined && matchesEtag(since, list.etag) ? notModified() : ok(list.body, REVALIDATE);
  reply.headers.push('ETag', list.etag);
  return withLinks(runner, call, reply, list.links);
}

/** A malformed id is not_found. */
export function requireIds(params: Readonly<Record<string, string>>): void {
  for (const name in params) if (name.endsWith('_id') && !isUuid(params[name]!)) fail('not_found');
}

interface ParsedQuery {
  readonly query: Values;
  readonly text: string;
}

const MAX_PARSED = 1000;
const parsed = new WeakMap<ApiRow, Map<string, ParsedQuery>>();

/** Callers repeat the same queries, so parsed queries are cached, a limited number for each row. */
function parsedQuery(row: ApiRow, raw: string): ParsedQuery {
  const known = parsed.get(row) ?? new Map<string, ParsedQuery>();
  parsed.set(row, known);
  let found = known.get(raw);
  if (found === undefined) {
    const query = readQuery(raw, row.params) as Values;
    found = { query, text: queryText(row, query) };
    if (known.size >= MAX_PARSED) known.clear();
    if (raw.length <= 500) known.set(raw, found);
  }
  return found;
}

/** Reads a list from the database and caches the reply under `name`. */
async function readList(
  runner: RowRunner,
  call: RowCall,
  row: ApiRow,
  params: Readonly<Record<string, string>>,
  query: Values,
  name: string,
): Promise<CachedReply> {
  const epoch = runner.cache.epoch();
  const page = (await runBody(runner, call, row.body!, params, query)) as Page;
  const body = listBody(page.json, query.limit as number, query.offset as number, page.count);
  const links = pageLinksOf(call, row, query, page.hasMore);
  const reply = { dataSet: call.caller.dataSetId, version: page.version ?? -1n, body, etag: strongEtag(body), links };
  if (page.version !== null) runner.cache.set(name, reply, epoch);
  return reply;
}

function replyWithObject(call: RowCall, body: Body, data: unknown): Reply {
  if (data instanceof JsonPieces) return replyWithPieces(call, data);
  const json = JSON.stringify(data);
  // An array gets list meta even where it is not paged.
  const envelope = () => (Array.isArray(data) ? listBody(json, data.length, 0, data.length) : objectBody(json, call));
  if (body.fresh) return ok(envelope(), NO_STORE);
  const etag = Array.isArray(data) ? strongEtag(envelope()) : weakEtag(json);
  const since = call.headers.ifNoneMatch;
  const reply = since !== undefined && matchesEtag(since, etag) ? notModified() : ok(envelope(), REVALIDATE);
  reply.headers.push('ETag', etag);
  return reply;
}

function replyWithPieces(call: RowCall, json: JsonPieces): Reply {
  const etag = `W/"${json.digest().slice(0, 27)}"`;
  const since = call.headers.ifNoneMatch;
  const reply = since !== undefined && matchesEtag(since, etag) ? notModified() : ok(piecesBody(json, call), REVALIDATE);
  reply.headers.push('ETag', etag);
  return reply;
}

function runBody(
  runner: RowRunner,
  call: RowCall,
  body: Body,
  params: Readonly<Record<string, string>>,
  query: Values,
): Promise<unknown> {
  const { dataSetId } = call.caller;
  return runner.database.inTenant(dataSetId, 'read', (db) => body.run(contextOf(runner, call, { db, params, query })));
}

/** What came with a request, besides caller and time; a write has more of it than a read. */
interface Given {
  readonly db: Db;
  readonly params: Readonly<Record<string, string>>;
  readonly query?: Values;
  readonly work?: Work;
  readonly body?: unknown;
  readonly file?: UploadedFile | null;
  readonly files?: readonly NewFile[];
  readonly locale?: Locale;
}

/** Builds the context that every row body gets. */
export function contextOf(runner: RowRunner, call: RowCall, given: Given): Context {
  const { dataSetId, accountId, timezone, key, used, masked } = call.caller;
  const { query = {}, work = NO_WORK } = given;
  const context = {
    body: undefined,
    file: null,
    files: [],
    ...given,
    query,
    work,
    account: { id: accountId, timezone },
    key: key(),
    linkTo: linksOf(runner, dataSetId, call.at),
    page: { limit: (query.limit ?? 0) as number, offset: (query.offset ?? 0) as number },
    now: call.at,
    used,
    masked,
  };
  return context as unknown as Context;
}

/** Links to files of this data set. */
const linksOf =
  ({ secrets, publicUrl }: RowRunner, dataSet: string, now: Date) =>
  (fileId: string): FileLink =>
    signLink(secrets.files, publicUrl(), dataSet, fileId, now);

/** Makes a read fail if its body uses `work`. */
const NO_WORK = new Proxy({} as Work, {
  get: (_, name) => {
    throw new Error(`a read reached for work.${String(name)}`);
  },
});

/** The query in canonical form, for the cache's name and for links. */
function queryText(row: ApiRow, query: Values, offset = query.offset): string {
  const parts: string[] = [];
  for (const name of Object.keys(row.params)) {
    const value = name === 'offset' ? offset : query[name];
    if (value !== undefined) parts.push(`${name}=${encodeURIComponent(textOf(value))}`);
  }
  return parts.join('&');
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? formatMoney(value) : String(value);
  return 'day' in value ? String(value.day) : (value as { at: Date }).at.toISOString();
}

/** Links to the next and the previous page, without the prefix. */
function pageLinksOf(call: RowCall, row: ApiRow, query: Values, hasMore: boolean): PageLink[] {
  const { limit, offset } = query as { limit: number; offset: number };
  const path = call.path.endsWith('.php') || row.path.includes('{') ? call.path : row.path;
  const links: PageLink[] = [];
  if (hasMore) links.push({ rel: 'next', target: `${path}?${queryText(row, query, offset + limit)}` });
  if (offset > 0) links.push({ rel: 'prev', target: `${path}?${queryText(row, query, Math.max(0, offset - limit))}` });
  return links;
}

/** Adds the Link header (RFC 8288) with the caller's own prefix, because API and panel share cached replies. */
function withLinks({ publicUrl }: RowRunner, { prefix }: RowCall, reply: Reply, links: readonly PageLink[]): Reply {
  if (links.length === 0) return reply;
  const base = publicUrl() + prefix;
  reply.headers.push('Link', links.map(({ rel, target }) => `<${base}${target}>; rel="${rel}"`).join(', '));
  return reply;
}
