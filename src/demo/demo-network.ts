// Business between dealers of the demonstration: offers and swaps of the first with the second, in both directions.
import { findAccount } from '../domain/accounts/accounts.ts';
import type { Database, Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import { type DemoDealer, dealerOf } from './demo-dealer.ts';
import { idOf, listingIdOf } from './demo-random.ts';
import { newDemoVehicle } from './demo-vehicle.ts';

const FIRST_CARS = 60;
const DAY_MS = 86_400_000;

/** A dealer's newest published cars in stock. */
const publishedCars = (dealer: DemoDealer, now: Date): string[] =>
  Array.from({ length: FIRST_CARS }, (_, number) => newDemoVehicle(dealer, number, now))
    .filter(({ status, is_marketplace_visible }) => status === 'Stokta' && is_marketplace_visible)
    .map(({ id }) => String(id));

/** The offers and swaps between a dealer and the next one. `free`: a listing of the other dealer without any offer. */
export function demoNetwork(dealer: DemoDealer, now: Date) {
  const partner = dealerOf(dealer.index + 1);
  const id = (name: string) => idOf('network', dealer.scope, name);
  const [mine, theirs] = [publishedCars(dealer, now), publishedCars(partner, now)];
  return {
    partner,
    offer_to_me: id('offer to me'),
    countered: id('countered'),
    offer_of_mine: id('offer of mine'),
    agreed: id('agreed'),
    swap_to_me: id('swap to me'),
    swap_of_mine: id('swap of mine'),
    wanted: mine[1]!,
    countered_car: mine[2]!,
    swapped: mine[3]!,
    offered: mine[4]!,
    agreed_car: mine[5]!,
    wish: theirs[1]!,
    their_offered: theirs[3]!,
    requested: theirs[2]!,
    free: listingIdOf(partner, theirs[4]!),
  };
}

/** Loading again adds what is missing and changes nothing. Without the next dealer nothing is loaded. */
export async function loadDemoNetwork(database: Database, dealer: DemoDealer, now: Date): Promise<void> {
  const made = demoNetwork(dealer, now);
  const { partner } = made;
  if ((await database.onPlatform('read', (db) => findAccount(db, partner.id))) === null) return;
  await database.inTenant(dealer.id, 'write', async (db) => {
    const buyer = { buyer: partner.id, now };
    await addOffer(db, { ...buyer, id: made.offer_to_me, car: made.wanted, share: 91, message: 'Nakit, bu hafta alırım.' });
    const first = idOf('network', dealer.scope, 'first');
    await addOffer(db, { ...buyer, id: first, car: made.countered_car, share: 85, answered: true });
    await addOffer(db, { ...buyer, id: made.countered, car: made.countered_car, share: 95, parent: first });
    await agreeOn(db, { ...buyer, id: made.agreed, car: made.agreed_car, share: 96, message: 'Yarın gelip alırız.' });
    await addSwap(db, {
      id: made.swap_to_me,
      car: made.swapped,
      requester: partner.id,
      offered: made.their_offered,
      difference: 50_000n,
      now,
    });
    await watch(db, now);
  });
  await database.inTenant(partner.id, 'write', async (db) => {
    await addOffer(db, {
      buyer: dealer.id,
      now,
      id: made.offer_of_mine,
      car: made.wish,
      share: 88,
      message: 'Takas da düşünürüm.',
    });
    await addSwap(db, {
      id: made.swap_of_mine,
      car: made.requested,
      requester: dealer.id,
      offered: made.offered,
      difference: -25_050n,
      now,
    });
    await watch(db, now);
  });
}

interface DemoOffer {
  readonly id: string;
  readonly car: string;
  readonly buyer: string;
  /** As a percentage of the price. */
  readonly share: number;
  readonly message?: string;
  /** Answered with a counter-offer a little earlier. */
  readonly answered?: true;
  /** Accepted, an hour ago. */
  readonly agreed?: true;
  /** The offer that this one answers. */
  readonly parent?: string;
  readonly now: Date;
}

const untilWhen = (now: Date): Date => new Date(now.getTime() + 10 * DAY_MS);

export async function addOffer(
  db: Db,
  { id, car, buyer, share, message, answered, agreed, parent, now }: DemoOffer,
): Promise<number> {
  const isOver = answered || agreed;
  const made = new Date(now.getTime() - (isOver ? 7_200_000 : 3_600_000));
  const status = agreed ? 'Kabul Edildi' : answered ? 'Karşı Teklif' : 'Beklemede';
  return db.exec(sql`insert into network_offers (account_id, id, thread_id, parent_id, listing_id, vehicle_id, buyer_id, made_by, amount_minor, currency,
      message, status, responded_at, expires_at, created_at, updated_at)
    select ${theAccount}, ${id}, md5('thread ' || listings.id || ${buyer}::text)::uuid, ${parent ?? null}::uuid, listings.id, vehicles.id, ${buyer},
      ${parent === undefined ? 'buyer' : 'seller'}, vehicles.price_minor * ${share}::int / 10000 * 100, vehicles.currency, ${message ?? null}::text,
      ${status}, ${isOver ? new Date(now.getTime() - 3_600_000) : null}::timestamptz, ${untilWhen(now)}, ${made}, ${made}
    from ${own('vehicles')} join ${own('listings')} on listings.vehicle_id = vehicles.id and listings.status = 'Yayında'
    where vehicles.id = ${car} and vehicles.status = 'Stokta' on conflict do nothing`);
}

/** Accepted: the car is reserved for the buyer, and its listing is on hold. */
async function agreeOn(db: Db, offer: DemoOffer): Promise<void> {
  const { id, car, buyer, now } = offer;
  if ((await addOffer(db, { ...offer, agreed: true })) === 0) return;
  await db.exec(sql`insert into reservations (account_id, id, vehicle_id, kind, counterparty_id, source_id, created_at, updated_at)
    values (${theAccount}, ${id}, ${car}, 'Ağ Teklifi', ${buyer}, ${id}, ${now}, ${now})`);
  await db.exec(sql`update vehicles set status = 'Rezerve', is_marketplace_visible = false
    where account_id = ${theAccount} and id = ${car}`);
  await db.exec(sql`update listings set status = 'Askıda', updated_at = ${now}
    where account_id = ${theAccount} and vehicle_id = ${car} and status = 'Yayında'`);
}

interface DemoSwap {
  readonly id: string;
  readonly car: string;
  readonly requester: string;
  readonly offered: string;
  readonly difference: bigint;
  readonly now: Date;
}

async function addSwap(db: Db, { id, car, requester, offered, difference, now }: DemoSwap): Promise<void> {
  await db.exec(sql`insert into trade_requests (account_id, id, requested_listing_id, requested_vehicle_id, requester_id, offered_vehicle_id,
      cash_difference_minor, currency, message, expires_at, created_at, updated_at)
    select ${theAccount}, ${id}, listings.id, vehicles.id, ${requester}, ${offered}, ${difference}, 'STG', 'Farkı konuşabiliriz.', ${untilWhen(now)},
      ${now}, ${now}
    from ${own('vehicles')} join ${own('listings')} on listings.vehicle_id = vehicles.id and listings.status = 'Yayında'
    where vehicles.id = ${car} and vehicles.status = 'Stokta' on conflict do nothing`);
}

const watch = (db: Db, now: Date): Promise<number> =>
  db.exec(sql`update data_sets set next_due_at = least(next_due_at, ${untilWhen(now)}::timestamptz) where id = ${theAccount}`);
