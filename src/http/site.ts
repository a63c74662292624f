// Everything besides API and panel: health, readiness, OpenAPI with its Postman collection, and the reference page.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { LiveKey } from '../domain/keys/keys.ts';
import { addressGroup } from '../domain/net/address.ts';
import type { Clock } from '../kit/clock.ts';
import { newRequestId } from '../kit/ids.ts';
import type { ApiRow } from './api/api-rows.ts';
import { pathOf } from './api/call.ts';
import type { ReleaseCache } from './api/release-cache.ts';
import { matchesEtag, strongEtag } from './api/response-cache.ts';
import { DOCS_CSS, DOCS_JS, renderDocs } from './docs/docs-page.ts';
import { buildOpenApi, type OpenApiOptions } from './docs/openapi.ts';
import { keptPerRelease } from './docs/per-release-cache.ts';
import { postmanOf } from './docs/postman.ts';
import type { Budgets } from './wire/budgets.ts';
import { localeOf, type Meta, type Reply, refused, writeReply } from './wire/reply.ts';
import { countUnread } from './wire/unread-replies.ts';

export interface SiteParts {
  readonly rows: readonly ApiRow[];
  readonly release: ReleaseCache;
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly common: readonly string[];
  readonly isReady: () => Promise<boolean>;
  readonly budgets: Budgets;
  readonly addressOf: (request: IncomingMessage) => string;
  /** The key of a request, null without one, or a refusal. */
  readonly identify: (request: IncomingMessage) => Promise<LiveKey | Reply | null>;
}

const CSP = `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const JSON_TYPE = 'application/json; charset=utf-8';

interface Page {
  status: number;
  type: string;
  body: string;
  cache?: string;
}

export function createSite(parts: SiteParts): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { clock } = parts;
    const meta = { id: newRequestId(clock.realNow().getTime()), now: clock.now() };
    const [path, query = ''] = pathOf(request.url ?? '/').split('?', 2) as [string, string?];
    const page = await pageFor(parts, request, meta, path, new URLSearchParams(query));
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const unread = encoding !== undefined || (length !== undefined && length !== '0');
    const reply = 'errorCode' in page ? page : pageReply(request, page);
    writeReply(response, meta.id, reply, parts.common, unread);
    countUnread(response, parts.budgets.strangerReplyBytes, addressGroup(parts.addressOf(request)), reply);
  };
}

async function pageFor(
  parts: SiteParts,
  request: IncomingMessage,
  meta: Meta,
  path: string,
  query: URLSearchParams,
): Promise<Page | Reply> {
  const locale = localeOf(request.headers['accept-language']);
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined;
  if (page === undefined) return refused('not_found', {}, meta, locale);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const words = { method: request.method ?? '', allowed: 'GET, HEAD' };
    return refused('method_not_allowed', { headers: { Allow: 'GET, HEAD' }, words }, meta, locale);
  }
  try {
    return await page(parts, request, query);
  } catch {
    return refused('service_unavailable', {}, meta, locale);
  }
}

type PageMaker = (parts: SiteParts, request: IncomingMessage, query: URLSearchParams) => Promise<Page | Reply>;

const PAGES: Readonly<Record<string, PageMaker>> = {
  // As /openapi.json: for everyone, or for the key of the request.
  '/postman.json': async (parts, request) => {
    const key = await parts.identify(request);
    if (key !== null && 'errorCode' in key) return key;
    const { isLive } = await parts.release.now();
    const shared = { publicUrl: parts.publicUrl(), isLive };
    const make = (only?: OpenApiOptions['only']) =>
      JSON.stringify(postmanOf(buildOpenApi(parts.rows, { ...shared, ...(only === undefined ? {} : { only }) })));
    if (key !== null)
      return { status: 200, type: JSON_TYPE, body: make(({ id }) => key.endpoints.has(id)), cache: 'private, no-store' };
    const body = keptPerRelease(parts.rows, isLive, `postman ${shared.publicUrl}`, make);
    return { status: 200, type: JSON_TYPE, body, cache: 'no-cache' };
  },
  '/healthz': async () => ({ status: 200, type: JSON_TYPE, body: '{"status":"ok"}' }),
  '/readyz': async ({ isReady }) =>
    (await isReady())
      ? { status: 200, type: JSON_TYPE, body: '{"status":"ready"}' }
      : { status: 503, type: JSON_TYPE, body: '{"status":"not ready"}' },
  '/openapi.json': async (parts, request) => {
    const key = await parts.identify(request);
    if (key !== null && 'errorCode' in key) return key;
    const release = await parts.release.now();
    const only = key === null ? {} : { only: (row: ApiRow) => key.endpoints.has(row.id) && release.isLive(row.id) };
    const description = buildOpenApi(parts.rows, { publicUrl: parts.publicUrl(), isLive: release.isLive, ...only });
    return {
      status: 200,
      type: JSON_TYPE,
      body: textOf(description),
      cache: key === null ? 'no-cache' : 'private, no-store',
    };
  },
  '/docs': async (parts, request, query) => {
    const release = await parts.release.now();
    const asked = query.get('lang');
    const locale = asked === 'tr' || asked === 'en' ? asked : localeOf(request.headers['accept-language']);
    const body = renderDocs(parts.rows, { publicUrl: parts.publicUrl(), isLive: release.isLive, locale });
    return { status: 200, type: 'text/html; charset=utf-8', body, cache: 'no-cache' };
  },
  '/docs/docs.css': async () => ({ status: 200, type: 'text/css; charset=utf-8', body: DOCS_CSS, cache: 'no-cache' }),
  '/docs/docs.js': async () => ({ status: 200, type: 'text/javascript; charset=utf-8', body: DOCS_JS, cache: 'no-cache' }),
  // People come here; programs know where they go.
  '/': async () => ({ status: 302, type: 'text/plain; charset=utf-8', body: 'See /panel, or /docs for the API\n' }),
};

/** The document is one object until the release status changes, so its JSON is made once. */
const texts = new WeakMap<object, string>();

function textOf(description: object): string {
  const text = texts.get(description) ?? JSON.stringify(description);
  texts.set(description, text);
  return text;
}

/** Pages are large and change only with the release status, so their bytes are cached by their text. */
const made = new Map<string, { readonly plain: Buffer; readonly etag: string; readonly packed: Buffer }>();

function bytesOf(text: string) {
  const known = made.get(text);
  if (known !== undefined) return known;
  if (made.size > 20) made.clear();
  const plain = Buffer.from(text);
  const bytes = { plain, etag: strongEtag(plain), packed: gzipSync(plain) };
  made.set(text, bytes);
  return bytes;
}

function pageReply(request: IncomingMessage, page: Page): Reply {
  const headers = ['Content-Type', page.type, 'Cache-Control', page.cache ?? 'no-store'];
  headers.push('Content-Security-Policy', CSP, 'Referrer-Policy', 'no-referrer');
  if (page.status === 302) headers.push('Location', '/panel');
  let body: Buffer;
  if (page.cache === 'no-cache') {
    const { plain, etag, packed } = bytesOf(page.body);
    body = plain;
    headers.push('ETag', etag, 'Vary', 'Accept-Encoding, Accept-Language');
    const since = request.headers['if-none-match'];
    if (since !== undefined && matchesEtag(since, etag)) return { status: 304, headers, body: null, errorCode: null };
    if (/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
      body = packed;
      headers.push('Content-Encoding', 'gzip');
    }
  } else body = Buffer.from(page.body);
  return { status: page.status, headers, body, errorCode: null };
}
