// Two services on one database; each vehicle is reserved (each time for another customer, some with a deposit), sold to one of
// them, marked as sold and deleted fifty times at once: only legal transitions, one winner, at most one active reservation, one
// sale, one deposit, which becomes the payment of the customer who paid it. `--plant` drops the lock and the unique index.
//
//   node test/harness/stock-race.ts --seed 1 --n 1000 [--plant]
import { startRedis } from '../support/redis.ts';
import { type Answered, aCar, askInRace, codeOf, dataOf, type HarnessRequest } from './ask.ts';
import { disagreements, gapsIn, readStories, type VehicleStory } from './history.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { openWorld, type World } from './world.ts';

const AT_ONCE = 50;
const MAX_SHOWN = 20;
const CUSTOMERS = 60;

type Act = 'reserved' | 'reserved with deposit' | 'sold' | 'marked as sold' | 'deleted';
/** A deletion has no body and arrives first: it is rarer, so that every transition occurs. */
const ACTS: readonly Act[] = [
  ...(['reserved', 'reserved', 'reserved', 'reserved with deposit', 'reserved with deposit'] as const),
  ...(['sold', 'sold', 'marked as sold', 'deleted'] as const),
];
/** Refusals because another request won. */
const LOST: Readonly<Record<Act, readonly string[]>> = {
  reserved: ['vehicle_reserved', 'vehicle_already_sold', 'vehicle_deleted'],
  'reserved with deposit': ['vehicle_reserved', 'vehicle_already_sold', 'vehicle_deleted'],
  sold: ['vehicle_already_sold', 'vehicle_deleted', 'vehicle_reserved_for_other'],
  'marked as sold': ['vehicle_already_sold', 'vehicle_deleted', 'deposit_open'],
  deleted: ['vehicle_reserved', 'vehicle_sold', 'not_found'],
};
/** The event of each. */
const MOVES = ['reserved', 'sold', 'deleted'];
const moveOf = (act: Act): string => (act === 'marked as sold' ? 'sold' : act.split(' ')[0]!);
const DEPOSIT = '100.00';

export async function stockRace(seed: number, n: number, plant: boolean): Promise<Report> {
  const redis = await startRedis();
  const world = await openWorld({ dealers: 1, postgres: 'address' });
  try {
    if (plant) await world.query('drop index reservations_one_active');
    const options = { env: { REDIS_URL: redis.url }, plant: plant ? ('no-locks' as const) : undefined };
    const apis = [(await world.serve(options)).ready.api, (await world.serve(options)).ready.api];
    const race: Race = { apis, world, random: createRandom(seed), customers: await addCustomers(world), statuses: {} };
    const violations: string[] = [];
    const won = new Map<string, Act[]>();
    const startedAt = performance.now();
    for (let number = 1; number <= n; number += 1) {
      const id = await createVehicle(race, number);
      const { acts, problems } = await raceOne(race, id);
      won.set(id, acts);
      violations.push(...problems.slice(0, MAX_SHOWN - violations.length));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const { accountId } = world.dealers[0]!;
    const stories = await readStories(world, accountId);
    const money = await readMoney(world, accountId);
    const problems = stories.flatMap((story) => {
      const acts = won.get(story.id) ?? [];
      return [...disagreements(story), ...illegal(story, acts), ...wrongMoney(story.id, acts, money.get(story.id)!)];
    });
    violations.push(...problems.slice(0, MAX_SHOWN), ...(await gapsIn(world, accountId)));
    const requests = n * AT_ONCE;
    return {
      name: 'stock-race',
      seed,
      n,
      violations,
      figure: { requests, statuses: race.statuses, ends: countEnds(stories), per_second: Math.round(requests / seconds) },
    };
  } finally {
    await world.close();
    await redis.stop();
  }
}

interface Race {
  readonly world: World;
  readonly apis: readonly string[];
  readonly random: Random;
  readonly customers: readonly string[];
  readonly statuses: Record<string, number>;
}

async function addCustomers({ query, dealers }: World): Promise<string[]> {
  const added = await query<{ id: string }>(
    `insert into customers (account_id, id, first_name, last_name, phone)
     select $1, gen_random_uuid(), 'Ayşe', 'Yılmaz ' || number, '+90533' || (1000000 + number) from generate_series(1, $2::int) as number
     returning id`,
    [dealers[0]!.accountId, CUSTOMERS],
  );
  return added.map(({ id }) => id);
}

/** Every other vehicle is on the marketplace, so that its listing has to follow. */
async function createVehicle({ world, apis }: Race, number: number): Promise<string> {
  const { key } = world.dealers[0]!;
  const made = await askInRace(apis[0]!, { method: 'POST', path: 'vehicles', key, body: aCar(`SR ${number}`) });
  if (made.status !== 201) throw new Error(`no car to race for: ${made.text}`);
  const { id } = dataOf(made) as { id: string };
  if (number % 2 === 0) {
    const shown = await askInRace(apis[1]!, { method: 'POST', path: `vehicles/${id}/publish`, key, body: {} });
    if (shown.status !== 200) throw new Error(`a car could not be published: ${shown.text}`);
  }
  return id;
}

async function raceOne(
  { world, apis, random, customers, statuses }: Race,
  id: string,
): Promise<{ acts: Act[]; problems: string[] }> {
  const { key } = world.dealers[0]!;
  const acts = Array.from({ length: AT_ONCE }, () => random.pick(ACTS));
  // Half of the buyers are the one who reserves first, and probably succeeds.
  const first = customers[acts.findIndex((act) => moveOf(act) === 'reserved')] ?? customers[0]!;
  const wanted = acts.map((act, index): { act: Act; api: string; asked: HarnessRequest } => {
    const customer = act === 'sold' && random.chance(0.5) ? first : customers[index]!;
    return { act, api: random.pick(apis), asked: requestFor(act, id, key, customer, `${id}-${index}`) };
  });
  const answers = await Promise.all(wanted.map(async ({ act, api, asked }) => ({ act, answer: await askInRace(api, asked) })));
  for (const { answer } of answers) statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  return {
    acts: answers.filter(({ answer }) => answer.status < 300).map(({ act }) => act),
    problems: answers
      .filter((one) => !isExpected(one))
      .map(({ act, answer }) => `${id}: ${act}: ${answer.status} ${answer.text}`),
  };
}

function requestFor(act: Act, id: string, key: string, customer: string, idempotencyKey: string): HarnessRequest {
  if (act === 'sold') {
    const body = { vehicle_id: id, customer_id: customer, sale_price: '14500.00', installment_count: 12 };
    return { method: 'POST', path: 'sales', key, idempotencyKey, body };
  }
  if (moveOf(act) === 'reserved') {
    const deposit = act === 'reserved' ? {} : { deposit_amount: DEPOSIT };
    return { method: 'POST', path: `vehicles/${id}/reserve`, key, body: { customer_id: customer, ...deposit } };
  }
  if (act === 'marked as sold') return { method: 'POST', path: `vehicles/${id}/mark-sold`, key, body: {} };
  return { method: 'DELETE', path: `vehicles/${id}`, key };
}

const isExpected = ({ act, answer }: { act: Act; answer: Answered }): boolean =>
  answer.status < 300 || ([404, 409].includes(answer.status) && LOST[act].includes(codeOf(answer)!));

/** The legal sequences here, by their events, and the final state of each. */
const WAYS: Readonly<Record<string, { status: string; reservations: string; listing: string }>> = {
  deleted: { status: 'Stokta', reservations: '', listing: 'Kapandı' },
  sold: { status: 'Satıldı', reservations: '', listing: 'Kapandı' },
  reserved: { status: 'Rezerve', reservations: 'Aktif', listing: 'Askıda' },
  'reserved,sold': { status: 'Satıldı', reservations: 'Tamamlandı', listing: 'Kapandı' },
};

function illegal(story: VehicleStory, won: readonly Act[]): string[] {
  const moves = story.events.filter((event) => MOVES.includes(event));
  const way = WAYS[moves.join()];
  if (way === undefined) return [`${story.id}: went ${story.events}`];
  const listing = story.events.includes('published') ? way.listing : '';
  const wrong = {
    'events of its transitions': won.map(moveOf).toSorted().join() !== moves.toSorted().join(),
    deleted: story.is_deleted !== moves.includes('deleted'),
    status: story.status !== way.status,
    reservations: story.reservations.join() !== way.reservations,
    listing: story.listings.join() !== listing,
    visibility: story.is_visible,
  };
  return Object.entries(wrong)
    .filter(([, is]) => is)
    .map(([what]) => `${story.id}: wrong ${what} after ${moves} (replies: ${won}): ${JSON.stringify(story)}`);
}

interface Money {
  readonly vehicle_id: string;
  /** The amount collected on each of its sales. */
  readonly sales: readonly string[];
  readonly deposits: readonly string[];
}

async function readMoney({ query }: World, accountId: string): Promise<Map<string, Money>> {
  const found = await query<Money>(
    `select id as vehicle_id,
       array(select money_text(collected_amount_minor) from sales s where s.account_id = $1 and s.vehicle_id = v.id) as sales,
       array(select deposit_status from collections c where c.account_id = $1 and c.vehicle_id = v.id and type = 'Kapora') as deposits
     from vehicles v where account_id = $1`,
    [accountId],
  );
  return new Map(found.map((one) => [one.vehicle_id, one]));
}

function wrongMoney(id: string, won: readonly Act[], { sales, deposits }: Money): string[] {
  const isSold = won.includes('sold');
  const hasDeposit = won.includes('reserved with deposit');
  const dueSales = isSold ? [hasDeposit ? DEPOSIT : '0.00'] : [];
  const dueDeposits = hasDeposit ? [isSold ? 'Mahsup Edildi' : 'Açık'] : [];
  return sales.join() === dueSales.join() && deposits.join() === dueDeposits.join()
    ? []
    : [`${id}: ${won} left sales of ${sales} and deposits ${deposits}`];
}

function countEnds(stories: readonly VehicleStory[]): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { events } of stories) {
    const way = events.filter((event) => MOVES.includes(event)).join(' → ');
    ends[way] = (ends[way] ?? 0) + 1;
  }
  return ends;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 1000 });
  report(await stockRace(seed, n, plant));
}
