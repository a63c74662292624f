// Demonstration dealers with stock and customers, the same at every load. Also the data of the benchmarks, hence fast at any size.
import type { Database } from '../kit/db.ts';
import { createAccount, findAccount } from './accounts.ts';
import { foldName, personalDataKeys } from './customer.ts';
import { newDemoCustomer } from './demo-customer.ts';
import { type DemoDealer, dealerOf } from './demo-dealer.ts';
import { randomOf } from './demo-random.ts';
import { newDemoVehicle } from './demo-vehicle.ts';
import { type Columns, insertRecords } from './record.ts';
import type { Secrets } from './secrets.ts';

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
    const keys = personalDataKeys(secrets, dealer.id);
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
  let added = 0;
  for (let from = 0; from < size[table]; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, size[table] - from) }, (_, place) => make(from + place));
    added += await database.inTenant(dealer.id, 'write', (db) => insertRecords(db, table, rows));
    const done = from + rows.length;
    if (done % 20_000 === 0 || (done === size[table] && added > 0)) size.progress?.(`${dealer.name}: ${done} ${table}`);
  }
  return added;
}

async function openDealer(database: Database, index: number, now: Date): Promise<DemoDealer> {
  const { id, name, country, city } = dealerOf(index);
  const random = randomOf('dealer', index);
  const account = {
    id,
    name,
    country,
    city: city.name,
    legal_name: `${name} ${country === 'TR' ? 'San. ve Tic. Ltd. Şti.' : 'Ltd.'}`,
    phone: `0${country === 'KKTC' ? '392' : '850'}${random.between(2_000_000, 9_999_999)}`,
    email: `info@${foldName(name).replace(/[^a-z0-9]/g, '')}.example.com`,
  };
  const found = await database.onPlatform('read', (db) => findAccount(db, id));
  if (found === null)
    await database.onPlatform('write', (db) => createAccount(db, account, { type: 'system', name: 'demo' }, now));
  const { default_currency, timezone } = found ?? (await database.onPlatform('read', (db) => findAccount(db, id)))!;
  return { index, id, name, country, city, currency: default_currency, timezone };
}
