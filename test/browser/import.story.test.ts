// A stock list becomes cars in stock: the file is tried, corrected, tried again and imported.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Importer, startImporter } from '../../src/jobs/run-imports.ts';
import { createLog } from '../../src/kit/log.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { stockList, windows1254 } from './feeds.ts';

describe.skipIf(isBrowserMissing())('an import', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let importer: Importer;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Güzelyurt Oto' });
    owner = await newPerson(service, { accountId, role: 'owner' });
    const { writer } = service.service.parts;
    const outbound = { loopback: false };
    importer = startImporter({ writer, clock: service.clock, log: createLog('silent'), outbound, pollMs: 100, pauseRatio: 0 });
  });
  afterAll(() => importer?.close());

  const choose = (page: Page, content: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Stok Kasım.csv', mimeType: 'text/csv', buffer: windows1254(content) });
  const figures = async (page: Page) =>
    (await page.getByRole('region', { name: 'Sonuç' }).locator('dd').allTextContents()).map(Number);
  const plates = () =>
    service.database.inTenant(accountId, 'read', async (db) =>
      (await db.rows<{ plate: string }>(sql`select plate from ${own('vehicles')} order by plate`)).map(({ plate }) => plate),
    );

  test('a file is tried, corrected and imported, and its cars are in the list', async () => {
    const page = await panel.open(owner, '/panel/ice-aktarim/yeni');
    await choose(page, stockList({ fuel: 'Benzin' }));
    await page.getByText('Zorunlu alanların hepsi tamam.').waitFor();
    await page.getByRole('button', { name: 'Kaydet ve dene' }).click();
    await page.waitForURL('**/calismalar/*');
    await page.getByText('Bu bir denemeydi: hiçbir kayıt değişmedi. 1 satır hatalı').waitFor();
    expect(await figures(page)).toEqual([6, 5, 0, 0, 1]);

    // The year is corrected in the file.
    await page.getByRole('button', { name: 'Düzeltip yeniden çalıştır' }).click();
    await choose(page, stockList({ year: '2019', fuel: 'Benzin' }));
    await page.getByRole('button', { name: 'Denemeyi başlat' }).click();
    await page.getByText('Sorun yok: 6 satırın hepsi okunabiliyor.').waitFor();
    expect(await plates()).toEqual([]);
    await page.getByRole('button', { name: 'Şimdi aktar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Stok Kasım.csv').waitFor();
    await eventually(() => dialog.getByRole('checkbox', { name: 'Önce dene' }).isChecked()).toBe(false);
    await dialog.getByRole('button', { name: 'İçe aktar' }).click();
    await page.getByRole('heading', { name: 'Stok Kasım: aktarma' }).waitFor();
    await eventually(() => figures(page)).toEqual([6, 6, 0, 0, 0]);
    await page.getByRole('main').getByText('Tamamlandı', { exact: true }).waitFor();
    expect(await plates()).toEqual(['AB 101', 'AB 102', 'AB 103', 'AB 104', 'AB 105', 'AB 106']);

    await panel.go(page, '/panel/araclar');
    await eventually(() => page.getByRole('main').textContent()).toContain('Octavia');
    await panel.done(page);
  });
});
