// Requests for offers and trades: between the world's dealer and another, created once.
import { randomUUID } from 'node:crypto';
import { resources } from '../../src/resources/index.ts';
import { aCar } from '../support/writer.ts';
import type { RequestBuilder, World } from './requests.ts';

interface Other {
  readonly key: string;
}

const known = new WeakMap<World, Promise<Other>>();

function otherDealer(world: World): Promise<Other> {
  const make = async (): Promise<Other> => {
    const accountId = await world.api.account({ name: 'Karşı Galeri', city: 'Girne', phone: '+905330001122' });
    const endpoints = resources.flatMap(({ endpoints }) => endpoints.map(({ id }) => id));
    return { key: (await world.api.key(accountId, { endpoints })).secret };
  };
  const other = known.get(world) ?? make();
  known.set(world, other);
  return other;
}

async function created({ api }: World, key: string, path: string, body: unknown = {}) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const { status, text, json } = await api.call(path, { key, method: 'POST', headers, body: JSON.stringify(body) });
  if (status > 201) throw new Error(`${path}: ${text}`);
  return json.data;
}

/** A published vehicle of the key's dealer. */
async function published(world: World, key: string): Promise<{ id: string; listing_id: string }> {
  const { id } = await created(world, key, 'vehicles', aCar({ engine_no: 'ENGINE7KEPT', purchase_price: '9876543.21' }));
  return created(world, key, `vehicles/${id}/publish`);
}

/** An offer of the other dealer on a new vehicle of this one, by default with a message. */
export async function offerToMe(
  world: World,
  words: { readonly message?: string } = { message: 'Nakit' },
): Promise<{ id: string; vehicle: string }> {
  const { id: vehicle, listing_id } = await published(world, world.key);
  const { key } = await otherDealer(world);
  const { id } = await created(world, key, 'network-offers', { listing_id, amount: '11500.00', ...words });
  return { id, vehicle };
}

const theirListing = async (world: World): Promise<string> => (await published(world, (await otherDealer(world)).key)).listing_id;

async function offerOfMine(world: World): Promise<string> {
  return (await created(world, world.key, 'network-offers', { listing_id: await theirListing(world), amount: '9000.00' })).id;
}

const swapBody = async (world: World) => ({
  offered_vehicle_id: await world.api.vehicle(world.accountId),
  requested_listing_id: await theirListing(world),
  cash_difference: '-250.50',
  currency: 'STG',
});

export const swapOfMine = async (world: World): Promise<string> =>
  (await created(world, world.key, 'trade-requests', await swapBody(world))).id;

async function swapToMe(world: World): Promise<string> {
  const { listing_id } = await published(world, world.key);
  const { key } = await otherDealer(world);
  const { id } = await published(world, key);
  return (await created(world, key, 'trade-requests', { offered_vehicle_id: id, requested_listing_id: listing_id })).id;
}

const once = new WeakMap<World, Promise<{ id: string; vehicle: string }>>();
function standingOffer(world: World): Promise<{ id: string; vehicle: string }> {
  const offer = once.get(world) ?? offerToMe(world);
  once.set(world, offer);
  return offer;
}

export const NETWORK_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET network-offers': async (world) => {
    await standingOffer(world);
    return { path: 'network-offers' };
  },
  'POST network-offers': async (world) => ({
    path: 'network-offers',
    body: { listing_id: await theirListing(world), amount: '9500.00', message: 'Nakit' },
  }),
  'GET network-offers/{offer_id}': async (world) => ({ path: `network-offers/${(await standingOffer(world)).id}` }),
  // Without the buyer's text, so that text in the reply can only be the seller's.
  'POST network-offers/{offer_id}/accept': async (world) => ({
    path: `network-offers/${(await offerToMe(world, {})).id}/accept`,
    body: {},
  }),
  'POST network-offers/{offer_id}/reject': async (world) => ({
    path: `network-offers/${(await offerToMe(world)).id}/reject`,
    body: { reason: 'Fiyat düşük' },
  }),
  'POST network-offers/{offer_id}/counter': async (world) => ({
    path: `network-offers/${(await offerToMe(world)).id}/counter`,
    body: { amount: '12400.00' },
  }),
  'POST network-offers/{offer_id}/withdraw': async (world) => ({ path: `network-offers/${await offerOfMine(world)}/withdraw` }),
  'GET vehicles/{vehicle_id}/network-offers': async (world) => ({
    path: `vehicles/${(await standingOffer(world)).vehicle}/network-offers`,
  }),
  'GET network-offers/received': async (world) => {
    await standingOffer(world);
    return { path: 'network-offers/received' };
  },
  'GET trade-requests': async (world) => {
    await standingSwap(world);
    return { path: 'trade-requests' };
  },
  'POST trade-requests': async (world) => ({ path: 'trade-requests', body: await swapBody(world) }),
  'GET trade-requests/{request_id}': async (world) => ({ path: `trade-requests/${await standingSwap(world)}` }),
  'POST trade-requests/{request_id}/accept': async (world) => ({ path: `trade-requests/${await swapToMe(world)}/accept` }),
  'POST trade-requests/{request_id}/reject': async (world) => ({
    path: `trade-requests/${await swapToMe(world)}/reject`,
    body: { reason: 'Kilometresi yüksek' },
  }),
  'DELETE trade-requests/{request_id}': async (world) => ({ path: `trade-requests/${await swapOfMine(world)}` }),
};

const swaps = new WeakMap<World, Promise<string>>();
function standingSwap(world: World): Promise<string> {
  const swap = swaps.get(world) ?? swapOfMine(world);
  swaps.set(world, swap);
  return swap;
}
