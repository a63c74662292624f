// Every screen of keys as it looks: both themes, both languages, phone and desk; no violation of WCAG 2.2 AA, nothing sideways.
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing, isSideways, isSidewaysAt } from '../support/browser.ts';
import { look, panelTest, WINDOWS } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { button, KEYS, NEW, row, template } from './keys-pages.ts';

/** A few rows: axe looks at every letter of a page, and 185 rows are looked at by a glance and by the flows. */
const FEW = '?q=wallet';
const countCalls = sql`select coalesce(sum(calls), 0)::int as n from usage_calls`;

describe.skipIf(isBrowserMissing())('keys as they look', () => {
  const panel = panelTest();
  let service: TestService;
  let owner: TestPerson;
  let used: string;

  beforeAll(async () => {
    service = panel.service;
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

  test.each(WINDOWS)('$width px, $locale', async (window) => {
    const page = await panel.open(owner, KEYS, window);
    const tr = window.locale === 'tr';
    const tab = async (path: string) => {
      await panel.go(page, `${KEYS}/${used}/${path}`);
      if (path === 'trafik') await page.locator('canvas').first().waitFor();
      await look(page, `keys-${path.replace(/\?.*/, '')}`, { narrow: true });
    };
    await look(page, 'keys-list', { narrow: true });
    await panel.go(page, `${KEYS}?q=yok%20böyle`);
    await look(page, 'keys-list-no-match', { narrow: true });
    for (const path of ['genel', `kapsam${FEW}`, 'trafik', 'loglar', 'gecmis']) await tab(path);
    await panel.go(page, `${KEYS}/${used}/genel?dondur=1`);
    await look(page, 'keys-rotate');
    await panel.go(page, `${KEYS}/${used}/genel?iptal=1`);
    await look(page, 'keys-revoke');
    await panel.go(page, NEW);
    expect(await isSideways(page)).toBe(false);
    expect(await isSidewaysAt(page, 320)).toBe(false);
    await panel.go(page, `${NEW}${FEW}`);
    await row(page, 'GET wallet').check();
    await look(page, 'keys-new-search', { narrow: true });
    await template(page, tr ? 'Tam galeri' : 'Full dealer').click();
    await look(page, 'keys-new-diff');
    await button(page, tr ? 'Şablonla değiştir' : 'Replace with the template').click();
    if (window.width < 1280) {
      await button(page, tr ? /^Bu anahtar ne yapabilir/ : /^What can this key do/).click();
      await look(page, 'keys-rail');
      await page.keyboard.press('Escape');
    }
    await button(page, tr ? 'İleri' : 'Next').click();
    await button(page, tr ? 'İleri' : 'Next').click();
    await look(page, 'keys-new-limits', { narrow: true });
    await page.getByLabel(tr ? 'Ad' : 'Name', { exact: true }).fill(`Deneme ${window.locale}`);
    await button(page, tr ? 'İleri' : 'Next').click();
    await look(page, 'keys-new-review', { narrow: true });
    await page.getByRole('checkbox').first().check();
    await button(page, tr ? 'Anahtar oluştur' : 'Create key').click();
    await page.locator('p.select-all').waitFor();
    await look(page, 'keys-secret', { narrow: true });
    await panel.done(page);
  });

  test('an account without keys says what comes next', async () => {
    const page = await panel.open(await newPerson(service, { accountId: await service.account({ name: 'Boş' }) }), KEYS);
    await look(page, 'keys-empty', { narrow: true });
    await page.getByRole('link', { name: 'İlk anahtarı oluştur' }).click();
    await page.getByRole('heading', { name: 'Yeni anahtar' }).waitFor();
    await panel.done(page);
  });
});
