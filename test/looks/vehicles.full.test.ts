// The stock as it looks: list, filters, detail, forms, dialogs, history, what is selected and what was deleted.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { comeBack, look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/araclar';

describe.skipIf(isBrowserMissing())('vehicles as they look', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let golf: string;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
    await service.customer(accountId, { first_name: 'Işıl', last_name: 'Çağlar' });
    for (let at = 0; at < 12; at += 1)
      await service.vehicle(accountId, {
        brand: 'Toyota',
        model: `Vitz ${at}`,
        plate: `TV ${100 + at}`,
        model_year: 2000 + at,
        city: 'Girne',
        price_minor: BigInt(100_000 + at * 10_000),
      });
    golf = await service.vehicle(accountId, {
      brand: 'Volkswagen',
      model: 'Golf',
      plate: 'GL 777',
      trim: 'Highline',
      city: 'Gazimağusa',
      status: 'Rezerve',
      currency: 'TL',
      price_minor: 125_000_050n,
      purchase_price_minor: 987_654_321n,
      purchase_currency: 'STG',
      description: 'İlk sahibinden.\nŞoför koltuğu yeni.',
      chassis_no: 'WVWZZZ1KZ',
      engine_no: 'CAXA0001',
    });
    await service.vehicle(accountId, { brand: 'Silinmiş', model: 'Araç', plate: 'XX 999', deleted_at: new Date() });
  });

  const main = (page: Page) => page.getByRole('main');
  /** Messages at the edge are dialogs too, by their role. */
  const layer = (page: Page) => page.locator('[data-layer][role=dialog]').last();

  test('list, filters and detail', async () => {
    // Of a long list a page of ten: the rest are the same rows again.
    const page = await panel.open(owner, `${LIST}?brand=Toyota&price_min=1000&currency=STG&limit=10`);
    await main(page).locator('tbody tr').first().waitFor();
    await look(page, 'vehicles', { narrow: true });
    // Where there is no room for all, columns give way in their order, and what is left fits.
    for (const width of [1024, 768]) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(() => page.getByRole('columnheader', { name: 'Vites' }).count()).toBe(0);
      await eventually(() => page.getByRole('columnheader', { name: 'Durum' }).count()).toBe(1);
      expect(await page.locator('main section:has(> table)').evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
    }
    await comeBack(page);
    await page.locator('button[aria-controls][aria-expanded]').last().click();
    await look(page, 'vehicles-filters', { narrow: true });
    await panel.follow(page, `${LIST}/${golf}`);
    await page.locator('dl').first().waitFor();
    await look(page, 'vehicle', { narrow: true });
    await panel.done(page);
  });

  test('forms, dialogs and history', async () => {
    const id = await service.vehicle(accountId, { brand: 'Škoda', model: 'Octavia', plate: 'SK 1', status: 'Stokta' });
    const page = await panel.open(owner, `${LIST}/yeni`);
    await page.locator('main summary').click();
    await page.locator('main form button[type=submit]').click();
    await main(page).getByRole('alert').first().waitFor();
    await look(page, 'vehicle-new', { narrow: true });
    await panel.follow(page, `${LIST}/${id}`);
    await page.locator('main header').getByRole('button', { name: 'Rezerve et' }).click();
    await layer(page).locator('input[role=combobox]').first().fill('işıl');
    await layer(page).locator('[role=listbox] [role=option]').first().waitFor();
    await look(page, 'vehicle-reserve', { narrow: true });
    await layer(page).locator('[role=listbox] [role=option]').first().click();
    await layer(page).locator('button[type=submit]').click();
    await layer(page).waitFor({ state: 'detached' });
    await look(page, 'vehicle-reserved', { narrow: true });
    await page.locator('main header').getByRole('button').first().click();
    await page.getByRole('alertdialog').waitFor();
    await look(page, 'vehicle-release', { narrow: true });
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await panel.follow(page, `${LIST}/${id}/gecmis`);
    await look(page, 'vehicle-history', { narrow: true });
    await panel.done(page);
  });

  test('several at once, and what was deleted', async () => {
    const page = await panel.open(owner, `${LIST}?brand=Toyota&limit=10`);
    await main(page).getByRole('checkbox').first().check();
    await look(page, 'vehicles-selected', { narrow: true });
    await main(page).locator('section').last().getByRole('button').first().click();
    await layer(page).getByRole('checkbox').first().check();
    await look(page, 'vehicles-bulk', { narrow: true });
    await page.keyboard.press('Escape');
    await panel.go(page, `${LIST}?deleted=true`);
    await look(page, 'vehicles-trash', { narrow: true });
    await panel.done(page);
  });

  test('the menu of a row, a customer taken in on the way, and two who edit at once', async () => {
    const plate = 'RC 21280';
    const id = await service.vehicle(accountId, { brand: 'Mercedes-Benz', model: 'Sprinter 516', plate });
    const page = await panel.open(owner, `${LIST}?brand=Mercedes-Benz`);
    await page.getByRole('button', { name: new RegExp(plate) }).click();
    await page.getByRole('menuitem').nth(2).waitFor();
    await look(page, 'vehicle-row-menu', { narrow: true });
    await page.getByRole('menuitem', { name: 'Rezerve et' }).click();
    await layer(page).locator('input').first().fill('Zzz');
    await layer(page).getByRole('button', { name: 'Yeni müşteri ekle' }).click();
    await page.locator('[data-layer][role=dialog]').nth(1).waitFor();
    await look(page, 'quick-customer');
    await panel.go(page, `${LIST}/${id}/duzenle`);
    await page.locator('#color').fill('Mor');
    await service.database.inTenant(accountId, 'write', (db) =>
      db.exec(sql`update vehicles set color = 'Turkuaz', description = 'Uzun bir açıklama' where id = ${id}`),
    );
    await main(page).locator('form button[type=submit]').click();
    await main(page).getByRole('alert').waitFor();
    await look(page, 'edit-conflict', { narrow: true });
    await panel.chromium.leave(page);
  });
});
