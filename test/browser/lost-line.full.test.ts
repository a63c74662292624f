// When the connection or the session is lost: the panel says so, keeps typed values and resumes at the same place.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, PASSWORD, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, settled } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('the panel without', () => {
  const panel = panelTest();
  let owner: TestPerson;
  beforeAll(async () => {
    owner = await newPerson(panel.service, { accountId: await panel.service.account({ name: 'Girne Oto' }) });
  });
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const context of open.splice(0)) await context.close();
  });

  test('a network: a banner, a screen that can be tried again, and never the browser’s own error page', async () => {
    const page = await panel.open(owner, '/panel/araclar');
    open.push(page.context());
    await page.context().setOffline(true);
    await page.getByText('Bağlantı yok').waitFor();
    expect(await axe(page, 'all', 'whole')).toEqual([]);
    // The code of this screen was never fetched.
    const menu = page.getByRole('navigation', { name: 'Menü' });
    await menu.getByText('Entegrasyon', { exact: true }).click();
    await menu.getByRole('link', { name: 'Kullanım' }).click();
    const failure = page.getByRole('alert');
    await failure.getByRole('button', { name: 'Tekrar dene' }).waitFor();
    expect(page.url()).toContain('/panel/kullanim');
    await failure.getByRole('button', { name: 'Tekrar dene' }).click();
    await failure.waitFor();
    await page.context().setOffline(false);
    // With the network the screen loads automatically.
    await eventually(() => page.textContent('main h1')).toBe('Kullanım');
  });

  test('a network at its start: a page of our own, which is all that is kept in the browser', async () => {
    const page = await panel.open(owner, '/panel', { serviceWorkers: 'allow' });
    open.push(page.context());
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await eventually(() => page.evaluate('Boolean(navigator.serviceWorker.controller)')).toBe(true);
    await page.context().setOffline(true);
    await page.goto(`${panel.service.service.url}/panel/araclar`);
    await page.getByRole('heading', { name: 'Bağlantı yok' }).waitFor();
    expect(await axe(page, 'all', 'whole')).toEqual([]);
    const kept = `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((all) => all.flat().map(({ url }) => new URL(url).pathname).sort())`;
    expect(await page.evaluate(kept)).toEqual(['/panel/cevrimdisi', '/panel/giris.css']);
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Tekrar dene' }).click();
    await eventually(() => page.textContent('main h1')).toBe('Ana sayfa');
  });

  test('a session: the sign-in says why, and leads back to the form with what was typed', async () => {
    const page = await panel.open(owner, '/panel/gorevler');
    open.push(page.context());
    const begin = async () => {
      await page.goto(`${panel.service.service.url}/panel/araclar/yeni`);
      await page.waitForSelector('main h1');
      await settled(page);
    };
    await begin();
    await page.getByLabel('Plaka', { exact: false }).first().fill('34 OTR 99');
    await panel.service.database.onPlatform('write', (db) => db.exec(sql`delete from sessions where person_id = ${owner.id}`));
    await page.evaluate(`dispatchEvent(new Event('visibilitychange')), document.dispatchEvent(new Event('visibilitychange'))`);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/panel/giris?bitti=1**');
    await eventually(() => page.getByRole('status').textContent()).toContain('yazdıklarınız duruyor');
    await page.fill('input[name=email]', owner.email);
    await page.fill('input[name=password]', PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL('**/panel/araclar/yeni');
    await eventually(() => page.getByLabel('Plaka', { exact: false }).first().inputValue()).toBe('34 OTR 99');
  });

  test('the menu is in groups; those that an owner seldom needs are folded until one of their screens is shown', async () => {
    const page = await panel.open(owner, '/panel', { width: 1280, height: 900 });
    open.push(page.context());
    const menu = page.getByRole('navigation', { name: 'Menü' });
    await eventually(() => menu.locator('a:visible').allTextContents()).toEqual([
      ...['Ana sayfa', 'Görevler', 'Araçlar', 'İçe aktarma', 'Adaylar', 'Müşteriler', 'Satışlar', 'Belgeler'],
      ...['Tahsilat', 'Giderler', 'Senetler', 'Döviz kurları'],
    ]);
    await eventually(() => menu.locator('summary').allTextContents()).toEqual(['Ağ', 'Yönetim', 'Entegrasyon']);
    await panel.follow(page, '/panel/raporlar');
    await menu.getByRole('link', { name: 'Raporlar' }).waitFor();
    await eventually(() => menu.getByRole('link', { name: 'API anahtarları' }).isVisible()).toBe(false);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Klavye kısayolları' }).waitFor();
    expect(await axe(page)).toEqual([]);
  });
});
