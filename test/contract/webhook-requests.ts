// The requests of the webhook endpoints.
import { vaultKeys } from '../../src/domain/vault/vault.ts';
import { sealSecret } from '../../src/domain/webhooks/webhook-secrets.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';
import type { RequestBuilder, World } from './requests.ts';

export const WEBHOOK_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET webhooks': async (world) => {
    await aWebhook(world);
    return { path: 'webhooks' };
  },
  'POST webhooks': async (world) => {
    await aWebhook(world);
    return { path: 'webhooks', body: { url: 'https://example.com/hook', events: ['vehicle.*', 'customer.created'] } };
  },
  'GET webhooks/{webhook_id}': async (world) => ({ path: `webhooks/${await aWebhook(world)}` }),
  'PATCH webhooks/{webhook_id}': async (world) => ({
    path: `webhooks/${await aWebhook(world)}`,
    body: { description: `depo ${newId()}`, status: 'Pasif' },
  }),
  'DELETE webhooks/{webhook_id}': async (world) => ({ path: `webhooks/${await aWebhook(world)}` }),
  'POST webhooks/{webhook_id}/rotate-secret': async (world) => ({ path: `webhooks/${await aWebhook(world)}/rotate-secret` }),
  'POST webhooks/{webhook_id}/test': async (world) => ({ path: `webhooks/${await aWebhook(world)}/test` }),
  'GET webhooks/{webhook_id}/deliveries': async (world) => ({ path: (await aDelivery(world)).replace(/\/[^/]+$/, '') }),
  'GET webhooks/{webhook_id}/deliveries/{delivery_id}': async (world) => ({ path: await aDelivery(world) }),
  'POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry': async (world) => ({ path: `${await aDelivery(world)}/retry` }),
};

/** The dealer's only one at the moment: a dealer has ten at most. */
async function aWebhook({ api, accountId }: World): Promise<string> {
  const id = newId();
  const keys = { account: accountId, ring: vaultKeys(api.secrets) };
  const now = api.clock.now();
  await api.database.inTenant(accountId, 'write', async (db) => {
    await db.exec(sql`update webhooks set deleted_at = ${now} where account_id = ${theAccount} and deleted_at is null`);
    await db.exec(sql`insert into webhooks (account_id, id, url, events, secret_encrypted, secret_hint, created_at, updated_at)
      values (${theAccount}, ${id}, 'https://example.com/hook', '{*}', ${sealSecret(keys, 'secret_encrypted', id, 'whsec_AAAA')}, 'AAAA', ${now}, ${now})`);
  });
  return id;
}

/** The path of one that has failed. */
async function aDelivery(world: World): Promise<string> {
  const webhook = await aWebhook(world);
  const id = newId();
  const event = `evt_${newId()}`;
  const resource = { kind: 'vehicle', id: world.vehicleId, path: `/api/v1/vehicles/${world.vehicleId}` };
  const data = { object: { id: world.vehicleId }, changed: [], previous: {} };
  const head = { id: event, type: 'vehicle.created', timestamp: new Date().toISOString(), api_version: 'v1' };
  const whose = { account_id: world.accountId, environment: 'production', sequence: 1 };
  const payload = JSON.stringify({ ...head, ...whose, resource, data, request_id: null });
  await world.api.database.inTenant(world.accountId, 'write', async (db) => {
    await db.exec(sql`insert into events (account_id, id, kind, resource_kind, payload, created_at)
      values (${theAccount}, ${event}, 'vehicle.created', 'vehicle', ${payload}, ${world.api.clock.now()})`);
    await db.exec(sql`insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, status, created_at)
      values (${theAccount}, ${id}, ${webhook}, ${event}, 'vehicle.created', 'Başarısız', now())`);
  });
  return `webhooks/${webhook}/deliveries/${id}`;
}
