/**
 * `npm run lighthouse`: measures pages of a new demonstration on a phone of 390 px with Lighthouse, which npx fetches: it is no
 * dependency of the project. It starts a service of its own in a temporary folder, with every built endpoint open, and stops it.
 * `-- home,sale` measures these pages; `RUNS=3` measures each page three times and shows its median; `LIGHTHOUSE` names an installed one.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { freePort } from '../test/support/free-port.ts';

const LIGHTHOUSE = process.env.LIGHTHOUSE?.split(' ') ?? ['npx', '--yes', 'lighthouse@13.5.0'];
const RUNS = Number(process.env.RUNS ?? 1);
const START_MS = 300_000;
const ROOT = join(import.meta.dirname, '..');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/google-chrome'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const OPTIONS = [
  '--form-factor=mobile',
  '--screenEmulation.width=390',
  '--screenEmulation.height=844',
  '--throttling-method=simulate',
  `--only-categories=${CATEGORIES.join()}`,
  // The session is a cookie; what is cached is cleared before each page.
  '--disable-storage-reset',
  '--output=json',
  '--quiet',
];
const HEAD = [
  'page',
  ...CATEGORIES,
  'requests',
  'kB',
  'kB of scripts',
  'script ms',
  'blocked ms',
  'LCP ms',
  'CLS',
  'machine',
  'failed',
];

interface Item {
  readonly transferSize?: number;
  readonly resourceType?: string;
}
interface Category {
  readonly score: number | null;
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
}
interface Audit {
  readonly score: number | null;
  readonly numericValue?: number;
  readonly details?: { readonly items?: readonly Item[] };
}
interface Report {
  readonly finalDisplayedUrl: string;
  readonly categories: Record<(typeof CATEGORIES)[number], Category>;
  readonly audits: Record<string, Audit>;
  readonly environment: { readonly benchmarkIndex: number };
}
interface Measured {
  readonly name: string;
  readonly address: string;
}

const dataDir = await mkdtemp(join(tmpdir(), 'galeri-lighthouse-'));
const wanted = process.argv[2]?.split(',');
let browser: BrowserContext | null = null;
let service = await startService();
try {
  browser = await chromium.launchPersistentContext(join(dataDir, 'chrome'), {
    executablePath: BROWSERS.find(existsSync) ?? BROWSERS[0]!,
    args: ['--remote-debugging-port=0', '--no-sandbox'],
  });
  browser.setDefaultTimeout(START_MS);
  const page = browser.pages()[0] ?? (await browser.newPage());
  process.stdout.write(`| ${HEAD.join(' | ')} |\n|${HEAD.map(() => '---').join('|')}|\n`);
  // First: someone who is signed in is sent on from it.
  await measure({ name: 'sign-in', address: `${service.url}/panel/giris` });
  const { inside, open } = await pagesOf(page, service.url);
  for (const one of inside) await measure(one);
  await service.stop();
  // Search engines may list a showroom only if the service has a public address.
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  service = await startService({ PORT: String(port), PUBLIC_URL: publicUrl });
  for (const { name, path } of open) await measure({ name, address: `${publicUrl}${path}` });
} finally {
  await browser?.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(measured: Measured): Promise<void> {
  if (wanted === undefined || wanted.includes(measured.name)) process.stdout.write(`${await lineOf(browser!, measured)}\n`);
}

async function reportOf(browser: BrowserContext, { name, address }: Measured): Promise<Report> {
  const { origin } = new URL(address);
  const cdp = await browser.newCDPSession(browser.pages()[0]!);
  await cdp.send('Network.clearBrowserCache');
  await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cache_storage,service_workers' });
  await cdp.detach();
  const [port] = (await readFile(join(dataDir, 'chrome', 'DevToolsActivePort'), 'utf8')).split('\n');
  const file = join(dataDir, `${name}.json`);
  const [command, ...before] = LIGHTHOUSE;
  const options = [...before, address, ...OPTIONS, `--port=${port}`, `--output-path=${file}`];
  await promisify(execFile)(command!, options, { cwd: tmpdir() });
  const report: Report = JSON.parse(await readFile(file, 'utf8'));
  const { finalDisplayedUrl } = report;
  if (new URL(finalDisplayedUrl).pathname !== new URL(address).pathname) throw new Error(`${name}: led to ${finalDisplayedUrl}`);
  return report;
}

/** The report with the median performance. */
async function medianOf(browser: BrowserContext, measured: Measured): Promise<Report> {
  const reports: Report[] = [];
  while (reports.length < RUNS) reports.push(await reportOf(browser, measured));
  const scored = reports.toSorted((a, b) => (a.categories.performance.score ?? 0) - (b.categories.performance.score ?? 0));
  return scored[Math.floor(scored.length / 2)]!;
}

/** Audits that cost points, but those of performance. Pages of the panel are not for search engines. */
function failedIn({ categories, audits }: Report, isOpen: boolean): string[] {
  return [categories.accessibility, categories['best-practices'], ...(isOpen ? [categories.seo] : [])]
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
}

async function lineOf(browser: BrowserContext, measured: Measured): Promise<string> {
  const report = await medianOf(browser, measured);
  const { categories, audits, environment } = report;
  const requests = audits['network-requests']?.details?.items ?? [];
  const kB = (some: readonly Item[]) => Math.round(some.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1000);
  const ms = (audit: string) => Math.round(audits[audit]?.numericValue ?? 0);
  const cells = [
    measured.name,
    ...CATEGORIES.map((category) => Math.round((categories[category].score ?? 0) * 100)),
    requests.length,
    kB(requests),
    kB(requests.filter(({ resourceType }) => resourceType === 'Script')),
    ms('bootup-time'),
    ms('total-blocking-time'),
    ms('largest-contentful-paint'),
    (audits['cumulative-layout-shift']?.numericValue ?? 0).toFixed(3),
    Math.round(environment.benchmarkIndex),
    failedIn(report, measured.name.startsWith('showroom')).join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

interface Pages {
  readonly inside: readonly Measured[];
  readonly open: readonly { readonly name: string; readonly path: string }[];
}

/** Signs in, and sends a sale's papers for signing: its contract waits for a signature. */
async function pagesOf(page: Page, url: string): Promise<Pages> {
  const { people } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  await page.goto(`${url}/panel/giris`);
  await page.fill('[name=email]', people[0].email);
  await page.fill('[name=password]', people[0].password);
  await page.press('[name=password]', 'Enter');
  await page.waitForSelector('main h1');
  const get = <T>(path: string) =>
    page.evaluate<T>(`fetch('/panel/api/${path}').then((reply) => reply.json()).then(({ data }) => data)`);
  const { csrf } = await get<{ csrf: string }>('session');
  const post = <T>(path: string, body: unknown) =>
    page.evaluate<T>(
      `fetch('/panel/api/${path}', ${JSON.stringify({
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf },
        body: JSON.stringify(body),
      })}).then((reply) => reply.json()).then(({ data }) => data)`,
    );
  const [car] = await get<{ id: string }[]>('v1/vehicles?status=Stokta&limit=1');
  const sales = await get<{ id: string; installment_count: number }[]>('v1/sales?status=Aktif&limit=50');
  const sale = sales.find(({ installment_count }) => installment_count > 5);
  await post(`sales/${sale?.id}/papers`, {});
  const { links } = await post<{ links: { url: string }[] }>(`sales/${sale?.id}/papers/send`, { channel: 'Bağlantı' });
  const [receipt] = await get<{ id: string }[]>('v1/collections?limit=1');
  const verification = await page.evaluate<string>(
    `fetch('/panel/api/collections/${receipt?.id}/receipt.pdf').then((reply) => /<(.+?)>/.exec(reply.headers.get('Link'))[1])`,
  );
  // `frame`: a screen without content, the floor of the others.
  const paths = {
    frame: 'yok',
    home: '',
    vehicles: 'araclar',
    car: `araclar/${car?.id}`,
    sale: `satislar/${sale?.id}`,
    board: 'tahsilat',
  };
  const inside = Object.entries(paths).map(([name, path]) => ({ name, address: `${url}/panel/${path}` }));
  const showroom = await get<{ url: string }>('settings/showroom');
  await page.goto(showroom.url);
  const shown = await page
    .locator(`a[href^="${new URL(showroom.url).pathname}/"]`)
    .first()
    .getAttribute('href');
  return {
    inside: [...inside, { name: 'signing', address: links[0]!.url }, { name: 'verification', address: verification }],
    open: [
      { name: 'showroom', path: new URL(showroom.url).pathname },
      { name: 'showroom-car', path: shown! },
    ],
  };
}

interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

/** Resolves with the address of its line `ready`. */
async function startService(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const child = spawn(join(ROOT, 'bin/galeri'), ['serve', '--demo'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LIVE: 'all', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(null)));
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const timer = setTimeout(() => reject(new Error('the service did not start')), START_MS);
  child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  child.stdout!.on('data', (chunk: Buffer) => {
    text += chunk;
    const [, panel] = /"panel":"([^"]+)\/panel"/.exec(text) ?? [];
    if (panel !== undefined) resolve(panel);
  });
  try {
    return { url: await promise, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
