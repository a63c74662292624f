// A paper is sent by a dealer and signed by a customer on a phone, without a script and with one; and what the link says once it is over.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { axe, prepareAxe } from '../support/axe.ts';
import { aDealer, carOf, customerOf, dataOf, moveTo, sell } from '../support/books.ts';
import { isBrowserMissing, isSideways, screenshot } from '../support/browser.ts';
import { PHONE } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { codesOf } from '../writes/documents/signing-page.ts';

describe.skipIf(isBrowserMissing())('signing by link', () => {
  const panel = panelTest();
  let dealer: Dealer;
  let owner: TestPerson;
  let sale: string;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
    const customer = await customerOf(dealer, { first_name: 'Şükran', last_name: 'Çağlayangil' });
    const terms = { sale_price: '3000.00', installment_count: 3 };
    sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: customer, ...terms })).id;
  });

  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');
  const papers = (page: Page) => page.getByRole('region', { name: 'Evrak' });
  const phone = (more: { readonly javaScriptEnabled?: boolean; readonly theme?: 'light' | 'dark' } = {}) =>
    panel.chromium.open({ ...PHONE, locale: 'tr', ...more });

  /** A document that is out, and the link to it. */
  async function sent(code: string): Promise<{ readonly id: string; readonly url: string }> {
    const templates = dataOf(await dealer.get('document-templates')) as unknown as { id: string; code: string }[];
    const template_id = templates.find((one) => one.code === code)!.id;
    const { id } = dataOf(await dealer.post(`sales/${sale}/sale-documents/generate`, { template_id }));
    const { signing_links } = dataOf(await dealer.post(`sale-documents/${id}/send`, { channel: 'Bağlantı' }));
    return { id, url: signing_links[0].url };
  }

  /** Asked for on the page, told by the dealer, typed. */
  async function enterCode(page: Page, id: string): Promise<void> {
    await page.getByRole('button', { name: 'Kod iste' }).click();
    await page.getByRole('status').getByText('Kod hazır').waitFor();
    const [code] = (await codesOf(panel.service, dealer, id)) as [string];
    await page.getByLabel('Tek kullanımlık kod').fill(code);
    await page.getByRole('button', { name: 'Belgeyi aç' }).click();
    await page.getByRole('button', { name: 'Onaylıyorum' }).waitFor();
  }

  /** Nothing sticks out sideways, and nothing that everybody must be able to read or press is out of reach. */
  async function seen(page: Page, name: string): Promise<void> {
    await screenshot(page, `signing-${name}`);
    expect(await isSideways(page), name).toBe(false);
    await prepareAxe(page);
    expect(await axe(page, 'all', 'whole'), name).toEqual([]);
  }

  test('from the dealer’s page to the phone and back: sent, read, approved without a script', async () => {
    const page = await panel.open(owner, `/panel/satislar/${sale}`);
    await papers(page).getByRole('button', { name: 'Oluştur: Satış Sözleşmesi' }).click();
    await dialog(page).getByText('Bilgiler tamam').waitFor();
    await dialog(page).getByRole('button', { name: 'Oluştur' }).click();
    await papers(page)
      .getByRole('button', { name: /^Satış sözleşmesi için/ })
      .click();
    await page.getByRole('menuitem', { name: 'İmzaya gönder' }).click();
    await dialog(page).getByRole('button', { name: 'Gönder', exact: true }).click();
    const url = await dialog(page).locator('.code').first().textContent();
    await dialog(page).getByRole('button', { name: 'Onay kodları' }).click();
    const signer = await phone({ javaScriptEnabled: false });
    await signer.goto(url!);
    await signer.getByRole('button', { name: 'Kod iste' }).click();
    const code = await dialog(page)
      .getByText(/^\d{6}$/)
      .textContent();
    await signer.getByLabel('Tek kullanımlık kod').fill(code!);
    await signer.getByRole('button', { name: 'Belgeyi aç' }).click();
    const [pdf] = await Promise.all([
      signer.context().waitForEvent('response', (one) => one.url().endsWith('/belge')),
      signer.getByRole('link', { name: 'Satış sözleşmesi (PDF)' }).click(),
    ]);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await signer.getByLabel(/^Belgeyi okudum/).check();
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

  test('declined by one who has read it; and what a link says when it was withdrawn or its time is over', async () => {
    const declined = await sent('teslim_tutanagi');
    const page = await phone();
    await page.goto(declined.url);
    await seen(page, 'link');
    await enterCode(page, declined.id);
    await seen(page, 'decision');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${declined.url}?lang=en`);
    await page.getByText('If you do not approve').click();
    await seen(page, 'decision-en-dark');
    await page.getByLabel('I decline the document').check();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('The document was declined.').waitFor();
    await seen(page, 'declined-en-dark');

    const voided = await sent('kvkk_aydinlatma');
    await page.goto(voided.url);
    await page.getByText('KVKK').first().waitFor();
    await dealer.post(`sale-documents/${voided.id}/void`, { reason: 'Yanlış belge' });
    await page.getByRole('button', { name: 'Kod iste' }).click();
    await page.getByText('Bu belge artık onaya açık değil.').waitFor();

    const late = await sent('odeme_plani');
    await page.goto(late.url);
    const { expires_at } = dataOf(await dealer.get(`documents/${late.id}`));
    moveTo(panel.service, expires_at.slice(0, 10), expires_at.slice(11, 19));
    panel.service.clock.advance(60_000);
    await page.reload();
    await page.getByText('Onay süresi doldu.').waitFor();
    await seen(page, 'late-dark');
    await page.goto(`${voided.url.slice(0, -4)}AAAA`);
    await page.getByText('Bu bağlantı bir belge açmıyor.').waitFor();
    await seen(page, 'no-link');
    await panel.chromium.leave(page);
  });
});
