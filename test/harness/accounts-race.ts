// Three dealers and their vehicles; each writes to its own, to another's or to all at once, over two connection pools: no
// deadlock, no lost kilometre, no missing or extra event, and gapless numbers for every dealer. `--plant` drops the lock order.
//
//   node test/harness/accounts-race.ts --seed 1 --n 10000 [--plant]
import { rm } from 'node:fs/promises';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { lockVehicle } from '../../src/domain/stock/vehicle.ts';
import { addVehicle, editVehicle } from '../../src/domain/stock/vehicle-writes.ts';
import { deriveSecrets } from '../../src/domain/vault/secrets.ts';
import type { Writer } from '../../src/domain/writes/write.ts';
import { sqlState } from '../../src/kit/db.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { prepareRoles } from '../../src/postgres/roles.ts';
import { migratedDataDir } from '../support/data-dir.ts';
import { testWriter } from '../support/test-writer.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';

const AT_ONCE = 6;
const MAX_SHOWN = 20;
const HARNESS = { type: 'system', name: 'harness' } as const;

interface Dealer {
  readonly id: string;
  readonly car: string;
  /** How often its vehicle was driven and its account notified. */
  drives: number;
}

interface Race {
  readonly writers: readonly Writer[];
  readonly dealers: readonly Dealer[];
  readonly random: Random;
  readonly plant: boolean;
}

export async function accountsRace(seed: number, n: number, plant: boolean): Promise<Report> {
  const dataDir = await migratedDataDir('harness');
  const postgres = await openEmbeddedPostgres({ dataDir });
  const admin = await openSession(postgres.url);
  const closing: (() => Promise<void>)[] = [];
  try {
    await migrate(postgres.url);
    const secrets = deriveSecrets('a secret of at least thirty-two characters, for harnesses');
    const urls = await prepareRoles(postgres.url, secrets.roles);
    const writers = [1, 2].map(() => {
      const database = openDatabase({ ...urls, connections: 8 });
      closing.push(() => database.close());
      return testWriter({ database, secrets });
    });
    const race: Race = { writers, dealers: await makeDealers(writers[0]!), random: createRandom(seed), plant };
    const startedAt = performance.now();
    const { violations, outcomes } = await runAll(race, n);
    const seconds = (performance.now() - startedAt) / 1000;
    violations.push(...(await problems(admin, race.dealers)));
    return { name: 'accounts-race', seed, n, violations, figure: { outcomes, per_second: Math.round(n / seconds) } };
  } finally {
    for (const close of closing) await close();
    await admin.close();
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const callOf = (dataSet: string) => ({ dataSet, account: { id: dataSet, timezone: 'UTC' }, actor: HARNESS, now: new Date() });

async function makeDealers(writer: Writer): Promise<Dealer[]> {
  const dealers: Dealer[] = [];
  for (const [number, name] of ['Bir', 'İki', 'Üç'].entries()) {
    const { id } = await writer.database.onPlatform('write', (db) => createAccount(db, { name }, HARNESS, new Date()));
    const car = { brand: 'Fiat', model: 'Egea', model_year: 2020, km: 0, fuel_type: 'Benzin', transmission: 'Manuel' } as const;
    const place = { body_type: 'Sedan', color: 'Gri', plate: `AR ${number}`, city: 'Girne', price: 100n } as const;
    const made = await writer.write(callOf(id), (work) => addVehicle(work, { ...car, ...place }));
    dealers.push({ id, car: made.id, drives: 0 });
  }
  return dealers;
}

/** The number of parallel workers; each takes the next item when it finishes one. */
async function runAll(race: Race, n: number): Promise<{ violations: string[]; outcomes: Record<string, number> }> {
  const violations: string[] = [];
  const outcomes: Record<string, number> = {};
  let left = n;
  const takeTurns = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { random, dealers } = race;
      const by = random.pick(dealers);
      const who = random.pick([[by], [by, random.pick(dealers)], dealers]);
      const outcome = await drive(race, by, [...new Set(who)]);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (!outcome.startsWith('done') && violations.length < MAX_SHOWN) violations.push(`a write ended with ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return { violations, outcomes };
}

/** Adds a kilometre to each of these vehicles of any dealer; some are refused, and a refusal must change nothing. */
async function drive({ writers, random, plant }: Race, by: Dealer, who: readonly Dealer[]): Promise<string> {
  // All writers lock vehicles in the order of their ids; the planted bug locks its own first.
  const order = who.toSorted((one, other) => (plant ? Number(other === by) - Number(one === by) : one.car < other.car ? -1 : 1));
  const isRefused = random.pick([false, false, false, false, true]);
  const holds = random.pick([false, false, false, true]);
  class Refused extends Error {}
  try {
    await random.pick(writers).write(callOf(by.id), (work) =>
      work.inAccounts(
        who.map(({ id }) => id),
        async (works) => {
          const cars = [];
          for (const { id, car } of order) cars.push({ work: works.get(id)!, car: await lockVehicle(works.get(id)!.db, car) });
          if (holds) work.holdDataSet();
          for (const { work: side, car } of cars) await editVehicle(side, car.id, { km: (car.km as number) + 1 });
          if (isRefused) throw new Refused();
        },
      ),
    );
    for (const dealer of who) dealer.drives += 1;
    return `done on ${who.length}`;
  } catch (error) {
    if (error instanceof Refused) return 'done: refused';
    // On a busy machine a write may wait a second for a connection and give up; it changed nothing, as the counters must show.
    if (/^timeout: no database connection/.test((error as Error).message)) return 'done: gave up';
    return sqlState(error) ?? (error as Error).message;
  }
}

async function problems(admin: Session, dealers: readonly Dealer[]): Promise<string[]> {
  const found: string[] = [];
  // Each connection counts, and reports when it closes or has been idle for a second.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const [count] = await admin.rows<{ deadlocks: bigint }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  if (count!.deadlocks > 0n) found.push(`${count!.deadlocks} deadlocks`);
  for (const { id, car, drives } of dealers) {
    const [is] = await admin.rows<Record<string, number>>(
      `select (select km from vehicles where id = $2) as km, sequence::int - 1 as sequence,
        (select count(*)::int - 1 from vehicle_history where account_id = $1) as history,
        (select count(*)::int from events where account_id = $1 and kind = 'vehicle.updated' and resource_id = $2) as events,
        (select count(*)::int from events where account_id = $1 and resource_id <> $2) as strays,
        (select max(sequence)::int - count(*)::int from events where account_id = $1) as gaps
       from data_sets where id = $1`,
      [id, car],
    );
    const expected = { km: drives, sequence: drives, history: drives, events: drives, strays: 0, gaps: 0 };
    for (const [what, value] of Object.entries(expected))
      if (is![what] !== value) found.push(`${id}: ${what} is ${is![what]}, not ${value}`);
  }
  return found;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 10_000 });
  report(await accountsRace(seed, n, plant));
}
