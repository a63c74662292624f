// How often a write waits for the database: statements that need not know each other's answers leave together.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Statement } from '../../src/kit/sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
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
  // One connection, so that what is prepared once for each has been prepared.
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

test('POST vehicles with a key is one round trip', async () => {
  expect(await tripsOf(() => dealer.post('vehicles', aCar(), keyed()), 201)).toBe(1);
});

test('the record of a key is written once where the reply is known when it leaves, and gets it later where it is not', async () => {
  const { id } = (await dealer.post('vehicles', aCar())).json.data;
  const ofTheKey = async (write: () => Promise<{ status: number }>): Promise<string[]> => {
    statements.length = 0;
    expect((await write()).status).toBeLessThan(300);
    return statements.filter((text) => text.includes('idempotency')).map((text) => text.slice(0, 6));
  };
  expect(await ofTheKey(() => dealer.post('vehicles', aCar(), keyed()))).toEqual(['insert']);
  expect(await ofTheKey(() => dealer.patch(`vehicles/${id}`, { km: 7 }, keyed()))).toEqual(['insert', 'update']);
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
