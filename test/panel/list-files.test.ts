// Lists as files: the filtered records, with names instead of ids, the same in CSV and Excel, and never a formula.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkbook } from '../../src/domain/formats/xlsx-read.ts';
import { openZip, unpack } from '../../src/domain/formats/zip.ts';
import { LIST_COLUMNS, type ListName } from '../../src/domain/records/list-columns.ts';
import { openSession } from '../../src/postgres/database.ts';
import { aDealer, carOf, collect, customerOf, dataOf, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  const customer_id = await customerOf(dealer, { first_name: '=1+1', last_name: 'Işık' });
  const terms = {
    sale_price: '9000.00',
    currency: 'STG',
    sale_date: '2026-09-01',
    first_due_date: '2026-09-15',
    installment_count: 3,
  };
  const sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id, ...terms }));
  dataOf(await collect(dealer, sale.id, '1234.50', { collected_on: '2026-10-02', note: '@not' }));
  const cash = { vehicle_id: await carOf(dealer), customer_id: await customerOf(dealer), sale_price: '5000.00', currency: 'STG' };
  dataOf(await sell(dealer, { ...cash, sale_date: '2026-11-01' }));
  const rent = { kind: 'İşletme', category: 'Kira', amount: '750.00', currency: 'STG', supplier: '=1+1' };
  dataOf(await owner.api('expenses', { method: 'POST', body: rent }));
});
afterAll(() => api.close());

async function fileOf(path: string): Promise<{ status: number; bytes: Buffer; name: string }> {
  const response = await fetch(`${owner.url}/panel/api/lists/${path}`, {
    headers: { cookie: owner.cookieText(), 'sec-fetch-site': 'same-origin', 'accept-language': 'tr' },
  });
  const name = decodeURIComponent(/''(.+)$/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '');
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()), name };
}

const sheetOf = async (bytes: Buffer): Promise<unknown[][]> =>
  (await Array.fromAsync((await openWorkbook(bytes)).rows(null)))
    .slice(2)
    .map(({ cells }) => cells.map(({ value }) => value))
    .filter((cells) => !cells.some((cell) => /^Toplam \(/.test(String(cell))));
const linesOf = (bytes: Buffer): string[] => bytes.toString().slice(1).trimEnd().split('\r\n');

describe('a list as a file', () => {
  test.each((Object.keys(LIST_COLUMNS) as ListName[]).filter((list) => list !== 'vehicles'))(
    '%s: the same number of rows in both formats, with the same headings',
    async (list) => {
      const [csv, xlsx] = [await fileOf(`${list}.csv`), await fileOf(`${list}.xlsx`)];
      expect([csv.status, xlsx.status]).toEqual([200, 200]);
      const [lines, rows] = [linesOf(csv.bytes), await sheetOf(xlsx.bytes)];
      expect(lines[0]!.split(';')).toEqual(LIST_COLUMNS[list].map(({ title }) => title.tr));
      expect(rows[0]).toEqual(lines[0]!.split(';'));
      expect(rows.length).toBe(lines.length);
      expect(xlsx.name).toMatch(/^[\p{Ll}-]+-2026-11-16\.xlsx$/u);
      if (!['wallet', 'promissory-notes'].includes(list)) expect(rows.length).toBeGreaterThan(1);
    },
  );

  test('names people, vehicles and sales, has native Excel amounts and dates, and no formulas', async () => {
    const { bytes } = await fileOf('sales.xlsx?payment_type=Taksitli');
    const rows = await sheetOf(bytes);
    expect(rows.length).toBe(2);
    expect(rows[1]!.slice(0, 3)).toEqual(['S-2026-00001', '2026-09-01', '=1+1 Işık']);
    expect(rows[1]).toContain(7765.5);
    const sheet = openZip(bytes, { entries: 100, bytes: 1e7, ratio: 1000 }).get('xl/worksheets/sheet1.xml')!;
    const xml = Buffer.concat(await Array.fromAsync(unpack(sheet))).toString();
    expect(xml).toMatch(/<c r="B4" s="4"><v>\d+<\/v><\/c>/);
    expect(xml).toMatch(/<c r="C4" t="inlineStr"><is><t xml:space="preserve">=1\+1 Işık/);
    expect(xml).toMatch(/<c r="J4" s="2"><v>9000.00<\/v><\/c>/);
    expect(xml).not.toMatch(/<f[ >]/);
    const [, money] = linesOf((await fileOf('collections.csv?method=Nakit&from=2026-10-01&to=2026-10-31')).bytes);
    expect(money).toMatch(/^2026-10-02;T-2026-0000\d;Tahsilat;Geçerli;'=1\+1 Işık;S-2026-00001;Nakit;STG;"1234,50"/);
    expect(money).toContain("'@not");
  });

  test('of 10 000 records is complete, and more is refused before it starts', async () => {
    const admin = await openSession(api.adminUrl);
    await admin.rows(
      `insert into customers (account_id, id, first_name, last_name, phone) select $1, gen_random_uuid(), 'Ayşe', 'Yılmaz ' || n, '+905331' || 100000 + n
       from generate_series(1, 10000) n`,
      [dealer.accountId],
    );
    const { status, bytes } = await fileOf('customers.xlsx');
    expect(status, bytes.subarray(0, 300).toString()).toBe(200);
    const rows = await sheetOf(bytes);
    expect(rows.length).toBe(10_003);
    expect(new Set(rows.map((row) => row.at(-3))).size).toBeGreaterThan(9_999);
    // In words, not as the API's code.
    expect(new Set(rows.slice(1).map((row) => row.at(-2)))).toEqual(new Set(['Orta']));
    await admin.close();
  });

  test('supports the list’s filters, and refuses unknown ones', async () => {
    expect((await fileOf('sales.csv?status=Yok')).status).toBe(400);
    expect((await fileOf('overdue.csv?min_days=40')).bytes.toString()).toContain('S-2026-00001');
    expect(linesOf((await fileOf('overdue.csv?min_days=400')).bytes).length).toBe(1);
  });
});
