// A document that a customer declines on a phone; and what a link shows that was withdrawn or has expired.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { axe, prepareAxe } from '../support/axe.ts';
import { aDealer, carOf, customerOf, dataOf, moveTo, sell } from '../support/books.ts';
import { isBrowserMissing, isSideways, screenshot } from '../support/browser.ts';
import { PHONE } from '../support/look.ts';
import { panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { codesOf } from '../writes/documents/signing-page.ts';

describe.skipIf(isBrowserMissing())('signing by link', () => {
  const panel = panelTest();
  let dealer: Dealer;
  let sale: string;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    const customer = await customerOf(dealer, { first_name: 'Şükran', last_name: 'Çağlayangil' });
    const terms = { sale_price: '3000.00', installment_count: 3 };
    sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: customer, ...terms })).id;
  });

  /** A document that is out, and the link to it. */
  async function sent(code: string): Promise<{ readonly id: string; readonly url: string }> {
    const templates = dataOf(await dealer.get('document-templates')) as unknown as { id: string; code: string }[];
    const template_id = templates.find((one) => one.code === code)!.id;
    const { id } = dataOf(await dealer.post(`sales/${sale}/sale-documents/generate`, { template_id }));
    const { signing_links } = dataOf(await dealer.post(`sale-documents/${id}/send`, { channel: 'Bağlantı' }));
    return { id, url: signing_links[0].url };
  }

  /** Requested on the page, given by the dealer, typed. */
  async function enterCode(page: Page, id: string): Promise<void> {
    await page.getByRole('button', { name: 'Kod iste' }).click();
    await page.getByRole('status').getByText('Kod hazır').waitFor();
    const [code] = (await codesOf(panel.service, dealer, id)) as [string];
    await page.getByLabel('Tek kullanımlık kod').fill(code);
    await page.getByRole('button', { name: 'Devam et' }).click();
    await page.getByRole('button', { name: 'Onaylıyorum' }).waitFor();
  }

  /** Nothing sticks out sideways, and nothing that everybody must be able to read or press is out of reach. */
  async function seen(page: Page, name: string): Promise<void> {
    await screenshot(page, `signing-${name}`);
    expect(await isSideways(page), name).toBe(false);
    await prepareAxe(page);
    expect(await axe(page, 'all', 'whole'), name).toEqual([]);
  }

  test('declined by one who has read it; and what a link says when it was withdrawn or its time is over', async () => {
    const declined = await sent('teslim_tutanagi');
    const page = await panel.chromium.open(PHONE);
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
