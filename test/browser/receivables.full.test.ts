// What customers owe, as the one who collects sees it: today's board by mouse and by keys.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, collect, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { dayFrom } from '../support/clock.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('receivables in the panel', () => {
  // At noon, because no reminders are sent at night.
  const panel = panelTest({ at: `${dayFrom(0)}T10:00:00Z` });
  let dealer: Dealer;
  let finance: TestPerson;
  let owner: TestPerson;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    finance = await newPerson(panel.service, { accountId: dealer.accountId, role: 'finance' });
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
  });

  const lane = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  /** A message that was just shown is a dialog too, but no layer. */
  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');

  /** Two installments, the first on this day. */
  const soldTo = async (last_name: string, first: string): Promise<string> => {
    const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer, { first_name: 'Ali', last_name })];
    const installments = [
      { due_date: first, amount: '1000.00' },
      { due_date: dayFrom(40), amount: '1000.00' },
    ];
    return dataOf(await sell(dealer, { vehicle_id, customer_id, sale_price: '2000.00', sale_date: dayFrom(-300), installments }))
      .id;
  };

  test('the board has four lanes, and each card is worked off with the keyboard', async () => {
    const late = await soldTo('Geç', dayFrom(-20));
    await soldTo('Bugün', dayFrom(0));
    const promised = await soldTo('Sözlü', dayFrom(-10));
    const word = { sale_id: promised, amount: '400.00', promised_date: dayFrom(0) };
    dataOf(await dealer.post('payment-promises', word));
    const paid = await soldTo('Ödeyen', dayFrom(30));
    dataOf(await collect(dealer, paid, '250.00'));
    const page = await panel.open(finance, '/panel/tahsilat');
    await eventually(() => lane(page, 'Geciken').locator('article').count()).toBe(2);
    await eventually(() => lane(page, 'Geciken').textContent()).toContain('£2.000,00');
    await eventually(() => lane(page, 'Vadesi bugün').textContent()).toContain('Ali Bugün');
    await eventually(() => lane(page, 'Bugüne söz verilen').textContent()).toContain('£400,00');
    await eventually(() => lane(page, 'Bugün tahsil edilen').textContent()).toContain('£250,00');
    await look(page, 'board');

    // The first card: its customer is called to mind by WhatsApp, gives their word, and pays.
    await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'ok' }));
    await page.keyboard.press('j');
    const [chat] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('w')]);
    expect(decodeURIComponent(chat.url())).toContain('Sayın Ali Geç');
    await chat.close();
    await eventually(() => lane(page, 'Geciken').locator('article').first().textContent()).toContain('Son görüşme');
    await page.keyboard.press('s');
    await dialog(page).getByLabel('Söz verilen gün').fill(dayFrom(3));
    await dialog(page).getByRole('button', { name: 'Söz al' }).click();
    await eventually(() => lane(page, 'Geciken').locator('article').first().textContent()).toContain('söz');
    await dialog(page).waitFor({ state: 'detached' });
    await page.keyboard.press('k');
    await page.keyboard.press('t');
    const amount = dialog(page).getByLabel('Alınan tutar', { exact: true });
    await eventually(() => amount.inputValue()).toBe('1000');
    await eventually(() => dialog(page).getByRole('region', { name: 'Kaydedilince' }).textContent()).toContain('Kapanır');
    await amount.press('Enter');
    await eventually(() => lane(page, 'Geciken').locator('article').count()).toBe(1);
    await eventually(() => lane(page, 'Bugün tahsil edilen').textContent()).toContain('Ali Geç');
    expect(dataOf(await dealer.get(`sales/${late}`))).toMatchObject({ outstanding_amount: '1000.00', overdue_amount: '0.00' });
    await panel.done(page);
  });

  test('what is owed is shown by how late it is, by customer and currency, and sorted by any column', async () => {
    await soldTo('Eski', dayFrom(-45));
    const page = await panel.open(finance, '/panel/tahsilat/yaslandirma');
    const rows = page.getByRole('region', { name: 'Müşteriye göre' }).locator('tbody tr');
    const row = rows.filter({ hasText: 'Ali Eski' });
    await eventually(() => row.locator('td').allTextContents()).toEqual([
      '',
      'Ali Eski',
      '£1.000,00',
      '—yok',
      '£1.000,00',
      '—yok',
      '—yok',
      '£2.000,00',
    ]);
    await page.getByRole('region', { name: 'Müşteriye göre' }).getByRole('button', { name: '31–60 gün' }).click();
    await eventually(() => page.url()).toContain('sort=d31_60');
    await eventually(() => rows.first().textContent()).toContain('Ali Eski');
    await row.getByRole('checkbox').check();
    await look(page, 'aging');
    const [asked] = await Promise.all([
      page.context().waitForEvent('request', (request) => request.url().includes('statements.pdf')),
      page.getByRole('button', { name: 'Ekstreleri yazdır' }).click(),
    ]);
    expect((await asked.response())?.status()).toBe(200);
    await row.locator('td').last().click();
    await page.waitForURL(/\/satislar\?customer_id=/);
    await panel.done(page);
  });

  test('a day is counted and closed, takes no more money, and is opened again with a reason', async () => {
    const id = await soldTo('Kasa', dayFrom(30));
    dataOf(await collect(dealer, id, '120.00'));
    const page = await panel.open(owner, '/panel/tahsilat/kasa');
    const counted = page.getByLabel('Sayılan: Nakit, STG');
    const close = page.getByRole('button', { name: 'Günü kapat' });
    // The till has not been counted yet: that is not a till without money.
    await close.click();
    await page.getByText('Önce sayılan tutarı yazın').waitFor();
    await eventually(() => page.locator('[aria-label="Sayılan: Nakit, STG"]:focus').count()).toBe(1);
    await counted.fill('100');
    await look(page, 'till');
    await close.click();
    await eventually(() => page.getByRole('main').getByRole('alert').first().textContent()).toContain(
      'Fark için gerekçe gerekir',
    );
    await page.getByLabel('Farkın nedeni').fill('Bozuk para eksik');
    await close.click();
    await eventually(() => page.getByRole('main').textContent()).toContain('Bu gün kapatılmış.');
    expect((await collect(dealer, id, '10.00')).json.error.code).toBe('day_closed');
    await eventually(() => lane(page, 'Kapanışlar').first().textContent()).toContain('Bozuk para eksik');
    await page.getByRole('button', { name: 'Yeniden aç' }).click();
    await dialog(page).getByLabel('Neden', { exact: true }).fill('Bir makbuz unutulmuş');
    await look(page, 'till-closed');
    await dialog(page).getByRole('button', { name: 'Yeniden aç' }).click();
    await counted.waitFor();
    // Open again: a customer who pays early is found by name, from every list of receivables.
    await page.getByRole('button', { name: 'Tahsilat al' }).click();
    await dialog(page).getByLabel('Satış', { exact: true }).fill('ali kasa');
    await dialog(page)
      .getByRole('option', { name: /Ali Kasa/ })
      .click();
    await page.waitForURL(`**/satislar/${id}*`);
    await dialog(page).getByLabel('Alınan tutar', { exact: true }).fill('10');
    await page.keyboard.press('Enter');
    await page
      .getByText(/^Tahsilat kaydedildi/)
      .first()
      .waitFor();
    await panel.done(page);
  });

  test('a customer’s page has their sales, running statement and collections', async () => {
    const id = await soldTo('Ekstre', dayFrom(-5));
    dataOf(await collect(dealer, id, '300.00'));
    const { customer_id } = dataOf(await dealer.get(`sales/${id}`));
    const page = await panel.open(finance, `/panel/musteriler/${customer_id}`);
    const tab = (name: string) => page.getByRole('navigation', { name: 'Müşteri' }).getByRole('link', { name, exact: true });
    await tab('Satışlar').click();
    await eventually(() => lane(page, 'Satışlar').locator('tbody tr').first().textContent()).toContain('£1.700,00');
    await look(page, 'customer-sales');
    await tab('Ekstre').click();
    const lines = page.getByRole('region', { name: 'Ekstre' }).locator('tbody tr');
    // Of what fell due five days ago 300 were paid today.
    await eventually(() => lines.locator('td:last-child').allTextContents()).toEqual(['£1.000,00', '£700,00']);
    await eventually(() => page.getByRole('main').locator('dl').first().textContent()).toContain(
      'İleri vadeli taksitler£1.000,00',
    );
    await eventually(() => lane(page, 'Bugün açık olan borç, gecikmeye göre').textContent()).toMatch(
      /1–30 gün£700,00.*Toplam£1\.700,00/,
    );
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV indir' }).click()]);
    expect(file.suggestedFilename()).toBe(`ekstre-STG-${dayFrom(0)}.csv`);
    await look(page, 'customer-statement');
    await tab('Tahsilatlar').click();
    await eventually(() => lane(page, 'Tahsilatlar').locator('tbody tr').textContent()).toContain('£300,00');
    await look(page, 'customer-collections');
    await panel.done(page);
  });

  test('a viewer sees the board without its acts; an account without sales sees empty lanes', async () => {
    const viewer = await newPerson(panel.service, { accountId: dealer.accountId, role: 'viewer' });
    const page = await panel.open(viewer, '/panel/tahsilat');
    await lane(page, 'Geciken').locator('article').first().waitFor();
    await eventually(() => page.locator('article').getByRole('button').count()).toBe(0);
    await panel.done(page);
    const accountId = await panel.service.account({ name: 'Boş Oto' });
    const empty = await panel.open(await newPerson(panel.service, { accountId }), '/panel/tahsilat');
    await eventually(() => lane(empty, 'Geciken').textContent()).toContain('Geciken taksit yok.');
    await panel.done(empty);
  });

  test('a long lane begins with its most urgent, and shows the rest when asked', async () => {
    for (let days = 1; days <= 13; days += 1) await soldTo(`Uzun ${days}`, dayFrom(-days - 200));
    const page = await panel.open(finance, '/panel/tahsilat');
    const cards = lane(page, 'Geciken').locator('article');
    await eventually(() => cards.count()).toBe(12);
    await eventually(() => cards.first().textContent()).toContain('Uzun 13');
    await lane(page, 'Geciken')
      .getByRole('button', { name: /kart daha göster/ })
      .click();
    await eventually(() => cards.filter({ hasText: 'Uzun' }).count()).toBe(13);
    await panel.done(page);
  });

  // Last: the clock has moved on after it.
  test('a deposit whose reservation ran out is closed on the page of the car, and seen on that of the customer', async () => {
    const [car, customer] = [await carOf(dealer), await customerOf(dealer, { first_name: 'Ali', last_name: 'Kapora' })];
    const hold = { customer_id: customer, reserved_until: dayFrom(1), deposit_amount: '500.00', deposit_currency: 'STG' };
    dataOf(await dealer.post(`vehicles/${car}/reserve`, hold));
    const before = await panel.open(owner, `/panel/musteriler/${customer}/ekstre`);
    const held = before.getByRole('region', { name: 'Açık kapora' });
    await eventually(() => held.textContent()).toContain('rezervasyon biterken');
    await eventually(() => held.getByRole('button').count()).toBe(0);
    await panel.done(before);

    panel.service.clock.advance(3 * 86_400_000);
    const page = await panel.open(owner, `/panel/araclar/${car}`);
    const open = page.getByRole('region', { name: 'Açık kapora' });
    await eventually(() => open.textContent()).toContain('Rezervasyon sona erdi');
    await look(page, 'open-deposit');
    await open.getByRole('button', { name: 'Kaporayı kapat' }).click();
    const close = dialog(page);
    await close.getByRole('button', { name: 'Kaporayı kapat' }).click();
    await eventually(() => close.textContent()).toContain('Kapora ne olsun?');
    await close.getByLabel('Kapora ne olsun?').selectOption('iade');
    await close.getByRole('button', { name: 'Kaporayı kapat' }).click();
    await close.waitFor({ state: 'detached' });
    await open.waitFor({ state: 'detached' });
    const money = (await dealer.get(`customers/${customer}/collections`)).json.data;
    expect(money.map(({ type, amount, deposit_status }: Record<string, string>) => [type, amount, deposit_status])).toEqual([
      ['İade', '-500.00', null],
      ['Kapora', '500.00', 'İade Edildi'],
    ]);
    await panel.done(page);
  });
});
