// Every screen of keys as it looks: both themes, both languages, phone and desk; no violation of WCAG 2.2 AA, nothing sideways.
import { beforeAll, describe, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { button, KEYS, NEW, row, template } from '../browser/keys-pages.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { DESK, fits, look, NARROWEST, PHONE } from '../support/look.ts';
import { panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

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

  test('list, tabs and dialogs', async () => {
    const page = await panel.open(owner, KEYS);
    const tab = async (path: string) => {
      await panel.follow(page, `${KEYS}/${used}/${path}`);
      if (path === 'trafik') await page.locator('canvas').first().waitFor();
      await look(page, `keys-${path.replace(/\?.*/, '')}`, { narrow: true });
    };
    await look(page, 'keys-list', { narrow: true });
    await panel.follow(page, `${KEYS}?q=yok%20böyle`);
    await look(page, 'keys-list-no-match', { narrow: true });
    for (const path of ['genel', `kapsam${FEW}`, 'trafik', 'loglar', 'gecmis']) await tab(path);
    await panel.follow(page, `${KEYS}/${used}/genel?dondur=1`);
    await page.getByRole('dialog').waitFor();
    await look(page, 'keys-rotate');
    await panel.follow(page, `${KEYS}/${used}/genel?iptal=1`);
    await page.getByRole('alertdialog').waitFor();
    await look(page, 'keys-revoke');
    await panel.done(page);
  });

  test('a new key, step by step', async () => {
    const page = await panel.open(owner, NEW);
    for (const { width } of [DESK, PHONE, { width: NARROWEST }]) await fits(page, 'keys-new', width);
    await page.setViewportSize(DESK);
    await panel.follow(page, `${NEW}${FEW}`);
    await row(page, 'GET wallet').check();
    await look(page, 'keys-new-search', { narrow: true });
    await template(page, 'Tam galeri').click();
    await look(page, 'keys-new-diff');
    await button(page, 'Şablonla değiştir').click();
    await page.setViewportSize(PHONE);
    await button(page, /^Bu anahtar ne yapabilir/).click();
    await look(page, 'keys-rail', { on: 'phone' });
    await page.keyboard.press('Escape');
    await button(page, 'İleri').click();
    await button(page, 'İleri').click();
    await look(page, 'keys-new-limits', { narrow: true });
    await page.getByLabel('Ad', { exact: true }).fill('Deneme');
    await button(page, 'İleri').click();
    await look(page, 'keys-new-review', { narrow: true });
    await page.getByRole('checkbox').first().check();
    await button(page, 'Anahtar oluştur').click();
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
