// A dealer sends a document from the panel, and the customer signs it on a phone that runs no scripts.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { PHONE } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('signing on a phone', () => {
  const panel = panelTest();
  let owner: TestPerson;
  let sale: string;

  beforeAll(async () => {
    await openAll(panel.service);
    const dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
    const customer = await customerOf(dealer, { first_name: 'Şükran', last_name: 'Çağlayangil' });
    const terms = { sale_price: '3000.00', installment_count: 3 };
    sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: customer, ...terms })).id;
  });

  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');
  const papers = (page: Page) => page.getByRole('region', { name: 'Evrak' });

  test('from the dealer’s page to the phone and back: sent, read, approved without a script', async () => {
    const page = await panel.open(owner, `/panel/satislar/${sale}`);
    await papers(page).getByRole('button', { name: 'Oluştur: Satış Sözleşmesi' }).click();
    await dialog(page).getByText('Belge basılabilir').waitFor();
    await dialog(page).getByRole('button', { name: 'Oluştur' }).click();
    await papers(page)
      .getByRole('button', { name: /^Satış sözleşmesi için/ })
      .click();
    await page.getByRole('menuitem', { name: 'İmzaya gönder' }).click();
    // No SMS gateway can be configured, so SMS is not offered.
    await dialog(page).getByLabel('Nasıl gönderilsin').click();
    await eventually(() => page.getByRole('option').allTextContents()).toEqual(['E-posta', 'Bağlantıyla']);
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Gönder', exact: true }).click();
    const url = await dialog(page).locator('.code').first().textContent();
    await dialog(page).getByRole('button', { name: 'Onay kodları' }).click();
    const signer = await panel.chromium.open({ ...PHONE, javaScriptEnabled: false });
    await signer.goto(url!);
    // The document itself is on the page, before a code.
    const pages = signer.getByRole('region', { name: 'Satış sözleşmesi: belgenin sayfaları' });
    await eventually(() => pages.textContent()).toContain('Şükran Çağlayangil');
    await signer.getByRole('button', { name: 'Kod iste' }).click();
    const code = await dialog(page)
      .getByText(/^\d{6}$/)
      .textContent();
    await signer.getByLabel('Tek kullanımlık kod').fill(code!);
    await signer.getByRole('button', { name: 'Devam et' }).click();
    const [pdf] = await Promise.all([
      signer.context().waitForEvent('response', (one) => one.url().endsWith('/belge')),
      signer.getByRole('link', { name: 'Satış sözleşmesi (PDF)' }).click(),
    ]);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await signer.getByLabel(/^Belgeyi okudum/).check();
    await signer.getByLabel(/^Adınızı ve soyadınızı yazın/).fill('Şükran Çağlayangil');
    await signer.getByRole('button', { name: 'Onaylıyorum' }).click();
    await signer.getByRole('link', { name: 'Onaylı nüsha (PDF)' }).waitFor();
    await panel.chromium.leave(signer);
    await page.keyboard.press('Escape');
    await page.reload();
    await eventually(() => papers(page).textContent()).toContain('bağlantıyla onaylandı');
    await eventually(() => page.getByRole('region', { name: 'Geçmiş' }).textContent()).toMatch(
      /Belge imzalandı.*Satış sözleşmesi/,
    );
    await panel.done(page);
  });
});
