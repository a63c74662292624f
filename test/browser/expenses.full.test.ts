// Money out, as a dealer enters it: a repair with its receipt, the rent by a rule, cash from the bank, the counted till and the month's profit.
import type { Page } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { dayFrom } from '../support/clock.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

const PDF = { name: 'fis.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') };

describe.skipIf(isBrowserMissing())('expenses in the panel', () => {
  const panel = panelTest({ at: `${dayFrom(0)}T10:00:00Z` });
  let dealer: Dealer;
  let owner: TestPerson;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
  });

  /** A message that was just shown is a dialog too, but no layer. */
  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');
  const main = (page: Page) => page.getByRole('main');
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();
  const submit = async (page: Page, name: string) => {
    await dialog(page).getByRole('button', { name }).click();
    await dialog(page).waitFor({ state: 'detached' });
  };

  test('a repair of a car with its receipt, and its reversal', async () => {
    const car = await carOf(dealer);
    const page = await panel.open(owner, `/panel/araclar/${car}`);
    await region(page, 'Giderler').getByRole('button', { name: 'Gider gir' }).click();
    await dialog(page).getByLabel('Tutar', { exact: true }).fill('120,50');
    await dialog(page).getByLabel('Kime ödendi').fill('Sanayi Oto');
    await dialog(page).locator('input[type=file]').setInputFiles(PDF);
    await look(page, 'expense-form', { narrow: true });
    await submit(page, 'Gider gir');
    await eventually(() => region(page, 'Giderler').textContent()).toMatch(/Onarım.*£120,50/);
    await panel.follow(page, '/panel/giderler');
    await eventually(() => main(page).textContent()).toContain('Sanayi Oto');
    await look(page, 'expenses', { narrow: true });
    await page.getByRole('link', { name: /^G-/ }).click();
    await dialog(page).getByRole('button', { name: 'Dosyayı aç' }).waitFor();
    await look(page, 'expense', { narrow: true });
    await dialog(page).getByRole('button', { name: 'Ters kayıt' }).click();
    await page.getByLabel('Neden', { exact: true }).fill('iki kez girildi');
    await dialog(page).last().getByRole('button', { name: 'Ters kayıt' }).click();
    await eventually(() => dialog(page).count()).toBe(1);
    await eventually(() => dialog(page).textContent()).toContain('Ters kaydını aç');
    await page.keyboard.press('Escape');
    await eventually(() => region(page, 'Giderler').locator('tbody tr').count()).toBe(2);
    await panel.done(page);
  });

  test('rent is proposed on its day, fuel is entered; the till is counted after a transfer; both are in the profit', async () => {
    const page = await panel.open(owner, '/panel/giderler/duzenli');
    await page.getByRole('button', { name: 'Düzenli gider ekle' }).click();
    await dialog(page).getByLabel('Tutar', { exact: true }).fill('750');
    await dialog(page)
      .getByLabel('Ayın günü')
      .fill(String(Number(dayFrom(0).slice(8))));
    await submit(page, 'Düzenli gider ekle');
    const proposals = region(page, 'Bekleyen düzenli giderler');
    await proposals.waitFor();
    await look(page, 'recurring-expenses', { narrow: true });
    await proposals.getByRole('button', { name: 'Gir', exact: true }).click();
    await proposals.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Liste', exact: true }).click();
    await main(page).getByRole('button', { name: 'Gider gir' }).click();
    await dialog(page).getByLabel('Kategori').selectOption('Yakıt');
    await dialog(page).getByLabel('Tutar', { exact: true }).fill('40');
    await dialog(page).getByLabel('Yöntem').selectOption('Kredi Kartı');
    await submit(page, 'Gider gir');

    await panel.follow(page, '/panel/tahsilat/kasa');
    await page.getByRole('button', { name: 'Transfer gir' }).click();
    await dialog(page).getByLabel('Nereden').selectOption('Banka');
    await dialog(page).getByLabel('Nereye').selectOption({ index: 0 });
    await dialog(page).getByLabel('Tutar', { exact: true }).fill('1000');
    await look(page, 'transfer-form', { narrow: true });
    await submit(page, 'Transfer gir');
    await eventually(() => region(page, 'Kasa transferleri').textContent()).toMatch(/V-\d{4}-00001.*Banka.*£1\.000,00/);
    // 1,000.00 from the bank less the rent of 750.00; the repair was reversed, and a card leaves the till as it is.
    await page.getByLabel('Sayılan: Nakit, STG').fill('250');
    await look(page, 'till-with-cash-out', { narrow: true });
    await page.getByRole('button', { name: 'Günü kapat' }).click();
    await main(page).getByText('Bu gün kapatılmış.').waitFor();

    await panel.follow(page, '/panel/tahsilat/nakit-akisi');
    // The next eleven months have the rent.
    await eventually(() => main(page).textContent()).toMatch(/Beklenen gider · [^£]*£8\.250,00/);
    await eventually(() => region(page, 'Nakit akışı, STG').locator('tbody tr').last().textContent()).toContain('-£750,00');
    await panel.follow(page, '/panel/raporlar?report=profit-loss');
    const profit = region(page, 'Para birimine göre').locator('tbody tr');
    // Rent 750.00 and fuel 40.00.
    await eventually(() => profit.textContent()).toMatch(/£790,00.?£790,00$/);
    await panel.done(page);
  });

  test('a viewer finds no expenses and no till', async () => {
    const viewer = await newPerson(panel.service, { accountId: dealer.accountId, role: 'viewer' });
    const page = await panel.open(viewer, '/panel/tahsilat/nakit-akisi');
    await main(page).getByText('Henüz taksitli satış ya da tahsilat yok.').waitFor();
    await eventually(() => main(page).getByRole('link', { name: 'Nakit akışı' }).count()).toBe(1);
    await eventually(() => main(page).getByRole('link', { name: 'Kasa kapanışı', exact: true }).count()).toBe(0);
    await eventually(() => page.getByRole('link', { name: 'Giderler' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('kasa');
    await eventually(() => page.getByRole('option').first().textContent()).toContain('«kasa» ara');
    await page.keyboard.press('Escape');
    await panel.done(page);
  });
});
