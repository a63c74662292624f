// What follows a sale, in its strip: the steps, and missing data with the way to its form; and what Ctrl+P prints of the page.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing, screenshot } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('after a sale', () => {
  const panel = panelTest();
  let owner: TestPerson;
  let sale: string;
  let car: string;

  beforeAll(async () => {
    await openAll(panel.service);
    const dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
    car = await carOf(dealer);
    const customer_id = await customerOf(dealer, { first_name: 'Şükran', last_name: 'Çağlayangil' });
    const terms = { sale_price: '3000.00', down_payment: '600.00', installment_count: 24 };
    sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id, ...terms })).id;
  });

  const steps = (page: Page) => page.getByRole('region', { name: 'Sıradaki adımlar' });
  const papers = (page: Page) => page.getByRole('region', { name: 'Evrak', exact: true });

  test('the strip has what is to be done next, and names what papers would print as an empty line', async () => {
    const page = await panel.open(owner, `/panel/satislar/${sale}`);
    await steps(page).getByText('şasi numarası, motor numarası').waitFor();
    expect(await steps(page).getByRole('link', { name: 'Araç' }).getAttribute('href')).toContain(`/araclar/${car}/duzenle`);
    await look(page, 'next-steps');
    await steps(page).getByRole('button', { name: '4 evrakı hazırla' }).waitFor();
    await steps(page).getByRole('button', { name: 'Bugün teslim edildi' }).waitFor();
    await panel.done(page);
  });

  test('all papers are prepared and sent in one act each, and the links are shown, also when nothing is left to send', async () => {
    const page = await panel.open(owner, `/panel/satislar/${sale}`);
    await steps(page).getByRole('button', { name: '4 evrakı hazırla' }).click();
    await steps(page)
      .getByRole('button', { name: /evrakı imzaya gönder$/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Gönder', exact: true }).click();
    const links = page.getByRole('dialog').getByRole('link', { name: /WhatsApp/ });
    await eventually(() => links.first().getAttribute('href')).toContain('https://wa.me/');
    await page.getByRole('dialog').getByRole('button', { name: 'Bitti', exact: true }).click();
    await links.first().waitFor({ state: 'detached' });
    await panel.done(page);
  });

  test('printing leaves the record: no menu, no buttons, dark text on white', async () => {
    const page = await panel.open(owner, `/panel/satislar/${sale}`);
    await papers(page).waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await eventually(() => page.getByRole('navigation').count()).toBe(0);
    await eventually(() => page.getByRole('button').count()).toBe(0);
    await eventually(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(22, 24, 29)');
    await screenshot(page, 'sale-printed');
    await page.emulateMedia({ media: null, colorScheme: null });
    await panel.done(page);
  });
});
