// Everything outside the API and the panel: health, readiness, OpenAPI, the Postman collection, and the reference.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION } from '../config.ts';
import type { LiveKey } from '../domain/keys/keys.ts';
import { addressGroup } from '../domain/net/address.ts';
import { readVerifiedPaper } from '../domain/papers/verified-paper.ts';
import { type Clock, dayIn } from '../kit/clock.ts';
import type { Database } from '../kit/db.ts';
import { Failure, fail, type Locale } from '../kit/errors.ts';
import { newRequestId } from '../kit/ids.ts';
import type { ApiEndpoint } from './api/api-endpoints.ts';
import { pathOf } from './api/call.ts';
import type { ReleaseCache } from './api/release-cache.ts';
import { matchesEtag } from './api/response-cache.ts';
import type { SandboxRuleShown } from './docs/docs-view.ts';
import { llmsFullTxt, llmsTxt, markdownOf } from './docs/markdown/docs-markdown.ts';
import { createDescriptions, type DescriptionKind, type Descriptions } from './docs/openapi/descriptions.ts';
import { buildSandboxOpenApi } from './docs/openapi/openapi-sandbox.ts';
import { errorOfPath } from './docs/pages/docs-error.ts';
import { DOCS_CSS, DOCS_JS, type DocsOptions, docsPaths, renderDocs, renderSearch, viewOf } from './docs/pages/docs-page.ts';
import { keptPerRelease, PackedPage } from './docs/per-release-cache.ts';
import { verificationPage } from './public/verification-page.ts';
import { createMemoryLimiter } from './rate-limits/rate-limit.ts';
import type { Budgets } from './wire/budgets.ts';
import { acceptsGzip, compressed } from './wire/compressed.ts';
import { localeOf, type Meta, type Reply, refused, writeReply } from './wire/reply.ts';
import { countUnread } from './wire/unread-replies.ts';

export interface SiteParts {
  readonly endpoints: readonly ApiEndpoint[];
  readonly release: ReleaseCache;
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly errorPages: string | null;
  readonly common: readonly string[];
  readonly isReady: () => Promise<boolean>;
  /** The service has a public address (PUBLIC_URL), so search engines may list showrooms. */
  readonly isPublished: boolean;
  readonly budgets: Budgets;
  readonly database: Database;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Whether agents may connect (MCP). */
  readonly mcp: boolean;
  /** Null unless SANDBOX=isolated. */
  readonly sandbox: { readonly rules: readonly unknown[] } | null;
  /** Answers a request that carries a key as one of the API: checked, counted and logged. */
  readonly asCall: (
    request: IncomingMessage,
    response: ServerResponse,
    answer: (key: LiveKey) => Promise<Reply>,
  ) => Promise<void>;
}

const CSP = `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const JSON_TYPE = 'application/json; charset=utf-8';

interface Parts extends SiteParts {
  readonly descriptions: Descriptions;
}

interface Page {
  status: number;
  type: string;
  /** A PackedPage may be cached by clients, which revalidate it with its ETag. */
  body: string | PackedPage;
  cache?: string;
}

export function createSite(site: SiteParts): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const parts = { ...site, descriptions: createDescriptions(site.endpoints) };
  return async (request, response) => {
    const { clock, errorPages } = parts;
    const meta = { id: newRequestId(clock.realNow().getTime()), now: clock.now(), errorPages };
    const [path, query = ''] = pathOf(request.url ?? '/').split('?', 2) as [string, string?];
    const kind = DESCRIPTIONS[path];
    if (kind !== undefined && request.headers.authorization !== undefined && isRead(request))
      return parts.asCall(request, response, async (key) => pageReply(request, await keyDescription(parts, kind, key)));
    const page = await pageFor(parts, request, meta, path, new URLSearchParams(query));
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const unread = encoding !== undefined || (length !== undefined && length !== '0');
    const reply = 'errorCode' in page ? page : await compressedPage(request, page);
    writeReply(response, meta.id, reply, parts.common, unread);
    countUnread(response, parts.budgets.strangerReplyBytes, addressGroup(parts.addressOf(request)), reply);
  };
}

async function pageFor(
  parts: Parts,
  request: IncomingMessage,
  meta: Meta,
  path: string,
  query: URLSearchParams,
): Promise<Page | Reply> {
  const locale = localeOf(request.headers['accept-language']);
  const docs = /^\/docs(\/|\.md$|$)/.test(path) ? docsPage(path.slice('/docs'.length)) : undefined;
  const paper = path.startsWith('/dogrula/') ? verified(path.slice('/dogrula/'.length)) : undefined;
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : (docs ?? paper);
  if (page === undefined) return refused('not_found', {}, meta, locale);
  if (!isRead(request)) {
    const words = { method: request.method ?? '', allowed: 'GET, HEAD' };
    return refused('method_not_allowed', { headers: { Allow: 'GET, HEAD' }, words }, meta, locale);
  }
  try {
    return await page(parts, request, query);
  } catch (error) {
    if (error instanceof Failure) return refused(error.code, error.facts, meta, locale);
    return refused('service_unavailable', {}, meta, locale);
  }
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

type PageMaker = (parts: Parts, request: IncomingMessage, query: URLSearchParams) => Promise<Page | Reply>;

const PAGES: Readonly<Record<string, PageMaker>> = {
  '/healthz': async () => ({ status: 200, type: JSON_TYPE, body: JSON.stringify({ status: 'ok', version: VERSION }) }),
  '/readyz': async ({ isReady }) =>
    (await isReady())
      ? { status: 200, type: JSON_TYPE, body: '{"status":"ready"}' }
      : { status: 503, type: JSON_TYPE, body: '{"status":"not ready"}' },
  '/openapi.json': (parts, request) => publicDescription(parts, 'openapi', request),
  '/postman.json': (parts, request) => publicDescription(parts, 'postman', request),
  '/sandbox/v1/openapi.json': async ({ sandbox, endpoints, publicUrl }) => {
    if (sandbox === null) fail('sandbox_not_enabled');
    return { status: 200, type: JSON_TYPE, body: JSON.stringify(buildSandboxOpenApi(endpoints, publicUrl())) };
  },
  '/llms.txt': async (...args) => llmsPage(false)(...args),
  '/llms-full.txt': async (...args) => llmsPage(true)(...args),
  '/docs/docs.css': async () => ({ status: 200, type: 'text/css; charset=utf-8', body: STYLE }),
  '/docs/docs.js': async () => ({ status: 200, type: 'text/javascript; charset=utf-8', body: SCRIPT }),
  '/robots.txt': async ({ isPublished, publicUrl }) => ({
    status: 200,
    type: 'text/plain; charset=utf-8',
    body: isPublished
      ? `User-agent: *\nAllow: /g/\nAllow: /panel/giris.css\nDisallow: /\n\nSitemap: ${publicUrl()}/g/sitemap.xml\n`
      : 'User-agent: *\nDisallow: /\n',
  }),
  // People open this address; programs use the documented ones.
  '/': async () => ({ status: 302, type: 'text/plain; charset=utf-8', body: 'See /panel, or /docs for the API\n' }),
};

/** With a key these show only the key's endpoints. */
const DESCRIPTIONS: Readonly<Record<string, DescriptionKind | undefined>> = {
  '/openapi.json': 'openapi',
  '/postman.json': 'postman',
};

async function publicDescription(parts: Parts, kind: DescriptionKind, request: IncomingMessage): Promise<Page> {
  const { isLive } = await parts.release.now();
  const options = { publicUrl: parts.publicUrl(), isLive, today: todayOf(parts) };
  const body = await parts.descriptions.get(kind, options, addressGroup(parts.addressOf(request)));
  return { status: 200, type: JSON_TYPE, body };
}

/** OpenAPI: the endpoints that the key holds and that are open. The Postman collection has only open endpoints anyway. */
async function keyDescription(parts: Parts, kind: DescriptionKind, key: LiveKey): Promise<Page> {
  const { isLive } = await parts.release.now();
  const only = ({ id }: ApiEndpoint) => key.endpoints.has(id) && (kind === 'postman' || isLive(id));
  const options = { publicUrl: parts.publicUrl(), isLive, today: todayOf(parts), only };
  const body = await parts.descriptions.get(kind, options, key.accountId);
  return { status: 200, type: JSON_TYPE, body, cache: 'private, no-store' };
}

const STYLE = new PackedPage(DOCS_CSS);
const SCRIPT = new PackedPage(DOCS_JS);

/** A page of the reference in the requested language, or its search index. */
const docsPage =
  (path: string): PageMaker =>
  async (parts, request, query) => {
    const release = await parts.release.now();
    const locale = readLocale(query.get('lang')) ?? localeOf(request.headers['accept-language']);
    const today = todayOf(parts);
    const sandboxRules = (parts.sandbox?.rules ?? null) as readonly SandboxRuleShown[] | null;
    const options = { publicUrl: parts.publicUrl(), isLive: release.isLive, locale, today, sandboxRules };
    if (path.endsWith('.md') || wantsMarkdown(request)) return markdownPage(parts, options, path.replace(/\.md$/, ''));
    const kept = (make: () => string) =>
      keptPerRelease(parts.endpoints, release.isLive, `docs${path} ${locale} ${today} ${options.publicUrl}`, make);
    if (path === '/search.json')
      return { status: 200, type: JSON_TYPE, body: kept(() => renderSearch(parts.endpoints, options)) };
    if (!docsPaths(parts.endpoints, options).includes(path)) fail('not_found');
    const type = 'text/html; charset=utf-8';
    // Too many to keep, and read once in a while.
    if (errorOfPath(path) !== null) return { status: 200, type, body: renderDocs(parts.endpoints, options, path)! };
    const body = kept(() => renderDocs(parts.endpoints, options, path)!);
    return { status: 200, type, body };
  };

/** Browsers never ask for it. */
const wantsMarkdown = ({ headers }: IncomingMessage): boolean => /\btext\/markdown\b/.test(String(headers.accept ?? ''));

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

function markdownPage({ endpoints }: Parts, options: DocsOptions, path: string): Page {
  if (!docsPaths(endpoints, options).includes(path)) fail('not_found');
  const make = () => markdownOf(path, viewOf(endpoints, options)) ?? fail('not_found');
  if (errorOfPath(path) !== null) return { status: 200, type: MARKDOWN_TYPE, body: make() };
  const name = `markdown${path} ${options.locale} ${options.today} ${options.publicUrl}`;
  return { status: 200, type: MARKDOWN_TYPE, body: keptPerRelease(endpoints, options.isLive, name, make) };
}

/** `/llms.txt`, `/llms-full.txt`: in English unless asked otherwise, as their readers expect. */
const llmsPage =
  (isFull: boolean): PageMaker =>
  async (parts, _, query) => {
    const { isLive } = await parts.release.now();
    const { endpoints, mcp } = parts;
    const locale = readLocale(query.get('lang')) ?? 'en';
    const options = { publicUrl: parts.publicUrl(), isLive, locale, today: todayOf(parts) };
    const make = () => (isFull ? llmsFullTxt(viewOf(endpoints, options)) : llmsTxt(viewOf(endpoints, options), mcp));
    const name = `llms ${isFull} ${mcp} ${locale} ${options.today} ${options.publicUrl}`;
    return { status: 200, type: 'text/plain; charset=utf-8', body: keptPerRelease(endpoints, isLive, name, make) };
  };

/** Codes are too long to guess; the limit keeps attempts from using resources of other callers. */
const MAX_LOOKS_A_MINUTE = 60;
const looks = createMemoryLimiter();

const verified =
  (code: string): PageMaker =>
  async ({ budgets, database, addressOf }, request, query) => {
    const network = addressGroup(addressOf(request));
    if (!looks.admit(network, MAX_LOOKS_A_MINUTE).admitted)
      fail('rate_limit_exceeded', { headers: { 'Retry-After': '60' }, words: { limit: MAX_LOOKS_A_MINUTE, seconds: 60 } });
    const paper = await budgets.strangers.during(network, () => database.onPlatform('read', (db) => readVerifiedPaper(db, code)));
    const locale = readLocale(query.get('lang')) ?? localeOf(request.headers['accept-language']);
    return { status: paper === null ? 404 : 200, type: 'text/html; charset=utf-8', body: verificationPage(paper, locale) };
  };

const todayOf = ({ clock }: Parts): string => dayIn(clock.now(), 'UTC');

const readLocale = (lang: string | null): Locale | null => (lang === 'tr' || lang === 'en' ? lang : null);

/** What is made for one request and shown in a browser is compressed here; a PackedPage is already. */
const compressedPage = async (request: IncomingMessage, page: Page): Promise<Reply> =>
  page.body instanceof PackedPage || !page.type.startsWith('text/html')
    ? pageReply(request, page)
    : compressed(request, pageReply(request, page));

function pageReply(request: IncomingMessage, page: Page): Reply {
  const packed = page.body instanceof PackedPage ? page.body : null;
  const headers = ['Content-Type', page.type, 'Cache-Control', page.cache ?? (packed === null ? 'no-store' : 'no-cache')];
  headers.push('Content-Security-Policy', CSP, 'Referrer-Policy', 'no-referrer');
  if (page.status === 302) headers.push('Location', '/panel');
  if (packed === null) return { status: page.status, headers, body: Buffer.from(page.body as string), errorCode: null };
  headers.push('ETag', packed.etag, 'Vary', 'Accept, Accept-Encoding, Accept-Language');
  const since = request.headers['if-none-match'];
  if (since !== undefined && matchesEtag(since, packed.etag)) return { status: 304, headers, body: null, errorCode: null };
  if (!acceptsGzip(request)) return { status: page.status, headers, body: packed.plain, errorCode: null };
  headers.push('Content-Encoding', 'gzip');
  return { status: page.status, headers, body: packed.packed, errorCode: null };
}
