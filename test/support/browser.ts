// Debian's Chromium, driven by clicking and typing, for tests of the panel as people use it.
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { buildPanel } from '../../scripts/build-panel.ts';

/** Without a window where that is installed: the same engine, a third less work. */
const PLACES = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place)) ?? PLACES[0]!;
/** Looks in a row that must find nothing loading: one answer may ask for the next. */
const QUIET_LOOKS = 3;
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Names, roles and sizes are the same in both themes; these are not. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** For `describe.skipIf`: true, said loudly, where it is not installed. In CI a missing browser is a failure. */
export function isBrowserMissing(): boolean {
  if (existsSync(CHROMIUM) || process.env.CI) return false;
  console.warn(
    `SKIPPED: ${CHROMIUM} is not installed, so the panel is not tried in a browser (Debian: apt install chromium-headless-shell)`,
  );
  return true;
}

/** What a test may ask of its window. */
export interface Window {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly locale?: 'tr' | 'en';
}

export interface PanelBrowser {
  readonly browser: Browser;
  /** A window of its own: no cookies, nothing kept. What the page complains about is collected in `problemsOf`. */
  open(window?: Window & BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

const complaints = new WeakMap<Page, string[]>();
/** Calls under way; a live view's stream never ends and does not count. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Errors on the console, failures of scripts, and refusals by the content policy, since the page was opened. */
export const problemsOf = (page: Page): readonly string[] => complaints.get(page) ?? [];

export async function openBrowser(): Promise<PanelBrowser> {
  if (!existsSync(join(import.meta.dirname, '../../dist/panel/index.html'))) await buildPanel();
  // Root has no sandbox of its own to offer.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: process.geteuid?.() === 0 ? ['--no-sandbox'] : [] });
  return {
    browser,
    open: async ({ width = 1280, height = 800, theme = 'light', locale = 'tr', ...rest } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        locale: locale === 'tr' ? 'tr-TR' : 'en-GB',
        timezoneId: 'Europe/Istanbul',
        reducedMotion: 'reduce',
        ...rest,
      });
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      const found: string[] = [];
      complaints.set(page, found);
      const calls = new Set<Request>();
      underWay.set(page, calls);
      page.on('request', (request) => request.resourceType() !== 'eventsource' && calls.add(request));
      page.on('requestfinished', (request) => calls.delete(request));
      page.on('requestfailed', (request) => calls.delete(request));
      page.on('pageerror', (error) => found.push(String(error)));
      page.on('console', (message) => {
        // A refused call is told by its status; whether it should be is what the test asserts.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text());
      });
      return page;
    },
    close: () => browser.close(),
  };
}

/** Through the real form; ends where `path` leads. */
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
 * Letters drawn, nothing loading, no place held open for what is on its way. The page itself is asked each time: a machine may be so
 * busy that it has not yet come to read the last answer, and then it does not answer us either.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState();
  const calls = underWay.get(page)!;
  const until = Date.now() + 30_000;
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    if (Date.now() > until) throw new Error(`still loading: ${[...calls].map((call) => call.url()).join(', ') || page.url()}`);
    const isStill = calls.size === 0 && (await page.evaluate(IS_STILL).catch(isLeaving));
    quiet = isStill && calls.size === 0 ? quiet + 1 : 0;
    if (!isStill) await page.waitForTimeout(20);
  }
}

/** After the next frame and whatever was waiting for it. */
const IS_STILL = `document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() =>
  setTimeout(() => resolve(document.querySelector('.skeleton') === null), 10))))`;

/** Asked while it went to another address: not still. Anything else is an error. */
function isLeaving(error: Error): false {
  if (/context was destroyed|navigation/i.test(error.message)) return false;
  throw error;
}

let axeSource: Promise<string> | null = null;

/** WCAG 2.2 AA: the violations, one readable line each; none is `[]`. The content policy forbids a script tag, not this. */
export const axe = (page: Page): Promise<string[]> => axeOf(page, { type: 'tag', values: WCAG });

/** Of these, what another theme can break. */
export const axeOfColours = (page: Page): Promise<string[]> => axeOf(page, { type: 'rule', values: COLOURS });

/** To the other theme, which is told. The panel's own mark where there is one; emulating costs as much as a new page. */
export async function turn(page: Page): Promise<'light' | 'dark'> {
  const theme = (await themeOf(page)) === 'light' ? 'dark' : 'light';
  if (await page.evaluate('document.documentElement.dataset.theme !== undefined'))
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
  else await page.emulateMedia({ colorScheme: theme });
  return theme;
}

export const themeOf = async (page: Page): Promise<'light' | 'dark'> =>
  (await page.evaluate(
    `document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')`,
  )) as 'light' | 'dark';

/**
 * Rows far down a list wait to be drawn until someone comes near, and until then keep the colours of the theme before; and a colour
 * that is inherited goes over step by step, a frame for each.
 */
const AT_ONCE = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { content-visibility: visible !important; transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
}`;

async function axeOf(page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  axeSource ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate(`'axe' in window`))) {
    await page.evaluate(await axeSource);
    await page.evaluate(AT_ONCE);
  }
  // Two frames on, so that what has just changed is also drawn. Only what is wrong comes back: of a page with hundreds of rows
  // the rest would be megabytes.
  return (await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    .then(() => axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }))
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
      id + ': ' + html.slice(0, 200) + ': ' + failureSummary.replace(/\\s+/g, ' '))))`)) as string[];
}

/** Wider than its window: something sticks out sideways. */
export async function isSideways(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')) as boolean;
}

/** As `isSideways`, in a window of another width; it ends as wide as it was. */
export async function isSidewaysAt(page: Page, width: number): Promise<boolean> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ ...before, width });
  const is = await isSideways(page);
  await page.setViewportSize(before);
  return is;
}

/** Into the folder that SCREENSHOTS names; nothing without it. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
