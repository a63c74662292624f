// Every screen of keys as it looks: both themes, both languages, phone and desk; no violation of WCAG 2.2 AA, nothing sideways.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import {
  axe,
  isBrowserMissing,
  isSideways,
  openBrowser,
  type PanelBrowser,
  problemsOf,
  screenshot,
  settled,
} from '../support/browser.ts';
import { type TestService, testService } from '../support/service.ts';
import { button, enter, go, KEYS, NEW, row, template } from './keys-pages.ts';

/** A few rows: axe looks at every letter of a page, and 185 rows are looked at by a glance and by the flows. */
const FEW = '?q=wallet';
const countCalls = sql`select coalesce(sum(calls), 0)::int as n from usage_calls`;

const WINDOWS = [
  { width: 1280, theme: 'light', locale: 'tr' },
  { width: 1280, theme: 'dark', locale: 'en' },
  { width: 390, theme: 'light', locale: 'en' },
  { width: 390, theme: 'dark', locale: 'tr' },
  { width: 320, theme: 'light', locale: 'tr' },
] as const;

describe.skipIf(isBrowserMissing())('keys as they look', { timeout: 240_000 }, () => {
  let service: TestService;
  let chromium: PanelBrowser;
  let owner: TestPerson;
  let used: string;

  beforeAll(async () => {
    service = await testService();
    chromium = await openBrowser();
    const accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
    const day = 86_400_000;
    const key = await service.key(accountId, { name: 'Web sitesi stok eşitlemesi', limitPerMinute: 60, limitPerHour: 1000 });
    used = key.id;
    for (const path of ['vehicles', 'vehicles', 'vehicles', 'customers', 'sales', 'nothing'])
      await service.call(path, { key: key.secret });
    await service.key(accountId, { name: 'Muhasebe', template: 'accounting', environment: 'sandbox' });
    await service.key(accountId, { name: 'Yakında bitecek', template: 'full', expiresAt: new Date(Date.now() + 3 * day) });
    await service.key(accountId, {
      name: 'Çok uzun adlı bir entegrasyon anahtarı: pazar yeri ilanları',
      template: 'marketplace',
    });
    await service.key(accountId, { name: 'Bitmiş', template: 'vehicle', expiresAt: new Date(Date.now() - day) });
    const counted = () => service.database.onPlatform('read', (db) => db.one<{ n: number }>(countCalls));
    while ((await counted()).n < 6) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  afterAll(async () => {
    await chromium?.close();
    await service?.close();
  });

  test.each(WINDOWS)('$width px, $theme, $locale', async (window) => {
    const page = await chromium.open({ ...window, height: 900 });
    const tag = `${window.width}-${window.theme}-${window.locale}`;
    const look = async (name: string) => {
      await settled(page);
      await screenshot(page, `keys-${name}-${tag}`);
      expect(await axe(page), name).toEqual([]);
      expect(await isSideways(page), `${name} is wider than its window`).toBe(false);
    };
    const glance = async (name: string) => {
      await settled(page);
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/keys-${name}-${tag}.png` });
      expect(await isSideways(page), `${name} is wider than its window`).toBe(false);
    };
    const tr = window.locale === 'tr';
    await enter(page, service, owner);
    await look('list');
    await go(page, service, `${KEYS}?q=yok%20böyle`);
    await look('list-no-match');
    for (const tab of ['genel', `kapsam${FEW}`, 'trafik', 'loglar', 'gecmis']) {
      await go(page, service, `${KEYS}/${used}/${tab}`);
      if (tab === 'trafik') await page.locator('canvas').first().waitFor();
      await look(tab.replace(/\?.*/, ''));
    }
    await go(page, service, `${KEYS}/${used}/genel?dondur=1`);
    await look('rotate');
    await go(page, service, `${KEYS}/${used}/genel?iptal=1`);
    await look('revoke');
    await go(page, service, NEW);
    await glance('new-scope');
    await go(page, service, `${NEW}${FEW}`);
    await row(page, 'GET wallet').check();
    await look('new-search');
    await template(page, tr ? 'Tam galeri' : 'Full dealer').click();
    await look('new-diff');
    await button(page, tr ? 'Şablonla değiştir' : 'Replace with the template').click();
    if (window.width < 1280) {
      await button(page, tr ? /^Bu anahtar ne yapabilir/ : /^What can this key do/).click();
      await look('rail');
      await page.keyboard.press('Escape');
    }
    await button(page, tr ? 'İleri' : 'Next').click();
    await button(page, tr ? 'İleri' : 'Next').click();
    await look('new-limits');
    await page.getByLabel(tr ? 'Ad' : 'Name', { exact: true }).fill(`Deneme ${tag}`);
    await button(page, tr ? 'İleri' : 'Next').click();
    await look('new-review');
    await page.getByRole('checkbox').first().check();
    await button(page, tr ? 'Anahtar oluştur' : 'Create key').click();
    await page.locator('p.select-all').waitFor();
    await look('secret');
    expect(problemsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('an account without keys says what comes next', async () => {
    const page = await chromium.open();
    await enter(page, service, await newPerson(service, { accountId: await service.account({ name: 'Boş' }) }));
    await screenshot(page, 'keys-empty');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'İlk anahtarı oluştur' }).click();
    await page.getByRole('heading', { name: 'Yeni anahtar' }).waitFor();
    await page.context().close();
  });
});
