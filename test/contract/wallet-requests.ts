// Requests for membership, wallet and boosts: a funded wallet, and a separate listing for each boost.
import { randomUUID } from 'node:crypto';
import { own, sql } from '../../src/kit/sql.ts';
import { invoice, loadWallet, rejectWaiting } from '../support/platform.ts';
import type { RequestBuilder, World } from './requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: any JSON reply
async function done({ api, key }: World, path: string, body: unknown = {}): Promise<any> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const { status, text, json } = await api.call(path, { key, method: 'POST', headers, body: JSON.stringify(body) });
  if (status > 201) throw new Error(`${path}: ${text}`);
  return json.data;
}

/** A vehicle on the marketplace; its listing is read from the vehicle's event. */
async function newListing(world: World): Promise<string> {
  const { api, accountId } = world;
  const vehicle = await api.vehicle(accountId);
  await done(world, `vehicles/${vehicle}/publish`);
  return api.database.inTenant(accountId, 'read', async (db) => {
    const { id } = await db.one<{ id: string }>(sql`select id from ${own('listings')} where vehicle_id = ${vehicle}`);
    return id;
  });
}

const inDays = ({ api }: World, days: number) => new Date(api.clock.now().getTime() + days * 86_400_000).toISOString();

const newBoostBody = async (world: World) => {
  await loadWallet(world.api, world.accountId, '1200.00');
  return { listing_id: await newListing(world), package: 'Vitrin-7', starts_at: inDays(world, 2) };
};

export const newBoost = async (world: World): Promise<string> =>
  (await done(world, 'boost-orders', await newBoostBody(world))).id;

async function newTopup(world: World): Promise<string> {
  await rejectWaiting(world.api, world.accountId);
  return (await done(world, 'wallet/topup-requests', { amount: '250.00', reference: 'DK 12' })).id;
}

export const newTransaction = ({ api, accountId }: World): Promise<string> => loadWallet(api, accountId, '100.00');
export const newInvoice = ({ api, accountId }: World): Promise<string> => invoice(api, accountId);

/** For reads: their record is created on first use. */
function once(make: (world: World) => Promise<string>, path: (id: string) => string): RequestBuilder {
  const known = new WeakMap<World, Promise<string>>();
  return async (world) => {
    const made = known.get(world) ?? make(world);
    known.set(world, made);
    return { path: path(await made) };
  };
}

export const WALLET_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET membership': () => ({ path: 'membership' }),
  'GET membership/usage': () => ({ path: 'membership/usage' }),
  'GET membership/invoices': once(newInvoice, () => 'membership/invoices'),
  'GET wallet': () => ({ path: 'wallet' }),
  'GET wallet/transactions': once(newTransaction, () => 'wallet/transactions'),
  'GET wallet/transactions/{transaction_id}': once(newTransaction, (id) => `wallet/transactions/${id}`),
  'POST wallet/topup-requests': async (world) => {
    await rejectWaiting(world.api, world.accountId);
    return { path: 'wallet/topup-requests', body: { amount: '5000.00', reference: 'DK 11' } };
  },
  'GET wallet/topup-requests/{request_id}': once(newTopup, (id) => `wallet/topup-requests/${id}`),
  'GET boost-orders': once(newBoost, () => 'boost-orders'),
  'POST boost-orders': async (world) => ({ path: 'boost-orders', body: await newBoostBody(world) }),
  'GET boost-orders/{order_id}': once(newBoost, (id) => `boost-orders/${id}`),
  'DELETE boost-orders/{order_id}': async (world) => ({ path: `boost-orders/${await newBoost(world)}` }),
};
