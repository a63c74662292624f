// Two services on one database; a seller and fifty dealers who want its vehicle. All offer for each vehicle and half of the
// offers are countered; then the fifty accept, withdraw, reject and counter while the seller accepts, sells, reserves and
// unpublishes, all at once: one outcome, the same for every party. `--plant` drops the locks and the unique indexes.
//
//   node test/harness/offer-race.ts --seed 1 --n 500 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import { deadline } from '../support/patience.ts';
import { startRedis } from '../support/redis.ts';
import { type Answered, aCar, ask, askUntilAnswered, codeOf, dataOf, type HarnessRequest } from './ask.ts';
import { brokenDeals } from './deal-invariants.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { type Dealer, openWorld, type World } from './world.ts';

const BUYERS = 50;
const MAX_SHOWN = 20;
const PLANTED = [
  'network_offers_one_accepted',
  'network_offers_one_open',
  'network_offers_one_answer',
  'reservations_one_active',
];

interface Race {
  readonly apis: readonly string[];
  readonly world: World;
  readonly random: Random;
  readonly seller: Dealer;
  readonly buyers: readonly Dealer[];
  readonly outcomes: Record<string, number>;
}

interface Open {
  readonly buyer: Dealer;
  readonly id: string;
  /** The party whose turn it is. */
  readonly awaits: 'seller' | 'buyer';
}

export async function offerRace(seed: number, n: number, plant: boolean): Promise<Report> {
  const redis = await startRedis();
  const world = await openWorld({ dealers: BUYERS + 1, postgres: 'address' });
  try {
    if (plant) for (const index of PLANTED) await world.query(`drop index ${index}`);
    const options = { env: { REDIS_URL: redis.url }, plant: plant ? ('no-locks' as const) : undefined };
    const apis = [(await world.serve(options)).ready.api, (await world.serve(options)).ready.api];
    const [seller, ...buyers] = world.dealers as [Dealer, ...Dealer[]];
    const race: Race = { apis, world, random: createRandom(seed), seller, buyers, outcomes: {} };
    const violations: string[] = [];
    const startedAt = performance.now();
    for (let number = 1; number <= n && violations.length < MAX_SHOWN; number += 1)
      violations.push(...(await raceOne(race, number)));
    const seconds = (performance.now() - startedAt) / 1000;
    violations.push(...(await brokenDeals(world)));
    const figure = { outcomes: race.outcomes, cars_per_minute: Math.round((n / seconds) * 60) };
    return { name: 'offer-race', seed, n, violations: violations.slice(0, MAX_SHOWN), figure };
  } finally {
    await world.close();
    await redis.stop();
  }
}

/** The setup before the race: repeated while the seller, whom all of them need, is busy. */
async function prepared({ apis, random }: Race, request: HarnessRequest): Promise<Answered> {
  const idempotencyKey = `p-${random.below(2 ** 31)}-${random.below(2 ** 31)}`;
  for (const isOver = deadline(); ; await wait(20 + random.below(200))) {
    const answer = await ask(random.pick(apis), { ...request, idempotencyKey });
    if (answer.status < 300) return answer;
    if (answer.status !== 503 || isOver()) throw new Error(`${request.method} ${request.path}: ${answer.text}`);
  }
}

async function publish(race: Race, number: number): Promise<{ car: string; listing: string }> {
  const { key } = race.seller;
  const { id: car } = dataOf(await prepared(race, { method: 'POST', path: 'vehicles', key, body: aCar(`OR ${number}`) }));
  const { listing_id } = dataOf(await prepared(race, { method: 'POST', path: `vehicles/${car}/publish`, key }));
  return { car, listing: listing_id };
}

async function openOffers(race: Race, listing_id: string): Promise<Open[]> {
  const { seller, buyers, random } = race;
  return Promise.all(
    buyers.map(async (buyer, place) => {
      const body = { listing_id, amount: `${10_000 + place}.00` };
      const { id } = dataOf(await prepared(race, { method: 'POST', path: 'network-offers', key: buyer.key, body }));
      if (random.chance(0.5)) return { buyer, id, awaits: 'seller' as const };
      const path = `network-offers/${id}/counter`;
      const answer = await prepared(race, { method: 'POST', path, key: seller.key, body: { amount: `${12_000 + place}.00` } });
      return { buyer, id: dataOf(answer).id as string, awaits: 'buyer' as const };
    }),
  );
}

type Act = 'accept' | 'reject' | 'counter' | 'withdraw' | 'sell' | 'reserve' | 'take down';
interface Wish extends HarnessRequest {
  readonly act: Act;
  readonly offer?: string;
}

/** One request per dealer, and some of the seller's on the vehicle itself. */
function wishes({ random, seller }: Race, open: readonly Open[], car: string): Wish[] {
  const onOffers = open.map(({ buyer, id, awaits }): Wish => {
    const act = random.pick(['accept', 'accept', 'accept', 'withdraw', 'reject', 'counter'] as const);
    const answers = awaits === 'seller' ? seller : buyer;
    const made = awaits === 'seller' ? buyer : seller;
    const body = act === 'counter' ? { body: { amount: `${11_000 + random.below(900)}.50` } } : {};
    const { key } = act === 'withdraw' ? made : answers;
    return { act, offer: id, method: 'POST', path: `network-offers/${id}/${act}`, key, ...body };
  });
  const ofCar = ([act, method, path, body]: [Act, HarnessRequest['method'], string, unknown?]): Wish => ({
    act,
    method,
    path: `vehicles/${car}/${path}`,
    key: seller.key,
    ...(body === undefined ? {} : { body }),
  });
  const some = (
    [
      ['sell', 'POST', 'mark-sold', {}],
      ['reserve', 'POST', 'reserve', {}],
      ['take down', 'POST', 'unpublish'],
    ] as const
  ).filter(() => random.chance(0.3));
  const all = [...onOffers, ...some.map((one) => ofCar([...one] as Parameters<typeof ofCar>[0]))];
  return all
    .map((wish) => ({ wish, place: random.below(2 ** 31) }))
    .sort((a, b) => a.place - b.place)
    .map(({ wish }) => wish);
}

async function raceOne(race: Race, number: number): Promise<string[]> {
  const { apis, random, outcomes } = race;
  const { car, listing } = await publish(race, number);
  const open = await openOffers(race, listing);
  const replies = await Promise.all(
    wishes(race, open, car).map(async (wish, place) => {
      const request = { ...wish, idempotencyKey: `r-${number}-${place}-${random.below(2 ** 31)}` };
      // All need the same dealer at once: a request that finds it busy had no effect and is repeated.
      const answer = await askUntilAnswered(
        () => apis[place % 2]!,
        request,
        (status) => {
          if (status === '503') outcomes.busy = (outcomes.busy ?? 0) + 1;
        },
      );
      if (answer === null) throw new Error(`${wish.path} was never answered`);
      return { wish, answer };
    }),
  );
  const problems: string[] = [];
  for (const { wish, answer } of replies) {
    const verdict = `${wish.act}: ${answer.status < 300 ? 'done' : (codeOf(answer) ?? answer.status)}`;
    outcomes[verdict] = (outcomes[verdict] ?? 0) + 1;
    if (answer.status >= 300 && answer.status !== 409) problems.push(`${wish.path}: ${answer.text}`);
  }
  const done = replies.filter(({ answer }) => answer.status < 300).map(({ wish }) => wish);
  return [...problems, ...(await disagreements(race, { car, listing, done }))].map((problem) => `car ${number}: ${problem}`);
}

interface Raced {
  readonly car: string;
  readonly listing: string;
  readonly done: readonly Wish[];
}

/** Every party reads the same outcome afterwards, and it matches the acknowledged requests. */
async function disagreements(race: Race, { car, listing, done }: Raced): Promise<string[]> {
  const { apis, seller, buyers, random } = race;
  const read = async ({ key }: Dealer, path: string) => {
    const answer = await ask(random.pick(apis), { method: 'GET', path, key });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return dataOf(answer);
  };
  const found: string[] = [];
  const statuses = new Map<string, string>();
  for (const offset of [0, 100])
    for (const { id, status } of await read(seller, `vehicles/${car}/network-offers?limit=100&offset=${offset}`))
      statuses.set(id, status);
  for (const buyer of buyers)
    for (const { id, status } of await read(buyer, `network-offers?listing_id=${listing}&limit=100`))
      if (statuses.get(id) !== status) found.push(`offer ${id} is ${status} to the buyer and ${statuses.get(id)} to the seller`);
  const agreed = [...statuses].filter(([, status]) => status === 'Kabul Edildi' || status === 'Tamamlandı').map(([id]) => id);
  const accepted = done.filter(({ act }) => act === 'accept').map(({ offer }) => offer);
  if (agreed.join() !== accepted.join())
    found.push(`agreed on ${agreed.join()}, but ${accepted.join()} was acknowledged as accepted`);
  for (const { act, offer } of done) {
    const status = offer === undefined ? undefined : statuses.get(offer);
    const expectedValue = ({ withdraw: 'Geri Çekildi', reject: 'Reddedildi', counter: 'Karşı Teklif' } as Record<string, string>)[
      act
    ];
    if (expectedValue !== undefined && status !== expectedValue) found.push(`${act} of ${offer} was done, and it is ${status}`);
  }
  const { status, reservation } = await read(seller, `vehicles/${car}`);
  const is = (act: Act) => done.some((wish) => wish.act === act);
  const expected = is('sell') ? 'Satıldı' : is('reserve') || accepted.length > 0 ? 'Rezerve' : 'Stokta';
  if (status !== expected) found.push(`the car is ${status}, not ${expected}`);
  if (status === 'Rezerve' && accepted.length > 0 && reservation?.source_id !== accepted[0])
    found.push(`the car is held for ${reservation?.source_id}, not ${accepted[0]}`);
  if (done.filter(({ act }) => act === 'sell').length > 1) found.push('the car was sold twice');
  return found;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 500 });
  report(await offerRace(seed, n, plant));
}
