// Requests for listings and consumers' offers. Reads share one listing; each write has its own.
import { consumerOffers } from '../support/market.ts';
import type { RequestBuilder, World } from './requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: any JSON reply
async function created({ api, key }: World, path: string, body: unknown): Promise<any> {
  const headers = { 'content-type': 'application/json' };
  const { status, text, json } = await api.call(path, { key, method: 'POST', headers, body: JSON.stringify(body) });
  if (status >= 300) throw new Error(`${path}: ${text}`);
  return json.data;
}

export async function newListing(world: World): Promise<string> {
  const vehicle_id = await world.api.vehicle(world.accountId);
  return `marketplace/listings/${(await created(world, 'marketplace/listings', { vehicle_id })).id}`;
}

const standing = new WeakMap<World, Promise<string>>();

/** A listing with an offer, created once per dealer. */
function standingListing(world: World): Promise<string> {
  const made = standing.get(world) ?? withOffer(world);
  standing.set(world, made);
  return made;
}

async function withOffer(world: World): Promise<string> {
  const path = await newListing(world);
  await newOffer(world, path);
  // Suspended, only the owner sees it: published, every dealer of the network would see its card.
  const { json } = await world.api.call(path, { key: world.key });
  await created(world, `vehicles/${json.data.vehicle_id}/reserve`, {});
  return path;
}

async function newOffer({ api, accountId }: World, listing: string): Promise<string> {
  const { id } = await consumerOffers(api, { accountId }, listing.split('/')[2]!, '12000.00', { message: 'Yarın gelebilirim' });
  return `${listing}/offers/${id}`;
}

export const MARKET_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET marketplace/listings': async (world) => {
    await standingListing(world);
    return { path: 'marketplace/listings' };
  },
  'GET marketplace/listings/{listing_id}': async (world) => ({ path: await standingListing(world) }),
  'POST marketplace/listings': async ({ api, accountId }) => ({
    path: 'marketplace/listings',
    body: { vehicle_id: await api.vehicle(accountId), title: 'İlk sahibinden' },
  }),
  'DELETE marketplace/listings/{listing_id}': async (world) => ({ path: await newListing(world) }),
  'GET marketplace/listings/{listing_id}/offers': async (world) => ({ path: `${await standingListing(world)}/offers` }),
  'POST marketplace/listings/{listing_id}/offers/{offer_id}/accept': async (world) => ({
    path: `${await newOffer(world, await newListing(world))}/accept`,
  }),
  'POST marketplace/listings/{listing_id}/offers/{offer_id}/reject': async (world) => ({
    path: `${await newOffer(world, await newListing(world))}/reject`,
    body: { reason: 'Fiyat düşük' },
  }),
  'GET marketplace/stats': async (world) => {
    await standingListing(world);
    return { path: 'marketplace/stats' };
  },
};
