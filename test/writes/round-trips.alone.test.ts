// How often a write waits for the database: independent statements are sent together.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '../../src/kit/clock.ts';
import { newId } from '../../src/kit/ids.ts';
import { type Statement, sql } from '../../src/kit/sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { aBidder, putUp } from '../support/auctions.ts';
import { carOf, customerOf, dataOf, sell, storeRates } from '../support/books.ts';
import { type CountingWire, openCountingWire } from '../support/counting-wire.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

let base: TestDatabase;
let wire: CountingWire;
let api: TestService;
let dealer: Dealer;
const statements: string[] = [];
beforeAll(async () => {
  base = await testDatabase();
  wire = await openCountingWire(base.urls.tenantUrl);
  // One connection, so that its prepared statements exist.
  const watch = (statement: Statement) => {
    statements.push(statement.text);
    return statement;
  };
  const database = openDatabase({ ...base.urls, tenantUrl: wire.url, connections: 1, watch });
  api = await testService({ shared: { ...base, database, close: database.close } });
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(async () => {
  await api.close();
  await api.database.close();
  await wire.close();
  await base.close();
});

let keys = 0;
const keyed = () => ({ 'idempotency-key': `trip-${++keys}` });

async function tripsOf(write: () => Promise<{ status: number }>, status: number): Promise<number> {
  expect((await write()).status).toBe(status);
  wire.taken();
  expect((await write()).status).toBe(status);
  return wire.taken();
}

test('POST vehicles with a key takes one round trip', async () => {
  expect(await tripsOf(() => dealer.post('vehicles', aCar(), keyed()), 201)).toBe(1);
});

test('stores the idempotency record once when the reply is known at commit, and adds the reply later otherwise', async () => {
  const { id } = (await dealer.post('vehicles', aCar())).json.data;
  const ofTheKey = async (write: () => Promise<{ status: number }>): Promise<string[]> => {
    statements.length = 0;
    expect((await write()).status).toBeLessThan(300);
    return statements.filter((text) => text.includes('idempotency')).map((text) => text.slice(0, 6));
  };
  expect(await ofTheKey(() => dealer.post('vehicles', aCar(), keyed()))).toEqual(['insert']);
  expect(await ofTheKey(() => dealer.patch(`vehicles/${id}`, { km: 7 }, keyed()))).toEqual(['insert', 'update']);
});

test('PATCH vehicles takes at most four round trips, idempotency key included', async () => {
  const { id } = (await dealer.post('vehicles', aCar())).json.data;
  let km = 1000;
  expect(await tripsOf(() => dealer.patch(`vehicles/${id}`, { km: ++km }, keyed()), 200)).toBeLessThanOrEqual(4);
});

test('a replay takes two', async () => {
  const [car, key] = [aCar(), keyed()];
  expect(await tripsOf(() => dealer.post('vehicles', car, key), 201)).toBeLessThanOrEqual(3);
});

async function aPlan(installment_count = 24): Promise<string> {
  const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer)];
  return dataOf(await sell(dealer, { vehicle_id, customer_id, sale_price: '2400.00', installment_count })).id;
}

describe('a collection on a sale with 24 installments', () => {
  const take = async (fields: object, sale_id?: string): Promise<number> => {
    const id = sale_id ?? (await aPlan());
    return tripsOf(() => dealer.post('collections', { sale_id: id, currency: 'STG', amount: '40.00', ...fields }, keyed()), 201);
  };

  test('takes two round trips, key included, for any number of installments it fills', async () => {
    expect(await take({})).toBe(2);
    expect(await take({ amount: '950.00', late_interest_amount: '1.00' })).toBe(2);
    expect(await take({ discount_amount: '5.00', discount_reason: 'Küsurat' })).toBe(2);
  });

  test('takes at most six with every option: a collector, another currency, a promise', async () => {
    const collected_by_id = await aMember(dealer.accountId);
    expect(await take({ collected_by_id })).toBe(2);
    await storeRates(api, 'KKTCMB', dayIn(api.clock.now(), 'Asia/Famagusta'));
    expect(await take({ currency: 'TL', amount: '6450.00' })).toBeLessThanOrEqual(5);
    const sale_id = await aPlan();
    const promised_date = dayIn(api.clock.now(), 'Asia/Famagusta');
    dataOf(await dealer.post('payment-promises', { sale_id, amount: '2000.00', promised_date }));
    expect(await take({ currency: 'TL', amount: '6450.00', collected_by_id }, sale_id)).toBeLessThanOrEqual(6);
  });

  test('also when it completes the sale', async () => {
    const completing: number[] = [];
    for (const sale_id of [await aPlan(), await aPlan()]) {
      wire.taken();
      dataOf(await dealer.post('collections', { sale_id, currency: 'STG', amount: '2400.00' }, keyed()));
      completing.push(wire.taken());
    }
    expect(completing[1]).toBe(3);
  });
});

test('a bid takes two round trips, key included, for any number of notified dealers', async () => {
  const bidders = [await aBidder(api), await aBidder(api), await aBidder(api), await aBidder(api)];
  const auction = await putUp(api, await aBidder(api), { start_price: '1.00', min_increment: '1.00' });
  const trips: number[] = [];
  for (let amount = 1; amount <= 8; amount += 1) {
    wire.taken();
    dataOf(await bidders[amount % 4]!.post(`network-auctions/${auction.id}/bid`, { amount: `${amount}.00` }, keyed()));
    trips.push(wire.taken());
  }
  expect(trips.slice(4)).toEqual([2, 2, 2, 2]);
});

async function aMember(accountId: string): Promise<string> {
  const id = newId();
  await api.database.onPlatform('write', (db) =>
    db.exec(sql`insert into members (account_id, id, full_name, role) values (${accountId}, ${id}, 'Veznedar', 'finance')`),
  );
  return id;
}
