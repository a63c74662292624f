// A dealer gives a customer the link to their page from the panel; the customer opens it on a phone without scripts.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { axe, prepareAxe } from '../support/axe.ts';
import { aDealer, carOf, collect, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing, isSideways, screenshot } from '../support/browser.ts';
import { PHONE } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('a customer’s page', () => {
  const panel = panelTest();
  let owner: TestPerson;
  let customer: string;

  beforeAll(async () => {
    await openAll(panel.service);
    const dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
    customer = await customerOf(dealer, { first_name: 'Şükran', last_name: 'Çağlayangil' });
    const terms = { sale_price: '3000.00', installment_count: 3 };
    const sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: customer, ...terms }));
    dataOf(await collect(dealer, sale.id, '1000.00'));
  });

  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');
  const card = (page: Page) => page.getByRole('region', { name: 'Müşteri sayfası' });

  /** Nothing sticks out sideways, and everything can be read and pressed. */
  async function seen(page: Page, name: string): Promise<void> {
    await screenshot(page, `customer-page-${name}`);
    expect(await isSideways(page), name).toBe(false);
    await prepareAxe(page);
    expect(await axe(page, 'all', 'whole'), name).toEqual([]);
  }

  test('bank account, link, code, page, receipt, revoked', async () => {
    const page = await panel.open(owner, '/panel/ayarlar/banka-hesaplari');
    await page.getByRole('button', { name: 'Hesap ekle' }).click();
    await dialog(page).getByLabel('Banka').fill('Liman Bank');
    await dialog(page).getByLabel('Hesap sahibi').fill('Galeri Ltd.');
    await dialog(page).getByLabel('IBAN').fill('TR33 0006 1005 1978 6457 8413 26');
    await dialog(page).getByRole('button', { name: 'Hesap ekle' }).click();
    await page.getByText('TR33 0006 1005 1978 6457 8413 26').waitFor();
    await panel.go(page, `/panel/musteriler/${customer}`);
    await card(page).getByRole('button', { name: 'Bağlantı oluştur' }).click();
    await dialog(page).getByRole('button', { name: 'Bağlantı oluştur' }).click();
    const url = await dialog(page).locator('.code').textContent();
    await dialog(page).getByRole('button', { name: 'Bitti' }).click();
    await card(page).getByRole('button', { name: 'Kodu göster' }).click();
    await dialog(page).getByText('Şu anda gösterilecek kod yok').waitFor();

    const phone = await panel.chromium.open({ ...PHONE, javaScriptEnabled: false });
    await phone.goto(url!);
    await phone.getByRole('button', { name: 'Kod iste' }).click();
    await phone.getByRole('status').getByText('Kod hazır').waitFor();
    const code = await dialog(page)
      .getByText(/^\d{6}$/)
      .textContent();
    await phone.getByLabel('Tek kullanımlık kod').fill(code!);
    await phone.getByRole('button', { name: 'Sayfayı aç' }).click();
    await phone.getByText('Sayın Şükran Çağlayangil').waitFor();
    await phone.getByText('2.000,00 STG').first().waitFor();
    await phone.getByText('Liman Bank').waitFor();
    const [pdf] = await Promise.all([
      phone.context().waitForEvent('response', (one) => one.url().includes('/makbuz/')),
      phone.getByRole('link', { name: /^Tahsilat makbuzu/ }).click(),
    ]);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    const cookies = await phone.context().cookies();
    await panel.chromium.leave(phone);

    // The same session with scripts, which the checks need.
    const shown = await panel.chromium.open(PHONE);
    await shown.context().addCookies(cookies);
    await shown.goto(url!);
    await shown.getByText('Sayın Şükran Çağlayangil').waitFor();
    await seen(shown, 'phone');
    await shown.emulateMedia({ colorScheme: 'dark' });
    await shown.goto(`${url}?lang=en`);
    await shown.getByText('What you owe').waitFor();
    await seen(shown, 'phone-en-dark');
    await shown.setViewportSize({ width: 1280, height: 900 });
    await seen(shown, 'desktop-en-dark');

    await dialog(page).getByRole('button', { name: 'Bitti' }).click();
    await eventually(() => card(page).textContent()).toContain('kodu gören');
    await screenshot(page, 'customer-page-card');
    await card(page).getByRole('button', { name: 'İptal et' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'İptal et' }).click();
    await card(page).getByRole('button', { name: 'Bağlantı oluştur' }).waitFor();
    await shown.goto(`${url}?lang=tr`);
    await shown.getByText('Bu bağlantı bir sayfa açmıyor').waitFor();
    await seen(shown, 'revoked');
    await panel.chromium.leave(shown);
    await panel.done(page);
  });
});
