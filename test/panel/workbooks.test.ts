// Lists as Excel workbooks from the panel: the content of the CSV, with amounts as numbers and dates as dates, never for roles
// that see masked names.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkbook } from '../../src/domain/formats/xlsx-read.ts';
import { XLSX_TYPE } from '../../src/domain/formats/xlsx-write.ts';
import { carOf, collect, customerOf, dataOf, sell } from '../support/books.ts';
import { moveClock } from '../support/clock.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
let viewer: Browser;
beforeAll(async () => {
  api = await testService({ at: '2026-01-10T09:00:00Z' });
  await openAll(api);
  dealer = await newDealer(api);
  const { accountId } = dealer;
  owner = await signedIn(api, await newPerson(api, { accountId }));
  viewer = await signedIn(api, await newPerson(api, { accountId, role: 'viewer' }));
});
afterAll(() => api.close());

async function rowsOf(path: string): Promise<unknown[][]> {
  const response = await fetch(`${owner.url}/panel/api/${path}`, {
    headers: { cookie: owner.cookieText(), 'sec-fetch-site': 'same-origin', 'accept-language': 'tr' },
  });
  expect(response.status, path).toBe(200);
  expect(response.headers.get('content-type')).toBe(XLSX_TYPE);
  const workbook = await openWorkbook(Buffer.from(await response.arrayBuffer()));
  return (await Array.fromAsync(workbook.rows(null))).map(({ cells }) => cells.map(({ value }) => value));
}

test('the filtered stock, as its list shows it', async () => {
  const id = await carOf(dealer, { plate: 'XL 1', brand: '=1+1', price: '14500.50', km: 84_000 });
  await carOf(dealer, { plate: 'XL 2', km: 12_000 });
  const [title, filters, head, ...rows] = await rowsOf('vehicles/export.xlsx?plate=XL%201');
  expect(title).toEqual(['Araçlar']);
  expect(filters).toEqual([expect.stringMatching(/^10\.01\.2026 \d\d:\d\d · Plaka: XL 1$/)]);
  expect(head).toEqual([
    'Plaka',
    'Marka',
    'Model',
    'Model yılı',
    'Kilometre',
    'Yakıt',
    'Vites',
    'Kasa tipi',
    'Renk',
    'Şehir',
    'Fiyat',
    'Para birimi',
    'Durum',
    'Pazarda yayında',
    'Stok no',
    'Kayıt zamanı',
  ]);
  expect(rows).toHaveLength(2);
  expect(rows[0]!.slice(0, 2)).toEqual(['XL 1', '=1+1']);
  expect(rows[0]!.slice(4, 5)).toEqual([84_000]);
  expect(rows[0]!.slice(10, 14)).toEqual([14500.5, 'STG', 'Stokta', 'Hayır']);
  expect(rows[1]).toEqual(['Toplam (STG, iptaller hariç)', 14500.5]);
  expect(JSON.stringify(rows)).not.toContain(id);
  // Filters that only the panel has apply to its file too.
  expect(await rowsOf('vehicles/export.xlsx?q=xl&km_min=84000&km_max=84000')).toHaveLength(5);
  expect((await viewer.api('vehicles/export.xlsx')).status).toBe(403);
});

test('a customer’s statement', async () => {
  const customer_id = await customerOf(dealer, { first_name: 'Ece', last_name: 'Su' });
  const terms = { sale_price: '365.00', installment_count: 1, first_due_date: '2026-02-01', sale_date: '2026-01-10' };
  const sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id, ...terms })).id;
  await moveClock(api, '2026-03-13T12:00:00Z');
  dataOf(await collect(dealer, sale, '100.00', {}));
  const rows = await rowsOf(`customers/${customer_id}/statement.xlsx?currency=STG&from=2026-01-01&to=2026-03-13`);
  expect(rows[0]).toEqual(['Tarih', 'Hareket', 'Satış', 'Borç', 'Alacak', 'Bakiye', 'Para birimi']);
  expect(rows[2]).toEqual(['2026-02-01', '1. taksit', expect.stringMatching(/^S-2026-/), 365, 0, 365, 'STG']);
  expect(rows.at(-1)).toEqual(['2026-03-13', 'Son bakiye', 265, 'STG']);
});
