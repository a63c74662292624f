// The other records of the demonstration's first dealer: one of each kind, with the same ids at every load, so that every example
// in the reference and every request of a converted collection finds the record that it names.

import type { Files } from '../domain/files/file-store.ts';
import { insertRecords } from '../domain/records/record.ts';
import type { Secrets } from '../domain/vault/secrets.ts';
import { sealingKeys } from '../domain/vault/vault.ts';
import { sealSecret } from '../domain/webhooks/webhook-secrets.ts';
import { newWebhookSecret } from '../domain/webhooks/webhook-signing.ts';
import type { Database, Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { SealingKeys } from '../kit/work.ts';
import { type DemoAuctionIds, demoAuctionIds, loadDemoAuctions } from './demo-auctions.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { type DemoDocumentIds, demoDocumentIds, loadDemoDocuments } from './demo-documents.ts';
import { type DemoMarketIds, demoMarketIds, loadMarket } from './demo-market.ts';
import { loadDemoNetwork } from './demo-network.ts';
import { idOf } from './demo-random.ts';
import { type DemoSaleIds, demoSaleIds, loadSales } from './demo-sale.ts';
import { newDemoVehicle } from './demo-vehicle.ts';
import { type DemoWalletIds, demoWalletIds } from './demo-wallet.ts';

/** In addition to the dealer's stock. */
const DELETED_NUMBER = 1_000_000;

export interface DemoIds extends DemoSaleIds, DemoMarketIds, DemoWalletIds, DemoAuctionIds, DemoDocumentIds {
  readonly vehicle_id: string;
  readonly customer_id: string;
  readonly branch_id: string;
  readonly guarantor_id: string;
  readonly photo_id: string;
  readonly video_id: string;
  readonly task_id: string;
  readonly notification_id: string;
  readonly connector_id: string;
  readonly run_id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
  /** A vehicle to restore. */
  readonly deleted_vehicle_id: string;
  /** An active webhook, with a delivery to send again. */
  readonly active_webhook_id: string;
  readonly retried_delivery_id: string;
}

/** The dealer's first vehicle and customer, and the records of its office. */
export function demoIds(dealer: DemoDealer): DemoIds {
  const { scope } = dealer;
  const office = (name: string): string => idOf('office', scope, name);
  return {
    vehicle_id: idOf('vehicle', scope, 0),
    customer_id: idOf('customer', scope, 0),
    branch_id: office('branch'),
    guarantor_id: office('guarantor'),
    photo_id: office('photo'),
    video_id: office('video'),
    task_id: office('task'),
    notification_id: office('notification'),
    connector_id: office('connector'),
    run_id: office('run'),
    webhook_id: office('webhook'),
    delivery_id: office('delivery'),
    deleted_vehicle_id: office('deleted vehicle'),
    active_webhook_id: office('active webhook'),
    retried_delivery_id: office('retried delivery'),
    ...demoSaleIds(dealer),
    ...demoMarketIds(dealer),
    ...demoWalletIds(dealer),
    ...demoAuctionIds(dealer),
    ...demoDocumentIds(dealer),
  };
}

/** Loading again adds what is missing and changes nothing. Without a store for files it has no documents. */
export async function loadDemoOffice(
  database: Database,
  secrets: Secrets,
  dealer: DemoDealer,
  now: Date,
  papers?: { readonly files: Files; readonly publicUrl: string },
): Promise<void> {
  const ids = demoIds(dealer);
  const keys = sealingKeys(secrets, dealer.id);
  await database.inTenant(dealer.id, 'write', async (db) => {
    await loadPeople(db, dealer, ids, now);
    await loadMedia(db, ids, now);
    await loadDeleted(db, dealer, ids, now);
    await loadSales(db, dealer, ids, now);
    await loadImport(db, ids, now);
    await loadMarket(db, dealer, now);
    for (const webhook of webhooksOf(ids)) await loadWebhook(db, keys, dealer, webhook, now);
  });
  await loadDemoNetwork(database, dealer, now);
  await loadDemoAuctions(database, dealer, now);
  if (papers !== undefined) await loadDemoDocuments({ database, keys, now, ...papers }, dealer, ids);
}

async function loadPeople(db: Db, dealer: DemoDealer, ids: DemoIds, now: Date): Promise<void> {
  const times = { created_at: now, updated_at: now };
  await db.exec(sql`insert into branches (account_id, id, name, city, is_main, created_at, updated_at)
    values (${theAccount}, ${ids.branch_id}, 'Çarşı', ${dealer.city.name}, false, ${now}, ${now}) on conflict do nothing`);
  await insertRecords(db, 'guarantors', [
    {
      id: ids.guarantor_id,
      customer_id: ids.customer_id,
      first_name: 'Mehmet',
      last_name: 'Aksoy',
      phone: '+905338410000',
      relationship: 'Kardeş',
      ...times,
    },
  ]);
  await db.exec(sql`insert into customer_activity (account_id, id, customer_id, kind, note, occurred_at, source, created_at)
    values (${theAccount}, ${idOf('office', dealer.scope, 'activity')}, ${ids.customer_id}, 'Arama', 'Fiyat sordu, hafta sonu gelecek',
      ${now}, 'manual', ${now}) on conflict do nothing`);
  await db.exec(sql`insert into tasks (account_id, id, title, status, priority, customer_id, vehicle_id, created_at, updated_at)
    values (${theAccount}, ${ids.task_id}, 'Müşteriyi ara', 'Yapılacak', 'Normal', ${ids.customer_id}, ${ids.vehicle_id}, ${now}, ${now})
    on conflict do nothing`);
  await db.exec(sql`insert into notifications (account_id, id, kind, title, body, created_at)
    values (${theAccount}, ${ids.notification_id}, 'vehicle.reservation_released', 'Rezervasyonun süresi doldu',
      'Araç yeniden stokta.', ${now}) on conflict do nothing`);
}

async function loadMedia(db: Db, ids: DemoIds, now: Date): Promise<void> {
  await db.exec(sql`insert into vehicle_photos (account_id, id, vehicle_id, url, content_type, caption, "position", created_at, updated_at)
    values (${theAccount}, ${ids.photo_id}, ${ids.vehicle_id}, 'https://example.com/foto/on.jpg', 'image/jpeg', 'Önden', 1, ${now}, ${now})
    on conflict (account_id, id) do nothing`);
  await db.exec(sql`insert into vehicle_videos (account_id, id, vehicle_id, url, provider, title, "position", created_at, updated_at)
    values (${theAccount}, ${ids.video_id}, ${ids.vehicle_id}, 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', 'youtube', 'Tanıtım', 1,
      ${now}, ${now}) on conflict (account_id, id) do nothing`);
}

async function loadImport(db: Db, ids: DemoIds, now: Date): Promise<void> {
  const config = JSON.stringify({
    url: null,
    delimiter: ';',
    encoding: null,
    record_path: null,
    sheet: null,
    header_row: null,
    number_format: null,
    mapping: { first_name: 'Ad', last_name: 'Soyad', phone: 'Telefon' },
    defaults: {},
    value_map: {},
  });
  await db.exec(sql`insert into import_connectors (account_id, id, name, type, transport, target, config, key_field, schedule, status,
      last_run_at, last_run_status, created_at, updated_at)
    values (${theAccount}, ${ids.connector_id}, 'Eski program', 'csv', 'inline', 'customers', ${config}::json, 'phone', 'Elle', 'Aktif',
      ${now}, 'Kısmen Tamamlandı', ${now}, ${now}) on conflict do nothing`);
  await db.exec(sql`insert into import_runs (account_id, id, connector_id, trigger, dry_run, actor_type, actor_name, status, total_rows,
      updated_count, error_count, started_at, finished_at, created_at, updated_at)
    values (${theAccount}, ${ids.run_id}, ${ids.connector_id}, 'Elle', false, 'system', 'demo', 'Kısmen Tamamlandı', 2, 1, 1, ${now}, ${now},
      ${now}, ${now}) on conflict do nothing`);
  await db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, field, code, message, created_at)
    values (${theAccount}, ${idOf('office', 0, ids.run_id)}, ${ids.run_id}, 2, '+90533', 'phone', 'invalid',
      'phone ülke koduyla bir telefon numarası olmalı', ${now}) on conflict do nothing`);
}

async function loadDeleted(db: Db, dealer: DemoDealer, ids: DemoIds, now: Date): Promise<void> {
  const vehicle = newDemoVehicle(dealer, DELETED_NUMBER, now);
  const state = { status: 'Stokta', is_marketplace_visible: false, sold_at: null, sold_via: null };
  await insertRecords(db, 'vehicles', [{ ...vehicle, ...state, id: ids.deleted_vehicle_id, deleted_at: now }]);
}

interface DemoWebhook {
  readonly id: string;
  readonly deliveryId: string;
  readonly events: readonly string[];
  readonly status: 'Aktif' | 'Pasif';
  readonly description: string;
}

/** The demonstration never calls an address unasked: one webhook is paused, the other receives only test events. */
const webhooksOf = (ids: DemoIds): readonly DemoWebhook[] => [
  {
    id: ids.webhook_id,
    deliveryId: ids.delivery_id,
    events: ['vehicle.*'],
    status: 'Pasif',
    description: 'Web sitesi',
  },
  {
    id: ids.active_webhook_id,
    deliveryId: ids.retried_delivery_id,
    events: ['test.ping'],
    status: 'Aktif',
    description: 'Deneme',
  },
];

async function loadWebhook(db: Db, keys: SealingKeys, dealer: DemoDealer, webhook: DemoWebhook, now: Date): Promise<void> {
  const { id, deliveryId, events, status, description } = webhook;
  const secret = newWebhookSecret();
  const sealed = sealSecret(keys, 'secret_encrypted', id, secret);
  await db.exec(sql`insert into webhooks (events, account_id, id, url, description, status, secret_encrypted, secret_hint, created_at,
      updated_at)
    values (${events}, ${theAccount}, ${id}, 'https://example.com/galeri', ${description}, ${status}, ${sealed},
      ${secret.slice(-4)}, ${now}, ${now}) on conflict do nothing`);
  const event = `evt_${idOf('office', dealer.scope, `event of ${deliveryId}`).replaceAll('-', '').slice(0, 26)}`;
  const payload = JSON.stringify({
    id: event,
    type: 'test.ping',
    timestamp: now.toISOString(),
    api_version: 'v1',
    account_id: dealer.id,
    environment: 'production',
    sequence: null,
    resource: { kind: 'webhook', id, path: `/api/v1/webhooks/${id}` },
    data: { object: { id }, changed: [], previous: {} },
    request_id: null,
  });
  await db.exec(sql`insert into events (account_id, id, kind, resource_kind, resource_id, payload, created_at)
    values (${theAccount}, ${event}, 'test.ping', 'webhook', ${id}, ${payload}, ${now}) on conflict do nothing`);
  await db.exec(sql`insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, status, attempt_count,
      response_status, response_excerpt, duration_ms, created_at, last_attempt_at)
    select ${theAccount}, ${deliveryId}, ${id}, ${event}, 'test.ping', 'Başarısız', 10, 503, 'busy', 41, ${now}, ${now}
    where not exists (select from ${own('webhook_deliveries')} where id = ${deliveryId})`);
}
