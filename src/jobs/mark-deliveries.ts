// What an attempt leaves behind: on the delivery, and on its webhook, which is stopped once it has failed for too long.
import { addNotification } from '../domain/notification.ts';
import type { Secrets } from '../domain/secrets.ts';
import { sealingKeys } from '../domain/vault.ts';
import { endWaiting, readWebhook } from '../domain/webhook.ts';
import { inWrite } from '../domain/write.ts';
import type { Database, Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';
import type { Attempt } from './send-delivery.ts';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
/** How long after the one before each attempt is made; after the last the delivery has failed. */
const SCHEDULE_MS = [0, 5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H] as const;
const JITTER = 0.2;
const FAILING_FOR_MS = 5 * 24 * H;

/** null: that was the last attempt. */
export function nextAttempt({ delivery, retryAfterMs }: Attempt, now: Date, random = Math.random): Date | null {
  const wait = SCHEDULE_MS[delivery.attempt_count + 1];
  if (wait === undefined || delivery.once_more) return null;
  const jittered = wait * (1 + JITTER * (2 * random() - 1));
  return new Date(now.getTime() + Math.max(jittered, retryAfterMs));
}

/**
 * One account's attempts, in one transaction. What dealers see of deliveries is never cached, so the data set's version stays: a
 * busy webhook does not empty the account's cache.
 */
export async function markAttempts(database: Database, secrets: Secrets, attempts: readonly Attempt[], now: Date): Promise<void> {
  const dataSet = attempts[0]!.delivery.account_id;
  const toStop = await database.inTenant(
    dataSet,
    'write',
    async (db) => {
      const stop = new Set<string>();
      // In one order everywhere, so that two senders do not wait for each other.
      const ordered = attempts.toSorted((one, other) => (one.delivery.webhook_id < other.delivery.webhook_id ? -1 : 1));
      for (const attempt of ordered) if (await markAttempt(db, attempt, now)) stop.add(attempt.delivery.webhook_id);
      return stop;
    },
    async (db) => (await db.one<{ version: bigint }>(sql`select version from ${own('data_sets')}`)).version,
  );
  for (const webhookId of toStop) await stopWebhook(database, secrets, dataSet, webhookId, now);
}

/** Whether the webhook is to be stopped. The webhook's row is locked before the delivery's, as everywhere. */
async function markAttempt(db: Db, attempt: Attempt, now: Date): Promise<boolean> {
  const { delivery, outcome, status, excerpt, error, durationMs } = attempt;
  const delivered = outcome === 'delivered';
  const next = outcome === 'failed' ? nextAttempt(attempt, now) : null;
  const state = delivered ? 'Başarılı' : next === null ? 'Başarısız' : 'Bekliyor';
  const [webhook] = await db.rows<{ status: string; failing_since: Date | null }>(sql`
    select status, failing_since from ${own('webhooks')} where id = ${delivery.webhook_id} for no key update`);
  // Only what is still ours: the claim may have run out, or the webhook been deleted.
  const marked = await db.exec(sql`update webhook_deliveries set status = ${state}, attempt_count = attempt_count + 1,
      response_status = ${status}::int, response_excerpt = ${excerpt}, error = ${error}, duration_ms = ${durationMs}::int,
      next_attempt_at = ${next}::timestamptz, claimed_until = null, once_more = false, last_attempt_at = ${now}
    where account_id = ${theAccount} and id = ${delivery.id} and status = 'Bekliyor' and claimed_until = ${delivery.claimed_until}`);
  if (marked === 0 || webhook === undefined) return false;
  const counted = delivered
    ? sql`consecutive_failures = 0, failing_since = null, last_success_at = ${now}`
    : sql`consecutive_failures = consecutive_failures + 1, failing_since = coalesce(failing_since, ${now}::timestamptz)`;
  await db.exec(sql`update webhooks set ${counted} where account_id = ${theAccount} and id = ${delivery.webhook_id}`);
  const since = webhook.failing_since ?? now;
  return webhook.status === 'Aktif' && (outcome === 'gone' || (!delivered && now.getTime() - since.getTime() >= FAILING_FOR_MS));
}

/** A write like any other: the account is told, and its other webhooks are. */
async function stopWebhook(database: Database, secrets: Secrets, dataSet: string, webhookId: string, now: Date): Promise<void> {
  const account = await database.onPlatform('read', (db) =>
    db.last<{ id: string; timezone: string }>(sql`select accounts.id, timezone from accounts
      join data_sets on data_sets.account_id = accounts.id where data_sets.id = ${dataSet}`),
  );
  const actor = { type: 'system', name: 'Galeri' } as const;
  const call = { dataSet, account, actor, requestId: null, now, keys: sealingKeys(secrets, dataSet) };
  await inWrite(database, call, (work) => tellStopped(work, webhookId));
}

async function tellStopped(work: Work, id: string): Promise<void> {
  const { db, now } = work;
  const stopped = await db.exec(sql`update webhooks set status = 'Otomatik Durduruldu', updated_at = ${now}
    where account_id = ${theAccount} and id = ${id} and status = 'Aktif' and deleted_at is null`);
  if (stopped === 0) return;
  await endWaiting(db, id, 'webhook_stopped');
  const webhook = await readWebhook(db, id);
  const host = new URL(webhook.url).host;
  await addNotification(work, {
    kind: 'webhook.disabled',
    title: { tr: 'Webhook durduruldu', en: 'A webhook was stopped' },
    body: {
      tr: `${host} adresi teslimatları kabul etmediği için ona artık olay gönderilmiyor. Düzelttiğinizde yeniden etkinleştirin.`,
      en: `Events are no longer sent to ${host}, because it does not accept them. Activate it again once it is repaired.`,
    },
    resource_type: 'webhook',
    resource_id: id,
  });
  work.emit({ kind: 'webhook.disabled', id, path: `webhooks/${id}`, object: webhook });
}
