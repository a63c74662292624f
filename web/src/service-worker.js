// Makes the panel open without a connection: it keeps the panel's own code and nothing else. Answers of the API, files and server-made
// pages such as sign-in are never stored, so that nothing of a dealer stays in the browser after signing out.
const CACHE = 'galeri-code';
const SHELL = '/panel/';
const ASSETS = '/panel/assets/';
/** Pages that the server makes, and its data. */
const SERVER_MADE = /^\/panel\/(api|sandbox|giris|cikis|parola-sifirla|davet|2fa|assets)(\/|$|\.)/;
const MAX_ASSETS = 400;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith(ASSETS)) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && !SERVER_MADE.test(pathname)) event.respondWith(screen(request));
});

/** Names contain a hash of the content, so a kept one is never out of date. */
async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    await forgetOld(cache);
  }
  return response;
}

async function forgetOld(cache) {
  const kept = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(ASSETS));
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MAX_ASSETS)).map((old) => cache.delete(old)));
}

/** The same page opens every screen. Without a session the server redirects to sign-in, which is not kept. */
async function screen(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) await cache.put(SHELL, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(SHELL);
    if (kept === undefined) throw error;
    return kept;
  }
}
