// «Göster»: owner and finance read fields that keys never see, with the password again, and each reveal is audited.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { dataOf, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, aPerson, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, PASSWORD, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let owner: Browser;
let stranger: Browser;
let seller: Browser;
let car: string;
let customer: string;
let sale: string;

beforeAll(async () => {
  service = await testService();
  await openAll(service);
  const dealer = await newDealer(service);
  accountId = dealer.accountId;
  owner = await signedIn(service, await newPerson(service, { accountId }));
  seller = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
  stranger = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
  const costs = { purchase_price: '10000', purchase_currency: 'STG', customs_fee: '500.50', chassis_no: 'WVWZZZ1KZAW000001' };
  car = (await dealer.post('vehicles', aCar({ price: '14500', currency: 'STG', ...costs }))).json.data.id;
  const personal = { id_no: '1234567890', address: 'Atatürk Cad. 1\nGirne', birth_date: '1985-04-23', monthly_income: '30000' };
  customer = (await dealer.post('customers', aPerson(personal))).json.data.id;
  const sold = { price: '12000', currency: 'STG', purchase_price: '9000', purchase_currency: 'STG' };
  const vehicle_id = (await dealer.post('vehicles', aCar(sold))).json.data.id;
  const terms = { sale_price: '12000.00', currency: 'STG', installment_count: 1 };
  sale = dataOf(await sell(dealer, { vehicle_id, customer_id: customer, ...terms })).id;
});
afterAll(async () => {
  await service?.close();
});

const looks = (action: string) =>
  service.database.onPlatform('read', (db) =>
    db.rows<{ target: string }>(sql`select target, after from audit_log where account_id = ${accountId} and action = ${action}`),
  );
const again = (browser: Browser) => browser.api('session/reauthenticate', { method: 'POST', body: { password: PASSWORD } });

test('the owner reads the stored value, with the password again, and the reveal is audited', async () => {
  const path = `vehicles/${car}/reveal`;
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`update sessions set reauthenticated_at = now() - interval '11 minutes'`),
  );
  const early = await owner.api(path, { method: 'POST' });
  expect([early.status, early.json.error.code]).toEqual([403, 'reauthentication_required']);
  expect(await looks('vehicle.revealed')).toEqual([]);
  await again(owner);
  expect((await owner.api(path, { method: 'POST' })).json.data).toEqual({
    chassis_no: 'WVWZZZ1KZAW000001',
    engine_no: null,
    purchase_currency: 'STG',
    purchase_price: '10000.00',
    customs_fee: '500.50',
    other_costs: null,
    expenses: [],
    cost: '10500.50',
    costs: [{ currency: 'STG', amount: '10500.50' }],
    margin: '3999.50',
  });
  expect((await owner.api(`customers/${customer}/reveal`, { method: 'POST' })).json.data).toEqual({
    id_no: '1234567890',
    tax_no: null,
    address: 'Atatürk Cad. 1\nGirne',
    birth_date: '1985-04-23',
    monthly_income: '30000.00',
  });
  // The log records that it was revealed, not the value.
  expect(await looks('vehicle.revealed')).toEqual([{ target: car, after: null }]);
  expect(await looks('customer.revealed')).toEqual([{ target: customer, after: null }]);
});

test('the cost of a sold vehicle needs the password again too, and the reveal is audited', async () => {
  const path = `sales/${sale}/reveal`;
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`update sessions set reauthenticated_at = now() - interval '11 minutes'`),
  );
  const early = await owner.api(path, { method: 'POST' });
  expect([early.status, early.json.error.code]).toEqual([403, 'reauthentication_required']);
  expect(await looks('sale.revealed')).toEqual([]);
  await again(owner);
  expect((await owner.api(path, { method: 'POST' })).json.data).toMatchObject({ purchase_price: '9000.00', profit: '3000.00' });
  expect(await looks('sale.revealed')).toEqual([{ target: sale, after: null }]);
  expect((await owner.api(`sales/${sale}/cost`)).status).toBe(404);
});

test('other roles may not, and another dealer gets 404', async () => {
  for (const browser of [seller, stranger]) await again(browser);
  expect((await seller.api(`vehicles/${car}/reveal`, { method: 'POST' })).status).toBe(403);
  expect((await seller.api(`customers/${customer}/reveal`, { method: 'POST' })).status).toBe(403);
  expect((await stranger.api(`vehicles/${car}/reveal`, { method: 'POST' })).status).toBe(404);
  expect((await stranger.api(`customers/${customer}/reveal`, { method: 'POST' })).status).toBe(404);
});

test('the audit log names the person, the vehicle and the changed fields', async () => {
  expect(
    (await owner.api(`v1/vehicles/${car}`, { method: 'PATCH', body: { price: '13900', purchase_price: '9000' } })).status,
  ).toBe(200);
  const [line] = (await owner.api('audit?limit=1')).json.data;
  expect(line).toMatchObject({
    action: 'PATCH vehicles/{vehicle_id}',
    actor_name: expect.not.stringContaining('@'),
    about: { kind: 'vehicle', id: car, name: expect.any(String) },
    before: { price: '14500.00' },
    after: { price: '13900.00' },
  });
  // The cost of a vehicle is not in the log.
  expect(JSON.stringify(line)).not.toMatch(/9000|purchase_price/);
});
