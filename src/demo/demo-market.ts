// The demonstration's marketplace: views of its listings in the last weeks and offers from consumers, the same at every load. The
// first listing of a dealer has an id that the examples use.
import { type Columns, insertRecords } from '../domain/records/record.ts';
import type { Database, Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { dateOf, idOf, listingIdOf, type Random, randomOf } from './demo-random.ts';
import { newDemoVehicle } from './demo-vehicle.ts';
import { FIRST_NAMES, LAST_NAMES } from './demo-words.ts';

const DAY = 86_400_000;
/** How many cars of a dealer have figures, and over how many days. */
const [CARS, DAYS, VALID_DAYS] = [60, 30, 7];

export interface DemoMarketIds {
  readonly listing_id: string;
  readonly consumer_offer_id: string;
}

const listedCars = (dealer: DemoDealer, now: Date) =>
  Array.from({ length: CARS }, (_, number) => newDemoVehicle(dealer, number, now)).filter((car) => car.is_marketplace_visible);

/** Which cars are listed does not depend on when the demonstration was loaded. */
export function demoMarketIds(dealer: DemoDealer): DemoMarketIds {
  const [first] = listedCars(dealer, new Date('2026-01-01T00:00:00Z'));
  return { listing_id: listingIdOf(dealer, first!.id), consumer_offer_id: offerIdOf(dealer, first!.id, 0) };
}

const offerIdOf = ({ scope }: DemoDealer, vehicleId: string, number: number): string =>
  idOf('consumer offer', scope, vehicleId, number);

export async function loadDemoMarket(database: Database, dealers: readonly DemoDealer[], now: Date): Promise<void> {
  for (const dealer of dealers) await database.inTenant(dealer.id, 'write', (db) => loadMarket(db, dealer, now));
}

/** Once, and only for live listings: a listing that was closed later keeps its own history. */
export async function loadMarket(db: Db, dealer: DemoDealer, now: Date): Promise<void> {
  if ((await db.rows(sql`select from ${own('listing_visits')} limit 1`)).length > 0) return;
  const live = new Set(
    (await db.rows<{ id: string }>(sql`select id from ${own('listings')} where status = 'Yayında'`)).map(({ id }) => id),
  );
  const cars = listedCars(dealer, now).filter(({ id }) => live.has(listingIdOf(dealer, id)));
  await addInterest(
    db,
    dealer,
    cars.map((car, place) => ({ car, seed: car.id, isFirst: place === 0 })),
    now,
  );
}

interface ListedCar {
  readonly car: Car;
  /** Decides how many visits and offers it gets. */
  readonly seed: string;
  /** Has three offers; the others have none to three. */
  readonly isFirst: boolean;
}

export async function addInterest(db: Db, dealer: DemoDealer, cars: readonly ListedCar[], now: Date): Promise<void> {
  const offers = cars.flatMap((car) => offersOf(dealer, car, now));
  await insertRecords(
    db,
    'listing_visits',
    cars.flatMap((car) => visitsOf(dealer, car, now)),
  );
  await insertRecords(db, 'marketplace_offers', offers);
  const ends = offers.filter(({ status }) => status === 'Beklemede').map(({ expires_at }) => (expires_at as Date).getTime());
  if (ends.length > 0)
    await db.exec(sql`update data_sets set next_due_at = least(next_due_at, ${new Date(Math.min(...ends))}::timestamptz)
      where id = ${theAccount}`);
}

type Car = ReturnType<typeof newDemoVehicle>;

/** Most views come in the first days and at the weekend; few visitors save the listing or ask. */
function visitsOf(dealer: DemoDealer, { car, seed }: ListedCar, now: Date): Columns[] {
  const random = randomOf('visits', dealer.index, seed);
  const usual = random.between(12, 90);
  return Array.from({ length: DAYS }, (_, ago) => new Date(now.getTime() - ago * DAY))
    .filter((at) => dateOf(at) >= dateOf(car.created_at as Date))
    .map((at) => {
      const views = Math.round(usual * (at.getUTCDay() % 6 === 0 ? 1.6 : 1) * (0.6 + random.next() * 0.8));
      const favorites = random.between(0, Math.ceil(views / 18));
      return {
        listing_id: listingIdOf(dealer, car.id),
        day: dateOf(at),
        slot: 0,
        views,
        favorites,
        contacts: random.between(0, Math.ceil(views / 25)),
      };
    });
}

function offersOf(dealer: DemoDealer, { car, seed, isFirst }: ListedCar, now: Date): Columns[] {
  const random = randomOf('consumer offers', dealer.index, seed);
  const count = isFirst ? 3 : random.chance(0.45) ? random.between(1, 3) : 0;
  return Array.from({ length: count }, (_, number) => {
    // The first of each is open, and so are some of the others.
    const daysAgo = number === 0 || random.chance(0.4) ? random.between(0, VALID_DAYS - 2) : random.between(VALID_DAYS + 1, DAYS);
    const at = new Date(
      Math.max(now.getTime() - daysAgo * DAY - random.between(10, 300) * 60_000, (car.created_at as Date).getTime()),
    );
    return offerOf(dealer, random, { car, number, at, now });
  });
}

const MESSAGES = [
  'Bugün nakit alırım, son fiyat nedir?',
  'Hafta sonu görmeye gelebilirim.',
  'Takas düşünür müsünüz?',
  null,
] as const;

interface MadeOffer {
  readonly car: Car;
  readonly number: number;
  readonly at: Date;
  readonly now: Date;
}

function offerOf(dealer: DemoDealer, random: Random, { car, number, at, now }: MadeOffer): Columns {
  const expires_at = new Date(at.getTime() + VALID_DAYS * DAY);
  const isOpen = expires_at > now;
  const isRefused = !isOpen && random.chance(0.6);
  // 84 to 98 percent of the price, in round figures.
  const amount = ((car.price_minor * BigInt(random.between(84, 98))) / 100n / 10_000n) * 10_000n || car.price_minor;
  return {
    id: offerIdOf(dealer, car.id, number),
    listing_id: listingIdOf(dealer, car.id),
    vehicle_id: car.id,
    currency: car.currency,
    buyer_name: `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
    buyer_phone: `+9053${dealer.country === 'KKTC' ? 3 : 2}${random.between(8_000_000, 8_999_999)}`,
    amount_minor: amount,
    message: random.pick(MESSAGES),
    expires_at,
    created_at: at,
    status: isOpen ? 'Beklemede' : isRefused ? 'Reddedildi' : 'Süresi Doldu',
    responded_at: isRefused ? new Date(at.getTime() + DAY) : null,
    reject_reason: isRefused ? 'Fiyat düşük' : null,
    updated_at: isOpen ? at : isRefused ? new Date(at.getTime() + DAY) : expires_at,
  };
}
