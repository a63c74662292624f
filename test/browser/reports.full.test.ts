// Reports in a real browser: figures by group and currency, the address keeps what was chosen, and cost is for owner and finance alone.
import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '../../src/kit/clock.ts';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, PASSWORD, type TestPerson } from '../panel/people.ts';
import { carOf, customerOf, dataOf, sell, storeRates } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { consumersLook, listedCar } from '../support/market.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { newDealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('reports in the panel', () => {
  const panel = panelTest({ env: { SMTP_URL: 'smtp://127.0.0.1:9?from=galeri@example.com' } });
  let owner: TestPerson;
  let seller: TestPerson;

  beforeAll(async () => {
    const { service } = panel;
    await openAll(service);
    const dealer = await newDealer(service);
    owner = await newPerson(service, { accountId: dealer.accountId });
    seller = await newPerson(service, { accountId: dealer.accountId, role: 'sales' });
    const vehicle_id = await carOf(dealer, { purchase_price: '11000.00' });
    const customer_id = await customerOf(dealer);
    dataOf(await sell(dealer, { vehicle_id, customer_id, sale_price: '14321.00' }));
    const earlier = dayIn(new Date(service.clock.now().getTime() - 40 * 86_400_000), 'Europe/Istanbul');
    const old = { vehicle_id: await carOf(dealer, { stock_date: earlier }), sale_date: earlier, sale_price: '9876.00' };
    dataOf(await sell(dealer, { customer_id, ...old }));
    const { id } = await listedCar(dealer, await carOf(dealer));
    await consumersLook(service, id, 'view', 7);
  });

  test('the sales of this month, by brand, and what they earned', async () => {
    const page = await panel.open(owner, '/panel/raporlar');
    await eventually(() => page.textContent('main')).toContain('14.321');
    await page.getByLabel('Gruplama').selectOption('brand');
    await eventually(() => page.url()).toContain('group_by=brand');
    await eventually(() => page.textContent('main')).toContain('Volkswagen');
    await look(page, 'reports');
    await page.getByRole('button', { name: 'Kâr-zarar' }).click();
    await eventually(() => page.textContent('main')).toContain('3.321');
  });

  test('everything in one currency with the rates that made it, and the cars that are longest in stock', async () => {
    const { service } = panel;
    const today = dayIn(service.clock.now(), 'Europe/Istanbul');
    const page = await panel.open(owner, '/panel/raporlar');
    await eventually(() => page.textContent('main')).toContain('14.321');
    await page.getByLabel('Tek para biriminde').selectOption('TL');
    // Without a bulletin the report stays, and says why.
    await page.getByText('KKTCMB kaynağının', { exact: false }).waitFor();
    await eventually(() => page.textContent('main')).toContain('14.321');
    for (const source of ['KKTCMB', 'TCMB'] as const) await storeRates(service, source, today);
    await page.reload();
    await page.getByRole('region', { name: 'Tek para biriminde toplam' }).waitFor();
    expect(page.url()).toContain('convert_to=TL');
    await eventually(() => page.textContent('main')).toMatch(/STG-TL 64,2000/);
    await look(page, 'reports-valued');
    await page.getByRole('button', { name: 'Stok yaşı' }).click();
    await page.getByRole('region', { name: 'En uzun süredir stokta' }).getByRole('link', { name: 'Volkswagen Golf' }).waitFor();
    await page.getByText('STG-TL 64,2000').waitFor();
    const ages = await page.getByRole('region', { name: 'Para birimine göre' }).textContent();
    expect(ages, 'an average as Turkish writes it').not.toMatch(/\d\.\d(?!\d)/);
    await look(page, 'reports-stock');
  });

  test('the last twelve months as bars for each currency, and as files', async () => {
    const page = await panel.open(owner, '/panel/raporlar');
    await page.getByRole('button', { name: 'Son 12 ay' }).click();
    await page.getByRole('heading', { name: 'Satış tutarı, STG' }).waitFor();
    await page.locator('figure canvas').waitFor();
    await eventually(() => page.textContent('main')).toContain('9.876');
    await look(page, 'reports-chart');
    for (const [name, ending] of [
      ['Excel indir', '.xlsx'],
      ['PDF indir', '.pdf'],
    ] as const) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      expect(file.suggestedFilename()).toMatch(new RegExp(`^satışlar-.+\\${ending}$`));
    }
  });

  test('what listings brought, and a file of costs that wants the password again', async () => {
    const page = await panel.open(owner, '/panel/raporlar?report=marketplace-performance');
    await page.getByRole('heading', { name: 'Toplam' }).waitFor();
    await eventually(() => page.textContent('main')).toContain('Volkswagen');
    await look(page, 'reports-listings', { on: 'desk' });
    await page.getByRole('button', { name: 'Kâr-zarar' }).click();
    await eventually(() => page.textContent('main')).toContain('3.321');
    await panel.service.database.onPlatform('write', (db) => db.exec(sql`update sessions set reauthenticated_at = null`));
    await page.getByRole('button', { name: 'Excel indir' }).click();
    await page.getByRole('dialog').getByLabel('Parola').fill(PASSWORD);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Devam et' }).click(),
    ]);
    expect(file.suggestedFilename()).toContain('kâr-zarar');
  });

  test('a report of one’s own, kept in the address', async () => {
    const page = await panel.open(owner, '/panel/raporlar?report=custom');
    await page.getByLabel('Satış tutarı').check();
    await page.getByLabel('Gruplama').selectOption('brand');
    await eventually(() => page.textContent('main')).toMatch(/Volkswagen.*14\.321/s);
    expect(page.url()).toContain('group_by=brand');
    expect(page.url()).toContain('sum_sale_price');
    await look(page, 'reports-custom');
    await page.getByLabel('Başlangıç').fill('2020-01-01');
    await page.getByLabel('Bitiş').fill(dayIn(panel.service.clock.now(), 'Europe/Istanbul'));
    await eventually(() => page.textContent('main')).toContain('366');
    for (const name of ['Adet', 'Satış tutarı']) await page.getByLabel(name, { exact: true }).uncheck();
    await page.getByText('En az bir, en çok dört ölçü seçin.').waitFor();
  });

  test('a report goes out by mail every month, and is taken off again', async () => {
    const page = await panel.open(owner, '/panel/raporlar?report=profit-loss');
    await page.getByRole('button', { name: 'E-postayla gönder' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Henüz e-postayla gönderilen rapor yok.').waitFor();
    // Neither cost nor debtors can be chosen.
    const offered = await dialog.getByLabel('Rapor').locator('option').allTextContents();
    expect(offered).toEqual(['Satışlar', 'Tahsilat', 'Stok yaşı', 'Satış danışmanları', 'İlan performansı']);
    await dialog.getByLabel('E-posta adresi').fill('olmaz');
    await dialog.getByRole('button', { name: 'Ekle' }).click();
    await dialog.getByText('e-posta adresi', { exact: false }).last().waitFor();
    await dialog.getByLabel('Sıklık').selectOption('Aylık');
    await dialog.getByLabel('E-posta adresi').fill('patron@example.com');
    await dialog.getByRole('button', { name: 'Ekle' }).click();
    await dialog.getByText('Satışlar · Aylık').waitFor();
    await look(page, 'reports-mail');
    await dialog.getByRole('button', { name: /göndermeyi bırak$/ }).click();
    await dialog.getByText('Henüz e-postayla gönderilen rapor yok.').waitFor();
  });

  test('a seller sees no turnover: the menu has no reports, and their address leads to the own figures', async () => {
    const page = await panel.open(seller, '/panel/raporlar?report=profit-loss');
    await eventually(() => page.textContent('main')).toContain('Kendi satışlarınızın rakamları ana sayfadadır');
    await eventually(() => page.textContent('main')).not.toContain('14.321');
    await eventually(() => page.getByRole('button', { name: 'Kâr-zarar' }).count()).toBe(0);
    await eventually(() => page.getByRole('navigation', { name: 'Menü' }).getByText('Raporlar').count()).toBe(0);
  });
});
