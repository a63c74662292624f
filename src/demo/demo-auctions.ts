// Auctions, requests and live events between the first two dealers of the demonstration, with the same ids at every load.

import { firstLink } from '../domain/auctions/bid-rules.ts';
import type { Database, Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import { type DemoDealer, dealerOf } from './demo-dealer.ts';
import { idOf } from './demo-random.ts';

export interface DemoAuctionIds {
  /** The other dealer's, running. */
  readonly auction_id: string;
  /** The dealer's own, running. */
  readonly own_auction_id: string;
  /** The other dealer's, over and not sold. */
  readonly ended_auction_id: string;
  readonly auction_request_id: string;
  /** Run by the dealer, with a lot that waits. */
  readonly event_id: string;
  readonly lot_id: string;
  /** An open lot in another event of the dealer. */
  readonly open_lot_id: string;
  /** An open lot in an event of the other dealer. */
  readonly bid_lot_id: string;
}

type Made =
  | 'auction'
  | 'own auction'
  | 'ended auction'
  | 'auction request'
  | 'event'
  | 'open event'
  | 'bid event'
  | 'lot'
  | 'open lot'
  | 'bid lot';

export function demoAuctionIds({ scope }: DemoDealer): DemoAuctionIds {
  const made = (name: Made): string => idOf('office', scope, name);
  return {
    auction_id: made('auction'),
    own_auction_id: made('own auction'),
    ended_auction_id: made('ended auction'),
    auction_request_id: made('auction request'),
    event_id: made('event'),
    lot_id: made('lot'),
    open_lot_id: made('open lot'),
    bid_lot_id: made('bid lot'),
  };
}

const DAY = 86_400_000;

/** Does nothing if the other dealer, or a car for it, does not exist. */
export async function loadDemoAuctions(database: Database, dealer: DemoDealer, now: Date): Promise<void> {
  const other = dealerOf(dealer.index + 1);
  const there = await database.inTenant(other.id, 'read', (db) => db.rows(sql`select from ${own('accounts')} where is_demo`));
  if (there.length === 0) return;
  const ids = demoAuctionIds(dealer);
  const made = (name: Made): string => idOf('office', dealer.scope, name);
  const event = (db: Db, id: string, title: string, status: string) =>
    db.exec(sql`insert into live_events (account_id, id, is_demo, title, starts_at, status, created_at, updated_at)
      values (${theAccount}, ${id}, true, ${title}, ${now}, ${status}, ${now}, ${now}) on conflict do nothing`);
  await database.inTenant(dealer.id, 'write', async (db) => {
    const cars = await carsToAuction(db, 2);
    await addDemoAuction(db, { id: ids.own_auction_id, vehicle: cars[0]!, now, length: 7 * DAY });
    await request(db, ids.auction_request_id, cars[1]!, now);
    await event(db, ids.event_id, 'Sonbahar müzayedesi', 'Planlandı');
    await event(db, made('open event'), 'Öğle müzayedesi', 'Canlı');
  });
  await database.inTenant(other.id, 'write', async (db) => {
    const cars = await carsToAuction(db, 5);
    await event(db, made('bid event'), 'Akşam müzayedesi', 'Canlı');
    await addDemoAuction(db, { id: ids.auction_id, vehicle: cars[0]!, now, length: 5 * DAY });
    await addDemoAuction(db, { id: ids.ended_auction_id, vehicle: cars[1]!, now, length: DAY, isOver: true });
    const lots = [
      [ids.lot_id, ids.event_id, dealer.id, 'Sırada'],
      [ids.open_lot_id, made('open event'), dealer.id, 'Açık'],
      [ids.bid_lot_id, made('bid event'), other.id, 'Açık'],
    ] as const;
    for (const [place, lot] of lots.entries()) await lotOf(db, lot, cars[place + 2]!, idOf('request', dealer.scope, lot[0]), now);
  });
}

interface Car {
  readonly id: string;
  readonly currency: string;
  readonly price_minor: bigint;
}

/** In stock, not listed, not in an auction yet; ordered by id, so that every load chooses the same cars. */
export const carsToAuction = (db: Db, count: number): Promise<Car[]> =>
  db.rows<Car>(sql`select id, currency, price_minor from ${own('vehicles')}
    where status = 'Stokta' and not is_marketplace_visible and deleted_at is null order by id limit ${count}`);

interface NewAuction {
  readonly id: string;
  readonly vehicle: Car;
  readonly now: Date;
  readonly length: number;
  readonly isOver?: true;
}

export async function addDemoAuction(db: Db, { id, vehicle, now, length, isOver }: NewAuction): Promise<void> {
  const starts = isOver ? new Date(now.getTime() - 2 * DAY) : now;
  const ends = new Date(starts.getTime() + length);
  const added =
    await db.exec(sql`insert into network_auctions (account_id, id, is_demo, vehicle_id, title, currency, start_price_minor,
      min_increment_minor, starts_at, ends_at, original_ends_at, status, result, ended_at, chain_head, created_at, updated_at)
    select ${theAccount}, ${id}, (select is_demo from ${own('accounts')}), id, model_year || ' ' || brand || ' ' || model, currency, ${startOf(vehicle)}, 10000, ${starts}, ${ends},
      ${ends}, ${isOver ? 'Bitti' : 'Canlı'}, ${isOver ? 'Satılmadı' : null}, ${isOver ? ends : null}::timestamptz, ${firstLink(id)}, ${starts}, ${starts}
    from ${own('vehicles')} where id = ${vehicle.id} on conflict do nothing`);
  if (added === 0 || isOver) return;
  await toAuction(db, vehicle);
  await db.exec(sql`update data_sets set next_due_at = least(next_due_at, ${ends}::timestamptz) where id = ${theAccount}`);
}

const toAuction = (db: Db, { id }: Car): Promise<number> =>
  db.exec(sql`update vehicles set status = ${"Auction'da"} where account_id = ${theAccount} and id = ${id}`);

/** Four fifths of the price, rounded to hundreds. */
const startOf = ({ price_minor }: Car): bigint => ((price_minor * 4n) / 50_000n) * 10_000n + 10_000n;

const request = (db: Db, id: string, vehicle: Car, now: Date): Promise<number> =>
  db.exec(sql`insert into auction_requests (account_id, id, vehicle_id, start_price_minor, currency, note, created_at, updated_at)
    values (${theAccount}, ${id}, ${vehicle.id}, ${startOf(vehicle)}, ${vehicle.currency}, 'Bakımları yetkili serviste.', ${now}, ${now})
    on conflict do nothing`);

type Lot = readonly [id: string, event: string, operator: string, status: 'Sırada' | 'Açık'];

async function lotOf(db: Db, [id, event, operator, status]: Lot, vehicle: Car, requestId: string, now: Date): Promise<void> {
  await request(db, requestId, vehicle, now);
  const added =
    await db.exec(sql`insert into live_lots (account_id, id, event_id, operator_id, lot_no, vehicle_id, request_id, currency,
      start_price_minor, min_increment_minor, status, opened_at, chain_head, created_at, updated_at)
    values (${theAccount}, ${id}, ${event}, ${operator}, 1, ${vehicle.id}, ${requestId}, ${vehicle.currency}, ${startOf(vehicle)}, 10000,
      ${status}, ${status === 'Açık' ? now : null}::timestamptz, ${firstLink(id)}, ${now}, ${now}) on conflict do nothing`);
  if (added === 0) return;
  await db.exec(sql`update auction_requests set status = 'Onaylandı', lot_id = ${id}, decided_at = ${now}
    where account_id = ${theAccount} and id = ${requestId} and status = 'Beklemede'`);
  await toAuction(db, vehicle);
}
