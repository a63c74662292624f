// The built panel as it is served: precompressed, cached permanently, only after sign-in, and with a clear message when it is not
// built.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteDemoFile, writeDemoFile } from '../../src/demo/demo-file.ts';
import { createPanelAssets } from '../../src/http/panel/assets.ts';
import { sql } from '../../src/kit/sql.ts';
import { newDataDir } from '../support/data-dir.ts';
import { type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, signedIn } from './people.ts';

const SCRIPT = 'console.log("galeri");';
let folder: string;
beforeAll(async () => {
  folder = await newDataDir('panel');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets', 'index-abc123.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'index-abc123.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'index-abc123.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'plain-1.svg'), '<svg/>');
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Galeri</title>');
  await writeFile(join(folder, 'index.board.html'), '<!doctype html><title>Galeri</title><!-- board -->');
  await writeFile(join(folder, 'secret.json'), '{}');
});

describe('files', () => {
  const header = (headers: readonly string[], name: string) => headers[headers.indexOf(name) + 1];

  test('are served in the smallest encoding that the browser accepts', async () => {
    const assets = createPanelAssets(folder);
    const coded = async (accepts: string) => {
      const reply = (await assets.asset('assets/index-abc123.js', accepts))!;
      return reply.headers.includes('Content-Encoding') ? header(reply.headers, 'Content-Encoding') : null;
    };
    expect(await coded('gzip, deflate, br')).toBe('br');
    expect(await coded('gzip')).toBe('gzip');
    expect(await coded('br;q=0, gzip')).toBe('gzip');
    expect(await coded('')).toBeNull();
    const reply = (await assets.asset('assets/index-abc123.js', 'br'))!;
    expect(brotliDecompressSync(reply.body!).toString()).toBe(SCRIPT);
    expect(header(reply.headers, 'Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(header(reply.headers, 'Vary')).toBe('Accept-Encoding');
    expect((await assets.asset('assets/plain-1.svg', 'br'))!.body!.toString()).toBe('<svg/>');
  });

  test.each(['assets/../secret.json', 'assets/..%2fsecret.json', 'assets/', 'assets/none-1.js', 'assets/.hidden', 'secret.json'])(
    '%s is not one of them',
    async (path) => {
      expect(await createPanelAssets(folder).asset(path, '')).toBeNull();
    },
  );
});

describe('over HTTP', () => {
  let built: TestService;
  let bare: TestService;
  const people = [
    { email: 'sahip@example.com', password: 'galeri-demo-parola', account: 'Beşparmak Oto' },
    { email: 'yonetici@example.com', password: 'galeri-demo-parola', account: null },
    { email: 'gitti@example.com', password: 'galeri-demo-parola', account: 'Gitti Oto' },
  ];
  beforeAll(async () => {
    built = await testService({ panelFolder: folder, demo: true });
    bare = await testService({ panelFolder: join(folder, 'nothing-here') });
  });
  afterAll(async () => {
    await built.close();
    await bare.close();
  });

  test('the service worker and its offline page are the same for everyone, with and without a session', async () => {
    const worker = await fetch(`${built.service.url}/panel/worker.js?lang=tr`);
    expect([worker.status, worker.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(worker.headers.get('service-worker-allowed')).toBe('/panel');
    for (const [lang, title] of [['tr', 'Bağlantı yok'] as const, ['en', 'No connection'] as const]) {
      const page = await fetch(`${built.service.url}/panel/cevrimdisi?lang=${lang}`);
      expect(await page.text()).toContain(`<h1>${title}</h1>`);
      expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    }
  });

  test('every screen is the same page, which is never cached; its policy allows only our own files', async () => {
    const browser = await signedIn(built, await newPerson(built));
    for (const path of ['/panel', '/panel/', '/panel/araclar', '/panel/api-anahtarlari/yeni?x=1']) {
      const page = await fetch(`${built.service.url}${path}`, { headers: { cookie: browser.cookieText() } });
      expect([page.status, await page.text()], path).toEqual([200, '<!doctype html><title>Galeri</title>']);
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.headers.get('content-security-policy')).toContain(`default-src 'self'`);
    }
    const file = await fetch(`${built.service.url}/panel/assets/index-abc123.js`);
    expect([file.status, await file.text()]).toEqual([200, SCRIPT]);
    expect((await fetch(`${built.service.url}/panel/assets/gone-1.js`)).status).toBe(404);
    expect((await fetch(`${built.service.url}/panelx`)).status).toBe(404);
  });

  test('the page of a first screen names its scripts; other pages, and pages below it, are the common one', async () => {
    const assets = createPanelAssets(folder);
    const isOwn = async (path: string) => (await assets.index(path, ''))!.body!.toString().includes('board');
    for (const path of ['tahsilat', 'tahsilat/', 'sandbox/tahsilat']) expect(await isOwn(path), path).toBe(true);
    for (const path of ['', 'tahsilat/takvim', 'araclar', 'sandboxtahsilat', 'x/tahsilat', '../tahsilat'])
      expect(await isOwn(path), path).toBe(false);
  });

  test('explains how to build it when it is not built', async () => {
    const browser = await signedIn(bare, await newPerson(bare));
    const page = await fetch(`${bare.service.url}/panel`, { headers: { cookie: browser.cookieText() } });
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('npm run build');
  });

  test('a demonstration shows its sign-ins and their password: only existing users, while they exist', async () => {
    const dataDir = dirname(built.filesDir);
    await writeDemoFile(dataDir, { account: 'Beşparmak Oto', key: 'gal_prod_x', people });
    await built.database.onPlatform('write', (db) =>
      db.exec(sql`insert into people (id, email, password_hash, full_name, is_demo)
        select gen_random_uuid(), email, 'none', 'Kişi', true from unnest(array['sahip@example.com', 'yonetici@example.com']) as email`),
    );
    const page = await new Browser(built.service.url).send('/panel/giris', { headers: { 'accept-language': 'tr' } });
    for (const text of ['sahip@example.com', 'Beşparmak Oto', 'yonetici@example.com', 'Platform yöneticisi'])
      expect(page.text).toContain(text);
    expect(page.text.split('galeri-demo-parola')).toHaveLength(2);
    expect(page.text).not.toContain('gitti@example.com');
    await deleteDemoFile(dataDir);
    expect((await new Browser(built.service.url).send('/panel/giris')).text).not.toContain('class="demo"');
  });
});
