/**
 * `npm run pictures`: takes the pictures of docs/images from the panel of a new demonstration, in a real Chromium. It starts a service of
 * its own in a temporary folder, with every built endpoint open, and stops it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const ROOT = join(import.meta.dirname, '..');
const SIZE = { width: 1280, height: 800 };
const START_MS = 180_000;
const PHOTOS_MS = 600_000;
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

interface Picture {
  readonly file: string;
  readonly path: string;
  readonly theme?: 'light' | 'dark';
}

const PICTURES: readonly Picture[] = [
  { file: 'panel-vehicles.png', path: '/panel/araclar?status=Stokta' },
  { file: 'panel-vehicle.png', path: '/panel/araclar/{vehicle}' },
  { file: 'panel-home.png', path: '/panel' },
  { file: 'panel-new-key-dark.png', path: '/panel/api-anahtarlari/yeni', theme: 'dark' },
  { file: 'panel-log-dark.png', path: '/panel/loglar', theme: 'dark' },
];

const executablePath = BROWSERS.find(existsSync);
if (executablePath === undefined) throw new Error(`no Chromium found: ${BROWSERS.join(', ')}`);
const dataDir = await mkdtemp(join(tmpdir(), 'galeri-pictures-'));
const service = spawn(join(ROOT, 'bin/galeri'), ['serve', '--demo'], {
  env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LIVE: 'all', LOG_LEVEL: 'info' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await addressOf(service);
  const { people, key } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  await fillLog(url, key);
  const browser = await chromium.launch({ executablePath });
  const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 1.5, locale: 'en-GB' });
  // The stock as a gallery of photos.
  await context.addInitScript(
    "localStorage.setItem('galeri.locale', 'en'); localStorage.setItem('galeri.stock-view', 'gallery')",
  );
  const page = await context.newPage();
  await page.goto(`${url}/panel`);
  await page.fill('[name=email]', people[0].email);
  await page.fill('[name=password]', people[0].password);
  await page.press('[name=password]', 'Enter');
  await page.waitForSelector('main h1');
  const vehicle = await untilPhotos(url, key);
  for (const { file, path, theme = 'light' } of PICTURES) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${url}${path.replace('{vehicle}', vehicle)}`, { waitUntil: 'networkidle' });
    const title = await page.locator('main h1').textContent();
    if (title === 'Page not found') throw new Error(`${path}: ${title}`);
    await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
    await page.screenshot({ path: join(ROOT, 'docs/images', file) });
    process.stdout.write(`docs/images/${file}\n`);
  }
  await browser.close();
} finally {
  service.kill('SIGTERM');
  await new Promise((resolve) => (service.exitCode === null ? service.once('exit', resolve) : resolve(null)));
  await rm(dataDir, { recursive: true, force: true });
}

/** The demonstration draws its photos after the start, newest cars first. Returns the newest car once a page of them has photos. */
async function untilPhotos(url: string, key: string): Promise<string> {
  const read = async (path: string): Promise<{ id: string }[]> => {
    const reply = await fetch(`${url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } });
    return ((await reply.json()) as { data: { id: string }[] }).data;
  };
  const shown = await read('vehicles?status=Stokta&limit=25');
  const end = Date.now() + PHOTOS_MS;
  while ((await read(`vehicles/${shown.at(-1)!.id}/photos`)).length === 0) {
    if (Date.now() > end) throw new Error('the demonstration has no photos yet');
    await setTimeout(2000);
  }
  return shown[0]!.id;
}

/** A log is more than an empty table: successful requests and errors of the demo key. */
async function fillLog(url: string, key: string): Promise<void> {
  const paths = [
    'vehicles?limit=25',
    'customers',
    'account',
    'vehicles?status=Rezerve',
    'sales?limit=0',
    'developer/usage',
    'vehicles/none',
  ];
  for (const path of [...paths, ...paths])
    await fetch(`${url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } }).then((reply) => reply.arrayBuffer());
}

/** The address that the service reports in its line `ready`. */
function addressOf(started: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = globalThis.setTimeout(() => reject(new Error('the service did not start')), START_MS);
    started.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    started.stdout!.on('data', (chunk: Buffer) => {
      text += chunk;
      const [, panel] = /"panel":"([^"]+)\/panel"/.exec(text) ?? [];
      if (panel === undefined) return;
      clearTimeout(timer);
      resolve(panel);
    });
  });
}
