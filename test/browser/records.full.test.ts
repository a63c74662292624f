// What hangs on records in the panel: acts in list rows, tasks on their pages, two who edit at once, deleted customers.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { own, sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const VEHICLES = '/panel/araclar';
const CUSTOMERS = '/panel/musteriler';

describe.skipIf(isBrowserMissing())('records in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let sales: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Lefke Oto' });
    owner = await newPerson(service, { accountId, role: 'owner' });
    sales = await newPerson(service, { accountId, role: 'sales' });
  });

  const main = (page: Page) => page.getByRole('main');
  /** Messages at the edge are dialogs too, by their role. */
  const layer = (page: Page) => page.locator('[data-layer][role=dialog]').last();
  const focus = (page: Page) =>
    page.evaluate<string>(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`);
  const isFocusIn = async (page: Page, selector: string) => (await page.locator(`${selector} :focus`).count()) > 0;
  const one = <T>(table: 'vehicles' | 'customers' | 'tasks', id: string) =>
    service.database.inTenant(accountId, 'read', (db) => db.one<T>(sql`select * from ${own(table)} where id = ${id}`));

  test('a vehicle is reserved from its row for someone who is taken in on the way; the focus stays where the work is', async () => {
    const id = await service.vehicle(accountId, { brand: 'Seat', model: 'Leon', plate: 'RC 101' });
    const page = await panel.open(sales, VEHICLES);
    const menu = page.getByRole('button', { name: 'Seat Leon, RC 101 için işlemler' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rezerve et' }).click();
    // A click beside the fields is no click on the row below.
    await layer(page).getByRole('heading', { name: 'Rezerve et' }).click();
    expect(new URL(page.url()).pathname).toBe(VEHICLES);
    await layer(page).getByLabel('Müşteri').fill('Yeni Gelen Hasan');
    await layer(page).getByRole('button', { name: 'Yeni müşteri ekle' }).click();
    const quick = page.getByRole('dialog', { name: 'Yeni müşteri' });
    await eventually(() => quick.getByLabel('Soyad').inputValue()).toBe('Hasan');
    await quick.getByLabel('Telefon').fill('12');
    await quick.getByLabel('Telefon').press('Enter');
    await eventually(() => quick.textContent()).toContain('Telefon, 0532');
    await quick.getByLabel('Telefon').fill('0533 840 55 66');
    await quick.getByLabel('Telefon').press('Enter');
    await quick.waitFor({ state: 'detached' });
    // Only the inner form is sent, and the outer one stays open.
    await eventually(() => focus(page)).toBe('Müşteriyi kaldır');
    await eventually(() => isFocusIn(page, '[data-layer]')).toBe(true);
    expect((await one<{ status: string }>('vehicles', id)).status).toBe('Stokta');
    await page.keyboard.press('Control+Enter');
    await layer(page).waitFor({ state: 'detached' });
    await eventually(async () => (await one<{ status: string }>('vehicles', id)).status).toBe('Rezerve');
    await eventually(() => focus(page)).toBe('Seat Leon, RC 101 için işlemler');

    // What its state allows, in the row as on its page.
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rezervasyonu kaldır' }).waitFor();
    await eventually(() => page.getByRole('menuitem', { name: 'Sil' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Rezervasyonu kaldır' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rezervasyonu kaldır' }).click();
    await eventually(async () => (await one<{ status: string }>('vehicles', id)).status).toBe('Stokta');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Sil' }).click();
    await menu.waitFor({ state: 'detached' });
    await eventually(() => isFocusIn(page, 'main')).toBe(true);
    await panel.done(page);
  });

  test('tasks are on the pages of their records, where they are added and completed', async () => {
    const vehicle = await service.vehicle(accountId, { brand: 'Skoda', model: 'Octavia', plate: 'RC 102' });
    const customer = await service.customer(accountId, { first_name: 'Derya', last_name: 'Görevli' });
    const page = await panel.open(sales, `${VEHICLES}/${vehicle}`);
    for (const [path, name] of [
      [`${VEHICLES}/${vehicle}`, 'Skoda Octavia (RC 102)'],
      [`${CUSTOMERS}/${customer}`, 'Derya Görevli'],
    ] as const) {
      await panel.go(page, path);
      const section = page.getByRole('region', { name: 'Görevler' });
      await section.getByText('Açık görev yok.').waitFor();
      await section.getByRole('button', { name: 'Görev ekle' }).click();
      await eventually(() => layer(page).textContent()).toContain(name);
      await layer(page).getByLabel('Görev', { exact: true }).fill('Sigortayı yenile');
      await page.keyboard.press('Control+Enter');
      await section.getByRole('button', { name: 'Sigortayı yenile', exact: true }).waitFor();
      await eventually(() => focus(page)).toBe('Görev ekle');
      await section.getByRole('button', { name: 'Sigortayı yenile', exact: true }).click();
      await layer(page).getByLabel('Öncelik').selectOption('Yüksek');
      await layer(page).getByRole('button', { name: 'Kaydet' }).click();
      await eventually(() => section.textContent()).toContain('Yüksek');
      await section.getByRole('button', { name: 'Tamamla: Sigortayı yenile' }).click();
      await section.getByText('Açık görev yok.').waitFor();
      await section.getByRole('link', { name: 'Tümünü göster (tamamlananlar dahil)' }).click();
      await page.waitForURL('**/gorevler?**');
      await eventually(() => main(page).locator('tbody tr').count()).toBe(1);
    }
    await panel.done(page);
  });

  test('when two people edit a car, the second sees the change, keeps the typed values and decides', async () => {
    const id = await service.vehicle(accountId, { brand: 'Volvo', model: 'XC40', plate: 'RC 103', km: 50_000, color: 'Gri' });
    const first = await panel.open(sales, `${VEHICLES}/${id}/duzenle`);
    const second = await panel.open(owner, `${VEHICLES}/${id}/duzenle`);
    await first.getByLabel('Kilometre').fill('51000');
    await first.getByLabel('Renk').fill('Siyah');
    await first.getByRole('button', { name: 'Kaydet' }).click();
    await first.waitForURL(`**${VEHICLES}/${id}`);

    await second.getByLabel('Kilometre').fill('52000');
    await second.getByLabel('Şehir').fill('Lefke');
    await second.getByRole('button', { name: 'Kaydet' }).click();
    const alert = main(second).getByRole('alert');
    await eventually(() => alert.textContent()).toContain('başka biri tarafından değiştirildi');
    await eventually(() => alert.textContent()).toMatch(/Kilometre: 51000 · siz başka bir değer yazdınız.*Renk: Siyah/);
    await eventually(() => one<{ km: number }>('vehicles', id)).toMatchObject({ km: 51_000, color: 'Siyah' });
    // Typed is kept, the rest is as the other left it.
    await eventually(() => second.getByLabel('Kilometre').inputValue()).toBe('52000');
    await eventually(() => second.getByLabel('Renk').inputValue()).toBe('Siyah');
    await second.getByRole('button', { name: 'Kaydet' }).click();
    await second.waitForURL(`**${VEHICLES}/${id}`);
    await eventually(() => one('vehicles', id)).toMatchObject({ km: 52_000, color: 'Siyah', city: 'Lefke' });

    await panel.go(first, `${VEHICLES}/${id}/duzenle`);
    await first.getByLabel('Renk').fill('Mor');
    await panel.go(second, `${VEHICLES}/${id}/duzenle`);
    await second.getByLabel('Renk').fill('Beyaz');
    await second.getByRole('button', { name: 'Kaydet' }).click();
    await second.waitForURL(`**${VEHICLES}/${id}`);
    await first.getByRole('button', { name: 'Kaydet' }).click();
    await first.getByRole('button', { name: 'Yazdıklarımı bırak, yeni hâlini yükle' }).click();
    await eventually(() => first.getByLabel('Renk').inputValue()).toBe('Beyaz');

    // A change of a field that the form does not show is no conflict: the form is saved.
    await first.getByLabel('Renk').fill('Krem');
    await service.database.inTenant(accountId, 'write', (db) =>
      db.exec(sql`update vehicles set updated_at = now() where id = ${id}`),
    );
    await first.getByRole('button', { name: 'Kaydet' }).click();
    await first.waitForURL(`**${VEHICLES}/${id}`);
    await eventually(() => one('vehicles', id)).toMatchObject({ color: 'Krem' });
    await panel.done(first);
    await panel.done(second);
  });

  test('a customer deleted from the list comes back; the owner erases one for good', async () => {
    const id = await service.customer(accountId, { first_name: 'Nazlı', last_name: 'Giden' });
    const page = await panel.open(owner, CUSTOMERS);
    await page.getByRole('button', { name: 'Nazlı Giden için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Sil' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sil' }).click();
    await page.getByRole('button', { name: 'Geri al' }).click();
    await eventually(async () => (await one<{ deleted_at: Date | null }>('customers', id)).deleted_at).toBeNull();
    await page.getByRole('button', { name: 'Nazlı Giden için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Sil' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sil' }).click();
    await page.getByRole('button', { name: 'Nazlı Giden için işlemler' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Silinenler' }).click();
    await page.getByRole('button', { name: 'Geri yükle: Nazlı Giden' }).click();
    await eventually(async () => (await one<{ deleted_at: Date | null }>('customers', id)).deleted_at).toBeNull();
    await main(page).getByText('Silinmiş müşteri yok.').waitFor();
    await eventually(() => isFocusIn(page, 'main')).toBe(true);

    await panel.go(page, `${CUSTOMERS}/${id}`);
    await page.getByRole('button', { name: 'Müşteriyle ilgili diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Kişisel verileri yok et' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('Nazlı');
    await eventually(() => dialog.getByRole('button', { name: 'Yok et' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Nazlı Giden');
    await dialog.getByRole('button', { name: 'Yok et' }).click();
    await page.waitForURL(`**${CUSTOMERS}`);
    await eventually(() => one('customers', id)).toMatchObject({ first_name: 'Silinmiş', phone: '+0000000' });
    await panel.done(page);

    const other = await service.customer(accountId, { first_name: 'Kalan', last_name: 'Kişi' });
    const selling = await panel.open(sales, `${CUSTOMERS}/${other}`);
    await selling.getByRole('button', { name: 'Müşteriyle ilgili diğer işlemler' }).click();
    await eventually(() => selling.getByRole('menuitem').allTextContents()).toEqual(['Sil']);
    await panel.done(selling);
  });
});
