// Settings, staff and branches as they look: no violation of WCAG 2.2 AA in either theme and at either width, dialogs included,
// nothing sideways, both languages whole, and room for longer words.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing, isSideways, screenshot } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const ROUTES = {
  hesap: '/panel/ayarlar/hesap',
  oturumlar: '/panel/ayarlar/oturumlar',
  guvenlik: '/panel/ayarlar/guvenlik',
  denetim: '/panel/ayarlar/denetim',
  tercihler: '/panel/ayarlar/tercihler',
  ekip: '/panel/ekip',
  subeler: '/panel/ekip/subeler',
} as const;

describe.skipIf(isBrowserMissing())('settings and staff to the eye', () => {
  const panel = panelTest();
  let service: TestService;
  let owner: TestPerson;
  let accountId: string;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto', city: 'Girne', phone: '05338123456' });
    owner = await newPerson(service, { accountId });
    for (const role of ['developer', 'finance', 'viewer'] as const) await newPerson(service, { accountId, role });
    // By hand of the owner, so that lists have lines and the log has entries.
    const page = await panel.open(owner, ROUTES.subeler);
    for (const [name, city] of [
      ['Nicosia', 'Nicosia'],
      ['Famagusta', 'Famagusta'],
    ] as const) {
      await page.keyboard.press('c');
      await page.getByLabel('Ad', { exact: true }).fill(name);
      await page.getByLabel('Şehir').fill(city);
      await page.getByRole('button', { name: 'Kaydet' }).click();
      await page.getByRole('cell', { name, exact: true }).first().waitFor();
    }
    await panel.go(page, ROUTES.ekip);
    await page.getByRole('button', { name: 'Çalışan ekle' }).click();
    await page.getByLabel('Ad soyad').fill('Ada Seller');
    await page.getByRole('dialog').getByLabel('Şube').selectOption({ label: 'Nicosia' });
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.getByRole('cell', { name: 'Ada Seller', exact: true }).waitFor();
    await invite(page);
    await panel.done(page);
  });

  async function invite(page: Page): Promise<void> {
    await panel.go(page, ROUTES.ekip);
    await page.getByRole('button', { name: 'Ekibe davet et' }).click();
    await page.getByLabel('Ad soyad').fill('Deniz Guest');
    await page.getByLabel('E-posta').fill('deniz@example.com');
    await page.getByRole('button', { name: 'Bağlantı oluştur' }).click();
    await page.getByRole('button', { name: 'Tamam' }).click();
  }

  test('every screen', async () => {
    const page = await panel.open(owner, ROUTES.hesap);
    for (const [what, path] of Object.entries(ROUTES)) {
      await panel.follow(page, path);
      await look(page, what, { narrow: true });
    }
    await panel.done(page);
  });

  test('every dialog', async () => {
    const page = await panel.open(owner, ROUTES.ekip);
    const close = () => page.keyboard.press('Escape');
    const gone = () => page.waitForSelector('[role=dialog], [role=alertdialog], [role=menu]', { state: 'detached' });
    const menu = page.getByRole('button', { name: /için işlemler/ });
    await menu.nth(1).click();
    await page.waitForSelector('[role=menu]');
    await look(page, 'member-menu');
    await page.getByRole('menuitem', { name: 'Rolünü değiştir' }).click();
    await page.waitForSelector('[role=dialog]');
    await look(page, 'role-dialog');
    await close();
    await gone();
    await menu.nth(1).click();
    await page.getByRole('menuitem', { name: 'Erişimini kapat' }).click();
    await page.waitForSelector('[role=alertdialog]');
    await look(page, 'access-dialog');
    await close();
    await gone();
    await page.getByRole('button', { name: 'Ekibe davet et' }).click();
    await page.getByRole('button', { name: 'Bağlantı oluştur' }).click();
    await page.getByText('alan düzeltilmeli').first().waitFor();
    await look(page, 'invite-dialog');
    await close();
    await gone();
    await page.getByText('Uç nokta ayrıntıları', { exact: true }).click();
    await page
      .getByRole('button', { name: /uç noktaları göster/ })
      .first()
      .click();
    await look(page, 'matrix-open');
    await panel.follow(page, ROUTES.denetim);
    await page.getByRole('button', { name: 'adlı şubeyi ekledi' }).first().click();
    await page.waitForSelector('[role=dialog]');
    await look(page, 'audit-drawer');
    await close();
    await gone();
    await panel.follow(page, ROUTES.guvenlik);
    await page.getByRole('button', { name: 'Kur', exact: true }).click();
    await page.getByRole('img', { name: 'Kurulum karekodu' }).waitFor();
    await look(page, 'totp-dialog');
    await panel.done(page);
  });

  test('English is whole: no Turkish letter is left on any screen', async () => {
    const reader = await newPerson(service, { accountId, role: 'owner' });
    const page = await panel.open(reader, ROUTES.tercihler, { locale: 'en' });
    await page.getByRole('radio', { name: 'English' }).check();
    for (const [what, path] of Object.entries(ROUTES)) {
      await panel.follow(page, path);
      await screenshot(page, `${what}-light-1280-en`);
      const text = ((await page.locator('main').textContent()) ?? '')
        .replaceAll('Türkçe', '')
        .replaceAll('Kişi', '')
        .replaceAll('Türkiye', '');
      expect(text.match(/.*[çğıİöşü].*|undefined|\[object.*/gi) ?? [], what).toEqual([]);
    }
    await panel.done(page);
  });

  test('words four tenths longer still fit at 320 px', async () => {
    const page = await panel.open(owner, ROUTES.hesap, { width: 320 });
    for (const [what, path] of Object.entries(ROUTES)) {
      await panel.go(page, path);
      await page.evaluate(LENGTHEN);
      await screenshot(page, `${what}-320-longer`);
      expect(await isSideways(page), what).toBe(false);
      expect(await page.evaluate(CLIPPED), what).toEqual([]);
    }
    await panel.done(page);
  });

  test('what only owners may open says so to others, and their tabs are not there', async () => {
    const viewer = await newPerson(service, { accountId, role: 'viewer' });
    const page = await panel.open(viewer, '/panel/ayarlar');
    await page.waitForURL('**/ayarlar/tercihler');
    const tabs = page.getByRole('navigation', { name: 'Ayarlar' });
    await eventually(() => tabs.getByRole('link').allInnerTexts()).toEqual(['Tercihler', 'Güvenlik', 'Oturumlar']);
    await panel.go(page, ROUTES.denetim);
    await page.getByText('Bu sayfa için yetkiniz yok').first().waitFor();
    await look(page, 'denetim-refused');
    await panel.go(page, ROUTES.ekip);
    await page.getByRole('cell', { name: 'Ada Seller', exact: true }).waitFor();
    await eventually(() => page.getByRole('button', { name: 'Çalışan ekle' }).count()).toBe(0);
    await panel.done(page);
  });
});

/** Every text of the screen, four tenths longer, as another language would be. */
const LENGTHEN = `{
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  for (const node of found) {
    const text = node.nodeValue.trim();
    if (text.length < 2 || node.parentElement.closest('select, .code, .sr-only, time')) continue;
    node.nodeValue = node.nodeValue + ' ' + 'ğüşçöı '.repeat(20).slice(0, Math.ceil(text.length * 0.4) - 1);
  }
}`;

/** Texts that are cut off: wider than the box that hides what sticks out. */
const CLIPPED = `[...document.querySelectorAll('main button, main label, main a, main h1, main h2, main p, main legend, main .badge')]
  .filter((one) => one.getClientRects().length > 0 && !one.closest('.sr-only, [aria-label][tabindex="0"] table, nav'))
  .filter((one) => {
    const box = one.getBoundingClientRect();
    return one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== 'visible' || box.right > innerWidth + 1;
  })
  .map((one) => one.outerHTML.slice(0, 160))`;
