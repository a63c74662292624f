// Routes everything under /panel: its API, its files, the pages before sign-in, and the page of the app.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { addressGroup } from '../../domain/net/address.ts';
import { isUnavailable } from '../../kit/db.ts';
import { Failure } from '../../kit/errors.ts';
import { pathOf } from '../api/call.ts';
import { matchesEtag, strongEtag } from '../api/response-cache.ts';
import { acceptsGzip } from '../wire/compressed.ts';
import { PAGE_CSS_PATH } from '../wire/page-frame.ts';
import { type Reply, refused, writeReply } from '../wire/reply.ts';
import { countUnread } from '../wire/unread-replies.ts';
import { createPanelApi } from './api.ts';
import type { PanelAssets } from './assets.ts';
import { beginPanelCall, type PanelCall, type PanelParts } from './call.ts';
import { type OfflineFile, offlineFile } from './offline.ts';
import { notBuiltPage, PAGE_CSS } from './page-html.ts';
import { type PageReply, panelPage } from './pages.ts';
import { sessionOf } from './session-cookie.ts';

/** Allows only our own files, no framing, and forms to ourselves. */
const CONTENT_POLICY = [
  'Content-Security-Policy',
  `default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src blob:; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
];
const PAGE_HEADERS = [
  ...CONTENT_POLICY,
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Permissions-Policy',
  'camera=(), geolocation=(), microphone=()',
];

const API = '/panel/api/';
/** Calls in the isolated sandbox. */
const SANDBOX_API = '/panel/api/sandbox/';

export interface Panel {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
}

export function createPanel(parts: PanelParts, assets: PanelAssets): Panel {
  const api = createPanelApi(parts);
  return {
    handle: async (request, response) => {
      const [path, query = ''] = pathOf(request.url ?? '/').split('?', 2) as [string, string?];
      if (path.startsWith(SANDBOX_API)) {
        const call = beginPanelCall(request, parts, path.slice(SANDBOX_API.length), query, 'sandbox');
        return api.handle(call, request, response);
      }
      if (path.startsWith(API)) {
        const call = beginPanelCall(request, parts, path.slice(API.length), query);
        return api.handle(call, request, response);
      }
      const call = beginPanelCall(request, parts, path.slice('/panel/'.length), query);
      const reply = await pageReply(parts, assets, call, request);
      // A record's page fetches fifty files; what is only about pages would be 10 kB of headers.
      reply.headers.push(...(call.path.startsWith('assets/') ? CONTENT_POLICY : PAGE_HEADERS));
      writeReply(response, call.id, reply, parts.common, !request.complete && request.method === 'POST');
      countUnread(response, parts.budgets.strangerReplyBytes, addressGroup(call.ip), reply);
    },
    close: api.close,
  };
}

async function pageReply(parts: PanelParts, assets: PanelAssets, call: PanelCall, request: IncomingMessage): Promise<Reply> {
  try {
    if (!['GET', 'HEAD', 'POST'].includes(call.method)) return notAllowed(call);
    const accepts = String(request.headers['accept-encoding'] ?? '');
    if (call.path.startsWith('assets/'))
      return (await assets.asset(call.path, accepts)) ?? refused('not_found', {}, call, call.locale);
    if (`/panel/${call.path}` === PAGE_CSS_PATH) return cssReply(request);
    const offline = offlineFile(call.path, call.rawQuery);
    if (offline !== null) return offlineReply(offline);
    const page = await panelPage(parts, call, request);
    if (page !== null) return htmlReply(page);
    if (call.method === 'POST') return notAllowed(call);
    return await appReply(parts, assets, call, request, accepts);
  } catch (error) {
    if (error instanceof Failure) return refused(error.code, error.facts, call, call.locale);
    const unavailable = isUnavailable(error);
    const facts = { request_id: call.id, path: call.path.replace(/^(davet|parola-sifirla)\/.*/, '$1/…'), reason: String(error) };
    if (unavailable) parts.log.warn('a panel page failed because the database is unavailable', facts);
    else parts.log.error('a panel page failed', { ...facts, stack: (error as Error)?.stack });
    return refused(unavailable ? 'service_unavailable' : 'internal_error', {}, call, call.locale);
  }
}

function notAllowed(call: PanelCall): Reply {
  const words = { method: call.method.slice(0, 20), allowed: 'GET, HEAD' };
  return refused('method_not_allowed', { headers: { Allow: 'GET, HEAD' }, words }, call, call.locale);
}

function htmlReply({ status, html, location, cookies }: PageReply): Reply {
  const headers = ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store'];
  if (location !== undefined) headers.push('Location', location);
  for (const cookie of cookies) headers.push('Set-Cookie', cookie);
  return { status, headers, body: Buffer.from(html), errorCode: null };
}

const CSS = Buffer.from(PAGE_CSS);
const PACKED_CSS = gzipSync(CSS, { level: 9 });
const CSS_ETAG = strongEtag(CSS);

function cssReply(request: IncomingMessage): Reply {
  const headers = [
    'Content-Type',
    'text/css; charset=utf-8',
    'Cache-Control',
    'no-cache',
    'ETag',
    CSS_ETAG,
    'Vary',
    'Accept-Encoding',
  ];
  const since = request.headers['if-none-match'];
  if (since !== undefined && matchesEtag(since, CSS_ETAG)) return { status: 304, headers, body: null, errorCode: null };
  if (!acceptsGzip(request)) return { status: 200, headers, body: CSS, errorCode: null };
  return { status: 200, headers: [...headers, 'Content-Encoding', 'gzip'], body: PACKED_CSS, errorCode: null };
}

/** The worker covers the whole panel, also its start page without a slash. */
const offlineReply = ({ type, body }: OfflineFile): Reply => ({
  status: 200,
  headers: ['Content-Type', type, 'Cache-Control', 'no-cache', 'Service-Worker-Allowed', '/panel'],
  body,
  errorCode: null,
});

/** The app itself decides which screen a path shows; without a session the browser is sent to the sign-in page. */
async function appReply(
  parts: PanelParts,
  assets: PanelAssets,
  call: PanelCall,
  request: IncomingMessage,
  accepts: string,
): Promise<Reply> {
  const session = await sessionOf(parts, request, call, call.realNow);
  if (session === null || session.pending) {
    const here = `/panel${call.path === '' ? '' : `/${call.path}`}${call.rawQuery === '' ? '' : `?${call.rawQuery}`}`;
    return htmlReply({ status: 303, html: '', location: `/panel/giris?next=${encodeURIComponent(here)}`, cookies: [] });
  }
  const index = await assets.index(call.path, accepts);
  if (index !== null) return index;
  const frame = { locale: call.locale, otherHref: `?lang=${call.locale === 'tr' ? 'en' : 'tr'}`, csrf: '' };
  return htmlReply({ status: 503, html: notBuiltPage(frame), cookies: [] });
}
