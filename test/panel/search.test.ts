// Ctrl+K beyond sales, customers and vehicles, and the panel's own list of the stock: by role, folded, sorted, and never another dealer's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FoundPlace } from '../../src/panel/home/search.ts';
import type { StockLine } from '../../src/panel/stock/stock.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { aDealer, carOf, collect, customerOf, dataOf, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let admin: Session;
let dealer: Dealer;
let owner: Browser;
beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const find = async (q: string, browser = owner): Promise<FoundPlace[]> =>
  dataOf(await browser.api(`search?q=${encodeURIComponent(q)}`)) as unknown as FoundPlace[];

test('a receipt by its number, a key by its name, whatever letters are typed; by role, and of this dealer only', async () => {
  const terms = {
    sale_price: '300.00',
    currency: 'STG',
    sale_date: '2026-11-02',
    first_due_date: '2026-12-01',
    installment_count: 3,
  };
  const { id: saleId } = dataOf(
    await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: await customerOf(dealer), ...terms }),
  );
  const { receipt_no } = dataOf(await collect(dealer, saleId, '50.00', { currency: 'STG' }));
  expect(await find(receipt_no.toLowerCase())).toMatchObject([
    { kind: 'receipt', name: receipt_no, beside: '50.00 STG', sale_id: saleId },
  ]);
  await admin.rows(`update api_keys set name = 'Işık Muhasebe' where account_id = $1`, [dealer.accountId]);
  expect((await find('ISIK muh')).map(({ kind }) => kind)).toContain('key');
  const sales = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'sales' }));
  expect((await find('isik', sales)).map(({ kind }) => kind)).not.toContain('key');
  const developer = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'developer' }));
  expect(await find(receipt_no, developer)).toEqual([]);
  const other = await signedIn(api, await newPerson(api, { accountId: await api.account() }));
  expect(await find(receipt_no, other)).toEqual([]);
  expect(await find('isik', other)).toEqual([]);
});

test('the stock is sorted by every column and filtered by kilometres, fuel, gearbox and days', async () => {
  const car = (plate: string, more: Record<string, unknown>) => carOf(dealer, { plate, brand: 'Şahin', model: 'X', ...more });
  const old = await car('ZZ 001', { km: 10, fuel_type: 'Dizel', price: '500.00', currency: 'TL', transmission: 'Manuel' });
  await car('ZZ 002', { km: 90_000, fuel_type: 'Benzin', price: '900.00', currency: 'STG', transmission: 'Otomatik' });
  await car('ZZ 003', { km: 50_000, fuel_type: 'Dizel', price: '100.00', currency: 'STG', transmission: 'Otomatik' });
  await admin.rows(`update vehicles set stock_date = '2026-09-01' where id = $1`, [old]);
  const plates = async (query: string): Promise<string[]> =>
    (dataOf(await owner.api(`vehicles/list?brand=sahin&${query}`)) as unknown as StockLine[]).map(({ plate }) => plate);
  expect(await plates('sort=km')).toEqual(['ZZ 001', 'ZZ 003', 'ZZ 002']);
  expect(await plates('sort=km&desc=true')).toEqual(['ZZ 002', 'ZZ 003', 'ZZ 001']);
  expect(await plates('sort=price')).toEqual(['ZZ 003', 'ZZ 002', 'ZZ 001']);
  expect(await plates('sort=plate&desc=true&limit=2')).toEqual(['ZZ 003', 'ZZ 002']);
  expect(await plates('km_min=20000&km_max=60000')).toEqual(['ZZ 003']);
  expect(await plates('fuel_type=Dizel&sort=plate')).toEqual(['ZZ 001', 'ZZ 003']);
  expect(await plates('transmission=Otomatik&sort=plate')).toEqual(['ZZ 002', 'ZZ 003']);
  expect(await plates('days_min=61')).toEqual(['ZZ 001']);
  expect(await plates('price_min=100.50&currency=STG')).toEqual(['ZZ 002']);
  for (const sort of ['created_at', 'brand', 'model_year', 'fuel_type', 'transmission', 'status', 'city', 'stock_date'])
    expect(await plates(`sort=${sort}`)).toHaveLength(3);
  expect((await owner.api('vehicles/list?sort=purchase_price_minor')).status).toBe(400);
  const counts = dataOf(await owner.api('vehicles/counts?brand=sahin&days_min=61')) as unknown as { total: number };
  expect(counts.total).toBe(1);
});
