// The morning of a collector on a given day: reminders by the rules, the calendar of installments, the cash flow.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, collect, customerOf, dataOf, rowsOf, type Shown, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('reminders, calendar and cash flow in the panel', () => {
  const panel = panelTest({ at: '2026-11-16T10:00:00Z' });
  let dealer: Dealer;
  let owner: TestPerson;
  let veli: string;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
    veli = await soldTo('Veli', '2026-11-19', { down: true });
    await soldTo('Hasan', '2026-11-16');
    await soldTo('İstemez', '2026-11-10', { customer: { reminder_opt_out: true } });
    // Twelve months from June on: those until October paid, the one of September late and half of it.
    const paid = await soldTo('Düzenli', '2026-06-20', { count: 12, currency: 'TL' });
    const rows = await rowsOf(dealer, paid);
    const pay = async (seq: number, amount: string, collected_on: string) => {
      const installment_ids = [rows.find((row) => row.seq === seq)!.id];
      dataOf(await collect(dealer, paid, amount, { currency: 'TL', collected_on, installment_ids }));
    };
    for (const [seq, month] of [6, 7, 8, 10].entries())
      await pay(month - 5, '10000.00', `2026-${String(month).padStart(2, '0')}-1${seq}`);
    await pay(4, '5000.00', '2026-09-25');
  });

  interface SaleFields {
    readonly count?: number;
    readonly currency?: string;
    readonly down?: boolean;
    readonly customer?: Shown;
  }

  /** Installments of 1 000 (in lira 10 000), the first on this day. */
  const soldTo = async (last_name: string, first_due_date: string, overrides: SaleFields = {}): Promise<string> => {
    const { count = 2, currency = 'STG', down = false, customer = {} } = overrides;
    const customer_id = await customerOf(dealer, { first_name: 'Ali', last_name, phone: '0533 123 45 67', ...customer });
    const one = currency === 'TL' ? 10_000 : 1000;
    const guarantor = { first_name: 'Kemal', last_name: 'Kefil', phone: '05339998877' };
    const guarantor_ids = down ? [dataOf(await dealer.post(`customers/${customer_id}/guarantors`, guarantor)).id] : [];
    const terms = {
      sale_price: `${one * count}.00`,
      currency,
      sale_date: '2026-06-01',
      installment_count: count,
      first_due_date,
    };
    return dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id, guarantor_ids, ...terms })).id;
  };

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');
  /** Opens the message as a click does and says where it led. */
  const messageOf = async (page: Page, press: () => Promise<void>): Promise<string> => {
    const [chat] = await Promise.all([page.waitForEvent('popup'), press()]);
    const url = decodeURIComponent(chat.url());
    await chat.close();
    return url;
  };

  test('the rules are set, due customers are reminded once, and it is recorded', async () => {
    const page = await panel.open(owner, '/panel/ayarlar/hesap');
    await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'ok' }));
    const rules = page.getByRole('listitem').filter({ has: page.getByText('Açık', { exact: true }) });
    await rules.nth(0).getByText('Açık').click();
    await rules.nth(1).getByText('Açık').click();
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await eventually(() => page.getByText('Kaydedildi').count()).toBeGreaterThan(0);

    await panel.follow(page, '/panel/tahsilat/hatirlatmalar');
    const lines = region(page, 'Bugün hatırlatılacaklar').locator('tbody tr');
    // Today's first, then what is due in three days: to the debtor and the guarantor.
    await eventually(() => lines.locator('td:first-child').allTextContents()).toEqual([
      'Ali Hasan',
      'Ali Veli',
      'Kemal KefilAli Veli için kefil',
    ]);
    const url = await messageOf(page, () => lines.nth(1).getByRole('link', { name: 'WhatsApp: Ali Veli' }).click());
    expect(url).toMatch(/^https:\/\/wa\.me\/905331234567\?text=Sayın Ali Veli, /);
    expect(url).toContain('19.11.2026 vadeli 1.000,00 STG tutarındaki 1/2. taksit ödemenizi hatırlatmak isteriz.');
    await eventually(() => lines.nth(1).textContent()).toMatch(/16 Kas 2026 12:00Kişi \d+/);
    await eventually(() => region(page, 'Gönderilen hatırlatmalar').locator('tbody tr').count()).toBe(1);
    await look(page, 'reminders');
    // Pressed again it says why not.
    await lines
      .nth(1)
      .getByRole('button', { name: /Bugün hatırlatıldı/ })
      .press('Enter');
    await eventually(() => lines.nth(1).getByRole('status').textContent()).toContain('Bugün hatırlatıldı');

    await panel.follow(page, `/panel/satislar/${veli}`);
    await eventually(() => region(page, 'Hatırlatmalar').textContent()).toContain('vadeden 3 gün önce');
    await page.getByRole('button', { name: 'Diğer işlemler', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Hatırlat' }).click();
    await eventually(() => dialog(page).textContent()).toContain('kefili olduğunuz Ali Veli adına');
    await eventually(() => dialog(page).textContent()).toContain('Bugün hatırlatıldı.');
    await look(page, 'remind');
    expect(await messageOf(page, () => dialog(page).getByRole('link', { name: 'WhatsApp: Kemal Kefil' }).click())).toContain(
      '/905339998877?',
    );
    await page.keyboard.press('Escape');
    await eventually(() => region(page, 'Hatırlatmalar').locator('li').count()).toBe(2);

    await panel.follow(page, '/panel/tahsilat');
    const card = page.getByRole('article', { name: /İstemez/ });
    await eventually(() => card.textContent()).toContain('Müşteri hatırlatma istemiyor.');
    await panel.done(page);
  });

  test('the calendar shows the month by days, opens one and moves an installment; the cash flow adds up', async () => {
    const page = await panel.open(owner, '/panel/tahsilat/takvim');
    const day = (name: RegExp) => page.getByRole('button', { name });
    await eventually(() => region(page, 'Ayın toplamı').textContent()).toBe('£3.000,00₺10.000,004 açık');
    await look(page, 'calendar');
    await day(/^10 Kasım 2026 Salı gecikti £1\.000 1 açık$/).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await eventually(() => page.evaluate('document.activeElement.dataset.day')).toBe('2026-11-19');
    await page.keyboard.press('Enter');
    await eventually(() => dialog(page).textContent()).toContain('Ali Veli');
    await look(page, 'calendar-day');
    await dialog(page).getByRole('button', { name: 'Vadeyi değiştir' }).click();
    const form = dialog(page).last();
    await form.getByLabel('Yeni vade').fill('2026-11-25');
    await form.getByLabel('Neden').fill('Maaş gününe alındı');
    await look(page, 'calendar-move', { on: 'desk' });
    await form.getByRole('button', { name: 'Ertele' }).click();
    await eventually(() => dialog(page).textContent()).toContain('Bu günde taksit yok.');
    await page.keyboard.press('Escape');
    await day(/^25 Kasım 2026 Çarşamba £1\.000 1 açık$/).click();
    await dialog(page).getByRole('button', { name: 'Vadeyi değiştir' }).click();
    // An earlier date is no postponement, so no reason is asked for.
    await form.getByLabel('Yeni vade').fill('2026-11-20');
    await eventually(() => form.getByLabel('Neden').count()).toBe(0);
    await form.getByRole('button', { name: 'Öne al' }).click();
    await eventually(() => dialog(page).textContent()).toContain('Bu günde taksit yok.');
    await page.keyboard.press('Escape');
    const [first] = (await rowsOf(dealer, veli)).filter(({ seq }) => seq === 1);
    expect(first).toMatchObject({ due_date: '2026-11-20', original_due_date: '2026-11-19', postpone_count: 1 });
    await page.getByRole('button', { name: 'Önceki ay' }).click();
    await eventually(() => region(page, 'Ayın toplamı').textContent()).toBe('Tümü ödendi');

    await panel.follow(page, '/panel/tahsilat/nakit-akisi?currency=TL');
    const months = region(page, 'Nakit akışı, TL').locator('tbody tr');
    await eventually(() => months.count()).toBe(18);
    const cells = async (name: string) =>
      (await months.filter({ hasText: name }).locator('td:visible').allTextContents()).slice(1);
    await eventually(() => cells('Eylül 2026')).toEqual(['₺10.000,00', '₺5.000,00', '—yok', '—yok', '—yok', '₺5.000,00']);
    // 40 000 of 50 000 were paid by their due date.
    await eventually(() => cells('Kasım 2026')).toEqual(['₺10.000,00', '—yok', '₺8.000,00', '—yok', '—yok', '₺8.000,00']);
    await eventually(() => page.getByRole('main').textContent()).toContain('(%80)');
    await look(page, 'cash-flow');
    await page.getByRole('button', { name: 'STG' }).click();
    await eventually(() => region(page, 'Nakit akışı, STG').count()).toBe(1);
    await panel.done(page);
  });
});
