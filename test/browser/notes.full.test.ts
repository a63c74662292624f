// Promissory notes as the one who keeps them sees them: written for a sale, printed once, given to the bank, looked up again.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { dayFrom } from '../support/clock.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('promissory notes in the panel', () => {
  const panel = panelTest({ at: `${dayFrom(0)}T10:00:00Z` });
  let dealer: Dealer;
  let finance: TestPerson;
  let viewer: TestPerson;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    finance = await newPerson(panel.service, { accountId: dealer.accountId, role: 'finance' });
    viewer = await newPerson(panel.service, { accountId: dealer.accountId, role: 'viewer' });
  });

  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');
  const rows = (page: Page) => page.getByRole('region', { name: 'Senetler' }).locator('tbody tr');

  async function aSale(last_name: string, installment_count: number): Promise<string> {
    const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer, { first_name: 'Ayşe', last_name })];
    const terms = { sale_price: '5000.00', sale_date: dayFrom(-90), first_due_date: dayFrom(-30), installment_count };
    return dataOf(await sell(dealer, { vehicle_id, customer_id, ...terms })).id;
  }

  test('are written for a sale, printed once as originals, and given to the bank together', async () => {
    await aSale('Karaosmanoğlu', 5);
    const page = await panel.open(finance, '/panel/senetler');
    await page.getByText('Henüz senet yok').waitFor();
    await page.getByRole('button', { name: 'Senet düzenle' }).click();
    await dialog(page).getByLabel('Satış', { exact: true }).fill('Karaosman');
    await dialog(page)
      .getByRole('option', { name: /Ayşe Karaosmanoğlu/ })
      .click();
    await dialog(page).getByText('Açık ve senetsiz taksitlerin hepsi (5)').waitFor();
    await dialog(page).getByLabel('Düzenleme yeri', { exact: true }).fill('Lefkoşa');
    await dialog(page)
      .getByLabel(/^5\. taksit/)
      .uncheck();
    await look(page, 'note-issue');
    await dialog(page).getByRole('button', { name: '4 senet düzenle' }).click();

    // What was just written is to be printed next.
    await dialog(page).getByText('4 asıl').waitFor();
    const well = dialog(page).getByRole('button', { name: 'Yazdırdım, doğru çıktı' });
    await eventually(() => well.isDisabled()).toBe(true);
    await look(page, 'note-print');
    const [paper] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog(page).getByRole('link', { name: 'Önizle ve yazdır' }).click(),
    ]);
    await paper.close();
    await well.click();
    await eventually(() => rows(page).count()).toBe(4);
    await eventually(() => rows(page).first().textContent()).toContain('Aslı basıldı');
    await eventually(() => rows(page).first().textContent()).toContain('Vadesi geçti');

    await page.getByLabel('Bu sayfadaki 4 senedi seç').check();
    await page.getByRole('region', { name: 'Seçilen senetler' }).getByRole('button', { name: 'Yazdır', exact: true }).click();
    await dialog(page).getByText('4 örnek').waitFor();
    await eventually(() => dialog(page).getByRole('button', { name: 'Yazdırdım, doğru çıktı' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await look(page, 'notes-selected');
    await page.getByRole('region', { name: 'Seçilen senetler' }).getByRole('button', { name: 'Taşı' }).click();
    await dialog(page).getByLabel('Nereye').selectOption('Bankada');
    await dialog(page).getByRole('button', { name: 'Bankaya ver' }).click();
    await dialog(page).getByRole('alert').first().waitFor();
    await dialog(page).getByLabel('Banka ve şube').fill('İş Bankası, Lefkoşa Şubesi');
    await look(page, 'notes-move');
    await dialog(page).getByRole('button', { name: 'Bankaya ver' }).click();
    await eventually(() => rows(page).filter({ hasText: 'İş Bankası, Lefkoşa Şubesi' }).count()).toBe(4);
    // The bank signs for them.
    const [slip] = await Promise.all([
      page.context().waitForEvent('request', (request) => request.url().includes('slip.pdf')),
      page.getByRole('button', { name: 'Bordroyu aç' }).click(),
    ]);
    expect(slip.url()).toContain('purpose=Tahsile');
    await panel.done(page);
  });

  test('are found by where they are, opened beside the list, and moved from there', async () => {
    const sale_id = await aSale('Çağlar', 3);
    dataOf(await dealer.post('promissory-notes', { sale_id, issue_place: 'Girne' }));
    const page = await panel.open(finance, `/panel/senetler?sale_id=${sale_id}`);
    await eventually(() => rows(page).count()).toBe(3);
    await rows(page).first().getByRole('link').first().click();
    await dialog(page).getByText('Girne').first().waitFor();
    await look(page, 'note');
    await dialog(page).getByRole('button', { name: 'Protesto edildi' }).click();
    await dialog(page).getByRole('button', { name: 'Protesto edildi' }).last().click();
    await dialog(page).getByText('Protestolu').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Protestolu\s*1/ }).waitFor();
    await page.getByRole('button', { name: /^Protestolu/ }).click();
    await eventually(() => rows(page).count()).toBe(1);
    await rows(page)
      .first()
      .getByRole('button', { name: /için işlemler/ })
      .click();
    await page.getByRole('menuitem', { name: 'İptal et' }).click();
    await dialog(page).getByLabel('İptal nedeni').fill('Yanlış isim');
    await look(page, 'note-cancel');
    await dialog(page).getByRole('button', { name: 'İptal et' }).click();
    await page.getByText('Bu filtrelere uyan senet yok.').waitFor();
    // The register itself opens with what is still to be paid; what was cancelled is one press away.
    await page.getByRole('button', { name: 'Filtreleri temizle' }).first().click();
    const cancelled = rows(page).filter({ hasText: 'İptal' });
    await eventually(() => rows(page).count()).toBe(6);
    await eventually(() => cancelled.count()).toBe(0);
    await page.getByRole('button', { name: /^Tümü/ }).click();
    await eventually(() => cancelled.count()).toBe(1);
    await panel.done(page);
  });

  test('a viewer reads the register and nothing else', async () => {
    const page = await panel.open(viewer, '/panel/senetler');
    await rows(page).first().waitFor();
    await eventually(() => page.getByRole('button', { name: 'Senet düzenle' }).count()).toBe(0);
    await eventually(() => page.getByRole('checkbox').count()).toBe(0);
    await rows(page)
      .first()
      .getByRole('button', { name: /için işlemler/ })
      .click();
    await page.getByRole('menuitem').first().waitFor();
    await eventually(() => page.getByRole('menuitem').allTextContents()).toEqual(['Aç']);
    await panel.done(page);
  });
});
