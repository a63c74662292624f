// Deletes rows past their retention in small batches, so that no lock is held for long. Several processes may do it at once.
import { ADDRESS_SPAN_MS, NAME_SPAN_MS } from '../domain/identity/sign-in-tries.ts';
import { REDIRECT_DAYS } from '../domain/showroom/showroom-states.ts';
import type { Times } from '../kit/clock.ts';
import type { Database } from '../kit/db.ts';
import { type Sql, sql } from '../kit/sql.ts';

const DAYS_KEPT = 30;
/** Row errors of an import; the run and its counts stay. */
const ERROR_DAYS_KEPT = 90;
const BATCH = 500;

/** Dealers' events and imports age by their business time, all other rows by real time. */
export async function purgeOldRows(database: Database, { now, realNow }: Times): Promise<{ cleared: number }> {
  const ago = (milliseconds: number) => new Date(realNow.getTime() - milliseconds);
  const before = ago(DAYS_KEPT * 86_400_000);
  const eventsBefore = new Date(now.getTime() - DAYS_KEPT * 86_400_000);
  const errorsBefore = new Date(now.getTime() - ERROR_DAYS_KEPT * 86_400_000);
  let cleared = 0;
  // Deliveries are deleted before their events. A delivery that still waits after this time belongs to a webhook that was never
  // resumed.
  for (const batch of [
    sql`delete from idempotency where (account_id, key) in (
      select account_id, key from idempotency where created_at < ${before} order by created_at limit ${BATCH})`,
    sql`delete from webhook_deliveries where (account_id, id) in (
      select account_id, id from webhook_deliveries where created_at < ${before}
        and greatest(created_at, last_attempt_at, next_attempt_at) < ${before} order by created_at limit ${BATCH})`,
    sql`delete from events where (account_id, id) in (
      select account_id, id from events where created_at < ${eventsBefore} and not exists (
        select from webhook_deliveries sent where sent.account_id = events.account_id and sent.event_id = events.id)
      order by created_at limit ${BATCH})`,
    sql`delete from import_row_errors where (account_id, id) in (
      select account_id, id from import_row_errors where created_at < ${errorsBefore} order by created_at limit ${BATCH})`,
    sql`delete from agent_writes where (account_id, id) in (
      select account_id, id from agent_writes where created_at < ${before} order by created_at limit ${BATCH})`,
    // Sent or given up.
    sql`delete from mails where id in (
      select id from mails where (sent_at is not null or text_encrypted is null) and created_at < ${before} order by created_at limit ${BATCH})`,
    sql`delete from sign_in_failures where id in (
      select id from sign_in_failures where at < ${ago(ADDRESS_SPAN_MS)} order by at limit ${BATCH})`,
    sql`delete from sign_in_locks where subject in (
      select subject from sign_in_locks where last_failed_at < ${ago(NAME_SPAN_MS)} order by last_failed_at limit ${BATCH})`,
    sql`delete from showroom_slugs where slug in (
      select slug from showroom_slugs where retired_at < ${ago(REDIRECT_DAYS * 86_400_000)} order by retired_at limit ${BATCH})`,
  ])
    cleared += await deleteInBatches(database, batch);
  return { cleared };
}

async function deleteInBatches(database: Database, batch: Sql): Promise<number> {
  for (let cleared = 0; ; ) {
    const count = await database.onPlatform('write', (db) => db.exec(batch));
    cleared += count;
    if (count < BATCH) return cleared;
  }
}
