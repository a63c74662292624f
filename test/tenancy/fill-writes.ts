// A row in each table that writes fill, each with the dealer's mark in it.
import type { Db } from '../../src/kit/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';

export interface Marked {
  readonly vehicle: string;
  readonly customer: string;
  word(about: string): string;
}

export async function fillWrites(db: Db, { vehicle, customer, word }: Marked): Promise<void> {
  const event = `evt_${newId()}`;
  const webhook = newId();
  await db.exec(sql`insert into idempotency (account_id, key, endpoint, fingerprint)
    values (${theAccount}, ${word('key').replaceAll(' ', '')}, 'POST vehicles', ${Buffer.alloc(32)})`);
  await db.exec(sql`insert into events (account_id, id, kind, resource_kind, payload, created_at)
    values (${theAccount}, ${event}, 'vehicle.created', 'vehicle', ${word('payload')}, now())`);
  await db.exec(sql`insert into webhooks (account_id, id, url, events, description, secret_encrypted, secret_hint, status)
    values (${theAccount}, ${webhook}, 'https://example.com/hook', '{*}', ${word('hook')}, ${Buffer.from(word('secret'))}, 'abcd', 'Pasif')`);
  const delivery = newId();
  await db.exec(sql`insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, status, created_at, error)
    values (${theAccount}, ${delivery}, ${webhook}, ${event}, 'vehicle.created', 'Başarısız', now(), ${word('error')})`);
  await db.exec(sql`insert into webhook_attempts (account_id, delivery_id, number, created_at, response_excerpt, duration_ms)
    values (${theAccount}, ${delivery}, 1, now(), ${word('answer')}, 1)`);
  await db.exec(sql`insert into vehicle_history (account_id, id, vehicle_id, event, actor_type, actor_name, note, created_at)
    values (${theAccount}, ${newId()}, ${vehicle}, 'updated', 'panel', ${word('actor')}, ${word('note')}, now())`);
  await db.exec(sql`insert into reservations (account_id, id, vehicle_id, kind, customer_id, note)
    values (${theAccount}, ${newId()}, ${vehicle}, 'Müşteri', ${customer}, ${word('held')})`);
  await db.exec(sql`insert into listings (account_id, id, vehicle_id, title, published_at)
    values (${theAccount}, ${newId()}, ${vehicle}, ${word('title')}, now())`);
  await db.exec(sql`insert into guarantors (account_id, id, customer_id, first_name, last_name, phone)
    values (${theAccount}, ${newId()}, ${customer}, ${word('first')}, ${word('last')}, '+905330000000')`);
  await db.exec(sql`insert into customer_activity (account_id, id, customer_id, kind, note, occurred_at, source)
    values (${theAccount}, ${newId()}, ${customer}, 'Arama', ${word('call')}, now(), 'manual')`);
  await db.exec(
    sql`insert into tasks (account_id, id, title, vehicle_id) values (${theAccount}, ${newId()}, ${word('task')}, ${vehicle})`,
  );
  await db.exec(sql`insert into vehicle_videos (account_id, id, vehicle_id, url, provider, title, "position")
    values (${theAccount}, ${newId()}, ${vehicle}, 'https://example.com/v', 'other', ${word('video')}, 1)`);
  const [file, thumbnail] = [newId(), newId()];
  for (const id of [file, thumbnail])
    await db.exec(sql`insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, state, created_at, state_at)
      values (${theAccount}, ${id}, ${id.replaceAll('-', '').replace(/^../, '$&/')}, ${word('type')}, 1, ${Buffer.alloc(32)}, 'kept', now(), now())`);
  await db.exec(sql`insert into vehicle_photos (account_id, id, vehicle_id, file_id, thumbnail_id, content_type, caption, "position")
    values (${theAccount}, ${newId()}, ${vehicle}, ${file}, ${thumbnail}, 'image/jpeg', ${word('caption')}, 1)`);
  await db.exec(sql`insert into notifications (account_id, id, kind, title, body)
    values (${theAccount}, ${newId()}, 'notification.created', ${word('title')}, ${word('body')})`);
  const connector = newId();
  await db.exec(sql`insert into import_connectors (account_id, id, name, type, transport, target, config, key_field)
    values (${theAccount}, ${connector}, ${word('feed')}, 'csv', 'inline', 'vehicles', '{}', 'plate')`);
  const run = newId();
  await db.exec(sql`insert into import_runs (account_id, id, connector_id, trigger, dry_run, status, finished_at, failure_message,
      actor_type, actor_name)
    values (${theAccount}, ${run}, ${connector}, 'Elle', false, 'Başarısız', now(), ${word('failure')}, 'system', ${word('actor')})`);
  await db.exec(sql`insert into import_contents (account_id, id, run_id, part, bytes_encrypted)
    values (${theAccount}, ${newId()}, ${run}, 0, ${Buffer.from(word('content'))})`);
  await db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, code, message)
    values (${theAccount}, ${newId()}, ${run}, 1, ${word('row key')}, 'invalid', ${word('row error')})`);
}
