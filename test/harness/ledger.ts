// Sixteen writers sell, collect, discount, reverse, postpone, restructure, cancel and record promises, each with its own journal,
// and a cashier of each dealer pays bills, moves cash and closes the till, while the service and PostgreSQL are killed with -9 in
// turn; halfway the clock moves by weeks. At the end every figure is recomputed from the journals. `--plant`: four dealers with a
// bug each (money fills the newest row, reversals are lost, keys are forgotten, bills paid in cash are not missing in the till).
//
//   node test/harness/ledger.ts --seed 1 --n 50 [--plant]
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { end } from '../support/child-processes.ts';
import { daysLater } from './civil-days.ts';
import { type KilledService, startKilled, type Victim } from './killed-service.ts';
import { compare, type Expected, readLedger } from './ledger-check.ts';
import { brokenInvariants } from './ledger-invariants.ts';
import { type Books, LedgerWriter, type Surroundings } from './ledger-writer.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report, spread } from './report.ts';
import { TillWriter } from './till-writer.ts';
import { type Dealer, openWorld, type Plant, type World } from './world.ts';

const DEALERS = 4;
const WRITERS_EACH = 4;
const CUSTOMERS_EACH = 3;
const MAX_SHOWN = 20;
/** Far from any real date; at noon, so that no midnight passes during the run. */
const FIRST_DAY = '2035-05-14';
const MOVED_DAYS = 40;
const VICTIMS: readonly Victim[] = ['service', 'postgres'];
const CLOCKED = { env: { TEST_CLOCK: 'on' } };

export async function ledger(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: plant ? PLANTS.length : DEALERS, postgres: 'own' });
  try {
    await setClock(world, FIRST_DAY);
    const random = createRandom(seed);
    const books = await Promise.all(world.dealers.map((dealer) => openBooks(world, dealer)));
    return plant ? await runPlanted(world, random, books, seed, n) : await runKilled(world, random, books, seed, n);
  } finally {
    await world.close();
  }
}

/** The business clock of the service; read when it starts. */
async function setClock({ query }: World, day: string): Promise<void> {
  await query(`update test_clock set offset_ms = round(extract(epoch from $1::timestamptz - clock_timestamp()) * 1000)`, [
    `${day}T09:00:00Z`,
  ]);
}

async function openBooks({ query }: World, dealer: Dealer): Promise<Books> {
  const { accountId } = dealer;
  const customers = await query<{ id: string }>(
    `insert into customers (account_id, id, first_name, last_name, phone)
     select $1, gen_random_uuid(), 'Ayşe', 'Yılmaz ' || number, '+90533' || (1000000 + number) from generate_series(1, $2::int) as number
     returning id`,
    [accountId, CUSTOMERS_EACH],
  );
  await query(`insert into branches (account_id, id, name) values ($1, gen_random_uuid(), 'Girne')`, [accountId]);
  const branches = await query<{ id: string }>('select id from branches where account_id = $1 order by is_main desc', [
    accountId,
  ]);
  return { dealer, customers: customers.map(({ id }) => id), branches: branches.map(({ id }) => id) };
}

interface Bench {
  readonly books: Books;
  readonly paths: readonly string[];
  readonly writers: readonly LedgerWriter[];
}

function seat(world: World, around: Surroundings, random: Random, books: Books, place: number): Bench {
  const names = Array.from({ length: WRITERS_EACH }, (_, number) => `D${place}W${number}`);
  const paths = names.map((name) => join(world.dataDir, `journal-${name}`));
  const writers = names.map((name, index) => new LedgerWriter(around, books, paths[index]!, name, random.below(2 ** 31)));
  return { books, paths, writers };
}

async function runKilled(world: World, random: Random, books: readonly Books[], seed: number, n: number): Promise<Report> {
  const service = await startKilled(world, random, CLOCKED);
  const around = surroundings(service.api);
  const benches = books.map((one, place) => seat(world, around, random, one, place));
  const tills: TillWriter[] = [];
  for (const [place, { dealer }] of books.entries())
    tills.push(await TillWriter.open(world, around, dealer, `D${place}K`, random.below(2 ** 31)));
  const away: number[] = [];
  const kills = Array.from({ length: 2 * n }, (_, index) => VICTIMS[index % 2]!);
  const startedAt = performance.now();
  try {
    for (const half of [kills.slice(0, n), kills.slice(n)]) {
      around.isStopping = false;
      const writing = [...benches.flatMap(({ writers }) => writers), ...tills].map((writer) => writer.run());
      for (const victim of half) {
        await untilAnswered(around, 20 + random.below(100));
        away.push(await service.kill(victim));
      }
      await untilAnswered(around, 20);
      around.isStopping = true;
      await Promise.all(writing);
      if (around.today === FIRST_DAY) await moveClock(world, service, around);
    }
  } finally {
    around.isStopping = true;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const expected = await Promise.all(benches.map(({ paths }) => readLedger(paths, around.today)));
  const violations = [...around.violations];
  for (const [place, one] of expected.entries())
    violations.push(...(await compare(world, service.api(), benches[place]!.books, one, around.today)));
  for (const till of tills) violations.push(...(await till.problems()));
  violations.push(...(await brokenInvariants(world)));
  const figure = { ...figures(expected), found_done: around.found, statuses: around.statuses, away_ms: spread(away), seconds };
  return { name: 'ledger', seed, n, violations: violations.slice(0, MAX_SHOWN), figure };
}

const surroundings = (api: () => string): Surroundings => ({
  api,
  violations: [],
  statuses: {},
  answered: 0,
  found: 0,
  today: FIRST_DAY,
  isStopping: false,
});

/** Waits until this many more actions were answered, or every writer gave up. */
async function untilAnswered(around: Surroundings, acts: number): Promise<void> {
  const goal = around.answered + acts;
  while (around.answered < goal && around.violations.length < DEALERS * WRITERS_EACH) await wait(10);
}

/** While no writer runs and the service is down. */
async function moveClock(world: World, service: KilledService, around: Surroundings): Promise<void> {
  around.today = daysLater(FIRST_DAY, MOVED_DAYS);
  await service.kill('service', () => setClock(world, around.today));
}

function figures(expected: readonly Expected[]): Record<string, unknown> {
  const acts: Record<string, number> = {};
  for (const line of expected.flatMap(({ wrote }) => wrote)) {
    const act = line.split(' ').slice(0, 2).join(' ');
    acts[act] = (acts[act] ?? 0) + 1;
  }
  const acknowledged = expected.reduce((all, { wrote }) => all + wrote.length, 0);
  const sales = expected.reduce((all, one) => all + one.sales.size, 0);
  return { acknowledged, sales, acts };
}

/** One for each dealer: a service with a bug, or keys that the database deletes. */
const PLANTS: readonly (Plant | 'forgotten keys')[] = ['newest-first', 'lost-reversal', 'forgotten keys', 'forgotten-bills'];

const forgetKeysOf = (accountId: string) => `
  create function forget() returns trigger language plpgsql security definer as $$
    begin
      delete from public.idempotency where account_id = new.account_id and key = new.key and account_id = '${accountId}';
      return null;
    end $$;
  create trigger forget after insert on idempotency for each row execute function forget();`;

/** Reports the plant as found only if every bug is found. */
async function runPlanted(world: World, random: Random, books: readonly Books[], seed: number, n: number): Promise<Report> {
  await world.query(forgetKeysOf(books[PLANTS.indexOf('forgotten keys')]!.dealer.accountId));
  const found: string[][] = [];
  for (const [place, plant] of PLANTS.entries()) {
    const service = await world.serve({ ...CLOCKED, ...(plant === 'forgotten keys' ? {} : { plant }) });
    const around = surroundings(() => service.ready.api);
    if (plant === 'forgotten-bills') {
      const till = await TillWriter.open(world, around, books[place]!.dealer, 'K', random.below(2 ** 31));
      await till.run(n);
      found.push([...around.violations, ...(await till.problems())]);
      await end(service.child, 'SIGKILL');
      continue;
    }
    const { writers, paths } = seat(world, around, random, books[place]!, place);
    await Promise.all(writers.map((writer) => writer.run(n)));
    const expected = await readLedger(paths, around.today);
    found.push([...around.violations, ...(await compare(world, service.ready.api, books[place]!, expected, around.today))]);
    // PostgreSQL stays for the next one.
    await end(service.child, 'SIGKILL');
  }
  const noticed = Object.fromEntries(PLANTS.map((plant, place) => [plant, found[place]!.slice(0, 3)]));
  const isNoticed = found.every((problems) => problems.length > 0);
  return { name: 'ledger', seed, n, violations: isNoticed ? found.flat().slice(0, MAX_SHOWN) : [], figure: { noticed } };
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 50 });
  report(await ledger(seed, n, plant));
}
