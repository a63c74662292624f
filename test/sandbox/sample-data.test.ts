// The sample data of a world: every state occurs, the sums hold, and two worlds differ in ids only.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SALE_DOCUMENT_STATUSES } from '../../src/domain/documents/documents-states.ts';
import { NOTE_STATUSES } from '../../src/domain/installments/note-states.ts';
import {
  COLLECTION_STATUSES,
  COLLECTION_TYPES,
  DEPOSIT_STATUSES,
  INSTALLMENT_STATUSES,
  PROMISE_STATUSES,
  SALE_STATUSES,
} from '../../src/domain/installments/sales-states.ts';
import { VEHICLE_STATUSES } from '../../src/domain/stock/stock-states.ts';
import { proveBooks } from '../../src/domain/wallet/books.ts';
import type { World } from '../../src/domain/worlds/world.ts';
import { own, rawSql, sql } from '../../src/kit/sql.ts';
import type { TenantTable } from '../../src/kit/tenant-tables.ts';
import { resetWorld } from '../../src/sandbox/create-world.ts';
import { type TestWorlds, testWorlds } from '../support/test-worlds.ts';

let base: TestWorlds;
const worlds: World[] = [];

beforeAll(async () => {
  base = await testWorlds();
  const times = base.times();
  for (const name of ['Deneme Oto', 'Deneme Oto'])
    worlds.push(await resetWorld(base.parts, await base.owner(name), { data: 'sample', keepWebhooks: true }, times));
});
afterAll(() => base.close());

const count = async (table: TenantTable, where = 'true'): Promise<number> =>
  (
    await base.database.inTenant(worlds[0]!.id, 'read', (db) =>
      db.one<{ count: number }>(sql`select count(*)::int as count from ${own(table)} where ${rawSql(where)}`),
    )
  ).count;

const valuesOf = async (table: TenantTable, column: string): Promise<string[]> =>
  (
    await base.database.inTenant(worlds[0]!.id, 'read', (db) =>
      db.rows<{ value: string }>(
        sql`select distinct ${rawSql(column)} as value from ${own(table)} where ${rawSql(column)} is not null order by 1`,
      ),
    )
  ).map(({ value }) => value);

test('has the numbers of records that the reference names', async () => {
  expect({
    vehicles: await count('vehicles'),
    photographed: await count('vehicles', 'id in (select vehicle_id from vehicle_photos)'),
    customers: await count('customers'),
    guaranteed: await count('customers', 'id in (select customer_id from guarantors)'),
    sales: await count('sales'),
    listings: await count('listings', `status = 'Yayında'`),
    with_offers: await count('listings', 'id in (select listing_id from marketplace_offers)'),
    auctions: await count('network_auctions'),
    running: await count('network_auctions', `status = 'Canlı'`),
    branches: await count('branches'),
    staff: await count('members', 'person_id is null'),
    balance: await count('wallets', 'balance_minor = 500000'),
  }).toEqual({
    vehicles: 24,
    photographed: 24,
    customers: 16,
    guaranteed: 16,
    sales: 10,
    listings: 3,
    with_offers: 3,
    auctions: 2,
    running: 1,
    branches: 2,
    staff: 5,
    balance: 1,
  });
});

describe('every state occurs', () => {
  test.each([
    ['vehicles', 'status', VEHICLE_STATUSES],
    ['sales', 'status', SALE_STATUSES],
    ['installments', 'status', INSTALLMENT_STATUSES],
    ['collections', 'type', COLLECTION_TYPES],
    ['collections', 'status', COLLECTION_STATUSES],
    ['collections', 'deposit_status', DEPOSIT_STATUSES],
    ['payment_promises', 'status', PROMISE_STATUSES],
    ['promissory_notes', 'status', NOTE_STATUSES],
    ['documents', 'status', SALE_DOCUMENT_STATUSES],
  ] as const)('%s.%s', async (table, column, states) => {
    expect((await valuesOf(table, column)).toSorted()).toEqual([...states].toSorted());
  });
});

test('the books agree', async () => {
  expect(await base.database.onPlatform('read', proveBooks)).toMatchObject({ imbalance: 0n, found: [] });
});

/** Every row of the dealer as text, without ids and digests, in the order of the ids: what happens at one time happens in that order. */
async function contentOf(world: World): Promise<string[]> {
  const tables: readonly TenantTable[] = ['vehicles', 'customers', 'sales', 'installments', 'collections', 'payment_promises'];
  const more: readonly TenantTable[] = ['promissory_notes', 'listings', 'marketplace_offers', 'till_closings', 'documents'];
  return base.database.inTenant(world.id, 'read', async (db) => {
    const found: string[] = [];
    for (const table of [...tables, ...more]) {
      const rows = await db.rows<{ row: Record<string, unknown> }>(
        sql`select to_json(${rawSql(table)}) as row from ${own(table)} order by id`,
      );
      found.push(...rows.map(({ row }) => `${table} ${JSON.stringify(row, withoutIds)}`));
    }
    // Cars of the simulated dealers, as the dealer sees them.
    const listed = await db.rows<{ row: object }>(sql`select to_json(network_listings) as row from network_listings order by id`);
    found.push(...listed.map(({ row }) => `network ${JSON.stringify(row, withoutIds)}`));
    return found;
  });
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Sealed bytes and file hashes differ because each is made for one account. */
const withoutIds = (key: string, value: unknown): unknown =>
  /_encrypted$|_index$|^sha256$|^size_bytes$/.test(key) || key === 'stamp'
    ? undefined
    : typeof value === 'string'
      ? value.replace(UUID, 'id')
      : value;

test('two worlds of one moment have the same records, except for ids', async () => {
  const [one, other] = await Promise.all(worlds.map(contentOf));
  expect(other).toEqual(one);
  expect(one!.length).toBeGreaterThan(100);
});

test('every file of the world is stored and kept', async () => {
  expect({ kept: await count('stored_files', `state = 'kept'`), other: await count('stored_files', `state <> 'kept'`) }).toEqual({
    kept: 24 * 3 * 2 + 7 + 1,
    other: 0,
  });
});
