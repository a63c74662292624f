// Two services on one database, dealers who bid at random in network auctions and on lots of live events. In the closing second
// all bid at once: the auction ends, or the lot is sold, in the middle of it, while a service or PostgreSQL is killed with -9.
// Each has one winner, the highest accepted bid; no bid is accepted after the end; every hash chain is valid; every party
// receives the same events. `--plant` drops the lock, the database rules and the index of bids.
//
//   node test/harness/auction.ts --seed 1 --n 200 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import { end } from '../support/child-processes.ts';
import { deadline } from '../support/patience.ts';
import { startRedis } from '../support/redis.ts';
import { AuctionTable, type Item } from './auction-bidders.ts';
import { brokenAuctions, brokenLogs } from './auction-invariants.ts';
import { openEvent, putUpAll, setTheScene } from './auction-scene.ts';
import { createRandom } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { openWorld, type ServeOptions, type World } from './world.ts';

/** The number of auctions in progress at once. */
const AT_ONCE = 8;
/** Lots of an event; one event for every ten auctions. */
const LOTS = 2;
const MAX_SHOWN = 20;

type Started = Awaited<ReturnType<World['serve']>>;

export async function auction(seed: number, n: number, plant: boolean): Promise<Report> {
  const redis = await startRedis();
  const bidders = n >= 50 ? 100 : 10;
  const world = await openWorld({ dealers: bidders + 2, postgres: 'address' });
  try {
    await setTheScene(world, plant);
    const options: ServeOptions = { env: { REDIS_URL: redis.url } };
    const services = [await world.serve(options), await world.serve(options)];
    const random = createRandom(seed);
    const table = new AuctionTable(random, world.dealers, () => random.pick(services).ready.api);
    const killing: Killing = { world, services, options, kills: 0, isOn: !plant };
    const startedAt = performance.now();
    for (let done = 0; done < n && table.violations.length === 0; done += AT_ONCE) {
      const items = await putUpAll(world, table, Math.min(AT_ONCE, n - done));
      await table.bidAtRandom(items);
      await closeByClock(killing, table, items);
      if (done % 80 === 0) await liveEvent(killing, table);
      if (n >= 50) process.stderr.write(`${table.items.length} done, ${table.accepted.length} bids\n`);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const violations = [...table.violations, ...(await brokenAuctions(world, table)), ...(await brokenLogs(world, table))];
    const { accepted, verdicts, items } = table;
    const figure = {
      items: items.length,
      bidders,
      accepted: accepted.length,
      kills: killing.kills,
      verdicts,
      seconds: Math.round(seconds),
    };
    return { name: 'auction', seed, n, violations: violations.slice(0, MAX_SHOWN), figure };
  } finally {
    await world.close();
    await redis.stop();
  }
}

interface Killing {
  readonly world: World;
  readonly services: Started[];
  readonly options: ServeOptions;
  readonly isOn: boolean;
  kills: number;
}

/** A service, PostgreSQL, the other service, PostgreSQL …; each is restarted, as a supervisor would. */
async function killNext(killing: Killing): Promise<void> {
  const { world, services, options, isOn } = killing;
  if (!isOn) return;
  const turn = killing.kills++;
  if (turn % 2 === 1) return world.killPostgres();
  const place = (turn / 2) % services.length;
  await end(services[place]!.child, 'SIGKILL');
  services[place] = await world.serve(options);
}

/** Time passes for these: moves all their times back, and reads their seller. */
async function passTime({ world }: Killing, items: readonly Item[], left: string): Promise<void> {
  for (const { id } of items)
    await world.query(
      `with passed as (select ends_at - (${left}) as time from network_auctions where id = $1 and status = 'Canlı')
       update network_auctions set starts_at = starts_at - time, ends_at = ends_at - time, original_ends_at = original_ends_at - time
       from passed where id = $1 and status = 'Canlı'`,
      [id],
    );
  await world.query(
    'update data_sets set next_due_at = now() where id in (select account_id from network_auctions where id = $1)',
    [items[0]!.id],
  );
}

/**
 * Bids move the end by two minutes; in the middle of the burst that time ends. No request is needed: the services end the
 * auctions.
 */
async function closeByClock(killing: Killing, table: AuctionTable, items: readonly Item[]): Promise<void> {
  await passTime(killing, items, `clock_timestamp() + interval '1 second'`);
  const burst = table.burst(items);
  await wait(table.random.below(600));
  const killed = killNext(killing);
  await passTime(killing, items, `ends_at - interval '121 seconds'`);
  await Promise.all([burst, killed]);
  for (const isOver = deadline(90_000); ; await wait(250)) {
    const [{ open }] = (await killing.world.query(
      `select count(*)::int as open from network_auctions where status = 'Canlı' and id = any($1)`,
      [items.map(({ id }) => id)],
    )) as [{ open: number }];
    if (open === 0) return table.ended(items);
    if (isOver()) return void table.violations.push(`${open} auctions never ended`);
    await passTime(killing, items, `ends_at - interval '121 seconds'`);
  }
}

/** One lot after the other: opened, bid on by all, sold in the middle of a burst. */
async function liveEvent(killing: Killing, table: AuctionTable): Promise<void> {
  for (const lot of await openEvent(killing.world, table, LOTS)) {
    await table.operate(lot, 'start');
    await table.bidAtRandom([lot]);
    const burst = table.burst([lot]);
    await wait(table.random.below(300));
    const killed = killNext(killing);
    await table.operate(lot, 'end');
    table.ended([lot]);
    await Promise.all([burst, killed]);
  }
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 200 });
  report(await auction(seed, n, plant));
}
