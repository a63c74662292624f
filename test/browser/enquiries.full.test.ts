// A person who called, as a dealer works with them: added from the palette, contacted, and won with a sale that was made in its own screen.
import type { Page } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('enquiries in the panel', () => {
  const panel = panelTest();
  let dealer: Dealer;
  let owner: TestPerson;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
  });

  /** A message that was just shown is a dialog too, but no layer. */
  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');

  test('a person who called is added and won with a sale that exists', async () => {
    const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer, { first_name: 'Ali', last_name: 'Arayan' })];
    const { sale_no } = dataOf(await sell(dealer, { vehicle_id, customer_id, sale_price: '9000.00' }));
    const page = await panel.open(owner, '/panel');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('yeni aday');
    await eventually(() => page.getByRole('option').first().textContent()).toContain('Yeni aday');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/panel/adaylar');
    await page.getByRole('button', { name: 'Aday ekle' }).click();
    await dialog(page).getByLabel('Ad soyad').fill('Ali Arayan');
    await dialog(page).getByLabel('Telefon', { exact: true }).fill('0533 840 11 22');
    await dialog(page).getByRole('button', { name: 'Ekle', exact: true }).click();
    await dialog(page).getByRole('heading', { name: 'Ali Arayan' }).waitFor();
    await dialog(page).getByLabel('Aşama').selectOption('Görüşüldü');
    await eventually(() => dialog(page).textContent()).toContain('Aşama: Görüşüldü');
    await look(page, 'enquiry', { narrow: true });
    await dialog(page).getByLabel('Aşama').selectOption('Kazanıldı');
    await dialog(page).getByRole('button', { name: 'Kaydet', exact: true }).click();
    await eventually(() => dialog(page).getByRole('alert').first().textContent()).toContain('Satış');
    await dialog(page).getByLabel('Satış', { exact: true }).fill(sale_no);
    await dialog(page)
      .getByRole('option', { name: /Ali Arayan/ })
      .click();
    await dialog(page).getByRole('button', { name: 'Kaydet', exact: true }).click();
    await dialog(page).getByRole('heading', { name: 'Kazanıldı' }).waitFor();
    await eventually(() => dialog(page).getByRole('link', { name: 'Satış', exact: true }).count()).toBe(1);
    await panel.done(page);
  });
});
