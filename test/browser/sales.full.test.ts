// Sales in the panel as a dealer works with them: found, read, collected on, promised, put off, restructured, reversed, cancelled.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, collect, customerOf, dataOf, rowsOf, sell, storeRates } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { dayFrom } from '../support/clock.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

const LIST = '/panel/satislar';

const RECEIPTS = ['Makbuz, A5', 'Makbuz, 80 mm'];

/** What the menu of each collection offers. */
async function offeredFor(page: Page): Promise<string[][]> {
  const menus: string[][] = [];
  for (const menu of await page.getByRole('button', { name: /^T-.* için işlemler$/ }).all()) {
    await menu.click();
    await page.getByRole('menuitem').first().waitFor();
    menus.push(await page.getByRole('menuitem').allTextContents());
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  }
  return menus;
}

describe.skipIf(isBrowserMissing())('sales in the panel', () => {
  const panel = panelTest();
  let dealer: Dealer;
  let owner: TestPerson;
  let customer: string;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    await storeRates(panel.service, 'KKTCMB', dayFrom(0), dayFrom(-1));
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
    customer = await customerOf(dealer, { first_name: 'Şükrü', last_name: 'Öztürk', phone: '0533 840 12 34' });
  });

  /** A hundred days old, 12 installments of which some are overdue, with a finance charge and late interest. */
  const aSale = async (overrides: Record<string, unknown> = {}): Promise<string> => {
    const vehicle_id = await carOf(dealer);
    const terms = { sale_price: '12000.00', finance_charge: '1200.00', down_payment: '1200.00', late_rate_yearly: '24.00' };
    const plan = { installment_count: 12, sale_date: dayFrom(-100), notes: 'Yedek anahtar verildi.' };
    return dataOf(await sell(dealer, { vehicle_id, customer_id: customer, ...terms, ...plan, ...overrides })).id;
  };

  const main = (page: Page) => page.getByRole('main');
  const text = async (page: Page) => ((await main(page).textContent()) ?? '').replaceAll('\u00a0', ' ');
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();
  /** A message that was just shown is a dialog too, but no layer. */
  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');
  const saleOf = async (id: string) => dataOf(await dealer.get(`sales/${id}`));

  test('sales are found by state, number, plate and customer, and the address keeps the filters', async () => {
    const id = await aSale();
    const other = await customerOf(dealer, { first_name: 'Zeynep', last_name: 'Kaya', phone: '0533 840 99 99' });
    await aSale({ customer_id: other, sale_date: dayFrom(0), notes: null });
    const page = await panel.open(owner, LIST);
    const rows = main(page).locator('tbody tr');
    await eventually(() => rows.count()).toBe(2);
    await look(page, 'sales');
    await page.getByRole('searchbox').fill('ozturk');
    await eventually(() => rows.count()).toBe(1);
    expect(page.url()).toContain('q=ozturk');
    await page.getByLabel('Gecikme', { exact: true }).selectOption('true');
    await eventually(() => page.url()).toContain('overdue=true');
    await panel.go(page, `${LIST}?q=zeynep&overdue=true`);
    await eventually(() => text(page)).toContain('Bu filtrelere uyan satış yok.');
    await page.getByRole('button', { name: 'Filtreleri temizle' }).first().click();
    await eventually(() => rows.count()).toBe(2);
    await rows.filter({ hasText: 'Şükrü Öztürk' }).click();
    await page.waitForURL(`**${LIST}/${id}`);
    await panel.done(page);
  });

  test('money is taken: the server says before what it fills, and Enter saves it', async () => {
    const id = await aSale();
    const page = await panel.open(owner, `${LIST}/${id}`);
    await region(page, 'Ödeme planı').locator('tbody tr').first().waitFor();
    await look(page, 'sale');
    await page.getByRole('button', { name: 'Tahsil et', exact: true }).click();
    const amount = dialog(page).getByLabel('Alınan tutar', { exact: true });
    await amount.fill('1.700');
    const preview = dialog(page).getByRole('region', { name: 'Kaydedilince' });
    // The down payment is filled whole, and half of the first installment.
    await eventually(() => preview.textContent()).toMatch(/Peşinat£1\.200,00Kapanır1\/12\. taksit£500,00£500,00/);
    await look(page, 'collect');
    await amount.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => region(page, 'Tahsilatlar').textContent()).toContain('£1.700,00');
    await eventually(() => saleOf(id)).toMatchObject({ collected_amount: '1700.00', outstanding_amount: '11500.00' });

    // Another currency, at the bank's rate; then more than is owed, for which the change is shown.
    await page.getByRole('button', { name: 'Tahsil et', exact: true }).click();
    await amount.fill('6450');
    await dialog(page).getByLabel('Alınan tutar: para birimi').selectOption('TL');
    await eventually(() => preview.textContent()).toContain('Kur STG-TL: 64,5');
    await dialog(page).getByLabel('Alınan tutar: para birimi').selectOption('STG');
    await amount.fill('11600');
    await eventually(() => preview.textContent()).toContain('Para üstü: £100,00');
    await dialog(page).getByRole('button', { name: 'Borç kadarını al' }).click();
    await eventually(() => preview.textContent()).toContain('Borç kapanır');
    // Settling early: the offered discount takes its part off the amount.
    await dialog(page)
      .getByLabel(/^Erken ödeme indirimi öner/)
      .check();
    await eventually(() => preview.textContent()).toMatch(/İndirim£\d+,\d\d/);
    await eventually(() => preview.textContent()).toContain('Borç kapanır');
    await eventually(() => preview.getAttribute('aria-busy')).toBe('false');
    await look(page, 'collect-early', { on: 'desk' });
    await amount.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(async () => (await saleOf(id)).status).toBe('Tamamlandı');
    await eventually(() => text(page)).toContain('Tamamlandı');

    // Reversing the discount reverses the payment it came with.
    await eventually(() => region(page, 'Tahsilatlar').textContent()).toContain('İndirim');
    await page
      .getByRole('button', { name: /^T-\d{4}-\d+ için işlemler$/ })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Ters kayıtla iptal et' }).click();
    await dialog(page).getByRole('button', { name: 'Ters kayıtla iptal et' }).click();
    await eventually(() => dialog(page).getByRole('alert').first().textContent()).toContain('Neden zorunludur');
    await dialog(page).getByLabel('Neden', { exact: true }).fill('Havale iade edildi');
    await look(page, 'reverse', { on: 'desk' });
    await dialog(page).getByRole('button', { name: 'Ters kayıtla iptal et' }).click();
    await eventually(async () => (await saleOf(id)).outstanding_amount).toBe('11500.00');
    await eventually(() => region(page, 'Tahsilatlar').textContent()).toContain('Havale iade edildi');
    await panel.done(page);
  });

  test('an installment is promised, put off and restructured, and the sale is cancelled with its refund', async () => {
    const id = await aSale();
    dataOf(await collect(dealer, id, '1200.00'));
    const page = await panel.open(owner, `${LIST}/${id}`);
    await page.getByRole('button', { name: '1/12. taksit için işlemler', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Söz al' }).click();
    await dialog(page).getByLabel('Söz verilen gün').fill(dayFrom(5));
    await look(page, 'promise', { on: 'desk' });
    await dialog(page).getByRole('button', { name: 'Söz al' }).click();
    await eventually(() => region(page, 'Ödeme sözleri').textContent()).toContain('Bekliyor');

    await page.getByRole('button', { name: '12/12. taksit için işlemler', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Ertele' }).click();
    await eventually(() => dialog(page).getByRole('status').textContent()).toContain('Yeni vade');
    await look(page, 'postpone', { on: 'desk' });
    await dialog(page).getByRole('button', { name: 'Ertele', exact: true }).click();
    await eventually(() => dialog(page).getByRole('alert').first().textContent()).toContain('düzeltilmeli');
    await dialog(page).getByLabel('Neden', { exact: true }).fill('Maaşı geç yatıyor');
    await dialog(page).getByRole('button', { name: 'Ertele', exact: true }).click();
    await eventually(() => region(page, 'Ödeme planı').textContent()).toContain('1 kez ertelendi');

    const more = page.getByRole('button', { name: 'Diğer işlemler' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Yapılandır' }).click();
    await dialog(page).getByLabel('Taksit sayısı').fill('6');
    await eventually(() => dialog(page).getByRole('status').textContent()).toContain('£12.000,00');
    await dialog(page).getByLabel('Neden', { exact: true }).fill('Yeni plan istendi');
    await look(page, 'restructure', { on: 'desk' });
    await dialog(page).getByRole('button', { name: 'Yapılandır', exact: true }).click();
    await eventually(async () => (await rowsOf(dealer, id)).filter(({ status }) => status === 'Bekliyor').length).toBe(6);

    await more.click();
    await page.getByRole('menuitem', { name: 'Satışı iptal et' }).click();
    await dialog(page).getByLabel('Müşteriye iade edilecek').fill('1.000');
    await eventually(() => dialog(page).getByRole('status').textContent()).toContain('İade £1.000,00, gelir yazılan £200,00');
    await dialog(page).getByLabel('Neden', { exact: true }).fill('Müşteri vazgeçti');
    await look(page, 'sale-cancel', { on: 'desk' });
    await dialog(page).getByRole('button', { name: 'Satışı iptal et' }).click();
    await eventually(() => text(page)).toContain('Gelir yazılan £200,00');
    await eventually(() => saleOf(id)).toMatchObject({ status: 'İptal', refunded_amount: '1000.00' });
    await look(page, 'sale-cancelled');
    await panel.done(page);
  });

  test('terms, papers, an installment, a promise and a restructuring are changed with a preview by the server, and the history shows it', async () => {
    const id = await aSale({ sale_date: dayFrom(0), notes: null });
    const page = await panel.open(owner, `${LIST}/${id}`);
    // Nothing is collected yet: price and plan may change.
    await page.getByRole('link', { name: 'Düzenle' }).click();
    await page.getByLabel('Taksit sayısı').fill('6');
    await page.getByLabel('Satış fiyatı').fill('12.600');
    const preview = page.getByRole('region', { name: 'Önizleme' });
    await eventually(() => preview.textContent()).toMatch(/6\/6\. taksit.*£2\.100,00/);
    await page.getByLabel('Hukuki durum').selectOption('İhtar');
    await page.getByLabel('Devir', { exact: true }).selectOption('Yapıldı');
    await page.getByLabel('Devrin yapıldığı yer').fill('Lefkoşa');
    await look(page, 'sale-edit');
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.waitForURL(`**${LIST}/${id}`);
    const today = dayFrom(0);
    await eventually(() => saleOf(id)).toMatchObject({
      sale_price: '12600.00',
      installment_count: 6,
      legal_stage: 'İhtar',
      title_transfer: { status: 'Yapıldı', on: today, place: 'Lefkoşa' },
    });
    const history = region(page, 'Geçmiş');
    await eventually(() => history.textContent()).toMatch(/Satış düzenlendi.*£12\.000,00.*£12\.600,00/);

    // One installment: the last one takes the difference.
    await page.getByRole('button', { name: '2/6. taksit için işlemler', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Düzenle' }).click();
    await dialog(page).getByLabel('Tutar', { exact: true }).fill('1.500');
    await eventually(() => dialog(page).getByRole('region').textContent()).toMatch(
      /2\/6\. taksit.*£1\.500,00.*6\/6\. taksit.*£2\.700,00/,
    );
    await look(page, 'row-edit', { on: 'phone' });
    await dialog(page).getByRole('button', { name: 'Kaydet' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(async () => (await rowsOf(dealer, id)).map(({ amount }) => amount)[6]).toBe('2700.00');

    // A promise, then less of it: there is no second one while it is open.
    await page.getByRole('button', { name: 'Söz al' }).click();
    await dialog(page).getByLabel('Söz verilen gün').fill(dayFrom(5));
    await dialog(page).getByRole('button', { name: 'Söz al' }).click();
    await page.getByRole('button', { name: 'Sözü değiştir' }).click();
    await eventually(() => page.getByRole('button', { name: 'Söz al' }).count()).toBe(0);
    await dialog(page).getByLabel('Söz verilen tutar').fill('300');
    await eventually(() => dialog(page).getByRole('status').textContent()).toContain('£300,00 · Bekliyor');
    await dialog(page).getByRole('button', { name: 'Kaydet' }).click();
    await eventually(() => region(page, 'Ödeme sözleri').textContent()).toContain('£300,00');

    // Installments of one's own, which must add up.
    dataOf(await collect(dealer, id, '1200.00'));
    await page.getByRole('button', { name: 'Diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Yapılandır' }).click();
    await dialog(page).getByLabel('Taksit sayısı').fill('2');
    await eventually(() => dialog(page).getByRole('status').textContent()).toContain('planda 2 taksit');
    await dialog(page).getByLabel('Kendi planımla').check();
    await dialog(page).getByLabel('1. taksit: Tutar').fill('12.000');
    await eventually(() => dialog(page).textContent()).toContain('£5.700,00 fazla dağıtıldı');
    await dialog(page).getByLabel('1. taksit: Tutar').fill('12.500');
    await dialog(page).getByLabel('2. taksit: Tutar').fill('');
    await dialog(page).getByRole('button', { name: 'Kalanı son taksite ekle' }).click();
    await eventually(() => dialog(page).textContent()).toContain('Plan tam tutuyor');
    await dialog(page).getByLabel('Neden', { exact: true }).fill('İki taksitte anlaşıldı');
    await look(page, 'restructure-rows', { on: 'desk' });
    await dialog(page).getByRole('button', { name: 'Yapılandır', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
    // The remaining plan is counted again; the former installments are one click away.
    await eventually(() => region(page, 'Ödeme planı').textContent()).toMatch(/1\/2.*£12\.500,00.*2\/2.*£100,00/);
    await page.getByRole('button', { name: 'Yapılandırılan 6 eski taksiti göster' }).click();
    await eventually(() => region(page, 'Ödeme planı').textContent()).toContain('Eski 6. taksit');
    await eventually(() => history.textContent()).toContain('İki taksitte anlaşıldı');
    await panel.done(page);
  });

  test('Ctrl+K begins a collection from a few letters of a name and finds records', async () => {
    const other = await customerOf(dealer, { first_name: 'İpek', last_name: 'Çağlar', phone: '0533 840 77 77' });
    const id = await aSale({ customer_id: other });
    dataOf(await collect(dealer, id, '6450.00', { currency: 'TL' }));
    const page = await panel.open(owner, '/panel/satislar');
    await main(page).locator('tbody tr').first().waitFor();
    await page.keyboard.press('Control+k');
    await dialog(page).getByRole('combobox').fill('ipek cag');
    await eventually(() => dialog(page).getByRole('option').allTextContents()).toEqual([
      expect.stringMatching(/^İpek Çağlar · .*S-\d{4}-\d+$/),
      expect.stringMatching(/\+90.533.840.77.77$/),
      ...['Araçlar', 'Müşteriler', 'Satışlar', 'Giderler'].map((list) => `«ipek cag» ara${list}`),
    ]);
    await dialog(page).getByRole('combobox').fill('tahsil et');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Kimden tahsil edilecek' }).fill('ipek');
    await eventually(() => dialog(page).getByRole('option').count()).toBe(1);
    await look(page, 'palette', { on: 'desk' });
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${LIST}/${id}`);
    await eventually(() => page.locator('#amount:focus').count()).toBe(1);
    // The sums are in the money that is paid: 1 100 pounds of the down payment are left, at 64.5.
    await dialog(page).getByLabel('Alınan tutar: para birimi').selectOption('TL');
    await eventually(() =>
      dialog(page)
        .getByRole('button', { name: /^Peşinat/ })
        .textContent(),
    ).toContain('₺70.950');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Kaydetmeden çık' }).click();
    // Given back in lira, because lira came in.
    await page.getByRole('button', { name: 'Diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Satışı iptal et' }).click();
    await dialog(page).getByLabel('İade para birimi').selectOption('TL');
    await eventually(() => dialog(page).getByRole('status').textContent()).toContain('Müşteriye ₺6.450,00 ödenir (STG-TL 64,5');
    await look(page, 'cancel-lira', { on: 'phone' });
    await dialog(page).getByLabel('Neden', { exact: true }).fill('Vazgeçti');
    await dialog(page).getByRole('button', { name: 'Satışı iptal et' }).click();
    await eventually(() => region(page, 'Tahsilatlar').textContent()).toContain('-₺6.450,00');
    // Nothing that would be refused is offered on a cancelled sale: papers only.
    await eventually(() => page.getByRole('button', { name: 'Tahsil et' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Diğer işlemler' }).click();
    await page.getByRole('menuitem').first().waitFor();
    await eventually(() => page.getByRole('menuitem').allTextContents()).toEqual(['Hesap ekstresi']);
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    await eventually(() => offeredFor(page)).toEqual([RECEIPTS, RECEIPTS]);
    await panel.done(page);
  });

  test('sellers do not collect for the sales of others, nor restructure or cancel them; a viewer only reads, and an unknown sale says so', async () => {
    const id = await aSale();
    dataOf(await collect(dealer, id, '100.00'));
    const seller = await newPerson(panel.service, { accountId: dealer.accountId, role: 'sales' });
    const page = await panel.open(seller, `${LIST}/${id}`);
    await region(page, 'Ödeme planı').locator('tbody tr').first().waitFor();
    await page.getByRole('button', { name: 'Söz al' }).waitFor();
    await eventually(() => page.getByRole('button', { name: 'Tahsil et' }).count()).toBe(0);
    await eventually(() => offeredFor(page)).toEqual([RECEIPTS]);
    await page.getByRole('button', { name: 'Diğer işlemler' }).click();
    await page.getByRole('menuitem').first().waitFor();
    await eventually(() => page.getByRole('menuitem').allTextContents()).toEqual(['Hatırlat', 'İhtar mektubu', 'Hesap ekstresi']);
    await panel.done(page);
    const viewer = await newPerson(panel.service, { accountId: dealer.accountId, role: 'viewer' });
    const read = await panel.open(viewer, `${LIST}/${id}`);
    await region(read, 'Ödeme planı').locator('tbody tr').first().waitFor();
    await eventually(() => main(read).getByRole('button').count()).toBe(0);
    await panel.go(read, `${LIST}/01890000-0000-7000-8000-000000000000`);
    await eventually(() => text(read)).toContain('Satış bulunamadı');
    await panel.chromium.leave(read);
  });
});
