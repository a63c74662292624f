// `import sales`: a dealer's old books, with their payments, into an account; checked through the API's replies.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importCommand } from '../../src/commands/import.ts';
import type { ImportSummary } from '../../src/domain/imports/targets/import-rows.ts';
import { sql } from '../../src/kit/sql.ts';
import { aDealer, collect, customerOf, dataOf, rowsOf, type Shown, sell, storeRates } from '../support/books.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, openAll } from '../support/writer.ts';
import { printed } from './printed.ts';

let api: TestService;
let dealer: Dealer;
let folder: string;

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await aDealer(api);
  folder = await mkdtemp(join(tmpdir(), 'galeri-books-'));
  Object.assign(process.env, { DATABASE_URL: api.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await api?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

let files = 0;
async function file(name: string, content: string): Promise<string> {
  const path = join(folder, `${++files}-${name}`);
  await writeFile(path, content);
  return path;
}

interface Imported extends ImportSummary {
  readonly code: number | undefined;
}

async function run(of: Dealer, ...args: string[]): Promise<Imported> {
  let code: number | undefined;
  const output = await printed(async () => {
    code = await importCommand.run(['sales', '--account', of.accountId, ...args, '--json']);
  });
  return { ...JSON.parse(output), code };
}

const importing = async (lines: readonly unknown[], ...args: string[]): Promise<Imported> => {
  const path = await file(
    'sales.ndjson',
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return run(dealer, '--file', path, ...args);
};

let plates = 0;
/** 12 000.00 less 2 000.00 for the old vehicle and 4 000.00 down, 300.00 finance charge: 6 300.00 in three rows. */
const aLine = (overrides: Record<string, unknown> = {}) => {
  const n = ++plates;
  return {
    external_ref: `DEFTER-${n}`,
    sale_date: '2025-01-31',
    customer: { first_name: 'Hasan', last_name: 'Öztürk', phone: `0533 800 ${String(1000 + n)}` },
    vehicle: aCar({ plate: `DF ${n}` }),
    currency: 'STG',
    sale_price: '12000.00',
    trade_in_amount: '2000.00',
    down_payment: 4000,
    finance_charge: '300.00',
    installments: [
      { due_date: '2025-02-28', amount: '2100.00' },
      { due_date: '2025-03-31', amount: '2100.00', kind: 'Ara Ödeme' },
      { due_date: '2025-04-30', amount: '2100.00' },
    ],
    collections: [
      { collected_on: '2025-03-05', amount: '2500.00', method: 'Havale/EFT' },
      { collected_on: '2025-01-31', amount: '4000.00', receipt_no: `M-${n}` },
    ],
    notes: 'Defter 3, sayfa 12',
    ...overrides,
  };
};

const saleOf = async (ref: string): Promise<Shown> => (await dealer.get(`sales?external_ref=${ref}`)).json.data[0];
const faultsOf = ({ errors }: Imported): string[] => errors.map(({ row, field, code }) => `${row} ${field} ${code}`);

describe('a line', () => {
  it('becomes a sale with its plan, payments on their own dates, the vehicle and the customer', async () => {
    const line = aLine({ sale_no: 'ESKİ-17' });
    expect(await importing([line])).toEqual({ total: 1, created: 1, updated: 0, unchanged: 0, failed: 0, errors: [], code: 0 });
    const sale = await saleOf(line.external_ref);
    expect(sale).toMatchObject({
      sale_no: 'ESKİ-17',
      sale_date: '2025-01-31',
      total_receivable: '10300.00',
      financed_amount: '6300.00',
      collected_amount: '6500.00',
      outstanding_amount: '3800.00',
      status: 'Aktif',
      payment_type: 'Taksitli',
      notes: 'Defter 3, sayfa 12',
    });
    const rows = (await rowsOf(dealer, sale.id)).map(({ seq, kind, due_date, paid_amount, status, paid_at }) =>
      [seq, kind, due_date, paid_amount, status, paid_at].join(' '),
    );
    expect(rows).toEqual([
      '0 Peşinat 2025-01-31 4000.00 Ödendi 2025-01-31',
      '1 Taksit 2025-02-28 2100.00 Ödendi 2025-03-05',
      '2 Ara Ödeme 2025-03-31 400.00 Kısmi Ödendi ',
      '3 Taksit 2025-04-30 0.00 Bekliyor ',
    ]);
    const paid = (await dealer.get(`sales/${sale.id}/collections`)).json.data as Shown[];
    expect(paid.map(({ receipt_no, collected_on, amount, method }) => [receipt_no, collected_on, amount, method])).toEqual([
      [`M-${plates}`, '2025-01-31', '4000.00', 'Nakit'],
      [expect.stringMatching(/^T-\d{4}-\d{5}$/), '2025-03-05', '2500.00', 'Havale/EFT'],
    ]);
    const car = dataOf(await dealer.get(`vehicles/${sale.vehicle_id}`));
    expect(car).toMatchObject({ status: 'Satıldı', sold_via: 'Satış', sold_at: '2025-01-31', active_sale_id: sale.id });
    const customer = dataOf(await dealer.get(`customers/${sale.customer_id}`));
    expect(customer).toMatchObject({ last_name: 'Öztürk', open_sale_count: 1 });
    expect(customer.balances).toEqual([{ currency: 'STG', outstanding: '3800.00', overdue: '3800.00' }]);
  });

  it('that is repeated changes nothing, also after further business; one that differs is refused', async () => {
    const line = aLine();
    await importing([line]);
    const sale = await saleOf(line.external_ref);
    dataOf(await collect(dealer, sale.id, '100.00'));
    const before = await saleOf(line.external_ref);
    const again = await importing([line, line]);
    expect(again).toMatchObject({ total: 2, created: 0, unchanged: 2, failed: 0, code: 0 });
    expect(await saleOf(line.external_ref)).toEqual(before);
    const changed = await importing([
      { ...line, notes: 'başka' },
      { ...line, collections: [] },
      { ...line, customer: {} },
    ]);
    expect(faultsOf(changed)).toEqual([1, 2].map((row) => `${row} external_ref external_ref_in_use`));
    expect(changed).toMatchObject({ unchanged: 1, failed: 2, code: 2 });
    expect(await saleOf(line.external_ref)).toEqual(before);
  });

  it('finds existing vehicles and customers by reference, identity number, phone and plate', async () => {
    const cars = [aCar({ external_ref: 'ARAÇ-1' }), aCar(), { ...aCar({ external_ref: 'ARAÇ-2' }), status: 'Stokta' }].map(
      ({ status: _, ...car }: Record<string, unknown>) => car,
    );
    const ids = await Promise.all(cars.map(async (car) => dataOf(await dealer.post('vehicles', car)).id));
    const [byRef, byIdNo, byPhone] = await Promise.all([
      customerOf(dealer, { external_ref: 'MÜŞ-1', phone: '0533 900 0001', id_no: '1000000001' }),
      customerOf(dealer, { phone: '0533 900 0002', id_no: '1000000002' }),
      customerOf(dealer, { phone: '0533 900 0003', id_no: '1000000003' }),
    ]);
    // Marked as sold before: the sale replaces it.
    dataOf(await dealer.post(`vehicles/${ids[2]}/mark-sold`, { sold_at: '2025-01-30' }));
    const lines = [
      aLine({ customer: { external_ref: 'MÜŞ-1' }, vehicle: { external_ref: 'ARAÇ-1' } }),
      aLine({ customer: { id_no: '1000000002' }, vehicle: { plate: ` ${String(cars[1]!.plate).toLowerCase()} ` } }),
      aLine({ customer: { phone: '0533 900 0003' }, vehicle: { external_ref: 'ARAÇ-2' } }),
    ];
    expect(await importing(lines)).toMatchObject({ created: 3, errors: [] });
    const sales = await Promise.all(lines.map((line) => saleOf(line.external_ref)));
    expect(sales.map(({ vehicle_id }) => vehicle_id)).toEqual(ids);
    expect(sales.map(({ customer_id }) => customer_id)).toEqual([byRef, byIdNo, byPhone]);
    expect(dataOf(await dealer.get(`vehicles/${ids[2]}`))).toMatchObject({ sold_via: 'Satış', sold_at: '2025-01-31' });
  });

  it('is paid in another currency at the agreed rate, or at the day’s; without one it is refused', async () => {
    await storeRates(api, 'KKTCMB', '2024-05-02');
    const paid = (fields: Record<string, unknown>) =>
      aLine({
        sale_date: '2024-01-31',
        collections: [{ collected_on: '2024-05-03', amount: '64500.00', currency: 'TRY', ...fields }],
      });
    const lines = [paid({}), paid({ exchange_rate: '60' }), paid({ exchange_rate: 20 }), paid({ collected_on: '2024-08-01' })];
    const done = await importing(lines);
    expect(faultsOf(done)).toEqual([
      '3 collections[0].exchange_rate exchange_rate_out_of_range',
      '4 collections[0] rate_not_available',
    ]);
    const first = await saleOf(lines[0]!.external_ref);
    const [collected] = (await dealer.get(`sales/${first.id}/collections`)).json.data;
    expect(collected).toMatchObject({
      currency: 'TL',
      applied_amount: '1000.00',
      rate_source: 'KKTCMB',
      rate_date: '2024-05-02',
    });
    expect((await saleOf(lines[1]!.external_ref)).collected_amount).toBe('1075.00');
  });

  it('prevents reuse of numbers in our own format', async () => {
    const year = new Date().getUTCFullYear();
    const line = aLine({
      sale_no: `S-${year}-04000`,
      collections: [{ collected_on: '2025-02-01', amount: 1, receipt_no: `T-${year}-07000` }],
    });
    expect(await importing([line])).toMatchObject({ created: 1 });
    const car = dataOf(await dealer.post('vehicles', aCar())).id;
    const customer_id = await customerOf(dealer, { phone: '0533 900 0009', id_no: '1000000009' });
    const sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id, sale_price: '100.00' }));
    expect(sale.sale_no).toBe(`S-${year}-04001`);
    expect(dataOf(await collect(dealer, sale.id, '10.00')).receipt_no).toBe(`T-${year}-07001`);
  });

  it('fully paid in cash needs no rows', async () => {
    const cash = { trade_in_amount: 0, finance_charge: 0, installments: [], down_payment: undefined };
    const line = aLine({ ...cash, collections: [{ collected_on: '2025-02-01', amount: '12000' }] });
    expect(await importing([line])).toMatchObject({ created: 1, errors: [] });
    expect(await saleOf(line.external_ref)).toMatchObject({
      payment_type: 'Peşin',
      status: 'Tamamlandı',
      outstanding_amount: '0.00',
    });
  });
});

/** Each is refused as a whole; its vehicle and customer are not created either. */
const BAD: readonly (readonly [what: string, given: Record<string, unknown> | string, field: string | null, code: string])[] = [
  ['no JSON', '{', null, 'invalid_json'],
  ['no object', '[1]', null, 'invalid_row'],
  ['no reference', { external_ref: undefined }, 'external_ref', 'required'],
  ['an unknown field', { fiyat: 1 }, 'fiyat', 'unknown_field'],
  ['no day', { sale_date: '31.01.2025' }, 'sale_date', 'invalid'],
  ['a future date', { sale_date: '2999-01-01' }, 'sale_date', 'out_of_range'],
  ['a strange currency', { currency: 'JPY' }, 'currency', 'invalid_currency'],
  ['an amount as people write it', { sale_price: '12.000,00' }, 'sale_price', 'invalid_amount'],
  ['nothing for it', { sale_price: 0 }, 'sale_price', 'out_of_range'],
  ['a trade-in above the price', { trade_in_amount: '20000' }, 'trade_in_amount', 'out_of_range'],
  ['too much down', { down_payment: '20000', installments: [] }, 'down_payment', 'down_payment_exceeds_total'],
  ['rows that do not add up', { down_payment: '4000.01' }, 'installments', 'installments_sum_mismatch'],
  ['no rows for what is financed', { installments: [] }, 'installments', 'installments_sum_mismatch'],
  ['rows out of order', { installments: twoRows('2025-04-30', '2025-03-31') }, 'installments[1].due_date', 'out_of_range'],
  ['a row before the sale', { installments: twoRows('2025-01-30', '2025-03-31') }, 'installments[0].due_date', 'out_of_range'],
  ['a row without its amount', { installments: [{ due_date: '2025-03-31' }] }, 'installments[0].amount', 'required'],
  [
    'a strange kind',
    { installments: [{ due_date: '2025-03-31', amount: 6300, kind: 'Peşinat' }] },
    'installments[0].kind',
    'not_allowed',
  ],
  ['rows that are not a list', { installments: 3 }, 'installments', 'invalid'],
  ['money before the sale', { collections: [paidOn('2025-01-30', '10')] }, 'collections[0].collected_on', 'out_of_range'],
  ['a future payment', { collections: [paidOn('2999-01-30', '10')] }, 'collections[0].collected_on', 'out_of_range'],
  ['too much money', { collections: [paidOn('2025-02-01', '10300.01')] }, 'collections', 'amount_exceeds_balance'],
  ['nothing paid', { collections: [paidOn('2025-02-01', '0')] }, 'collections[0].amount', 'out_of_range'],
  [
    'a strange method',
    { collections: [{ ...paidOn('2025-02-01', '1'), method: 'Mahsup' }] },
    'collections[0].method',
    'not_allowed',
  ],
  [
    'a rate for the same currency',
    { collections: [{ ...paidOn('2025-02-01', '1'), exchange_rate: 2 }] },
    'collections[0].exchange_rate',
    'exchange_rate_not_needed',
  ],
  ['one receipt twice', { collections: [receipt('X-1'), receipt('X-1')] }, 'collections[1].receipt_no', 'not_allowed'],
  ['an unknown customer', { customer: { phone: '0533 999 9999' } }, 'customer', 'unknown_reference'],
  ['a customer without a name', { customer: { first_name: 'Ali', phone: '0533 999 9999' } }, 'customer.last_name', 'required'],
  ['a bad phone', { customer: { phone: '12' } }, 'customer.phone', 'invalid'],
  ['no customer', { customer: undefined }, 'customer', 'required'],
  ['an unknown vehicle', { vehicle: { plate: 'YOK 1' } }, 'vehicle', 'unknown_reference'],
  ['an incomplete vehicle', { vehicle: { plate: 'YOK 1', brand: 'Seat' } }, 'vehicle.model', 'required'],
  ['a vehicle without a year', { vehicle: aCar({ model_year: 1800 }) }, 'vehicle.model_year', 'out_of_range'],
];

function twoRows(first: string, second: string) {
  return [
    { due_date: first, amount: '3150.00' },
    { due_date: second, amount: '3150.00' },
  ];
}
function paidOn(collected_on: string, amount: string) {
  return { collected_on, amount };
}
function receipt(receipt_no: string) {
  return { collected_on: '2025-02-01', amount: '5', receipt_no };
}

describe('a line is refused', () => {
  it.each(BAD)('for %s', async (_, fields, field, code) => {
    const before = await counts();
    const done = await importing([typeof fields === 'string' ? fields : aLine(fields)]);
    expect(faultsOf(done)[0]).toBe(`1 ${field} ${code}`);
    expect(done).toMatchObject({ total: 1, created: 0, failed: 1, code: 2 });
    expect(await counts()).toEqual(before);
  });

  it('with the difference named', async () => {
    const done = await importing([
      aLine({ down_payment: '4000.01' }),
      aLine({ installments: [{ due_date: '2025-02-28', amount: '6310.50' }] }),
      aLine({ collections: [paidOn('2025-02-01', '10000'), paidOn('2025-02-02', '300.75')] }),
    ]);
    expect(done.errors.map(({ message }) => message)).toEqual([
      'The installments add up to 6300.00, but the sale has 6299.99: 0.01 too much',
      'The installments add up to 6310.50, but the sale has 6300.00: 10.50 too much',
      'The collections add up to 10300.75, but the sale has 10300.00: 0.75 too much',
    ]);
  });

  it('for its vehicle, its number, its buyer or a closed day; the lines around it are imported', async () => {
    const sold = aLine({ sale_no: 'BİR-1' });
    const blocked = { first_name: 'Kara', last_name: 'Liste', phone: '0533 700 0001', risk_level: 'blocked' };
    const shared = ['Ali', 'Veli'].map((first_name) => ({ first_name, phone: '0533 700 0002', last_name: 'Kaya' }));
    for (const person of shared) await customerOf(dealer, { ...person, id_no: `77${person.first_name.length}000001` });
    const done = await importing([
      sold,
      aLine({ vehicle: { plate: sold.vehicle.plate } }),
      aLine({ sale_no: 'BİR-1' }),
      aLine({ customer: blocked }),
      aLine({ customer: { phone: '0533 700 0002' } }),
      aLine({ customer: shared[1] }),
    ]);
    expect(faultsOf(done)).toEqual([
      '2 null vehicle_already_sold',
      '3 sale_no not_allowed',
      '4 null customer_blocked',
      '5 customer.phone ambiguous_match',
    ]);
    expect(done).toMatchObject({ total: 6, created: 2, failed: 4 });
    const other = await aDealer(api);
    await api.database.inTenant(other.accountId, 'write', async (db) => {
      await db.exec(sql`insert into till_closings (account_id, id, branch_id, day, lines, closed_by, closed_at)
        select account_id, id, id, '2025-02-01', '[]', 'Kasa', now() from branches`);
      await db.exec(sql`update branches set closed_through = '2025-02-01'`);
    });
    const path = await file('closed.ndjson', JSON.stringify(aLine()));
    expect(faultsOf(await run(other, '--file', path))).toEqual(['1 collections[1] day_closed']);
    expect((await other.get('sales')).json.data).toEqual([]);
  });

  it('in Türkiye in a foreign currency unless it states the legal basis', async () => {
    const turkish = await aDealer(api, 'TR');
    const path = await file(
      'tr.ndjson',
      [aLine(), aLine({ currency_exemption: 'Alıcı yurt dışında yerleşik' })].map((line) => JSON.stringify(line)).join('\n'),
    );
    const done = await run(turkish, '--file', path);
    expect(faultsOf(done)).toEqual(['1 currency currency_not_allowed']);
    expect(done.created).toBe(1);
  });
});

const counts = (): Promise<unknown> =>
  api.database.inTenant(dealer.accountId, 'read', (db) =>
    db.one(sql`select (select count(*) from sales)::int as sales, (select count(*) from vehicles)::int as cars,
      (select count(*) from customers)::int as people, (select count(*) from collections)::int as money,
      (select count(*) from events)::int as events`),
  );

describe('a dry run', () => {
  it('stores nothing and reports the result of each line, also of those that depend on an earlier one', async () => {
    const line = aLine({ sale_no: 'KURU-1' });
    const lines = [
      line,
      line,
      { ...line, notes: 'x' },
      aLine({ sale_no: 'KURU-1' }),
      aLine({ vehicle: line.vehicle }),
      aLine({ down_payment: 1 }),
      aLine(),
    ];
    const before = await counts();
    const dry = await importing(lines, '--dry-run');
    expect(await counts()).toEqual(before);
    const real = await importing(lines);
    const { errors: _, ...summary } = real;
    expect(summary).toMatchObject({ total: 7, created: 2, unchanged: 1, failed: 4, code: 2 });
    expect(dry).toMatchObject(summary);
    expect(dry.errors.map(({ row }) => row)).toEqual(real.errors.map(({ row }) => row));
  });
});

describe('two CSV files', () => {
  const SALES =
    'external_ref;sale_date;customer.first_name;customer.last_name;customer.phone;vehicle_plate;currency;sale_price;down_payment;notes';
  const ROWS = 'external_ref;type;date;amount;kind;currency;exchange_rate;method;receipt_no';
  const twoFiles = async (sales: string, rows: string) => [
    ...['--file', await file('sales.csv', `\uFEFF${SALES}\r\n${sales}`)],
    ...['--rows', await file('rows.csv', `${ROWS}\n${rows}`)],
  ];
  const installmentsOfSale = (ref: string) =>
    [
      `${ref};Taksit;2025-03-01;500.00;;;;;`,
      `${ref};Tahsilat;2025-02-01;1000;;;;Nakit;`,
      `${ref};Taksit;2025-04-01;500;Ara Ödeme;;;;`,
      `${ref};Tahsilat;2025-03-02;30000;;TRY;60;Havale/EFT;`,
    ].join('\n');

  it('are one sale per line, with its installments and payments from the second', async () => {
    const plate = aCar().plate;
    dataOf(await dealer.post('vehicles', aCar({ plate })));
    const input = await twoFiles(`CSV-1;2025-02-01;Elif;Çakır;05338887766;${plate};GBP;2000;1000;`, installmentsOfSale('CSV-1'));
    expect(await run(dealer, ...input)).toMatchObject({ created: 1, errors: [] });
    const sale = await saleOf('CSV-1');
    expect(sale).toMatchObject({
      currency: 'STG',
      collected_amount: '1500.00',
      outstanding_amount: '500.00',
      installment_count: 2,
    });
    expect((await rowsOf(dealer, sale.id)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'Peşinat Ödendi',
      'Taksit Ödendi',
      'Ara Ödeme Bekliyor',
    ]);
    expect(await run(dealer, ...input)).toMatchObject({ unchanged: 1 });
  });

  it.each([
    ['a row of no sale', 'YOK-1;Taksit;2025-03-01;500;;;;;', /rows of 1 sale that .* does not have: "YOK-1"/],
    ['a strange type', 'CSV-2;Kapora;2025-03-01;500;;;;;', /row 1: type must be Taksit or Tahsilat/],
    ['no sale', ';Taksit;2025-03-01;500;;;;;', /row 1: external_ref is required/],
    ['too few cells', 'CSV-2;Taksit', /row 1: The row has 2 cells/],
  ])('are refused before anything is imported for %s', async (_, rows, words) => {
    const input = await twoFiles('CSV-2;2025-02-01;Elif;Çakır;05338887766;YOK 7;STG;2000;1000;', rows);
    await expect(run(dealer, ...input)).rejects.toThrow(words);
  });

  it('need each other, and --rows is accepted only with them', async () => {
    const sales = await file('alone.csv', `${SALES}\n`);
    await expect(run(dealer, '--file', sales)).rejects.toThrow('needs --rows');
    const lines = await file('lines.ndjson', '{}');
    await expect(run(dealer, '--file', lines, '--rows', sales)).rejects.toThrow('--rows goes with a .csv');
    await expect(importCommand.run(['vehicles', '--account', dealer.accountId, '--file', sales, '--dry-run'])).rejects.toThrow(
      'apply to import sales only',
    );
    const strange = await file('strange.csv', 'external_ref,renk\nx,y\n');
    await expect(run(dealer, '--file', strange, '--rows', strange)).rejects.toThrow('unknown column "renk"');
  });
});
