// A live room on two services: spectators who hold their streams open and are cut off at random, resuming with Last-Event-ID at
// either service, while twenty dealers bid. Every spectator sees every bid once and in order; the figure is the API's latency for
// another dealer's reads with and without them. `--plant` lets the spectators forget their position. At full size two more are
// pages of the panel in a real browser.
//
//   node test/harness/spectators.ts --seed 1 --n 300 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import { deadline } from '../support/patience.ts';
import { startRedis } from '../support/redis.ts';
import { ask } from './ask.ts';
import { AuctionTable, type Item } from './auction-bidders.ts';
import { openEvent, setTheScene } from './auction-scene.ts';
import { createRandom } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { PAGES, RoomPages, type Struck } from './room-pages.ts';
import { Spectator } from './spectator.ts';
import { openWorld } from './world.ts';

const BIDDERS = 20;
/** A session may hold five at one service, and one that was cut counts until the service has noticed. */
const STREAMS_EACH = 4;
const ROUNDS = 3;
const READERS = 2;
const CUTTERS = 5;
const MAX_SHOWN = 20;
/** A browser is expensive: a small run has none. */
const PAGES_FROM = 300;

export async function spectators(seed: number, n: number, plant: boolean): Promise<Report> {
  const redis = await startRedis();
  const watching = Math.ceil(n / STREAMS_EACH);
  // Seller, operator, bidders; they also watch, with more spectators if needed.
  const world = await openWorld({ dealers: Math.max(BIDDERS + 2, watching + PAGES), postgres: 'address' });
  let pages: RoomPages | null = null;
  try {
    await setTheScene(world, false);
    const options = { env: { REDIS_URL: redis.url } };
    const services = [await world.serve(options), await world.serve(options)];
    const random = createRandom(seed);
    const apis = services.map(({ ready }) => ready.api);
    const table = new AuctionTable(random, world.dealers.slice(0, BIDDERS + 2), () => random.pick(apis));
    const [alone, watched] = (await openEvent(world, table, 2)) as [Item, Item];
    const [{ event }] = (await world.query('select event_id as event from live_lots where id = $1', [alone.id])) as [
      { event: string },
    ];
    const before = await auctionOff(table, alone);
    const cookies: string[] = [];
    for (const { accountId } of world.dealers.slice(0, watching)) cookies.push(await world.signIn(accountId));
    const crowd = Array.from(
      { length: n },
      (_, place) => new Spectator({ apis, event, random, cookie: cookies[place % watching]!, forgets: plant }),
    );
    await Promise.all(crowd.map((one, place) => one.open(apis[Math.floor(place / watching) % apis.length]!)));
    if (n >= PAGES_FROM) {
      const own: string[] = [];
      for (const { accountId } of world.dealers.slice(watching, watching + PAGES)) own.push(await world.signIn(accountId));
      pages = await RoomPages.open(apis, event, own);
    }
    const cutting = cutAtRandom(crowd, random);
    const beside = await auctionOff(table, watched, () => pages?.picture('bidding'));
    await cutting.stop();
    const bids = table.accepted.filter(({ item }) => item === watched).length;
    await allSeen(crowd, watched.id, bids);
    const violations = [...table.violations, ...crowd.flatMap((one) => one.mistakes(watched.id, bids))];
    if (pages !== null) {
      const lot = await table.done({ method: 'GET', path: `live-auctions/lots/${watched.id}`, key: table.operator.key });
      violations.push(...(await pages.mistakes(lot as unknown as Struck)));
      await pages.picture('struck');
    }
    for (const one of crowd) one.close();
    const figure = {
      spectators: n,
      bids,
      cut_off: cutting.count(),
      messages: crowd.reduce((sum, { messages }) => sum + messages, 0),
      turned_away: crowd.reduce((sum, { turnedAway }) => sum + turnedAway, 0),
      ...(pages === null ? {} : { pages: PAGES, pictures: pages.folder }),
      p99_ms_alone: before,
      p99_ms_beside: beside,
      ratio: Number((beside / before).toFixed(2)),
    };
    return { name: 'spectators', seed, n, violations: violations.slice(0, MAX_SHOWN), figure };
  } finally {
    await pages?.close();
    await world.close();
    await redis.stop();
  }
}

/** From the start to the sale; the p99 of a read of the operator during it, in milliseconds. */
async function auctionOff(table: AuctionTable, lot: Item, between?: () => Promise<void> | undefined): Promise<number> {
  await table.operate(lot, 'start');
  const times: number[] = [];
  let isOver = false;
  const reading = Array.from({ length: READERS }, async () => {
    while (!isOver) {
      const startedAt = performance.now();
      const { status } = await ask(table.api(), { method: 'GET', path: 'vehicles?limit=25', key: table.operator.key });
      if (status !== 200) table.violations.push(`a read was answered ${status}`);
      times.push(performance.now() - startedAt);
      await wait(10);
    }
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    await table.bidAtRandom([lot]);
    if (round === 0) await between?.();
  }
  isOver = true;
  await Promise.all(reading);
  await table.operate(lot, 'end');
  times.sort((one, other) => one - other);
  return Number(times[Math.floor(times.length * 0.99)]!.toFixed(1));
}

function cutAtRandom(crowd: readonly Spectator[], random: ReturnType<typeof createRandom>) {
  let [isOver, count] = [false, 0];
  // Each has its own part of the spectators: none is cut off twice at once.
  const cutting = Array.from({ length: CUTTERS }, async (_, place) => {
    const part = crowd.filter((_one, index) => index % CUTTERS === place);
    while (!isOver) {
      await wait(20);
      await random.pick(part).reopen();
      count += 1;
    }
  });
  return {
    count: () => count,
    stop: async () => {
      isOver = true;
      await Promise.all(cutting);
    },
  };
}

async function allSeen(crowd: readonly Spectator[], lot: string, bids: number): Promise<void> {
  for (const isOver = deadline(30_000); !isOver(); await wait(100)) if (crowd.every((one) => one.isThrough(lot, bids))) return;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 300 });
  report(await spectators(seed, n, plant));
}
