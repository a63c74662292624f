// One valid request for every row that has a body. A row is not built until it can be called from here: coverage.test.ts
// refuses a row without a request, so that no row is ever covered by refusals alone.
import type { TestService } from '../support/service.ts';
import { aCar } from '../support/writer.ts';

/** A dealer with a little of everything, and a key that holds every row. */
export interface World {
  readonly api: TestService;
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
  readonly vehicleId: string;
  readonly customerId: string;
}

export interface RowRequest {
  /** Below /api/v1/, ids filled in. */
  readonly path: string;
  /** Without the question mark. */
  readonly query?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Called anew for each request, so that a write can make what it needs each time. */
export type RequestBuilder = (world: World) => RowRequest | Promise<RowRequest>;

/** A list's request must find at least one record: an empty page proves nothing about the record's shape. */
export const REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET account': () => ({ path: 'account' }),
  'GET vehicles': () => ({ path: 'vehicles' }),
  'POST vehicles': () => ({ path: 'vehicles', body: aCar() }),
  'GET vehicles/{vehicle_id}': ({ vehicleId }) => ({ path: `vehicles/${vehicleId}` }),
  'GET customers': () => ({ path: 'customers' }),
  'GET customers/{customer_id}': ({ customerId }) => ({ path: `customers/${customerId}` }),
  'GET developer/usage': () => ({ path: 'developer/usage' }),
  'GET developer/request-logs': async ({ api, key }) => {
    await api.call('account', { key });
    await api.service.parts.requestLog.flush();
    return { path: 'developer/request-logs' };
  },
  'GET developer/rate-limit': () => ({ path: 'developer/rate-limit' }),
};

/** Values that no reply may ever show, stored where the specification says they are kept from every key. */
export const NEVER_SHOWN = ['9876543.21', '987654321', '8765432.19', '876543219', 'CHASSIS7KEPT', 'ENGINE7KEPT'];

const NEVER_SHOWN_OF_VEHICLE = {
  purchase_price_minor: 987_654_321n,
  purchase_currency: 'STG',
  customs_fee_minor: 876_543_219n,
  engine_no: 'ENGINE7KEPT',
};

export async function makeWorld(api: TestService, rowIds: readonly string[]): Promise<World> {
  const accountId = await api.account({
    legal_name: 'Galeri Ltd.',
    city: 'Girne',
    phone: '+905331112233',
    email: 'a@example.com',
  });
  const { id: keyId, secret: key } = await api.key(accountId, { endpoints: [...rowIds], limitPerHour: 5000 });
  const vehicleId = await api.vehicle(accountId, { ...NEVER_SHOWN_OF_VEHICLE, chassis_no: 'CHASSIS7KEPT' });
  for (const status of ['Rezerve', "Auction'da", 'Satıldı']) await api.vehicle(accountId, { ...NEVER_SHOWN_OF_VEHICLE, status });
  const customerId = await api.customer(accountId, { email: 'ayse@example.com', note: 'calls on Saturdays' });
  await api.customer(accountId, { risk_level: 'high' });
  return { api, accountId, keyId, key, vehicleId, customerId };
}
