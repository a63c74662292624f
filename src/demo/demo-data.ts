// Demonstration dealers with stock and customers, the same at every load. Benchmarks use the same data, so loading is fast at any
// size.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAccount, findAccount, markAsDemo } from '../domain/accounts/accounts.ts';
import { foldName } from '../domain/records/person-fields.ts';
import { type Columns, insertRecords } from '../domain/records/record.ts';
import type { Secrets } from '../domain/vault/secrets.ts';
import { sealingKeys } from '../domain/vault/vault.ts';
import type { Database, Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import { newDemoCustomer } from './demo-customer.ts';
import { type DemoDealer, dealerOf } from './demo-dealer.ts';
import { listingIdOf, randomOf } from './demo-random.ts';
import { newDemoVehicle } from './demo-vehicle.ts';
import { loadDemoWallet } from './demo-wallet.ts';
import { DEMO_DEALERS } from './demo-words.ts';

export interface DemoSize {
  readonly dealers: number;
  /** Vehicles of each dealer. */
  readonly vehicles: number;
  readonly customers: number;
  /** All dates are within the year and a half before it. */
  readonly now: Date;
  readonly progress?: (line: string) => void;
}

export interface LoadedDealer {
  readonly id: string;
  readonly name: string;
  /** How many were added. */
  readonly vehicles: number;
  readonly customers: number;
}

/** Larger loads are for benchmarks, which measure lists of cars. */
const MAX_SHOWN = 1000;

/** Rows in one statement. */
const CHUNK = 500;

/** Loading again adds what is missing and changes nothing. */
export async function loadDemo(database: Database, secrets: Secrets, size: DemoSize): Promise<LoadedDealer[]> {
  const loaded: LoadedDealer[] = [];
  for (let index = 0; index < size.dealers; index += 1) {
    const dealer = await openDealer(database, index, size.now);
    const keys = sealingKeys(secrets, dealer.id);
    const vehicles = await load(database, dealer, 'vehicles', size, (number) => newDemoVehicle(dealer, number, size.now));
    const customers = await load(database, dealer, 'customers', size, (number) =>
      newDemoCustomer(dealer, keys, number, size.now),
    );
    if (index < DEMO_DEALERS.length && size.vehicles > 0 && size.vehicles <= MAX_SHOWN)
      await database.inTenant(dealer.id, 'write', (db) => loadDemoWallet(db, dealer, size.now));
    loaded.push({ id: dealer.id, name: dealer.name, vehicles, customers });
  }
  return loaded;
}

async function load(
  database: Database,
  dealer: DemoDealer,
  table: 'vehicles' | 'customers',
  size: DemoSize,
  make: (number: number) => Columns,
): Promise<number> {
  const chunkFrom = (from: number) =>
    Array.from({ length: Math.max(0, Math.min(CHUNK, size[table] - from)) }, (_, number) => make(from + number));
  let added = 0;
  let done = 0;
  for (let rows = chunkFrom(0); rows.length > 0; ) {
    const insert = database.inTenant(dealer.id, 'write', async (db) => {
      const count = await insertRecords(db, table, rows);
      if (table === 'vehicles') await openListings(db, dealer, rows);
      return count;
    });
    done += rows.length;
    // The next rows are generated while the database inserts these.
    const [count, next] = await Promise.all([insert, nextTurn().then(() => chunkFrom(done))]);
    added += count;
    rows = next;
    if (done % 20_000 === 0) size.progress?.(`${dealer.name}: ${done} of ${size[table]} ${table}`);
  }
  if (added > 0) size.progress?.(`${dealer.name}: ${added} ${table} added`);
  return added;
}

/** A visible car has a listing, whose id is derived from the car's id so that it is the same at every load. */
export function openListings(db: Db, dealer: DemoDealer, rows: readonly Columns[]): Promise<number> {
  const cars = rows.filter((row) => row.is_marketplace_visible).map((row) => String(row.id));
  const ids = cars.map((car) => listingIdOf(dealer, car));
  return db.exec(sql`insert into listings (account_id, id, vehicle_id, title, published_at, created_at, updated_at)
    select ${theAccount}, listing, vehicles.id, model_year || ' ' || brand || ' ' || model, created_at, created_at, created_at
    from ${own('vehicles')} join unnest(${cars}::uuid[], ${ids}::uuid[]) as opened(car, listing) on car = vehicles.id
    where is_marketplace_visible and deleted_at is null on conflict do nothing`);
}

async function openDealer(database: Database, index: number, now: Date): Promise<DemoDealer> {
  const dealer = dealerOf(index);
  const { id, name, country, city } = dealer;
  const account = {
    id,
    name,
    country,
    city: city.name,
    legal_name: `${name} ${country === 'TR' ? 'San. ve Tic. Ltd. Şti.' : 'Ltd.'}`,
    phone: `0${country === 'KKTC' ? '392' : '850'}${randomOf('dealer', index).between(2_000_000, 9_999_999)}`,
    email: `info@${foldName(name).replace(/[^a-z0-9]/g, '')}.example.com`,
  };
  await database.onPlatform('write', async (db) => {
    if ((await findAccount(db, id)) !== null) return;
    await createAccount(db, account, { type: 'system', name: 'demo' }, now);
    await markAsDemo(db, id);
  });
  return dealer;
}
