// Eight dealers with four writers each, on two services: they publish, offer, counter, accept, withdraw, trade, reserve, sell,
// boost and top up their wallets at random while the services and PostgreSQL are killed with -9 in turn. At the end no vehicle
// has two holders, no balance is below zero, the ledger sums to zero, every chain of offers is legal, and both parties have the
// same events. `--plant` drops locks and the indexes that back them.
//
//   node test/harness/parties.ts --seed 1 --n 50000 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import { end } from '../support/child-processes.ts';
import { startRedis } from '../support/redis.ts';
import { brokenDeals } from './deal-invariants.ts';
import { type PartyTable, PartyWriter } from './party-writer.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { openWorld, type ServeOptions, type World } from './world.ts';

const DEALERS = 8;
const WRITERS_EACH = 4;
const MAX_SHOWN = 20;
/** Actions between two kills. */
const BETWEEN_KILLS = 2500;
const PLANTED = [
  'network_offers_one_accepted',
  'network_offers_one_open',
  'network_offers_one_answer',
  'reservations_one_active',
];

type Started = Awaited<ReturnType<World['serve']>>;

export async function parties(seed: number, n: number, plant: boolean): Promise<Report> {
  const redis = await startRedis();
  const world = await openWorld({ dealers: DEALERS, postgres: 'address' });
  try {
    if (plant) for (const index of PLANTED) await world.query(`drop index ${index}`);
    const options: ServeOptions = { env: { REDIS_URL: redis.url }, ...(plant ? { plant: 'no-locks' as const } : {}) };
    const services = [await world.serve(options), await world.serve(options)];
    const random = createRandom(seed);
    const table: PartyTable = { api: () => random.pick(services).ready.api, violations: [], verdicts: {}, answered: 0, goal: n };
    const writers = await seat(world, table, random);
    const startedAt = performance.now();
    const writing = Promise.all(writers.map((writer) => writer.run()));
    const kills = plant ? 0 : await killInTurn({ world, table, services, options }, n);
    await writing;
    const seconds = (performance.now() - startedAt) / 1000;
    const violations = [...table.violations, ...(await brokenDeals(world))];
    const figure = { acts: table.answered, kills, verdicts: table.verdicts, per_second: Math.round(table.answered / seconds) };
    return { name: 'parties', seed, n, violations: violations.slice(0, MAX_SHOWN), figure };
  } finally {
    await world.close();
    await redis.stop();
  }
}

/** Every wallet covers a few boosts, so that there is something to spend and too little for all. */
async function seat(world: World, table: PartyTable, random: Random): Promise<PartyWriter[]> {
  const writers: PartyWriter[] = [];
  for (const [place, dealer] of world.dealers.entries()) {
    const seats = Array.from(
      { length: WRITERS_EACH },
      (_, number) => new PartyWriter(table, dealer, `D${place}W${number}`, random.below(2 ** 31)),
    );
    const topup = await seats[0]!.askForTopup('9000.00');
    await world.platform('topup', 'approve', topup);
    writers.push(...seats);
  }
  return writers;
}

interface Killing {
  readonly world: World;
  readonly table: PartyTable;
  readonly services: Started[];
  readonly options: ServeOptions;
}

/** One service, PostgreSQL, the other service, PostgreSQL …; each is restarted, as a supervisor would. */
async function killInTurn({ world, table, services, options }: Killing, n: number): Promise<number> {
  const every = Math.min(BETWEEN_KILLS, Math.ceil(n / 3));
  let kills = 0;
  for (let next = every; next < n; next += every) {
    while (table.answered < next && table.violations.length === 0) await wait(20);
    if (table.violations.length > 0) return kills;
    if (kills % 2 === 1) await world.killPostgres();
    else {
      const place = (kills / 2) % services.length;
      await end(services[place]!.child, 'SIGKILL');
      services[place] = await world.serve(options);
    }
    kills += 1;
  }
  return kills;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 50_000 });
  report(await parties(seed, n, plant));
}
