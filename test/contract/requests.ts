// One valid request for every endpoint with a body. coverage.test.ts refuses an endpoint without a request, so that no endpoint
// is covered by refusals alone.
import { randomUUID } from 'node:crypto';
import { AUTHORIZATIONS } from '../../src/domain/keys/key-policy.ts';
import type { ApiEndpoint } from '../../src/http/api/api-endpoints.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';
import type { TestService } from '../support/service.ts';
import { aCar, aPerson } from '../support/writer.ts';
import { AUCTION_REQUESTS } from './auction-requests.ts';
import { DOCUMENT_REQUESTS } from './document-requests.ts';
import { IMPORT_REQUESTS } from './import-requests.ts';
import { MARKET_REQUESTS } from './market-requests.ts';
import { NETWORK_REQUESTS } from './network-requests.ts';
import { PHOTO_REQUESTS } from './photo-requests.ts';
import { RATE_REQUESTS } from './rate-requests.ts';
import { REPORT_REQUESTS } from './report-requests.ts';
import { SALES_REQUESTS } from './sales-requests.ts';
import { VIDEO_REQUESTS } from './video-requests.ts';
import { WALLET_REQUESTS } from './wallet-requests.ts';
import { WEBHOOK_REQUESTS } from './webhook-requests.ts';

/** A dealer with a record of every kind, and a key that holds every endpoint. */
export interface World {
  readonly api: TestService;
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
  readonly vehicleId: string;
  readonly customerId: string;
}

export interface EndpointRequest {
  /** Below /api/v1/, ids filled in. */
  readonly path: string;
  /** Without the question mark. */
  readonly query?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The text parts of a form with a file, for endpoints that accept nothing else. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Called for each request, so that a write can create what it needs each time. */
export type RequestBuilder = (world: World) => EndpointRequest | Promise<EndpointRequest>;

/** The headers that the endpoint requires. */
export const neededHeaders = ({ body }: ApiEndpoint): Record<string, string> =>
  body?.idempotency === 'required' ? { 'idempotency-key': randomUUID() } : {};

/** For reads: their record is created on first use. */
function onceMade(build: RequestBuilder): RequestBuilder {
  const known = new WeakMap<World, EndpointRequest | Promise<EndpointRequest>>();
  return (world) => {
    const request = known.get(world) ?? build(world);
    known.set(world, request);
    return request;
  };
}

/** A list's request must find at least one record: an empty page proves nothing about the record's shape. */
export const REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET account': () => ({ path: 'account' }),
  'GET vehicles': () => ({ path: 'vehicles' }),
  'POST vehicles': () => ({ path: 'vehicles', body: aCar() }),
  'GET vehicles/{vehicle_id}': ({ vehicleId }) => ({ path: `vehicles/${vehicleId}` }),
  'PATCH vehicles/{vehicle_id}': async (world) => ({
    path: `vehicles/${await world.api.vehicle(world.accountId)}`,
    body: { km: 1 },
  }),
  'DELETE vehicles/{vehicle_id}': async (world) => ({ path: `vehicles/${await world.api.vehicle(world.accountId)}` }),
  'POST vehicles/{vehicle_id}/publish': async (world) => ({
    path: `vehicles/${await world.api.vehicle(world.accountId)}/publish`,
  }),
  'POST vehicles/{vehicle_id}/unpublish': async (world) => {
    const id = await world.api.vehicle(world.accountId, { is_marketplace_visible: true });
    return { path: `vehicles/${id}/unpublish` };
  },
  'POST vehicles/{vehicle_id}/reserve': async (world) => ({
    path: `vehicles/${await world.api.vehicle(world.accountId, NEVER_SHOWN_OF_VEHICLE)}/reserve`,
    body: { customer_id: world.customerId, deposit_amount: '500.00', note: 'kapora' },
  }),
  'POST vehicles/{vehicle_id}/mark-sold': async (world) => ({
    path: `vehicles/${await world.api.vehicle(world.accountId)}/mark-sold`,
    body: { sold_price: 12000, sold_currency: 'STG' },
  }),
  'POST vehicles/{vehicle_id}/restore': async (world) => ({
    path: `vehicles/${await world.api.vehicle(world.accountId, { deleted_at: world.api.clock.now() })}/restore`,
  }),
  'GET vehicles/{vehicle_id}/history': onceMade(async (world) => {
    const path = `vehicles/${await world.api.vehicle(world.accountId)}`;
    const body = JSON.stringify({ purchase_price: '9876543.21', engine_no: 'ENGINE7KEPT', km: 5 });
    const headers = { 'content-type': 'application/json' };
    await world.api.call(path, { key: world.key, method: 'PATCH', headers, body });
    return { path: `${path}/history` };
  }),
  'GET vehicles/export': () => ({ path: 'vehicles/export' }),
  'POST vehicles/bulk-create': () => ({ path: 'vehicles/bulk-create', body: { vehicles: [aCar(), { brand: 'Fiat' }] } }),
  'POST vehicles/bulk-update': async (world) => ({
    path: 'vehicles/bulk-update',
    body: {
      updates: [
        { id: await world.api.vehicle(world.accountId), km: 7 },
        { id: world.customerId, km: 7 },
      ],
    },
  }),
  ...PHOTO_REQUESTS,
  ...DOCUMENT_REQUESTS,
  ...VIDEO_REQUESTS,
  'GET customers': () => ({ path: 'customers' }),
  'GET customers/{customer_id}': ({ customerId }) => ({ path: `customers/${customerId}` }),
  'POST customers': () => ({ path: 'customers', body: aPerson() }),
  'PATCH customers/{customer_id}': async (world) => ({ path: await newCustomer(world), body: { note: 'calls on Sundays' } }),
  'DELETE customers/{customer_id}': async (world) => ({ path: await newCustomer(world) }),
  'GET customers/{customer_id}/activity': onceMade(async (world) => {
    const path = `${await newCustomer(world)}/activity`;
    await made(world, path, { kind: 'Arama', note: 'spoke of the price' });
    return { path };
  }),
  'POST customers/{customer_id}/activity': ({ customerId }) => ({
    path: `customers/${customerId}/activity`,
    body: { kind: 'Ziyaret', note: 'came with his wife' },
  }),
  'GET customers/{customer_id}/guarantors': onceMade(async (world) => {
    await newGuarantor(world);
    return { path: `customers/${world.customerId}/guarantors` };
  }),
  'POST customers/{customer_id}/guarantors': ({ customerId }) => ({
    path: `customers/${customerId}/guarantors`,
    body: aPerson({ relationship: 'Kardeş' }),
  }),
  'GET guarantors/{guarantor_id}': onceMade(async (world) => ({ path: await newGuarantor(world) })),
  'PATCH guarantors/{guarantor_id}': async (world) => ({ path: await newGuarantor(world), body: { relationship: 'Eş' } }),
  'DELETE guarantors/{guarantor_id}': async (world) => ({ path: await newGuarantor(world) }),
  ...SALES_REQUESTS,
  ...REPORT_REQUESTS,
  ...MARKET_REQUESTS,
  ...NETWORK_REQUESTS,
  ...AUCTION_REQUESTS,
  'GET tasks': onceMade(async (world) => {
    await newTask(world);
    return { path: 'tasks' };
  }),
  'POST tasks': ({ customerId }) => ({ path: 'tasks', body: { title: 'call', customer_id: customerId } }),
  'GET tasks/{task_id}': onceMade(async (world) => ({ path: await newTask(world) })),
  'PATCH tasks/{task_id}': async (world) => ({ path: await newTask(world), body: { status: 'Tamamlandı' } }),
  'DELETE tasks/{task_id}': async (world) => ({ path: await newTask(world) }),
  'GET notifications': onceMade(async (world) => {
    await newNotification(world);
    return { path: 'notifications' };
  }),
  'GET notifications/{notification_id}': onceMade(async (world) => ({ path: await newNotification(world) })),
  'POST notifications/{notification_id}/read': async (world) => ({ path: `${await newNotification(world)}/read` }),
  'POST notifications/read-all': () => ({ path: 'notifications/read-all', body: {} }),
  ...RATE_REQUESTS,
  'GET account/branches': () => ({ path: 'account/branches' }),
  'GET account/branches/{branch_id}': async ({ api, key }) => {
    const { json } = await api.call('account/branches', { key });
    return { path: `account/branches/${json.data[0].id}` };
  },
  'GET account/settings': () => ({ path: 'account/settings' }),
  'GET account/capabilities': () => ({ path: 'account/capabilities' }),
  ...WALLET_REQUESTS,
  ...WEBHOOK_REQUESTS,
  ...IMPORT_REQUESTS,
  'GET developer/usage': () => ({ path: 'developer/usage' }),
  'GET developer/request-logs': async ({ api, key }) => {
    await api.call('account', { key });
    await api.logged();
    return { path: 'developer/request-logs' };
  },
  'GET developer/rate-limit': () => ({ path: 'developer/rate-limit' }),
};

/** Created through the API; its path from then on. */
async function made({ api, key }: World, path: string, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const { status, text, json } = await api.call(path, { key, method: 'POST', headers, body: JSON.stringify(body) });
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return json.data.id;
}

const newCustomer = async (world: World) => `customers/${await made(world, 'customers', aPerson())}`;
const newTask = async (world: World) => `tasks/${await made(world, 'tasks', { title: 'call', due_at: '2026-01-10' })}`;
const newGuarantor = async (world: World) =>
  `guarantors/${await made(world, `customers/${world.customerId}/guarantors`, aPerson({ email: 'kefil@example.com' }))}`;

async function newNotification({ api, accountId }: World): Promise<string> {
  const id = newId();
  await api.database.inTenant(accountId, 'write', (db) =>
    db.exec(sql`insert into notifications (account_id, id, kind, title, body, created_at)
      values (${theAccount}, ${id}, 'webhook.disabled', 'title', 'body', ${api.clock.now()})`),
  );
  return `notifications/${id}`;
}

/** Values that no reply may ever show, stored in the fields that the specification hides from every key. */
export const NEVER_SHOWN = [
  '9876543.21',
  '987654321',
  '8765432.19',
  '876543219',
  'CHASSIS7KEPT',
  'ENGINE7KEPT',
  'IDNO7KEPT',
  'ADDRESS7KEPT',
  'CREDENTIALS7KEPT',
];

const NEVER_SHOWN_OF_VEHICLE = {
  purchase_price_minor: 987_654_321n,
  purchase_currency: 'STG',
  customs_fee_minor: 876_543_219n,
  engine_no: 'ENGINE7KEPT',
};

export async function makeWorld(
  api: TestService,
  endpointIds: readonly string[],
  limitPerHour: number | null = 5000,
): Promise<World> {
  const accountId = await api.account({
    legal_name: 'Galeri Ltd.',
    city: 'Girne',
    phone: '+905331112233',
    email: 'a@example.com',
  });
  const { id: keyId, secret: key } = await api.key(accountId, {
    endpoints: [...endpointIds],
    authorizations: [...AUTHORIZATIONS],
    limitPerHour,
  });
  const vehicleId = await api.vehicle(accountId, { ...NEVER_SHOWN_OF_VEHICLE, chassis_no: 'CHASSIS7KEPT' });
  for (const status of ['Rezerve', "Auction'da", 'Satıldı']) await api.vehicle(accountId, { ...NEVER_SHOWN_OF_VEHICLE, status });
  const customerId = await api.customer(accountId, { email: 'ayse@example.com', note: 'calls on Saturdays' });
  await api.customer(accountId, { risk_level: 'high' });
  return { api, accountId, keyId, key, vehicleId, customerId };
}
