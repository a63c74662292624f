// The pages under /g: dealers' showrooms, for anyone. Pages and the right to see a picture are cached by the version of the dealer's data.
// Strangers use at most two connections of the database at a time, one for each network, so dealers always have the others.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Files } from '../../domain/files/file-store.ts';
import { drawCar } from '../../domain/media/car-art.ts';
import { addressGroup } from '../../domain/net/address.ts';
import { createSemaphore, type Semaphore } from '../../domain/sharing/semaphore.ts';
import { listShowrooms } from '../../domain/showroom/showroom-lookup.ts';
import { isSlug } from '../../domain/showroom/showroom-states.ts';
import { BODY_TYPES } from '../../domain/stock/stock-states.ts';
import type { Writer } from '../../domain/writes/write.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, isUnavailable } from '../../kit/db.ts';
import { Failure, type Locale } from '../../kit/errors.ts';
import { newRequestId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { Changes } from '../../postgres/changes.ts';
import type { KnownVersions } from '../../postgres/known-versions.ts';
import { pathOf } from '../api/call.ts';
import type { CatchUp } from '../api/catch-up.ts';
import { type CachedRead, createResponseCache, matchesEtag, type ResponseCache, strongEtag } from '../api/response-cache.ts';
import type { Worlds } from '../api/worlds.ts';
import { createMemoryLimiter } from '../rate-limits/rate-limit.ts';
import type { Budgets } from '../wire/budgets.ts';
import { pipeFile } from '../wire/pipe-file.ts';
import { type Reply, refused, writeReply } from '../wire/reply.ts';
import { countUnread } from '../wire/unread-replies.ts';
import { publicLocale } from './public-locale.ts';
import { filterParams, readFilter } from './showroom-filter.ts';
import { createFinder, type Finder, type FoundShowroom } from './showroom-finder.ts';
import { createFormLimiter, type FormLimiter, receiveForm } from './showroom-form.ts';
import { plainShowroomPage, SHOWROOM_CSS_PATH } from './showroom-frame.ts';
import { answerShowroom, type ShowroomAnswer, sitemapIndex, UUID } from './showroom-pages.ts';
import { createShowroomVisits, type ShowroomVisits } from './showroom-visits.ts';

export interface ShowroomEntryParts {
  readonly database: Database;
  readonly versions: KnownVersions;
  readonly catchUp: CatchUp;
  /** Null unless SANDBOX=isolated. */
  readonly worlds: Worlds | null;
  readonly files: Files;
  readonly writer: Writer;
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly common: readonly string[];
  readonly publicUrl: () => string;
  /** The service has a public address (PUBLIC_URL), so search engines may list the pages. */
  readonly isPublished: boolean;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Log;
}

export interface ShowroomEntry {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  readonly visits: ShowroomVisits;
  close(): Promise<void>;
}

/** A mobile network shows many people with one address, and a page has two dozen pictures. */
const MAX_PAGES_A_MINUTE = 300;
const MAX_PICTURES_A_MINUTE = 3000;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
/** A sold car leaves the page in time, and other nodes' clocks differ little. */
const MAX_KEPT_MS = 3_600_000;
const INDEX_KEPT_MS = 600_000;
const MAX_SHOWROOMS = 50_000;

// Without connect-src, tools for search engines that work in the page cannot fetch /robots.txt.
const CSP = `default-src 'none'; style-src 'self'; connect-src 'self'; img-src 'self' https: data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
const CSS = Buffer.from(readFileSync(new URL('./vitrin.css', import.meta.url), 'utf8'));
const CSS_ETAG = strongEtag(CSS);
const PICTURE_CACHE = 'public, max-age=86400';

interface Kept extends CachedRead {
  readonly found: FoundShowroom;
  readonly until: number;
}

interface KeptPage extends Kept {
  readonly type: string;
  readonly packed: Buffer | null;
  readonly etag: string;
  readonly listingId: string | null;
}

interface KeptPicture extends Kept {
  readonly file: { readonly name: string; readonly content_type: string };
}

interface State {
  readonly parts: ShowroomEntryParts;
  readonly pages: ResponseCache<KeptPage>;
  readonly pictures: ResponseCache<KeptPicture>;
  readonly turns: Semaphore;
  readonly finder: Finder;
  readonly visits: ShowroomVisits;
  readonly limits: {
    readonly pages: ReturnType<typeof createMemoryLimiter>;
    readonly pictures: ReturnType<typeof createMemoryLimiter>;
    readonly forms: FormLimiter;
  };
  index: { readonly body: Buffer; readonly until: number } | null;
}

interface ShowroomRequest {
  readonly id: string;
  readonly now: Date;
  readonly request: IncomingMessage;
  readonly target: string;
  readonly network: string;
  readonly ip: string;
  readonly locale: Locale;
  readonly query: URLSearchParams;
  /** Below /g/. */
  readonly parts: readonly string[];
}

export function createShowroomEntry(parts: ShowroomEntryParts, changes: Changes): ShowroomEntry {
  const turns = createSemaphore({ atOnce: 2, each: 1, waiting: 200, waitingEach: 40, waitMs: 3000, what: 'showroom pages' });
  const state: State = {
    parts,
    pages: createResponseCache<KeptPage>(parts.versions, changes, { maxBytes: MAX_PAGE_BYTES, ofAccounts: true }),
    pictures: createResponseCache<KeptPicture>(parts.versions, changes, { maxBytes: MAX_PICTURE_BYTES, ofAccounts: true }),
    turns,
    finder: createFinder(parts, turns),
    visits: createShowroomVisits(parts),
    limits: { pages: createMemoryLimiter(), pictures: createMemoryLimiter(), forms: createFormLimiter() },
    index: null,
  };
  return {
    handle: (request, response) => handle(state, request, response),
    visits: state.visits,
    close: async () => {
      await state.visits.close();
      await Promise.all(Object.values(state.limits).map((limiter) => limiter.close()));
    },
  };
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { parts } = state;
  const call = readCall(parts, request);
  const reply = await replyTo(state, call, response);
  if (reply === null) return;
  reply.headers.push('Content-Security-Policy', CSP, 'X-Frame-Options', 'DENY', 'Referrer-Policy', 'same-origin');
  reply.headers.push('Cross-Origin-Opener-Policy', 'same-origin');
  if (!parts.isPublished) reply.headers.push('X-Robots-Tag', 'noindex');
  writeReply(response, call.id, reply, parts.common, !request.complete && request.method === 'POST');
  countUnread(response, parts.budgets.strangerReplyBytes, call.network, reply);
}

function readCall({ clock, addressOf }: ShowroomEntryParts, request: IncomingMessage): ShowroomRequest {
  const target = pathOf(request.url ?? '/');
  const [path, query = ''] = target.split('?', 2) as [string, string?];
  const params = new URLSearchParams(query);
  const parts = path.slice('/g/'.length).split('/');
  const ip = addressOf(request);
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return {
    id: newRequestId(clock.realNow().getTime()),
    now: clock.now(),
    request,
    target,
    network: addressGroup(ip),
    ip,
    locale: publicLocale(params, request),
    query: params,
    parts,
  };
}

/** Null if a file was sent. */
async function replyTo(state: State, call: ShowroomRequest, response: ServerResponse): Promise<Reply | null> {
  const { request, network, locale } = call;
  const { limits, parts } = state;
  const isForm = call.parts.length === 3 && call.parts[2] === 'soru';
  if (isForm ? request.method !== 'POST' : request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(call, isForm);
  const isPicture = call.parts[1] === 'foto' || call.parts[0] === 'cizim.svg';
  const limited = isPicture
    ? limits.pictures.admit(network, MAX_PICTURES_A_MINUTE)
    : limits.pages.admit(network, MAX_PAGES_A_MINUTE);
  if (!limited.admitted) return pageReply(429, plainShowroomPage(locale, 'tooFast'), ['Retry-After', '60']);
  try {
    if (isForm) return await formReply(state, call);
    return (
      (await fixed(state, call)) ?? (await parts.budgets.strangers.during(network, () => showroomReply(state, call, response)))
    );
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return null;
    }
    if (error instanceof Failure && ['gone', 'not_found'].includes(error.code)) return missing(locale);
    const unavailable = error instanceof Failure || isUnavailable(error);
    parts.log[unavailable ? 'warn' : 'error']('a showroom page failed', { request_id: call.id, reason: String(error) });
    return pageReply(unavailable ? 503 : 500, plainShowroomPage(locale, 'busy'), unavailable ? ['Retry-After', '1'] : []);
  }
}

const missing = (locale: Locale): Reply => pageReply(404, plainShowroomPage(locale, 'missingLead'));

function notAllowed(call: ShowroomRequest, isForm: boolean): Reply {
  const allowed = isForm ? 'POST' : 'GET, HEAD';
  const words = { method: (call.request.method ?? '').slice(0, 20), allowed };
  return refused('method_not_allowed', { headers: { Allow: allowed }, words }, call, call.locale);
}

const pageReply = (status: number, page: string, more: readonly string[] = []): Reply => ({
  status,
  headers: ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store', ...more],
  body: Buffer.from(page),
  errorCode: null,
});

/** What belongs to no dealer: the style sheet, drawings of cars, the index of sitemaps. */
async function fixed(state: State, call: ShowroomRequest): Promise<Reply | null> {
  const [name, ...more] = call.parts;
  if (more.length > 0) return null;
  const of = (type: string, body: Buffer, cache: string, etag: string[] = []): Reply => ({
    status: 200,
    headers: ['Content-Type', type, 'Cache-Control', cache, ...etag],
    body,
    errorCode: null,
  });
  if (`/g/${name}` === SHOWROOM_CSS_PATH) {
    const since = call.request.headers['if-none-match'];
    const reply = of('text/css; charset=utf-8', CSS, 'no-cache', ['ETag', CSS_ETAG]);
    return since !== undefined && matchesEtag(since, CSS_ETAG) ? { ...reply, status: 304, body: null } : reply;
  }
  if (name === 'cizim.svg') {
    const bodyType = BODY_TYPES.find((type) => type === call.query.get('kasa')) ?? 'Sedan';
    const color = (call.query.get('renk') ?? '').slice(0, 40);
    return of('image/svg+xml', Buffer.from(drawCar({ bodyType, color, plate: '' }, 'side')), PICTURE_CACHE);
  }
  return name === 'sitemap.xml' ? of('application/xml; charset=utf-8', await indexOf(state, call), 'no-cache') : null;
}

async function indexOf(state: State, { now, network }: ShowroomRequest): Promise<Buffer> {
  const { parts, turns, index } = state;
  if (index !== null && index.until > now.getTime()) return index.body;
  const showrooms = await turns.take(network, () => parts.database.onPlatform('read', (db) => listShowrooms(db, MAX_SHOWROOMS)));
  const slugs = showrooms.map(({ slug }) => slug);
  const body = Buffer.from(sitemapIndex(parts.publicUrl(), slugs));
  state.index = { body, until: now.getTime() + INDEX_KEPT_MS };
  return body;
}

async function showroomReply(state: State, call: ShowroomRequest, response: ServerResponse): Promise<Reply | null> {
  const [slug = '', ...below] = call.parts;
  if (!isSlug(slug)) return missing(call.locale);
  const isPicture = below[0] === 'foto';
  const key = isPicture ? `${slug}/${below.slice(1).join('/')}` : pageKey(call);
  const cache: ResponseCache<KeptPage> | ResponseCache<KeptPicture> = isPicture ? state.pictures : state.pages;
  const kept = cache.get(key);
  if (kept !== undefined && kept.until > call.now.getTime() && state.finder.isCurrent(kept.found, call.now))
    return send(state, call, kept, response);
  const found = await state.finder.find(slug, call);
  if (found === null) return missing(call.locale);
  if (found.showroom.slug !== slug) {
    const rest = call.target.slice(`/g/${slug}`.length);
    // Not kept by browsers: an address that is changed back would otherwise redirect to itself.
    return redirect(301, `/g/${found.showroom.slug}${rest}`, 'no-cache');
  }
  const epoch = cache.epoch();
  const read = await state.finder.read(found, call, (db, view) => answerShowroom(db, view, below, call.query));
  if (read === null) return missing(call.locale);
  return keepAndSend(state, call, { key, epoch, ...read }, response);
}

/** Only the parameters that a page reads: any others would be another page in memory and another read of the database. */
export function pageKey({ locale, query, parts }: Pick<ShowroomRequest, 'locale' | 'query' | 'parts'>): string {
  const filter = parts.length === 1 ? new URLSearchParams(filterParams(readFilter(query))) : '';
  return `${locale} ${query.has('lang')} ${query.has('gonderildi')} ${parts.join('/')}?${filter}`;
}

/** The same for every address that looks like a car's, whether the enquiry was kept or not. */
async function formReply(state: State, call: ShowroomRequest): Promise<Reply> {
  const [slug = '', listingId = ''] = call.parts;
  if (!isSlug(slug) || !UUID.test(listingId)) return missing(call.locale);
  const { finder, turns, visits, limits, parts } = state;
  const isKept = await receiveForm({ ...parts, finder, turns, limiter: limits.forms }, call, slug, listingId);
  if (isKept) visits.count(listingId, 'contact', call.network, call.request.headers['user-agent'] ?? '');
  return redirect(
    303,
    `/g/${slug}/${listingId}?gonderildi=1${call.query.has('lang') ? `&lang=${call.locale}` : ''}#soru`,
    'no-store',
  );
}

const redirect = (status: number, location: string, cache: string): Reply => ({
  status,
  headers: ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', cache, 'Location', location],
  body: Buffer.alloc(0),
  errorCode: null,
});

const packed = promisify(gzip);
/** Shorter ones fit into one packet anyway. */
const PACKED_FROM = 1000;

async function keepAndSend(
  state: State,
  call: ShowroomRequest,
  read: { readonly key: string; readonly epoch: number; readonly found: FoundShowroom; readonly answer: ShowroomAnswer },
  response: ServerResponse,
): Promise<Reply | null> {
  const { key, epoch, found, answer } = read;
  const { id: dataSet, version, sold_until, kind } = { id: found.dataSet, ...found.showroom };
  const until = Math.min(call.now.getTime() + MAX_KEPT_MS, sold_until?.getTime() ?? Number.POSITIVE_INFINITY);
  // Worlds have a clock and an end of their own, so nothing of them is kept.
  const isKept = kind === 'production';
  if ('location' in answer) {
    visited(state, call, answer.listingId ?? null, 'contact');
    return redirect(302, answer.location, 'no-store');
  }
  if ('file' in answer) {
    const picture: KeptPicture = { dataSet, version, body: EMPTY, found, until, file: answer.file };
    if (isKept) state.pictures.set(key, picture, epoch);
    return send(state, call, picture, response);
  }
  const { type, body, listingId = null } = answer;
  const etag = strongEtag(body);
  const isText = /^(?:text|application\/xml)/.test(type) && body.length >= PACKED_FROM;
  const page: KeptPage = {
    dataSet,
    version,
    body,
    found,
    until,
    type,
    etag,
    listingId,
    packed: isText ? await packed(body) : null,
  };
  if (isKept) state.pages.set(key, page, epoch);
  return send(state, call, page, response);
}

const EMPTY = Buffer.alloc(0);

async function send(
  state: State,
  call: ShowroomRequest,
  kept: KeptPage | KeptPicture,
  response: ServerResponse,
): Promise<Reply | null> {
  if ('file' in kept) return sendPicture(state, call, kept, response);
  visited(state, call, kept.listingId, 'view');
  const { type, etag, body, packed } = kept;
  const { headers } = call.request;
  const reply = ['Content-Type', type, 'Cache-Control', 'no-cache', 'ETag', etag, 'Vary', 'Accept-Encoding, Accept-Language'];
  const since = headers['if-none-match'];
  if (since !== undefined && matchesEtag(since, etag)) return { status: 304, headers: reply, body: null, errorCode: null };
  const isPacked = packed !== null && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  if (isPacked) reply.push('Content-Encoding', 'gzip');
  return { status: 200, headers: reply, body: isPacked ? packed : body, errorCode: null };
}

function visited(state: State, call: ShowroomRequest, listingId: string | null, kind: 'view' | 'contact'): void {
  if (listingId === null || call.request.method !== 'GET') return;
  state.visits.count(listingId, kind, call.network, call.request.headers['user-agent'] ?? '');
}

async function sendPicture(
  state: State,
  call: ShowroomRequest,
  { dataSet, file }: KeptPicture,
  response: ServerResponse,
): Promise<Reply | null> {
  const { files, budgets, common, log } = state.parts;
  return budgets.fileReads.during(dataSet, async () => {
    const stored = await files.store.get(file.name);
    if (stored === null) {
      log.error('a stored file is missing from the store', { file: file.name, data_set: dataSet });
      return missing(call.locale);
    }
    response.writeHead(200, [
      ...['Content-Type', file.content_type, 'Content-Length', String(stored.sizeBytes), 'Cache-Control', PICTURE_CACHE],
      ...['Content-Security-Policy', "default-src 'none'; sandbox", 'X-Request-Id', call.id, ...common],
    ]);
    await pipeFile(call.request, response, stored);
    return null;
  });
}
