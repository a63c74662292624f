// Demonstration dealers with stock and customers, the same at every load. Also the data of the benchmarks, hence fast at any size.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../kit/db.ts';
import { createAccount, findAccount } from './accounts.ts';
import { foldName } from './customer.ts';
import { newDemoCustomer } from './demo-customer.ts';
import { type DemoDealer, dealerOf } from './demo-dealer.ts';
import { randomOf } from './demo-random.ts';
import { newDemoVehicle } from './demo-vehicle.ts';
import { type Columns, insertRecords } from './record.ts';
import type { Secrets } from './secrets.ts';
import { sealingKeys } from './vault.ts';

export interface DemoSize {
  readonly dealers: number;
  /** For each dealer, as are the customers. */
  readonly vehicles: number;
  readonly customers: number;
  /** Everything is dated within the year and a half before it. */
  readonly now: Date;
  readonly progress?: (line: string) => void;
}

export interface LoadedDealer {
  readonly id: string;
  readonly name: string;
  /** How many were not there before. */
  readonly vehicles: number;
  readonly customers: number;
}

/** Rows in one statement. */
const CHUNK = 500;

/** Loading it again adds what is missing and changes nothing. */
export async function loadDemo(database: Database, secrets: Secrets, size: DemoSize): Promise<LoadedDealer[]> {
  const loaded: LoadedDealer[] = [];
  for (let index = 0; index < size.dealers; index += 1) {
    const dealer = await openDealer(database, index, size.now);
    const keys = sealingKeys(secrets, dealer.id);
    const vehicles = await load(database, dealer, 'vehicles', size, (place) => newDemoVehicle(dealer, place, size.now));
    const customers = await load(database, dealer, 'customers', size, (place) => newDemoCustomer(dealer, keys, place, size.now));
    loaded.push({ id: dealer.id, name: dealer.name, vehicles, customers });
  }
  return loaded;
}

async function load(
  database: Database,
  dealer: DemoDealer,
  table: 'vehicles' | 'customers',
  size: DemoSize,
  make: (place: number) => Columns,
): Promise<number> {
  const chunkFrom = (from: number) =>
    Array.from({ length: Math.max(0, Math.min(CHUNK, size[table] - from)) }, (_, place) => make(from + place));
  let added = 0;
  let done = 0;
  for (let rows = chunkFrom(0); rows.length > 0; ) {
    const insert = database.inTenant(dealer.id, 'write', (db) => insertRecords(db, table, rows));
    done += rows.length;
    // The next rows are made while the database is busy with these.
    const [count, next] = await Promise.all([insert, nextTurn().then(() => chunkFrom(done))]);
    added += count;
    rows = next;
    if (done % 20_000 === 0) size.progress?.(`${dealer.name}: ${done} of ${size[table]} ${table}`);
  }
  if (added > 0) size.progress?.(`${dealer.name}: ${added} ${table} added`);
  return added;
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
    if ((await findAccount(db, id)) === null) await createAccount(db, account, { type: 'system', name: 'demo' }, now);
  });
  return dealer;
}
