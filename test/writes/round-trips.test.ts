// How often a write waits for the database: statements that need not know each other's answers leave together.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/postgres/database.ts';
import { type CountingWire, openCountingWire } from '../support/counting-wire.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

let base: TestDatabase;
let wire: CountingWire;
let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  base = await testDatabase();
  wire = await openCountingWire(base.urls.tenantUrl);
  // One connection, so that what is prepared once for each has been prepared.
  const database = openDatabase({ ...base.urls, tenantUrl: wire.url, connections: 1 });
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

test('POST vehicles with a key takes at most two round trips', async () => {
  expect(await tripsOf(() => dealer.post('vehicles', aCar(), keyed()), 201)).toBeLessThanOrEqual(2);
});

test('a car is edited in at most four round trips, key included', async () => {
  const { id } = (await dealer.post('vehicles', aCar())).json.data;
  let km = 1000;
  expect(await tripsOf(() => dealer.patch(`vehicles/${id}`, { km: ++km }, keyed()), 200)).toBeLessThanOrEqual(4);
});

test('a reply is given again after two', async () => {
  const [car, key] = [aCar(), keyed()];
  expect(await tripsOf(() => dealer.post('vehicles', car, key), 201)).toBeLessThanOrEqual(3);
});
