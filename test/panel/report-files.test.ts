// Reports as files: the same figures as the API's, cost and debtors for owner and finance only, nothing for roles that see masked
// names.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkbook } from '../../src/domain/formats/xlsx-read.ts';
import { sql } from '../../src/kit/sql.ts';
import { aDealer, carOf, customerOf, dataOf, newKey, sell, storeRates } from '../support/books.ts';
import { consumersLook, listedCar } from '../support/market.ts';
import { loadWallet } from '../support/platform.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, PASSWORD, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
let seller: Browser;
beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  const { accountId } = dealer;
  owner = await signedIn(api, await newPerson(api, { accountId }));
  seller = await signedIn(api, await newPerson(api, { accountId, role: 'sales' }));
  const customer_id = await customerOf(dealer, { first_name: 'Şükrü', last_name: '=Işık' });
  const terms = {
    sale_price: '14321.50',
    currency: 'STG',
    sale_date: '2026-11-02',
    first_due_date: '2026-11-05',
    installment_count: 3,
  };
  const vehicle_id = await carOf(dealer, { purchase_price: '11000.00', brand: 'Volkswagen' });
  dataOf(await sell(dealer, { vehicle_id, customer_id, ...terms }));
});
afterAll(() => api.close());

async function fileOf(browser: Browser, path: string): Promise<{ status: number; bytes: Buffer; name: string }> {
  const response = await fetch(`${browser.url}/panel/api/${path}`, {
    headers: { cookie: browser.cookieText(), 'sec-fetch-site': 'same-origin', 'accept-language': 'tr' },
  });
  const name = decodeURIComponent(/''(.+)$/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '');
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()), name };
}

async function sheets(path: string): Promise<Record<string, unknown[][]>> {
  const { status, bytes } = await fileOf(owner, path);
  expect(status, path).toBe(200);
  const workbook = await openWorkbook(bytes);
  const read = async (name: string) =>
    (await Array.fromAsync(workbook.rows(name)))
      .slice(2)
      .map(({ cells }) => cells.map(({ value }) => value))
      .filter((cells) => !cells.some((cell) => /^Toplam \(/.test(String(cell))));
  return Object.fromEntries(await Promise.all(workbook.sheets.map(async (name) => [name, await read(name)] as const)));
}

test('a workbook has a sheet for each table, with numbers', async () => {
  const sales = await sheets('reports/report.xlsx?report=sales-summary&group_by=brand');
  expect(Object.keys(sales)).toEqual(['Gruplara göre', 'Para birimine göre']);
  expect(sales['Gruplara göre']![0]!.slice(0, 4)).toEqual(['Marka', 'Para birimi', 'Satış', 'Satış tutarı']);
  expect(sales['Gruplara göre']![1]!.slice(0, 4)).toEqual(['Volkswagen', 'STG', 1, 14321.5]);
  const risk = await sheets('reports/report.xlsx?report=overdue-risk');
  expect(risk.Müşteriler![1]!.slice(0, 2)).toEqual(['Şükrü =Işık', 'STG']);
  const profit = await sheets('reports/report.xlsx?report=profit-loss');
  expect(profit['Gruplara göre']![1]!.slice(2, 7)).toEqual([14321.5, 11000, 0, 3321.5, 0.2319]);
  const custom = await sheets('custom-report/report.xlsx?dataset=sales&metrics=count,sum_sale_price&group_by=customer');
  expect(custom.Satışlar).toEqual([
    ['Müşteri', 'Para birimi', 'Adet', 'Satış tutarı'],
    ['Şükrü =Işık', 'STG', 1, 14321.5],
  ]);
  for (const name of ['collections-summary', 'inventory-aging', 'salesperson-performance', 'marketplace-performance'])
    expect(Object.keys(await sheets(`reports/report.xlsx?report=${name}`)).length, name).toBeGreaterThan(0);
});

test('converts totals into one currency and lists the rates, only on request', async () => {
  for (const source of ['KKTCMB', 'TCMB'] as const) await storeRates(api, source, '2026-11-16');
  const { totals, rates, source, rate_date } = dataOf(await dealer.get('reports/sales-summary?convert_to=TL')).converted;
  const sales = await sheets('reports/report.xlsx?report=sales-summary&convert_to=TL');
  const [titles, valued] = sales['Tek para biriminde toplam']!;
  expect(titles!.slice(0, 2)).toEqual(['Para birimi', 'Satış tutarı']);
  expect(valued!.slice(0, 2)).toEqual(['TL', Number(totals.gross_sales)]);
  expect(sales['Kullanılan kurlar']).toEqual([
    ['Kur', 'Değer', 'Kaynak', 'Kur tarihi'],
    [rates[0].pair, Number(rates[0].rate), source, rate_date],
  ]);
  for (const name of ['collections-summary', 'inventory-aging', 'profit-loss', 'overdue-risk']) {
    const input = dataOf(await dealer.get(`reports/${name}?convert_to=TL`)).converted.totals;
    const [heads, row] = (await sheets(`reports/report.xlsx?report=${name}&convert_to=TL`))['Tek para biriminde toplam'] ?? [
      [],
      [],
    ];
    const shown = Object.values(input).map(Number).sort();
    if (shown.some((amount) => amount !== 0)) expect(row!.slice(1).map(Number).sort(), name).toEqual(shown);
    else expect(heads, name).toEqual([]);
  }
  const refused = [
    'salesperson-performance&convert_to=TL',
    'inventory-aging&rate_date=2026-11-16',
    'sales-summary&rate_date=2026-11-16',
  ];
  for (const query of refused) expect((await fileOf(owner, `reports/report.xlsx?report=${query}`)).status, query).toBe(400);
});

test('the stock by status and the oldest vehicles in stock', async () => {
  await carOf(dealer, {
    brand: 'Lada',
    model: 'Niva',
    plate: 'ES 001',
    stock_date: '2025-01-02',
    price: '3000.00',
    currency: 'STG',
  });
  const stock = await sheets('reports/report.xlsx?report=inventory-aging');
  expect(stock['Duruma göre']![1]![0]).toBe('Stokta');
  expect(stock['En uzun süredir stokta']![0]).toEqual([
    ...['Araç', 'Plaka', 'Model yılı', 'Durum', 'Stokta (gün)', 'Para birimi', 'Fiyat'],
  ]);
  const [car, plate, , status, age, currency, price] = stock['En uzun süredir stokta']![1]!;
  expect([car, plate, status, age, currency, price]).toEqual(['Lada Niva', 'ES 001', 'Stokta', 683, 'STG', 3000]);
});

test('listings by title, and platform spending beside the profit', async () => {
  await loadWallet(api, dealer.accountId, '20000.00');
  const { id } = await listedCar(dealer, await carOf(dealer));
  await consumersLook(api, id, 'view', 8);
  await consumersLook(api, id, 'contact', 2);
  dataOf(await dealer.post('boost-orders', { listing_id: id, package: 'Acil-7' }, newKey()));
  const spent = dataOf(await dealer.get('reports/profit-loss')).platform_expense.amount;
  const market = await sheets('reports/report.xlsx?report=marketplace-performance');
  expect(Object.keys(market)).toEqual(['Toplam', 'Gruplara göre']);
  expect(market.Toplam![0]!.slice(0, 5)).toEqual(['İlan', 'Görüntülenme', 'Favori', 'İletişim', 'İletişim oranı']);
  expect(market.Toplam![1]!.slice(0, 5)).toEqual([1, 8, 0, 2, 0.25]);
  expect(market.Toplam![1]!.at(-1)).toBe(Number(spent));
  expect(market['Gruplara göre']![1]![0]).toContain('Volkswagen');
  const days = await sheets('reports/report.xlsx?report=marketplace-performance&group_by=day');
  expect(days['Gruplara göre']![1]!.slice(0, 2)).toEqual(['2026-11-16', 8]);
  const listings = await sheets('custom-report/report.xlsx?dataset=listings&metrics=count,sum_views&group_by=brand');
  expect(listings.İlanlar).toEqual([
    ['Marka', 'Adet', 'Görüntülenme'],
    ['Volkswagen', 1, 8],
  ]);
  const profit = await sheets('reports/report.xlsx?report=profit-loss');
  expect(profit['Platform gideri (kâr dışı)']![1]).toEqual(['TL', Number(spent)]);
});

test('a file of cost or debtors asks for a password within the last ten minutes', async () => {
  const { accountId } = dealer;
  const late = await signedIn(api, await newPerson(api, { accountId }));
  await api.database.onPlatform('write', (db) => db.exec(sql`update sessions set reauthenticated_at = null`));
  for (const format of ['csv', 'xlsx', 'pdf'])
    for (const name of ['profit-loss', 'overdue-risk'])
      expect((await fileOf(late, `reports/report.${format}?report=${name}`)).bytes.toString()).toContain(
        'reauthentication_required',
      );
  expect((await fileOf(late, 'reports/report.xlsx?report=sales-summary')).status).toBe(200);
  for (const browser of [late, owner, seller]) {
    const input = await browser.api('session/reauthenticate', { method: 'POST', body: { password: PASSWORD } });
    expect(input.status).toBe(200);
  }
  for (const format of ['csv', 'xlsx'])
    expect((await fileOf(late, `reports/report.${format}?report=profit-loss`)).status).toBe(200);
});

test('CSV of one table equals the sheet of that name, as a Turkish spreadsheet reads it', async () => {
  const lines = async (path: string) => (await fileOf(owner, path)).bytes.toString().slice(1).trimEnd().split('\r\n');
  expect(await lines('reports/report.csv?report=profit-loss')).toEqual([
    'Ay;Para birimi;Gelir;Maliyet;Araç giderleri;Brüt kâr;Kâr oranı;Maliyeti bilinmeyen;Bilinmeyenlerin geliri',
    'Kas 2026;STG;"14321,50";"11000,00";"0,00";"3321,50";"0,2319";0;"0,00"',
  ]);
  const [, debtor] = await lines('reports/report.csv?report=overdue-risk&part=customers');
  expect(debtor).toMatch(/^Şükrü =Işık;STG;/);
  expect((await fileOf(owner, 'reports/report.csv?report=profit-loss&part=customers')).status).toBe(400);
  const [heads, row] = await lines('custom-report/report.csv?dataset=sales&metrics=count,sum_sale_price&group_by=customer');
  expect([heads, row]).toEqual(['Müşteri;Para birimi;Adet;Satış tutarı', 'Şükrü =Işık;STG;1;"14321,50"']);
});

test('cost and debtors are limited to their roles, and unknown reports are refused', async () => {
  for (const format of ['csv', 'xlsx', 'pdf']) {
    for (const name of ['sales-summary', 'profit-loss', 'overdue-risk'])
      expect((await fileOf(seller, `reports/report.${format}?report=${name}`)).status, name).toBe(403);
    expect((await fileOf(owner, `reports/report.${format}?report=constructor`)).status).toBe(400);
    expect((await fileOf(owner, `reports/report.${format}?report=sales-summary&group_by=customer`)).status).toBe(400);
  }
});

test.runIf(existsSync('/usr/bin/pdftotext'))('a paper names its subject, and is marked when it is confidential', async () => {
  const textOf = async (path: string) =>
    execFileSync('pdftotext', ['-raw', '-', '-'], { input: (await fileOf(owner, path)).bytes })
      .toString()
      .replace(/\s+/g, ' ');
  const sales = await textOf('reports/report.pdf?report=sales-summary&from=2026-11-01&to=2026-11-30');
  for (const expected of ['SATIŞLAR', '01.11.2026 – 30.11.2026', 'Kas 2026', '14.321,50', 'Gruplara göre'])
    expect(sales).toContain(expected);
  expect(sales).not.toContain('GİZLİ');
  expect(await textOf('reports/report.pdf?report=profit-loss')).toContain('GİZLİ');
  expect((await fileOf(owner, 'reports/report.pdf?report=sales-summary')).name).toBe('satışlar-2026-11-01-2026-11-30.pdf');
});
