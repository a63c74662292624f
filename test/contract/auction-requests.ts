// Requests for auctions, requests for an event, and live events with their lots. Bids need another dealer's auction.
import { aBidder, aLot, anEvent, bid, putUp } from '../support/auctions.ts';
import { dataOf, type Shown } from '../support/books.ts';
import { aCar, type Dealer, dealerWith } from '../support/writer.ts';
import type { RequestBuilder, World } from './requests.ts';

const me = ({ api, accountId, key }: World): Dealer => dealerWith(api, accountId, key);

/** Created once per world. */
function once<T>(make: (world: World) => Promise<T>): (world: World) => Promise<T> {
  const known = new WeakMap<World, Promise<T>>();
  return (world) => {
    const made = known.get(world) ?? make(world);
    known.set(world, made);
    return made;
  };
}

const stranger = once(({ api }) => aBidder(api));
/** Of another dealer, with a bid of this dealer. */
const theirs = once(async (world) => {
  const auction = await putUp(world.api, await stranger(world), { reserve_price: '9000.00' });
  dataOf(await bid(me(world), auction, '8000.00'));
  return auction;
});
const event = once(({ api, accountId, key }) => anEvent(api, dealerWith(api, accountId, key)));

export const newAuction = async (world: World): Promise<Shown> => putUp(world.api, await stranger(world));
export const newEvent = (world: World): Promise<Shown> => anEvent(world.api, me(world));
export const newLot = async (world: World): Promise<Shown> => aLot(world.api, await stranger(world), await event(world));

export const newRequest = async (world: World): Promise<string> => {
  const vehicle_id = dataOf(await me(world).post('vehicles', aCar())).id;
  const body = { vehicle_id, start_price: '8000.00', reserve_price: '9000.00', note: 'temiz araç' };
  return dataOf(await me(world).post('auction-requests', body)).id;
};

/** Of an event that this dealer runs. */
export const waitingLot = async (world: World): Promise<Shown> => aLot(world.api, await stranger(world), await newEvent(world));

export async function openLot(world: World): Promise<Shown> {
  const lot = await waitingLot(world);
  return dataOf(await me(world).post(`live-auctions/lots/${lot.id}/start`));
}

const inAnHour = ({ api }: World): string => new Date(api.clock.now().getTime() + 3_700_000).toISOString();

/** Further bids, so that the log has three. */
export async function moreBids(world: World): Promise<void> {
  const auction = dataOf(await me(world).get(`network-auctions/${(await theirs(world)).id}`));
  for (const more of [1, 2].slice(auction.bid_count > 2 ? 2 : 0))
    dataOf(await bid(await aBidder(world.api), auction, String(Number(auction.next_min_bid) + more * 100)));
}

const ofMine = once(async (world) => {
  const vehicle = await world.api.vehicle(world.accountId);
  await putUp(world.api, me(world), { vehicle_id: vehicle });
  return vehicle;
});
const ended = once(async (world) => {
  const auction = await newAuction(world);
  dataOf(await bid(me(world), auction, '8000.00'));
  dataOf(await (await stranger(world)).post(`network-auctions/${auction.id}/end`, { award: true }));
  return auction;
});
const oneRequest = once(newRequest);
const oneLot = once(newLot);

export const AUCTION_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET network-auctions': async (world) => {
    await theirs(world);
    return { path: 'network-auctions' };
  },
  'GET network-auctions/{auction_id}': async (world) => ({ path: `network-auctions/${(await theirs(world)).id}` }),
  'GET network-auctions/{auction_id}/bids': async (world) => ({ path: `network-auctions/${(await theirs(world)).id}/bids` }),
  'POST network-auctions/{auction_id}/bid': async (world) => ({
    path: `network-auctions/${(await newAuction(world)).id}/bid`,
    body: { amount: '8500.00' },
  }),
  'POST network-auctions': async (world) => ({
    path: 'network-auctions',
    body: {
      vehicle_id: await world.api.vehicle(world.accountId),
      start_price: '8000.00',
      min_increment: '100.00',
      reserve_price: '9000.00',
      ends_at: inAnHour(world),
    },
  }),
  'POST network-auctions/{auction_id}/end': async (world) => ({
    path: `network-auctions/${(await putUp(world.api, me(world))).id}/end`,
    body: { award: false, reason: 'araç geri alındı' },
  }),
  'GET network-auctions/{auction_id}/winner': async (world) => ({ path: `network-auctions/${(await ended(world)).id}/winner` }),
  'GET vehicles/{vehicle_id}/network-auction': async (world) => ({ path: `vehicles/${await ofMine(world)}/network-auction` }),
  'GET auction-requests': async (world) => {
    await oneRequest(world);
    return { path: 'auction-requests' };
  },
  'POST auction-requests': async (world) => ({
    path: 'auction-requests',
    body: {
      vehicle_id: await world.api.vehicle(world.accountId),
      event_id: (await newEvent(world)).id,
      start_price: '8000.00',
      reserve_price: '9000.00',
      min_increment: '50.00',
      note: 'temiz araç',
    },
  }),
  'GET auction-requests/{request_id}': async (world) => ({ path: `auction-requests/${await oneRequest(world)}` }),
  'PATCH auction-requests/{request_id}': async (world) => ({
    path: `auction-requests/${await newRequest(world)}`,
    body: { start_price: '8500.00' },
  }),
  'DELETE auction-requests/{request_id}': async (world) => ({ path: `auction-requests/${await newRequest(world)}` }),
  'GET live-auctions': async (world) => {
    await event(world);
    return { path: 'live-auctions' };
  },
  'GET live-auctions/{event_id}': async (world) => ({ path: `live-auctions/${(await event(world)).id}` }),
  'GET live-auctions/{event_id}/lots': async (world) => {
    await oneLot(world);
    return { path: `live-auctions/${(await event(world)).id}/lots` };
  },
  'GET live-auctions/lots/{lot_id}': async (world) => ({ path: `live-auctions/lots/${(await oneLot(world)).id}` }),
  'POST live-auctions/lots/{lot_id}/start': async (world) => ({
    path: `live-auctions/lots/${(await waitingLot(world)).id}/start`,
  }),
  'POST live-auctions/lots/{lot_id}/bid': async (world) => {
    const operator = await aBidder(world.api);
    const lot = await aLot(world.api, await stranger(world), await anEvent(world.api, operator));
    dataOf(await operator.post(`live-auctions/lots/${lot.id}/start`));
    return { path: `live-auctions/lots/${lot.id}/bid`, body: { amount: '8500.00' } };
  },
  'POST live-auctions/lots/{lot_id}/end': async (world) => ({
    path: `live-auctions/lots/${(await openLot(world)).id}/end`,
    body: { note: 'satıcı beklemek istiyor' },
  }),
};
