// The papers of a sale as the one who sells sees them: what is missing, what was made of it, and every document in one list.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, collect, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { dayFrom } from '../support/clock.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { aJpeg } from '../support/pictures.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('papers in the panel', () => {
  const panel = panelTest({ at: `${dayFrom(0)}T10:00:00Z` });
  let dealer: Dealer;
  let owner: TestPerson;
  let sale: string;
  let customer: string;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
    customer = await customerOf(dealer, { first_name: 'Şükran', last_name: 'Karamehmetoğulları' });
    const terms = { sale_price: '3000.00', sale_date: dayFrom(-60), first_due_date: dayFrom(-20), installment_count: 3 };
    sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: customer, ...terms })).id;
  });

  const dialog = (page: Page) => page.locator('[role=dialog][data-layer]');
  const papers = (page: Page) => page.getByRole('region', { name: 'Evrak' });
  /** A paper opens in a tab of its own. */
  const opened = async (page: Page, part: string, press: () => Promise<void>): Promise<void> => {
    const [request] = await Promise.all([page.context().waitForEvent('request', (one) => one.url().includes(part)), press()]);
    expect((await request.response())?.status()).toBe(200);
    for (const tab of page.context().pages()) if (tab !== page) await tab.close();
  };

  test('a sale says which papers it lacks, and each is made from it and opened', async () => {
    const page = await panel.open(owner, `/panel/satislar/${sale}`);
    await papers(page).getByText('4 evrak eksik').waitFor();
    await eventually(() => papers(page).textContent()).toContain('Senet düzenlenmedi, 3 taksit açık');
    await papers(page).getByRole('button', { name: 'Oluştur: Ödeme Planı' }).click();
    await dialog(page).getByLabel('Belgeye eklenecek not').fill('Ödemeler ayın yirmisinde.');
    await look(page, 'paper-generate');
    await dialog(page).getByRole('button', { name: 'Oluştur' }).click();
    await papers(page).getByText('3 evrak eksik').waitFor();
    await eventually(() => papers(page).textContent()).toContain('Taslak');
    await look(page, 'sale-papers');
    await opened(page, '/files/', () => papers(page).getByRole('button', { name: /^Aç: / }).first().click());

    await papers(page).getByRole('button', { name: 'Senet düzenle' }).click();
    await dialog(page).getByLabel('Düzenleme yeri', { exact: true }).fill('Girne');
    await dialog(page).getByRole('button', { name: '3 senet düzenle' }).click();
    await dialog(page).getByText('3 asıl').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => papers(page).textContent()).toContain('3 senet, 0 tanesi basıldı');
    await panel.done(page);
  });

  test('money has its receipt, a late sale its letter, a customer their statement', async () => {
    const money = dataOf(await collect(dealer, sale, '100.00'));
    const page = await panel.open(owner, `/panel/satislar/${sale}`);
    const number = page.getByRole('link', { name: `${money.receipt_no} makbuzunu aç` });
    await opened(page, 'receipt.pdf', () => number.click());
    await page.getByRole('button', { name: `${money.receipt_no} için işlemler` }).click();
    await opened(page, 'size=80mm', () => page.getByRole('menuitem', { name: 'Makbuz, 80 mm' }).click());
    await page.locator('main header').getByRole('button', { name: 'Diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: 'İhtar mektubu' }).click();
    await look(page, 'notice');
    await dialog(page).getByRole('button', { name: 'Mektubu hazırla' }).click();
    await opened(page, 'notice.pdf', () => dialog(page).getByRole('link', { name: 'Aç ve yazdır' }).click());
    await dialog(page).getByRole('button', { name: 'Hukuki durumu «İhtar» yap' }).click();
    await eventually(async () => dataOf(await dealer.get(`sales/${sale}`)).legal_stage).toBe('İhtar');
    await panel.go(page, `/panel/musteriler/${customer}/ekstre`);
    await opened(page, 'statement.pdf', () => page.getByRole('link', { name: 'Ekstreyi yazdır' }).click());
    // A browser that has a viewer of its own shows the paper over the screen.
    await page.evaluate(`Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true })`);
    await page.getByRole('link', { name: 'Ekstreyi yazdır' }).click();
    await dialog(page).locator('iframe[title="Ekstre: önizleme"]').waitFor();
    await look(page, 'paper-preview', { on: 'desk' });
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await panel.done(page);
  });

  test('every document is in one list, and another is made from there', async () => {
    const page = await panel.open(owner, '/panel/belgeler');
    const rows = page.getByRole('region', { name: 'Belgeler' }).locator('tbody tr');
    await eventually(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Belge oluştur' }).click();
    await dialog(page).getByLabel('Satış', { exact: true }).fill('Karamehmet');
    await dialog(page)
      .getByRole('option', { name: /Karamehmetoğulları/ })
      .click();
    await dialog(page).getByLabel('Şablon').selectOption({ label: 'Teslim Tutanağı' });
    await look(page, 'document-choose');
    await dialog(page).getByRole('button', { name: 'Devam' }).click();
    await dialog(page).getByRole('button', { name: 'Oluştur' }).click();
    await eventually(() => rows.count()).toBe(2);
    await look(page, 'documents', { narrow: true, touch: true });
    await page.getByRole('button', { name: 'Yüklendi' }).click();
    await page.getByText('Bu filtrelere uyan belge yok.').waitFor();
    await panel.done(page);
  });

  test('a paper is sent by link, another is signed on paper and its scan closes it, a third is void', async () => {
    const page = await panel.open(owner, `/panel/satislar/${sale}`);
    const made = async (name: string) => {
      await papers(page)
        .getByRole('button', { name: `Oluştur: ${name}` })
        .click();
      await dialog(page).getByRole('button', { name: 'Oluştur' }).click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    const act = async (paper: RegExp, name: string) => {
      await papers(page).getByRole('button', { name: paper }).first().click();
      await page.getByRole('menuitem', { name }).click();
    };
    await made('KVKK Aydınlatma');
    await act(/^KVKK aydınlatma metni için/, 'İmzaya gönder');
    await look(page, 'document-send');
    await dialog(page).getByRole('button', { name: 'Gönder', exact: true }).click();
    await dialog(page).getByText('İmza bağlantıları').waitFor();
    await eventually(() => dialog(page).textContent()).toMatch(/Şükran Karamehmetoğulları.*\/sign\//);
    await dialog(page).getByRole('button', { name: 'Bitti' }).click();
    await eventually(() => papers(page).textContent()).toContain('Gönderildi');
    await act(/^Teslim tutanağı için/, 'İmzalı taramayı yükle');
    const scan = {
      name: 'tutanak.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'),
    };
    await dialog(page).locator('input[type=file]').setInputFiles(scan);
    await look(page, 'document-scan');
    await dialog(page).getByRole('button', { name: 'İmzalı taramayı yükle' }).click();
    await eventually(() => papers(page).textContent()).toContain('İmzalandı');
    await act(/^Ödeme planı için/, 'İptal et');
    await dialog(page).getByLabel('Neden').fill('Plan değişti');
    await dialog(page).getByRole('button', { name: 'İptal et' }).click();
    await papers(page).getByRole('button', { name: 'Oluştur: Ödeme Planı' }).waitFor();
    await panel.done(page);
  });

  test('a dealer writes clauses of its own, paper by paper', async () => {
    const page = await panel.open(owner, '/panel/ayarlar/evrak');
    const picture = { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await aJpeg() };
    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByRole('img', { name: 'Logo' }).waitFor();
    await page.getByLabel('Belge', { exact: true }).selectOption({ label: 'Teslim tutanağı' });
    await page.getByLabel('Teslim tutanağı', { exact: true }).fill('Yakıt eksiği alıcıya aittir.');
    await look(page, 'paper-settings', { narrow: true });
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.getByText('Ek hükümler kaydedildi').first().waitFor();
    await eventually(() => page.getByLabel('Belge', { exact: true }).textContent()).toContain('Teslim tutanağı (ek hüküm var)');
    await panel.done(page);
  });
});
