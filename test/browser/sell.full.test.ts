// Selling a car in the panel: from the car, with a new customer, a trade-in and a plan, whose preview is the server's own.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, customerOf, dataOf, rowsOf, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('selling a car in the panel', () => {
  const panel = panelTest();
  let dealer: Dealer;
  let seller: TestPerson;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    seller = await newPerson(panel.service, { accountId: dealer.accountId, role: 'sales' });
  });

  const preview = (page: Page) => page.getByRole('region', { name: 'Önizleme' });
  const shown = async (page: Page) => ((await preview(page).textContent()) ?? '').replaceAll('\u00a0', ' ');
  const soldAs = async (page: Page): Promise<string> => {
    await page.waitForURL(/\/satislar\/[0-9a-f-]{36}$/);
    return page.url().split('/').at(-1)!;
  };

  test('on installments, with a new customer and a car taken in payment; saved is what was shown', async () => {
    const car = await carOf(dealer, { price: '14500.00' });
    const page = await panel.open(seller, `/panel/araclar/${car}`);
    await page.getByRole('link', { name: 'Sat', exact: true }).click();
    await page.waitForURL(/\/satislar\/yeni/);
    await eventually(() => page.getByLabel('Satış fiyatı', { exact: true }).inputValue()).toBe('14500');
    await page.getByLabel('Müşteri', { exact: true }).fill('Fatma Kaya');
    await page.getByRole('button', { name: 'Yeni müşteri ekle' }).click();
    await page.getByRole('dialog').getByLabel('Telefon').fill('0533 840 55 55');
    await page.getByRole('dialog').getByRole('button', { name: 'Müşteriyi ekle' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Müşteriden araç alınıyor').check();
    await page.getByLabel('Takas bedeli').fill('3.000');
    await page.getByLabel('Peşinat').fill('1.000');
    await page.getByLabel('Vade farkı').fill('800');
    // 14 500 − 3 000 + 800 − 1 000 = 11 300 over 12: eleven of 941.66 and one of 941.74.
    await eventually(() => shown(page)).toContain('Taksitlendirilen£11.300,00');
    await eventually(() => shown(page)).toContain('£941,74');
    await page.getByRole('button', { name: 'Satışı kaydet' }).click();
    await eventually(() => page.getByRole('main').getByRole('alert').first().textContent()).toContain(
      'Plaka zorunludurMarka zorunludur',
    );
    const fields = { Plaka: 'TS 9876', Marka: 'Ford', Model: 'Focus', 'Model yılı': '2015', Km: '120.000', Renk: 'Mavi' };
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByLabel('Şehir').fill('Girne');
    await page.getByLabel('Stoktaki fiyatı').fill('3.500');
    await look(page, 'sell');
    await page.getByRole('button', { name: 'Satışı kaydet' }).click();
    const id = await soldAs(page);
    const sale = dataOf(await dealer.get(`sales/${id}`));
    // Neither the car nor the seller has a branch.
    const [main] = dataOf(await dealer.get('account/branches')) as unknown as { id: string }[];
    expect(sale).toMatchObject({
      financed_amount: '11300.00',
      trade_in_amount: '3000.00',
      payment_type: 'Taksitli',
      branch_id: main!.id,
    });
    expect(dataOf(await dealer.get(`vehicles/${sale.trade_in_vehicle_id}`))).toMatchObject({ brand: 'Ford', km: 120_000 });
    expect((await rowsOf(dealer, id)).map(({ amount }) => amount).slice(-2)).toEqual(['941.66', '941.74']);
    await panel.done(page);
  });

  test('by installments of one’s own, with the running difference, and for cash', async () => {
    const customer = await customerOf(dealer);
    const car = await carOf(dealer, { price: '3000.00' });
    const page = await panel.open(seller, `/panel/satislar/yeni?vehicle_id=${car}&customer_id=${customer}`);
    await page.getByLabel('Taksit sayısı').fill('3');
    await eventually(() => shown(page)).toContain('£1.000,00');
    await page.getByLabel('Kendi planımla').check();
    const group = page.getByRole('group', { name: 'Taksitler' });
    await eventually(() => group.textContent()).toContain('Plan tam tutuyor');
    await page.getByLabel('1. taksit: Tutar').fill('500');
    await eventually(() => group.textContent()).toContain('Dağıtılacak £500,00 kaldı');
    await page.getByLabel('2. taksit: Tür').selectOption('Ara Ödeme');
    await look(page, 'sell-rows');
    await page.getByRole('button', { name: 'Kalanı son taksite ekle' }).click();
    await eventually(() => group.textContent()).toContain('Plan tam tutuyor');
    await page.locator('#notes').press('Control+Enter');
    const rows = await rowsOf(dealer, await soldAs(page));
    expect(rows.map(({ amount, kind }) => [amount, kind])).toEqual([
      ['500.00', 'Taksit'],
      ['1000.00', 'Ara Ödeme'],
      ['1500.00', 'Taksit'],
    ]);
    const other = await carOf(dealer, { price: '2500.00' });
    await panel.go(page, `/panel/satislar/yeni?vehicle_id=${other}&customer_id=${customer}`);
    await page.getByLabel('Peşin', { exact: true }).check();
    await eventually(() => shown(page)).toContain('Peşinat');
    await page.getByRole('button', { name: 'Satışı kaydet' }).click();
    const id = await soldAs(page);
    expect(dataOf(await dealer.get(`sales/${id}`))).toMatchObject({ payment_type: 'Peşin', outstanding_amount: '2500.00' });
    await panel.done(page);
  });

  test('only a car that someone can buy is offered, and a reserved one says so', async () => {
    const of = (plate: string) => carOf(dealer, { brand: 'Lancia', model: 'Delta', plate });
    const [, held, gone] = [await of('DLT 001'), await of('DLT 002'), await of('DLT 003')];
    const buyer = await customerOf(dealer);
    dataOf(await dealer.post(`vehicles/${held}/reserve`, { customer_id: buyer }));
    dataOf(await sell(dealer, { vehicle_id: gone, customer_id: buyer, sale_price: '5000.00' }));
    const page = await panel.open(seller, '/panel/satislar/yeni');
    await page.getByLabel('Araç', { exact: true }).fill('delta');
    const found = page.getByRole('listbox', { name: 'Bulunan araçlar' }).getByRole('option');
    await eventually(() => found.allTextContents()).toHaveLength(2);
    await eventually(() => found.allTextContents()).toEqual([
      'Lancia Delta 2018Stokta£14.500DLT\u00a0001',
      'Lancia Delta 2018Rezerve£14.500DLT\u00a0002',
    ]);
    // By keyboard: the second one is marked and taken.
    for (const key of ['End', 'ArrowUp', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await eventually(() => page.getByLabel('Araç', { exact: true }).textContent()).toContain('DLT 002');
    await panel.done(page);
  });
});
