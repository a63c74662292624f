// A month of a dealership by clicks, in two currencies: cars are bought and repaired, one is published and asked about by a stranger,
// both are sold, money is collected, wages and rent are paid, the till is closed each day on which cash moved. The till and the profit
// are compared with figures that were worked out by hand.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { storeRates } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { moveClock } from '../support/clock.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { openAll } from '../support/writer.ts';

type Values = Readonly<Record<string, string>>;

const main = (page: Page): Locator => page.getByRole('main');
/** A message that was just shown is a dialog too, but no layer. */
const dialog = (page: Page): Locator => page.locator('[role=dialog][data-layer]');
const RECORD = /\/[0-9a-f-]{36}$/;
const BANK = { method: 'Havale/EFT' };

/** Fields by their names, a choice by its value. */
async function fillIn(place: Page | Locator, values: Values): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = place.locator(`#${name}`);
    if (await field.evaluate((element) => element.tagName === 'SELECT')) await field.selectOption(value);
    else await field.fill(value);
  }
}

async function submit(page: Page, action: string): Promise<void> {
  await dialog(page).getByRole('button', { name: action }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

const goTo = (page: Page, place: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Menü' }).getByRole('link', { name: place, exact: true }).click();

/** Returns the id of the car, whose page is open. */
async function buyCar(page: Page, values: Values): Promise<string> {
  await goTo(page, 'Araçlar');
  await main(page).getByRole('link', { name: 'Araç ekle' }).first().click();
  await page.getByText('Gizli tutulan bilgiler').click();
  const usual = { model_year: '2019', km: '84.000', fuel_type: 'Benzin', transmission: 'Otomatik', body_type: 'Sedan' };
  await fillIn(page, { ...usual, color: 'Gümüş', city: 'Girne', ...values });
  await page.getByRole('button', { name: 'Stoğa ekle', exact: true }).click();
  await page.waitForURL(RECORD);
  return page.url().split('/').at(-1)!;
}

/** On the page of a car it is an expense of the car, on that of the expenses one of the business. */
async function pay(page: Page, values: Values): Promise<void> {
  await main(page).getByRole('button', { name: 'Gider gir' }).click();
  await fillIn(dialog(page), values);
  await submit(page, 'Gider gir');
}

async function openTill(page: Page): Promise<void> {
  await goTo(page, 'Tahsilat');
  await main(page).getByRole('link', { name: 'Kasa kapanışı', exact: true }).click();
}

/** Between the till and the bank. */
async function transfer(page: Page, amount: string, currency: string, to: 'till' | 'bank'): Promise<void> {
  await main(page).getByRole('button', { name: 'Transfer gir' }).click();
  if (to === 'till') {
    await dialog(page).locator('#from_place').selectOption('Banka');
    await dialog(page).locator('#to_place').selectOption({ index: 0 });
  }
  await fillIn(dialog(page), { amount, currency });
  await submit(page, 'Transfer gir');
}

/** What was counted of each currency and method. A day closes without a reason only if it is what the records say. */
async function closeTill(page: Page, counted: Values, reason?: string): Promise<void> {
  await eventually(() => page.getByLabel(/^Sayılan: /).count()).toBe(Object.keys(counted).length);
  for (const [line, amount] of Object.entries(counted)) await page.getByLabel(`Sayılan: ${line}`).fill(amount);
  if (reason !== undefined) await page.getByLabel('Farkın nedeni').fill(reason);
  else await eventually(() => page.getByLabel('Farkın nedeni').count()).toBe(0);
  await page.getByRole('button', { name: 'Günü kapat' }).click();
  await main(page).getByText('Bu gün kapatılmış.').waitFor();
}

async function collect(page: Page, values: Values): Promise<void> {
  await main(page).getByRole('button', { name: 'Tahsil et', exact: true }).click();
  await fillIn(dialog(page), values);
  await dialog(page).locator('#amount').press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
}

/** The row of a currency in a table of a report. */
async function figuresOf(page: Page, part: string, currency: string): Promise<string[]> {
  const rows = page.getByRole('region', { name: part, exact: true }).first().locator('tbody tr');
  const cells = await rows.filter({ hasText: currency }).locator('td').allTextContents();
  return cells.map((cell) => cell.replaceAll('\u00a0', ' '));
}

describe.skipIf(isBrowserMissing())('a month of a dealership', () => {
  const panel = panelTest({ at: '2026-03-02T09:00:00Z' });
  let owner: TestPerson;

  beforeAll(async () => {
    const { service } = panel;
    await openAll(service);
    // 1 STG = 64.20 TL buying.
    await storeRates(service, 'KKTCMB', '2026-03-02', '2026-03-09', '2026-03-16');
    owner = await newPerson(service, { accountId: await service.account({ name: 'Deniz Oto', phone: '+905331234567' }) });
  });

  const onDay = async (day: string, path: string): Promise<Page> => {
    await moveClock(panel.service, `${day}T09:00:00Z`);
    return panel.open(owner, path);
  };

  /** 2 March: a car is bought for 8,000.00 STG and paid from the bank; its papers are paid in cash. Returns car and showroom. */
  async function begin(): Promise<{ car: string; showroom: string }> {
    const page = await panel.open(owner, '/panel');
    await page.getByRole('link', { name: 'Ayarlar', exact: true }).first().click();
    await page.getByRole('link', { name: 'Vitrin', exact: true }).click();
    await page.getByLabel('Vitrin açık').check();
    await page.getByLabel('Adres', { exact: true }).fill('deniz-oto');
    await page.getByRole('button', { name: 'Kaydet' }).click();
    const showroom = await page.getByRole('link', { name: 'Vitrini aç' }).getAttribute('href');
    const bought = { purchase_price: '8.000', purchase_currency: 'STG', price: '11.000', currency: 'STG' };
    const car = await buyCar(page, { plate: 'DN 101', brand: 'Toyota', model: 'Corolla', ...bought });
    await pay(page, { category: 'Alış ödemesi', amount: '8.000', currency: 'STG', ...BANK });
    await pay(page, { category: 'Ruhsat/koçan', amount: '150,50', currency: 'STG' });
    await openTill(page);
    await transfer(page, '1.000', 'STG', 'till');
    await transfer(page, '30.000', 'TL', 'till');
    // STG 1,000.00 − 150.50.
    await closeTill(page, { 'Nakit, STG': '849,50', 'Nakit, TL': '30.000' });
    await panel.done(page);
    return { car, showroom: showroom! };
  }

  /** 5 March: the first car is repaired, in lira, and published; a second one is bought for 500,000.00 TL and painted. */
  async function repair(first: string): Promise<string> {
    const page = await onDay('2026-03-05', `/panel/araclar/${first}`);
    await pay(page, { category: 'Onarım', amount: '6.420', currency: 'TL' });
    await main(page).getByRole('button', { name: 'Yayınla', exact: true }).click();
    await submit(page, 'Yayınla');
    const bought = { purchase_price: '500.000', purchase_currency: 'TL', price: '620.000', currency: 'TL' };
    const second = await buyCar(page, { plate: 'DN 102', brand: 'Renault', model: 'Clio', ...bought });
    await pay(page, { category: 'Alış ödemesi', amount: '500.000', currency: 'TL', ...BANK });
    await pay(page, { category: 'Boya', amount: '12.345,67', currency: 'TL' });
    await openTill(page);
    // TL 30,000.00 − 6,420.00 − 12,345.67.
    await closeTill(page, { 'Nakit, STG': '849,50', 'Nakit, TL': '11.234,33' });
    await panel.done(page);
    return second;
  }

  /** A stranger on a phone: the link of the showroom, the car, the form. */
  async function ask(showroom: string): Promise<void> {
    const phone = await panel.chromium.open({ width: 390, height: 844 });
    await phone.goto(showroom);
    await phone.getByRole('link', { name: /Toyota Corolla/ }).click();
    await phone.getByLabel('Adınız soyadınız').fill('Zehra Ziyaretçi');
    await phone.getByLabel('Telefonunuz').fill('0533 840 66 77');
    await phone.getByLabel(/^Bilgilerimin/).check();
    await phone.getByRole('button', { name: 'Gönder' }).click();
    await phone.getByText('Teşekkürler.').waitFor();
    await panel.done(phone);
  }

  /** 10 March: the car is sold from the enquiry for 10,500.00 STG, 4,000.00 of it in cash. */
  async function sellFromEnquiry(car: string, showroom: string): Promise<void> {
    await moveClock(panel.service, '2026-03-10T09:00:00Z');
    await ask(showroom);
    const page = await panel.open(owner, `/panel/araclar/${car}`);
    await page.getByRole('region', { name: 'Adaylar' }).getByText('Zehra Ziyaretçi').waitFor();
    await goTo(page, 'Ana sayfa');
    await main(page)
      .getByRole('link', { name: /^Aranmamış aday/ })
      .click();
    await main(page).getByRole('link', { name: 'Zehra Ziyaretçi' }).click();
    const enquiry = dialog(page);
    await enquiry.getByRole('button', { name: 'Müşteri yap ve sat' }).click();
    await enquiry.getByLabel('Satış fiyatı').fill('10.500');
    await enquiry.getByRole('button', { name: 'Müşteri yap ve sat' }).click();
    await page.waitForURL(RECORD);
    await collect(page, { amount: '4.000' });
    await collect(page, { amount: '6.500', ...BANK });
    await eventually(() => main(page).textContent()).toContain('Tamamlandı');
    await openTill(page);
    await transfer(page, '4.500', 'STG', 'bank');
    // STG 849.50 + 4,000.00 − 4,500.00 = 349.50, of which 9.50 are missing.
    const counted = { 'Nakit, STG': '340', 'Nakit, TL': '11.234,33', 'Havale/EFT, STG': '6.500' };
    await closeTill(page, counted, 'bozuk para eksik');
    await panel.done(page);
  }

  /** 16 March: the second car is sold for 600,000.00 TL; wages, rent and fuel are paid. */
  async function sellAndPay(car: string): Promise<void> {
    const page = await onDay('2026-03-16', `/panel/araclar/${car}`);
    await main(page).getByRole('link', { name: 'Sat', exact: true }).click();
    await eventually(() => page.locator('#sale_price').inputValue()).toBe('620000');
    await page.getByLabel('Müşteri', { exact: true }).fill('Fatma Kaya');
    await page.getByRole('button', { name: 'Yeni müşteri ekle' }).click();
    await dialog(page).getByLabel('Telefon').fill('0533 840 55 55');
    await submit(page, 'Müşteriyi ekle');
    await page.locator('#sale_price').fill('600.000');
    await page.getByLabel('Peşin', { exact: true }).check();
    await page.getByRole('button', { name: 'Satışı kaydet' }).click();
    await page.waitForURL(RECORD);
    await collect(page, { amount: '600.000', ...BANK });
    await goTo(page, 'Giderler');
    await pay(page, { category: 'Maaş', amount: '45.000', currency: 'TL', ...BANK });
    await pay(page, { category: 'Kira', amount: '600', currency: 'STG', ...BANK });
    await pay(page, { category: 'Yakıt', amount: '1.234,33', currency: 'TL' });
    await openTill(page);
    // TL 11,234.33 − 1,234.33.
    await closeTill(page, { 'Nakit, STG': '340', 'Nakit, TL': '10.000', 'Havale/EFT, TL': '600.000' });
    await panel.done(page);
  }

  test('the till of each day and the profit of the month are what the calculation by hand gives', async () => {
    const { car, showroom } = await begin();
    const second = await repair(car);
    await sellFromEnquiry(car, showroom);
    await sellAndPay(second);

    const page = await onDay('2026-03-31', '/panel');
    await page.getByText('Yönetim', { exact: true }).click();
    await goTo(page, 'Raporlar');
    await page.getByRole('button', { name: 'Kâr-zarar' }).click();
    // 150.50 + 6,420.00 TL ÷ 64.20 = 250.50; 10,500.00 − 8,000.00 − 250.50 = 2,249.50.
    await eventually(async () => (await figuresOf(page, 'Gruplara göre', 'STG')).slice(1, 6)).toEqual([
      ...['STG', '£10.500,00', '£8.000,00', '£250,50', '£2.249,50'],
    ]);
    // 600,000.00 − 500,000.00 − 12,345.67 = 87,654.33.
    expect((await figuresOf(page, 'Gruplara göre', 'TL')).slice(1, 6)).toEqual([
      ...['TL', '₺600.000,00', '₺500.000,00', '₺12.345,67', '₺87.654,33'],
    ]);
    // Profit, overhead, what is left: 2,249.50 − 600.00; 87,654.33 − 45,000.00 − 1,234.33.
    expect((await figuresOf(page, 'Para birimine göre', 'STG')).slice(-3)).toEqual(['£2.249,50', '£600,00', '£1.649,50']);
    expect((await figuresOf(page, 'Para birimine göre', 'TL')).slice(-3)).toEqual(['₺87.654,33', '₺46.234,33', '₺41.420,00']);
    await panel.done(page);
  });
});
