// The panel without a network: a page that says so, and the service worker that shows it. The worker keeps that page and its styles, and
// nothing of an account.
import { createHash } from 'node:crypto';
import type { Locale } from '../../kit/errors.ts';
import { PAGE_CSS_PATH } from '../wire/page-frame.ts';
import { offlinePage, PAGE_CSS } from './page-html.ts';

const LANGUAGES: readonly Locale[] = ['tr', 'en'];
const PAGES: Readonly<Record<Locale, string>> = { tr: offlinePage('tr'), en: offlinePage('en') };

/** A new text or style makes a new worker, which fetches them again. */
const VERSION = createHash('sha256')
  .update(LANGUAGES.map((locale) => PAGES[locale]).join('') + PAGE_CSS)
  .digest('hex')
  .slice(0, 12);

const WORKER = `const KEPT = 'galeri-offline-${VERSION}';
const PAGE = '/panel/cevrimdisi' + self.location.search;
const STYLES = '${PAGE_CSS_PATH}';
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll([PAGE, STYLES])).then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => {
  const clear = (names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(clear).then(() => self.clients.claim()));
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  const isScreen = request.mode === 'navigate' && request.method === 'GET' && !pathname.startsWith('/panel/api/');
  if (!isScreen && pathname !== STYLES) return;
  const kept = () => caches.match(isScreen ? PAGE : STYLES).then((found) => found ?? Response.error());
  event.respondWith(fetch(request).catch(kept));
});
`;

export interface OfflineFile {
  readonly type: string;
  readonly body: Buffer;
}

/** `worker.js` and `cevrimdisi`, in the language of the query; null for other paths. */
export function offlineFile(path: string, rawQuery: string): OfflineFile | null {
  if (path === 'worker.js') return { type: 'text/javascript; charset=utf-8', body: Buffer.from(WORKER) };
  if (path !== 'cevrimdisi') return null;
  const locale = new URLSearchParams(rawQuery).get('lang') === 'en' ? 'en' : 'tr';
  return { type: 'text/html; charset=utf-8', body: Buffer.from(PAGES[locale]) };
}
