// Valid requests for the endpoints of enquiries, as endpoint-requests.ts has for the others.
import { enterEnquiry } from '../../src/domain/enquiries/enquiry-receive.ts';
import { own, sql } from '../../src/kit/sql.ts';
import type { World } from '../contract/requests.ts';
import { consumerOffers } from '../support/market.ts';
import { asPlatform } from '../support/platform.ts';
import type { Build } from './endpoint-requests.ts';

let number = 1_000_000;
function newPhone(): string {
  number += 1;
  return `+90533${number}`;
}

export const newEnquiry = (
  { api, accountId }: Pick<World, 'api' | 'accountId'>,
  values: Record<string, unknown> = {},
): Promise<string> =>
  asPlatform(api, accountId, async (work) => {
    const { id } = await enterEnquiry(work, {
      name: 'Kemal Aday',
      phone: newPhone(),
      source: 'Telefon',
      message: 'Takas olur mu?',
      ...values,
    });
    return id;
  });

/** The enquiry of a consumer's offer. */
async function newOffered(world: World): Promise<string> {
  const { api, accountId } = world;
  const vehicle_id = await api.vehicle(accountId);
  const listed = await api.call('/api/v1/marketplace/listings', {
    method: 'POST',
    key: world.key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vehicle_id }),
  });
  await consumerOffers(api, { accountId }, listed.json.data.id, '9500.00', { buyer_phone: newPhone() });
  const { id } = await api.database.inTenant(accountId, 'read', (db) =>
    db.one<{ id: string }>(sql`select id from ${own('enquiries')} where vehicle_id = ${vehicle_id}`),
  );
  return id;
}

export const ENQUIRY_REQUESTS: Readonly<Record<string, Build>> = {
  'POST enquiries': () => ({ path: 'enquiries', body: { name: 'Kemal Aday', phone: newPhone(), source: 'Telefon' } }),
  'GET enquiries/{enquiry_id}': async (world) => ({ path: `enquiries/${await newEnquiry(world)}` }),
  'PATCH enquiries/{enquiry_id}': async (world) => ({
    path: `enquiries/${await newEnquiry(world)}`,
    body: { stage: 'Görüşüldü' },
  }),
  'POST enquiries/{enquiry_id}/notes': async (world) => ({
    path: `enquiries/${await newEnquiry(world)}/notes`,
    body: { text: 'Aradı' },
  }),
  'POST enquiries/{enquiry_id}/counter': async (world) => ({
    path: `enquiries/${await newOffered(world)}/counter`,
    body: { amount: '9000.00' },
  }),
  'GET enquiries/{enquiry_id}/matches': async (world) => ({ path: `enquiries/${await newEnquiry(world)}/matches` }),
  'POST enquiries/{enquiry_id}/customer': async (world) => ({ path: `enquiries/${await newEnquiry(world)}/customer`, body: {} }),
  'POST enquiries/{enquiry_id}/sale': async (world) => ({
    path: `enquiries/${await newEnquiry(world)}/sale`,
    body: { vehicle_id: await world.api.vehicle(world.accountId), sale_price: '10000.00' },
  }),
  'POST enquiries/{enquiry_id}/erase': async (world) => ({ path: `enquiries/${await newEnquiry(world)}/erase` }),
};
