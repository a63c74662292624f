// The sample data of a world: a small dealership in which every state occurs, from the demonstration's makers. It depends on the time and
// the country only; ids contain the world's.
import { addDemoAuction } from '../demo/demo-auctions.ts';
import { bidOnce } from '../demo/demo-bids.ts';
import type { BookDay } from '../demo/demo-book.ts';
import { newDemoCustomer, newDemoPerson } from '../demo/demo-customer.ts';
import { openListings } from '../demo/demo-data.ts';
import type { DemoDealer } from '../demo/demo-dealer.ts';
import { newDemoDeposits } from '../demo/demo-deposits.ts';
import { addInterest } from '../demo/demo-market.ts';
import { addOffer } from '../demo/demo-network.ts';
import { dateOf, idOf, randomOf } from '../demo/demo-random.ts';
import { installmentsOfSales } from '../demo/demo-sale-rows.ts';
import { newDemoSales } from '../demo/demo-sales.ts';
import { depositHolders, insertSales } from '../demo/demo-sales-load.ts';
import { loadShowroom } from '../demo/demo-showroom.ts';
import { SOLD_IN_WORLD } from '../demo/demo-stories.ts';
import { newDemoVehicle } from '../demo/demo-vehicle.ts';
import type { StoredCustomer } from '../domain/customers/customer.ts';
import { insertRecords } from '../domain/records/record.ts';
import type { StoredVehicle } from '../domain/stock/vehicle.ts';
import { dayIn } from '../kit/clock.ts';
import { own, sql } from '../kit/sql.ts';
import type { SealingKeys, Work } from '../kit/work.ts';
import { mainBranchOf } from './prepare-world.ts';
import type { WorldDealers } from './world-dealers.ts';

const DAY_MS = 86_400_000;
/** Besides the cars of the sales and deposits. */
const STOCK = 9;
const LISTED = 3;
const [AUCTIONED, AUCTION_ENDED, SOLD_ELSEWHERE] = [3, 4, 5];
const CUSTOMERS = 16;
/** Older than the oldest sale, so that everyone may have bought. */
const CUSTOMER_DAYS = 800;

const ago = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** In one transaction of all dealers of the world. */
export async function loadSample(
  works: ReadonlyMap<string, Work>,
  { own: dealer, simulated }: WorldDealers,
  now: Date,
): Promise<void> {
  const mine = works.get(dealer.id)!;
  const { db, keys } = mine;
  const customers = Array.from({ length: CUSTOMERS }, (_, number) => customerOf(dealer, keys, number, now));
  await insertRecords(db, 'customers', customers);
  await insertRecords(
    db,
    'guarantors',
    customers.map(({ id }, number) => guarantorOf(dealer, String(id), number, now)),
  );
  const stock = Array.from({ length: STOCK }, (_, number) => stockCar(dealer, number, now));
  await insertRecords(db, 'vehicles', stock);
  await openListings(db, dealer, stock);
  await addInterest(
    db,
    dealer,
    stock.slice(0, LISTED).map((car, number) => ({ car, seed: `listing ${number}`, isFirst: true })),
    now,
  );
  await loadShowroom(db, keys, dealer, `sandbox-${dealer.id.slice(-12)}`, now);
  await loadSales(mine, dealer, customers, now);
  await loadOffers(works, dealer, simulated, stock, now);
  await loadAuctions(works, dealer, simulated, stock, now);
}

function customerOf(dealer: DemoDealer, keys: SealingKeys, number: number, now: Date): StoredCustomer {
  const created_at = ago(now, CUSTOMER_DAYS + number);
  return { ...newDemoCustomer(dealer, keys, number, now), created_at, updated_at: created_at };
}

function guarantorOf(dealer: DemoDealer, customer_id: string, number: number, now: Date) {
  const random = randomOf('guarantor', number);
  const [first_name, last_name] = newDemoPerson('guarantor', String(number)).split(' ');
  return {
    id: idOf('guarantor', dealer.scope, number),
    customer_id,
    first_name,
    last_name,
    phone: `+90533${random.between(1_000_000, 9_999_999)}`,
    relationship: random.pick(['Kardeş', 'Eş', 'Arkadaş', 'Diğer']),
    created_at: ago(now, CUSTOMER_DAYS),
    updated_at: ago(now, CUSTOMER_DAYS),
  };
}

function stockCar(dealer: DemoDealer, number: number, now: Date): StoredVehicle {
  const car = newDemoVehicle(dealer, number, now);
  if (number !== SOLD_ELSEWHERE)
    return { ...car, status: 'Stokta', is_marketplace_visible: number < LISTED, sold_at: null, sold_via: null };
  const created_at = ago(now, 60);
  return {
    ...car,
    status: 'Satıldı',
    is_marketplace_visible: false,
    sold_via: 'Harici',
    sold_at: dateOf(ago(now, 20)),
    created_at,
    stock_date: dateOf(created_at),
    updated_at: ago(now, 20),
  };
}

async function loadSales(
  { db, keys, account }: Work,
  dealer: DemoDealer,
  buyers: readonly StoredCustomer[],
  now: Date,
): Promise<void> {
  const { timezone } = account;
  const day: BookDay = { now, timezone, country: dealer.country, today: dayIn(now, timezone) };
  const { legal_name } = await db.one<{ legal_name: string }>(
    sql`select coalesce(legal_name, name) as legal_name from ${own('accounts')}`,
  );
  const sales = newDemoSales(dealer, keys, { now, timezone, buyers, sold: SOLD_IN_WORLD });
  const deposits = newDemoDeposits(dealer, day, depositHolders(dealer));
  const branch_id = mainBranchOf(dealer);
  const rows = installmentsOfSales(dealer, { sales, deposits }, day, { branch_id, legal_name, isWorld: true });
  await insertSales(db, dealer, rows, day, branch_id);
}

/** An offer of a simulated dealer for a listing, and one of the dealer for a car of theirs. */
async function loadOffers(
  works: ReadonlyMap<string, Work>,
  dealer: DemoDealer,
  simulated: readonly DemoDealer[],
  stock: readonly StoredVehicle[],
  now: Date,
): Promise<void> {
  const [first, second] = simulated as [DemoDealer, DemoDealer];
  const id = (name: string): string => idOf('network', dealer.scope, name);
  await addOffer(works.get(dealer.id)!.db, {
    id: id('offer to me'),
    car: String(stock[1]!.id),
    buyer: first.id,
    share: 91,
    message: 'Nakit, bu hafta alırım.',
    now,
  });
  const car = newDemoVehicle(second, 1, now);
  await addOffer(works.get(second.id)!.db, { id: id('offer of mine'), car: String(car.id), buyer: dealer.id, share: 88, now });
}

export const sampleAuctionId = ({ scope }: DemoDealer, name: 'running' | 'ended' | 'simulated'): string =>
  idOf('auction', scope, name);

/** One that runs, with bids of simulated dealers; one that ended without a bid; and one of a simulated dealer to bid in. */
async function loadAuctions(
  works: ReadonlyMap<string, Work>,
  dealer: DemoDealer,
  simulated: readonly DemoDealer[],
  stock: readonly StoredVehicle[],
  now: Date,
): Promise<void> {
  const { db } = works.get(dealer.id)!;
  const hourAgo = ago(now, 1 / 24);
  const running = sampleAuctionId(dealer, 'running');
  await addDemoAuction(db, { id: running, vehicle: auctionCar(stock[AUCTIONED]!), now: hourAgo, length: 7 * DAY_MS });
  const ended = { id: sampleAuctionId(dealer, 'ended'), vehicle: auctionCar(stock[AUCTION_ENDED]!), now, length: DAY_MS };
  await addDemoAuction(db, { ...ended, isOver: true });
  for (const [place, bidder] of [simulated[0]!, simulated[1]!].entries())
    await bidOnce(withoutEvents(works.get(bidder.id)!), { id: running, isLot: false }, place);
}

const auctionCar = ({ id, currency, price_minor }: StoredVehicle) => ({ id: String(id), currency, price_minor });

/** A world begins with few events: those of its first bids are written by the database. */
const withoutEvents = (work: Work): Work => ({ ...work, emit: () => {} });
