// Customers kept by clicking and typing: added, edited, talked to, vouched for, deleted; and who may not.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { own, sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/musteriler';

describe.skipIf(isBrowserMissing())('keeping customers in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let sales: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto' });
    sales = await newPerson(service, { accountId, role: 'sales' });
  });

  const main = (page: Page) => page.getByRole('main');
  const text = async (page: Page) => ((await main(page).textContent()) ?? '').replaceAll('\u00a0', ' ');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const timeline = (page: Page) => page.getByRole('region', { name: 'Zaman çizelgesi' });
  const guarantors = (page: Page) => page.getByRole('region', { name: 'Kefiller' });
  const stored = (id: string) =>
    service.database.inTenant(accountId, 'read', (db) =>
      db.one<Record<string, unknown>>(sql`select * from ${own('customers')} where id = ${id}`),
    );

  test('a company is added under its own name, and found by it', async () => {
    const page = await panel.open(sales, `${LIST}/yeni`);
    await page.getByLabel('Müşteri türü').selectOption('Kurumsal');
    await page.getByLabel('Ad', { exact: true }).fill('Efe');
    await page.getByLabel('Soyad').fill('Demir');
    await page.getByLabel('Telefon').fill('0533 840 12 35');
    await button(page, 'Müşteriyi ekle').click();
    await eventually(() => text(page)).toContain('Şirket unvanı kurumsal müşteride zorunludur');
    await page.getByLabel('Şirket unvanı').fill('Gümüşlük Nakliyat Ltd.');
    await page.getByLabel('Vergi dairesi').fill('Girne');
    await page.getByLabel('Aydınlatma metninin verildiği gün').fill('2026-01-05');
    await page.getByLabel('Ödeme hatırlatması istemiyor').check();
    await page.getByText('Gizli tutulan bilgiler').click();
    await page.getByLabel('Vergi no').fill('MS 998877');
    await look(page, 'company-form');
    await button(page, 'Müşteriyi ekle').click();
    await page.waitForURL(/\/musteriler\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name: 'Gümüşlük Nakliyat Ltd.' }).waitFor();
    const facts = page.getByRole('region', { name: 'Kimlik ve izinler' });
    await eventually(() => facts.textContent()).toMatch(/Kurumsal.*Girne.*Efe Demir.*05.01.2026.*İstemiyor/);
    await eventually(() => page.content()).not.toContain('998877');
    const id = page.url().split('/').at(-1)!;
    await eventually(() => stored(id)).toMatchObject({ kind: 'Kurumsal', tax_office: 'Girne', reminder_opt_out: true });
    await page.getByRole('link', { name: 'Düzenle' }).click();
    await page.getByLabel('Ödeme hatırlatması istemiyor').uncheck();
    await button(page, 'Kaydet').click();
    await eventually(() => facts.textContent()).toContain('Alabilir');
    expect((await stored(id)).reminder_opt_out).toBe(false);
    await panel.go(page, `${LIST}?q=gumusluk`);
    await eventually(() => page.getByRole('row').filter({ hasText: 'Gümüşlük Nakliyat Ltd.' }).textContent()).toContain(
      'Efe Demir',
    );
    await panel.done(page);
  });

  test('a customer is added, edited, talked to, vouched for and deleted', async () => {
    const page = await panel.open(sales, LIST);
    await page.keyboard.press('c');
    await page.waitForURL(`**${LIST}/yeni`);
    await page.getByLabel('Ad', { exact: true }).fill('Şükrü');
    await button(page, 'Müşteriyi ekle').click();
    await eventually(() => main(page).getByRole('alert').first().textContent()).toContain('2 alan düzeltilmeli');
    await page.getByLabel('Soyad').fill('Öztürk');
    await page.getByLabel('Telefon').fill('12');
    await button(page, 'Müşteriyi ekle').click();
    await eventually(() => text(page)).toContain('Telefon, 0532');
    await page.getByLabel('Telefon').fill('0533 840 12 34');
    await page.getByText('Gizli tutulan bilgiler').click();
    await page.getByLabel('Kimlik no').fill('12345678901');
    await page.getByLabel('Aylık gelir').fill('45.000,50');
    await page.getByLabel('Adres').fill('Karaoğlanoğlu Cad. 5');
    await page.getByLabel('Adres').press('Control+Enter');
    await page.waitForURL(/\/musteriler\/[0-9a-f-]{36}$/);
    const id = page.url().split('/').at(-1)!;
    await eventually(() => text(page)).toContain('+90 533 840 12 34');
    for (const kept of ['12345678901', 'Karaoğlanoğlu', '45.000']) expect(await page.content()).not.toContain(kept);
    const before = await stored(id);
    expect(before.id_no_encrypted).not.toBeNull();

    await page.getByRole('link', { name: 'Düzenle' }).click();
    await page.getByLabel('Risk').selectOption('high');
    await page.getByRole('textbox', { name: /^Not \(/ }).fill('Akşam aranmak istiyor.');
    await button(page, 'Kaydet').click();
    await page.waitForURL(`**${LIST}/${id}`);
    await eventually(() => text(page)).toContain('Akşam aranmak istiyor.');
    await eventually(() => stored(id)).toMatchObject({ risk_level: 'high', id_no_encrypted: before.id_no_encrypted });

    await page.getByLabel('Ne konuşuldu?').fill('Fiyat konuşuldu.');
    await page.getByLabel('Ne konuşuldu?').press('Control+Enter');
    await eventually(() => timeline(page).locator('ol > li').count()).toBe(1);
    await timeline(page).locator('form').getByLabel('Tür').selectOption('Ziyaret');
    await page.getByLabel('Ne konuşuldu?').fill('Dün geldi, aracı gördü.');
    await button(page, 'Daha önceydi').click();
    await page.getByLabel('Zaman', { exact: true }).fill('2026-01-05T10:30');
    await timeline(page).getByRole('button', { name: 'Kaydet' }).click();
    await eventually(() => timeline(page).locator('ol > li').allTextContents()).toHaveLength(2);
    // By when it happened, not by when it was written down.
    const lines = await timeline(page).locator('ol > li').allTextContents();
    expect(lines[0]).toContain('Fiyat konuşuldu.');
    expect(lines[0]).toMatch(/Kişi \d+$/);
    expect(lines[1]).toContain('5 Oca 2026 10:30');
    await eventually(() => page.getByLabel('Ne konuşuldu?').inputValue()).toBe('');

    await button(page, 'Kefil ekle').click();
    const drawer = page.getByRole('dialog', { name: 'Yeni kefil' });
    await drawer.getByLabel('Ad', { exact: true }).fill('Hatice');
    await drawer.getByLabel('Soyad').fill('Öztürk');
    await drawer.getByLabel('Telefon').fill('+90 542 850 00 11');
    await drawer.getByLabel('Yakınlığı').selectOption('Eş');
    await drawer.getByText('Gizli tutulan bilgiler').click();
    await drawer.getByLabel('Kimlik no').fill('12345678901');
    await drawer.getByRole('button', { name: 'Kefil ekle' }).click();
    await eventually(() => drawer.textContent()).toContain('Müşteri kendi kefili olamaz');
    await drawer.getByLabel('Kimlik no').fill('98765432109');
    await drawer.getByRole('button', { name: 'Kefil ekle' }).click();
    await eventually(() => guarantors(page).textContent()).toContain('Hatice Öztürk');

    await page.getByRole('button', { name: 'Hatice Öztürk için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Düzenle' }).click();
    await page.getByRole('dialog').getByLabel('Yakınlığı').selectOption('Kardeş');
    await page.getByRole('dialog').getByRole('button', { name: 'Kaydet' }).click();
    await eventually(() => guarantors(page).textContent()).toContain('Kardeş');
    await page.getByRole('button', { name: 'Hatice Öztürk için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Sil' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sil' }).click();
    await eventually(() => guarantors(page).textContent()).toContain('Kefil yok.');

    await page.getByRole('button', { name: 'Müşteriyle ilgili diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Sil', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sil' }).click();
    await page.waitForURL(`**${LIST}`);
    await eventually(() => page.locator('body').textContent()).toContain('Şükrü Öztürk silindi');
    expect((await stored(id)).deleted_at).not.toBeNull();
    await panel.done(page);
  });

  test('one for whom a vehicle is held is not deleted, and the dialog says what to do', async () => {
    const customer = await service.customer(accountId, { first_name: 'Ali', last_name: 'Bekler' });
    const vehicle = await service.vehicle(accountId, { plate: 'AB 900' });
    const page = await panel.open(sales, `/panel/araclar/${vehicle}`);
    await button(page, 'Rezerve et').click();
    await page.getByRole('dialog').getByLabel('Müşteri').fill('bekler');
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /Ali Bekler/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rezerve et' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await panel.go(page, `${LIST}/${customer}`);
    await page.getByRole('button', { name: 'Müşteriyle ilgili diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Sil', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sil' }).click();
    await eventually(() => page.getByRole('alertdialog').textContent()).toContain('Önce rezervasyonu kaldırın.');
    await page.getByRole('link', { name: 'Rezerve araçları gör' }).click();
    await page.waitForURL('**/panel/araclar?status=Rezerve');
    await panel.done(page);
  });

  test('a viewer sees the page and no way to change it; a developer no guarantors', async () => {
    const customer = await service.customer(accountId, { first_name: 'Elif', last_name: 'Bakar' });
    for (const [role, cards] of [
      ['viewer', 1],
      ['developer', 0],
    ] as const) {
      const person = await newPerson(service, { accountId, role });
      const page = await panel.open(person, LIST);
      await eventually(() => page.getByRole('link', { name: 'Müşteri ekle' }).count()).toBe(0);
      await panel.go(page, `${LIST}/${customer}`);
      await main(page).getByRole('heading', { name: 'Elif Bakar' }).waitFor();
      await eventually(() => main(page).locator('form').count()).toBe(0);
      for (const name of ['Düzenle', 'Sil', 'Kefil ekle'])
        await eventually(() => page.getByText(name, { exact: true }).count()).toBe(0);
      await eventually(() => guarantors(page).count()).toBe(cards);
      await panel.go(page, `${LIST}/yeni`);
      await eventually(() => text(page)).toContain('Bu sayfa için yetkiniz yok');
      await panel.done(page);
    }
  });
});
