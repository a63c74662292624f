// Money between a dealer and the platform, in a real browser: asked for with a receipt, approved by an administrator, spent on a boost.
import { beforeAll, describe, expect, test } from 'vitest';
import { proveLedger } from '../../src/jobs/prove-ledger.ts';
import type { Log } from '../../src/kit/log.ts';
import { openSession } from '../../src/postgres/database.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { carOf, newKey } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { listedCar } from '../support/market.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { invoice, loadWallet } from '../support/platform.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';

const PDF = { name: 'dekont.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n% dekont\n%%EOF\n') };

const QUIET = { error: () => {} } as unknown as Log;

describe.skipIf(isBrowserMissing())('wallet, boosts and membership in the panel', () => {
  const panel = panelTest();
  let dealer: Dealer;
  let owner: TestPerson;
  let seller: TestPerson;
  let admin: TestPerson;

  beforeAll(async () => {
    const { service } = panel;
    await openAll(service);
    dealer = await newDealer(service);
    owner = await newPerson(service, { accountId: dealer.accountId });
    seller = await newPerson(service, { accountId: dealer.accountId, role: 'sales' });
    admin = await newPerson(service, { admin: true });
    await listedCar(dealer, await carOf(dealer, { price: '13900.00' }));
    await invoice(service, dealer.accountId);
  });

  test('a top-up is asked for with its receipt, approved, and buys a boost', async () => {
    const page = await panel.open(owner, '/panel/cuzdan');
    await page.getByText('Yükleme talebi yok').waitFor();
    await page.getByRole('button', { name: 'Bakiye yükle' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Tutar (TL)').fill('5.000');
    await eventually(() => form.getByLabel(/^Açıklama kodu/).inputValue()).toMatch(/^CZ-/);
    await form.getByLabel(/^Açıklama kodu/).fill('DK-42');
    await form.getByLabel(/^Dekont \(/).setInputFiles(PDF);
    await form.getByRole('button', { name: 'Talebi gönder' }).click();
    await page.getByText('Talep gönderildi', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Dekont 1' }).waitFor();
    await eventually(() => page.getByRole('main').textContent()).toContain('DK-42');

    const office = await panel.open(admin, '/panel/yonetim/yuklemeler');
    await office.getByRole('button', { name: /^Onayla:/ }).waitFor();
    await office.getByRole('button', { name: 'Dekont 1' }).waitFor();
    await look(office, 'admin-topups', { narrow: true });
    await office.getByRole('button', { name: /^Onayla:/ }).click();
    await office.getByRole('dialog').getByLabel('Tutarı yeniden yazın').fill('500');
    await office.getByRole('dialog').getByRole('button', { name: 'Onayla' }).click();
    await office.getByText('talep 5.000,00 tutarında').first().waitFor();
    await office.getByRole('dialog').getByLabel('Tutarı yeniden yazın').fill('5.000,00');
    await office.getByRole('dialog').getByRole('button', { name: 'Onayla' }).click();
    await office.getByText('Yükleme onaylandı').first().waitFor();
    await office.getByText('Bekleyen talep yok').waitFor();
    await panel.done(office);

    await page.reload();
    await eventually(() => page.getByRole('main').textContent()).toContain('Onaylandı');
    await eventually(() => page.getByRole('main').textContent()).toContain('+₺5.000');
    await look(page, 'wallet', { narrow: true });

    await panel.go(page, '/panel/boost');
    await look(page, 'boosts', { narrow: true });
    await page.getByRole('button', { name: 'Üst Sıra, 14 gün: satın al' }).click();
    await page.getByRole('dialog').getByLabel('İlan').selectOption({ index: 1 });
    await page.getByText('Siparişten sonra cüzdanda').waitFor();
    await eventually(() => page.getByRole('dialog').textContent()).toContain('3.100');
    await page.getByRole('dialog').getByRole('button', { name: 'Satın al' }).click();
    await page.getByText('Doping satın alındı').first().waitFor();
    await eventually(() => page.getByRole('table').textContent()).toContain('Üst Sıra, 14 gün');
    expect((await dealer.get('wallet')).json.data.balance).toBe('3100.00');
    await panel.done(page);
  });

  test('a boost that has not begun is given back', async () => {
    const [listing] = (await dealer.get('marketplace/listings')).json.data;
    const starts_at = new Date(Date.now() + 2 * 86_400_000).toISOString();
    await dealer.post('boost-orders', { listing_id: listing.id, package: 'Acil-7', starts_at }, newKey());
    const page = await panel.open(seller, '/panel/boost?status=Beklemede');
    await page.getByRole('button', { name: 'İptal et' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'İptal et' }).click();
    await page.getByText('Doping iptal edildi, bedeli iade edildi').first().waitFor();
    expect((await dealer.get('wallet')).json.data.balance).toBe('3100.00');
    // A seller boosts, but does not see the wallet.
    await eventually(() => page.getByRole('navigation').getByText('Cüzdan').count()).toBe(0);
    await panel.done(page);
  });

  test('the membership shows its limits and invoices; an administrator changes them', async () => {
    const office = await panel.open(admin, `/panel/yonetim/hesaplar/${dealer.accountId}/uyelik`);
    await office.getByRole('button', { name: 'Planı değiştir' }).click();
    await office.getByRole('dialog').getByLabel('Plan', { exact: true }).selectOption('Profesyonel');
    await office
      .getByRole('dialog')
      .getByLabel(/^Araç limiti/)
      .fill('1');
    await office.getByRole('dialog').getByRole('button', { name: 'Kaydet' }).click();
    await office.getByText('Plan değişti').first().waitFor();
    await office.getByText('Limit doldu').waitFor();
    await look(office, 'admin-plan', { narrow: true });
    await office.getByRole('button', { name: 'Ödendi olarak işaretle' }).click();
    await office.getByRole('alertdialog').getByRole('button', { name: 'Ödendi olarak işaretle' }).click();
    await office.getByText('Fatura ödendi').first().waitFor();
    await panel.done(office);

    const page = await panel.open(owner, '/panel/uyelik');
    await page.getByText('Limit doldu: yenisi eklenemez').waitFor();
    const text = await page.getByRole('main').textContent();
    expect(text).toContain('Profesyonel');
    expect(text).toContain('Ödendi');
    await look(page, 'membership', { narrow: true });
    await panel.done(page);
    expect((await dealer.get('wallet')).json.data.balance).toBe('1300.00');
  });

  test('a wallet that was changed directly in the database shows a banner to administrators only', async () => {
    const { service } = panel;
    const planted = await newDealer(service);
    await loadWallet(service, planted.accountId, '100.00');
    const session = await openSession(service.adminUrl);
    const change = (by: number) =>
      session.rows(`alter table wallets disable trigger all;
        update wallets set balance_minor = balance_minor + ${by} where account_id = '${planted.accountId}';
        alter table wallets enable trigger all`);
    const prove = () => proveLedger({ database: service.database, log: QUIET }, new Date());
    const alert = 'muhasebe defteri denk değil';
    await change(7);
    await prove();
    const office = await panel.open(admin, '/panel');
    await office.getByRole('alert').filter({ hasText: alert }).waitFor();
    const page = await panel.open(owner, '/panel/cuzdan');
    await page.getByRole('heading', { name: 'Cüzdan' }).waitFor();
    await eventually(() => page.getByText(alert).count()).toBe(0);
    await change(-7);
    await session.close();
    await prove();
    await office.reload();
    await office.getByRole('heading').first().waitFor();
    await eventually(() => office.getByText(alert).count()).toBe(0);
    await panel.done(office);
    await panel.done(page);
  });

  test('a dealer without the marketplace sees why there is nothing to buy', async () => {
    const quiet = await newDealer(panel.service);
    const session = await openSession(panel.service.adminUrl);
    await session.rows('update accounts set marketplace = false where id = $1', [quiet.accountId]);
    await session.close();
    const page = await panel.open(await newPerson(panel.service, { accountId: quiet.accountId }), '/panel/boost');
    await page.getByText('Doping bu hesapta açık değil.').waitFor();
    await eventually(() => page.getByRole('button', { name: /satın al/ }).count()).toBe(0);
    await panel.done(page);
  });
});
