// Debian's Chromium, driven by clicking and typing, for tests of the panel as people use it.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { buildPanel } from '../../scripts/build-panel.ts';
import { recordPages } from '../recorder/pages.ts';
import { daysAheadScript } from './days-ahead.ts';
import { deadline, PATIENCE_MS } from './patience.ts';

/** Headless shell where that is installed: the same engine, a third less work. */
const PLACES = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place)) ?? PLACES[0]!;
/** Consecutive checks that must find nothing loading: one reply may cause the next request. */
const QUIET_LOOKS = 3;

/** For `describe.skipIf`: true, with a warning, if it is not installed. In CI a missing browser is a failure. */
export function isBrowserMissing(): boolean {
  if (existsSync(CHROMIUM) || process.env.CI) return false;
  console.warn(
    `SKIPPED: ${CHROMIUM} is not installed, so the panel is not tried in a browser (Debian: apt install chromium-headless-shell)`,
  );
  return true;
}

/** The options of a window. */
export interface Window {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly locale?: 'tr' | 'en';
}

export interface PanelBrowser {
  readonly browser: Browser;
  /** A separate window: no cookies, no storage. Errors of the page are collected in `problemsOf`. */
  open(window?: Window & BrowserContextOptions): Promise<Page>;
  /** The next window of its kind finds the panel's files in the cache, and nothing else of it. */
  leave(page: Page): Promise<void>;
  /** Closes the windows that were opened and not left. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

const complaints = new WeakMap<Page, string[]>();
/** Requests in progress; the stream of a live view never ends and does not count. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Errors on the console, script failures, and content policy violations, since the page was opened. */
export const problemsOf = (page: Page): readonly string[] => complaints.get(page) ?? [];

export async function openBrowser(): Promise<PanelBrowser> {
  if (!existsSync(join(import.meta.dirname, '../../dist/panel/index.html'))) await buildPanel();
  // A page lives for seconds: optimizing its scripts, and a GPU process, cost more than they save.
  const args = ['--in-process-gpu', '--js-flags=--no-maglev,--no-turbofan'];
  // Chromium's sandbox does not run as root.
  if (process.geteuid?.() === 0) args.push('--no-sandbox');
  // Without a language setting, Chromium names a download with a Turkish letter in its name `download`.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args, env });
  recordPages(browser);
  const free = new Map<string, Page[]>();
  const kindOf = new WeakMap<BrowserContext, string>();
  const newPage = async (kind: string, { width, height, theme, locale, ...rest }: Opened) => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: locale === 'tr' ? 'tr-TR' : 'en-GB',
      timezoneId: 'Europe/Istanbul',
      reducedMotion: 'reduce',
      // What a test routes must not pass through another process. A test of the offline page allows it.
      serviceWorkers: 'block',
      ...rest,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(daysAheadScript);
    kindOf.set(context, kind);
    return context.newPage();
  };
  return {
    browser,
    open: async (options = {}) => {
      const window: Opened = { width: 1280, height: 800, theme: 'light', locale: 'tr', ...options };
      // Size and theme are set on an open page, so windows that differ in nothing else share a cache.
      const { width, height, theme, ...fixed } = window;
      const kind = JSON.stringify(Object.entries(fixed).sort());
      const kept = free.get(kind)?.pop();
      await kept?.setViewportSize(window.viewport ?? { width, height });
      await kept?.emulateMedia({ colorScheme: theme });
      const page = kept ?? (await newPage(kind, window));
      watch(page);
      return page;
    },
    leave: async (page) => {
      const context = page.context();
      const kind = kindOf.get(context)!;
      if (await isEmptied(page)) free.set(kind, [...(free.get(kind) ?? []), page]);
      else await context.close();
    },
    tidy: async () => {
      const kept = new Set([...free.values()].flat().map((page) => page.context()));
      await Promise.all(browser.contexts().map((context) => kept.has(context) || context.close()));
    },
    close: () => browser.close(),
  };
}

type Opened = Required<Window> & BrowserContextOptions;

/**
 * Like a new one except for the panel's files in its cache: most of the cost of a window is starting its process and compiling
 * them.
 */
async function isEmptied(page: Page): Promise<boolean> {
  const context = page.context();
  try {
    page.removeAllListeners();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearPermissions();
    await Promise.all(context.pages().map((one) => one !== page && one.close()));
    await context.clearCookies();
    // Of the same origin, without anything that would store data.
    await page.goto(new URL('/healthz', page.url()).href);
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    return true;
  } catch {
    return false;
  }
}

/** A page that another page opened is watched once it is known. */
export function watch(page: Page): void {
  const found: string[] = [];
  complaints.set(page, found);
  const calls = new Set<Request>();
  underWay.set(page, calls);
  page.on('request', (request) => request.resourceType() !== 'eventsource' && calls.add(request));
  page.on('requestfinished', (request) => calls.delete(request));
  page.on('requestfailed', (request) => calls.delete(request));
  page.on('pageerror', (error) => found.push(String(error)));
  page.on('console', (message) => {
    // A refused call is reported by its status; the test asserts whether it should be.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text());
  });
}

/** Through the real form; ends on `path`. */
export async function signIn(
  page: Page,
  url: string,
  person: { email: string; password: string },
  path = '/panel',
): Promise<void> {
  await page.goto(`${url}${path}`);
  await page.fill('input[name=email]', person.email);
  await page.fill('input[name=password]', person.password);
  await page.click('button[type=submit]');
  await page.waitForSelector('main h1');
  await settled(page);
}

/**
 * Fonts loaded, nothing loading, no placeholder on the page. Asks the page itself each time: a busy machine may not have read the
 * last reply yet, and then it does not answer us either.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState();
  const calls = underWay.get(page)!;
  const isOver = deadline();
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    if (isOver()) throw new Error(`still loading: ${[...calls].map((call) => call.url()).join(', ') || page.url()}`);
    const isStill = calls.size === 0 && (await page.evaluate(IS_STILL).catch(isLeaving));
    quiet = isStill && calls.size === 0 ? quiet + 1 : 0;
    if (!isStill) await page.waitForTimeout(20);
  }
}

/** After the next frame and everything waiting for it. What a screen fetches late comes at once, as when someone acts (web/src/settled.tsx). */
const IS_STILL = `dispatchEvent(new Event('pointerdown')), document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() =>
  setTimeout(() => resolve(document.querySelector('.skeleton, [aria-busy=true]') === null), 10))))`;

/** The page navigated during the check: not settled. Anything else is an error. */
function isLeaving(error: Error): false {
  if (/context was destroyed|navigation/i.test(error.message)) return false;
  throw error;
}

/** Wider than its window: something overflows sideways. */
export async function isSideways(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')) as boolean;
}

/** Into the folder that SCREENSHOTS names; nothing without it. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
