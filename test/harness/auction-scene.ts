// The setup of the harness `auction`: dealers who may bid, vehicles in auctions, events with lots; and what `--plant` removes.
import { aCar } from './ask.ts';
import type { AuctionTable, Item } from './auction-bidders.ts';
import type { World } from './world.ts';

export async function setTheScene({ query }: World, plant: boolean): Promise<void> {
  // In production this needs two administrators.
  await query('alter table api_keys disable trigger authorization_decision');
  await query(`update api_keys set authorizations = '{network_auction_bid,live_auction_bid,live_auction_operate}'`);
  await query('alter table api_keys enable trigger authorization_decision');
  await query('update accounts set live_auctions = true, dealer_network = true');
  if (plant) await forgetTheLock(query);
}

/** Bids are checked against an unlocked read, without a second check, and two may have the same number. */
async function forgetTheLock(query: World['query']): Promise<void> {
  await query('drop index auction_bids_place');
  for (const name of ['lock_bidding', 'take_bid']) {
    const [{ made }] = (await query(`select pg_get_functiondef($1::regproc) as made`, [name])) as [{ made: string }];
    await query(made.replaceAll(' for update', '').replace('if not coalesce(', 'if false and not coalesce('));
  }
}

export async function putUpAll(world: World, table: AuctionTable, count: number): Promise<Item[]> {
  const [{ at }] = (await world.query('select business_now() as at')) as [{ at: Date }];
  const ends_at = new Date(at.getTime() + 3_700_000).toISOString();
  const { key } = table.seller;
  const made: Item[] = [];
  for (let number = 0; number < count; number += 1) {
    const plate = `AU ${table.items.length}`;
    const { id: car } = await table.done({ method: 'POST', path: 'vehicles', key, body: aCar(plate) });
    // One in four has a reserve that may not be met.
    const reserve = table.random.chance(0.25) ? { reserve_price: `${2000 + table.random.below(20_000)}.00` } : {};
    const body = { vehicle_id: car, start_price: '1000.00', min_increment: '50.00', ends_at, ...reserve };
    const { id } = await table.done({ method: 'POST', path: 'network-auctions', key, body });
    const item = { id, car, isLot: false };
    table.add(item);
    made.push(item);
  }
  return made;
}

/** Scheduled and approved as the platform does. */
export async function openEvent(world: World, table: AuctionTable, lots: number): Promise<Item[]> {
  const [{ at }] = (await world.query('select business_now() as at')) as [{ at: Date }];
  const operator = table.operator.accountId;
  const startsAt = new Date(at.getTime() + 60_000).toISOString();
  const named = ['--title', 'Müzayede', '--starts-at', startsAt, '--operator', operator];
  const event = await world.platform('event', 'create', ...named);
  const { key } = table.seller;
  const made: Item[] = [];
  for (let number = 1; number <= lots; number += 1) {
    const plate = `LT ${table.items.length}`;
    const { id: car } = await table.done({ method: 'POST', path: 'vehicles', key, body: aCar(plate) });
    const body = { vehicle_id: car, start_price: '1000.00', min_increment: '50.00', event_id: event.id };
    const request = await table.done({ method: 'POST', path: 'auction-requests', key, body });
    const place = ['--event', event.id, '--lot-no', String(number)];
    const approved = await world.platform('auction-request', 'approve', request.id, ...place);
    const item = { id: approved.lot_id, car, isLot: true };
    table.add(item);
    made.push(item);
  }
  return made;
}
