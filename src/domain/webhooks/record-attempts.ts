// Records attempts on their deliveries and webhooks. A webhook that has failed for too long is disabled.
import { type Db, keepsVersion } from '../../kit/db.ts';
import type { Text } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addNotification } from '../notifications/notification.ts';
import { findWorldOfDealer } from '../worlds/open-world.ts';
import { SYSTEM, type Writer } from '../writes/write.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Attempt } from './send-delivery.ts';
import { endWaiting, readWebhook, type StopReason } from './webhook.ts';
import { PING } from './webhook-delivery.ts';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
/** The pause before each attempt; after the last attempt the delivery has failed. */
const SCHEDULE_MS = [0, 5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H] as const;
const JITTER = 0.2;
const FAILING_FOR_MS = 5 * 24 * H;
/** Attempts kept of one delivery; more than ten happen only with manual retries. */
const MAX_ATTEMPTS_KEPT = 20;

/** Null after the last attempt. */
export function nextAttempt({ delivery, retryAfterMs }: Attempt, realNow: Date, random = Math.random): Date | null {
  const wait = SCHEDULE_MS[delivery.attempt_count + 1];
  if (wait === undefined || delivery.once_more) return null;
  const jittered = wait * (1 + JITTER * (2 * random() - 1));
  return new Date(realNow.getTime() + Math.max(jittered, retryAfterMs));
}

/**
 * Records one account's attempts in one transaction. Replies about deliveries are never cached, so the data version does not rise
 * and a busy webhook does not empty the account's cache.
 */
export async function recordAttempts(writer: Writer, attempts: readonly Attempt[], realNow: Date): Promise<void> {
  const dataSet = attempts[0]!.delivery.account_id;
  const toStop = await writer.database.inTenant(
    dataSet,
    'write',
    async (db) => {
      const stop = new Map<string, StopReason>();
      // In a fixed order, so that two senders cannot deadlock.
      const ordered = attempts.toSorted((one, other) => (one.delivery.webhook_id < other.delivery.webhook_id ? -1 : 1));
      for (const attempt of ordered) {
        const because = await markAttempt(db, attempt, realNow);
        if (because !== null) stop.set(attempt.delivery.webhook_id, because);
      }
      return stop;
    },
    keepsVersion,
  );
  for (const [webhookId, because] of toStop) await stopWebhook(writer, dataSet, { webhookId, because });
}

/** Returns why the webhook has to be disabled, or null. The webhook's row is always locked before the delivery's. */
async function markAttempt(db: Db, attempt: Attempt, realNow: Date): Promise<StopReason | null> {
  const { delivery, outcome } = attempt;
  const delivered = outcome === 'delivered';
  const [webhook] = await db.rows<{ status: string; failing_since: Date | null }>(sql`
    select status, failing_since from ${own('webhooks')} where id = ${delivery.webhook_id} for no key update`);
  if (outcome === 'unsigned') {
    await setAside(db, delivery);
    return webhook?.status === 'Aktif' ? 'secret_unreadable' : null;
  }
  const marked = await recordAttempt(db, attempt, realNow);
  if (!marked || webhook === undefined) return null;
  const counted = delivered
    ? sql`consecutive_failures = 0, failing_since = null, last_success_at = ${realNow}`
    : sql`consecutive_failures = consecutive_failures + 1, failing_since = coalesce(failing_since, ${realNow}::timestamptz)`;
  await db.exec(sql`update webhooks set ${counted} where account_id = ${theAccount} and id = ${delivery.webhook_id}`);
  if (webhook.status !== 'Aktif' || delivered) return null;
  const since = webhook.failing_since ?? realNow;
  return outcome === 'gone' ? 'gone' : realNow.getTime() - since.getTime() >= FAILING_FOR_MS ? 'failing' : null;
}

/** Updates the delivery and adds the attempt. False if the claim has expired or the webhook was deleted. */
async function recordAttempt(db: Db, attempt: Attempt, realNow: Date): Promise<boolean> {
  const { delivery, outcome, status, excerpt, error, durationMs } = attempt;
  const next = outcome === 'failed' ? nextAttempt(attempt, realNow) : null;
  const state = outcome === 'delivered' ? 'Başarılı' : next === null ? 'Başarısız' : 'Bekliyor';
  const marked = await db.exec(sql`with marked as (
      update webhook_deliveries set status = ${state}, attempt_count = attempt_count + 1,
        response_status = ${status}::int, response_excerpt = ${excerpt}, error = ${error}, duration_ms = ${durationMs}::int,
        next_attempt_at = ${next}::timestamptz, claimed_until = null, once_more = false, last_attempt_at = ${realNow}
      where account_id = ${theAccount} and id = ${delivery.id} and status = 'Bekliyor' and claimed_until = ${delivery.claimed_until}
      returning attempt_count)
    insert into webhook_attempts (account_id, delivery_id, number, created_at, response_status, response_excerpt, error, duration_ms)
    select ${theAccount}, ${delivery.id}, attempt_count, ${realNow}, ${status}::int, ${excerpt}, ${error}, ${durationMs}::int from marked`);
  const oldest = delivery.attempt_count + 1 - MAX_ATTEMPTS_KEPT;
  if (marked > 0 && oldest > 0)
    await db.exec(sql`delete from webhook_attempts
      where account_id = ${theAccount} and delivery_id = ${delivery.id} and number <= ${oldest}`);
  return marked > 0;
}

/** Nothing was sent: the delivery waits until the webhook is active again. A test delivery is dropped. */
async function setAside(db: Db, delivery: ClaimedDelivery): Promise<void> {
  const ends = delivery.event_type === PING;
  const state = ends ? sql`status = 'Başarısız', next_attempt_at = null` : sql`status = 'Bekliyor'`;
  await db.exec(sql`update webhook_deliveries set ${state}, error = 'secret_unreadable', claimed_until = null
    where account_id = ${theAccount} and id = ${delivery.id} and status = 'Bekliyor' and claimed_until = ${delivery.claimed_until}`);
}

interface Stop {
  readonly webhookId: string;
  readonly because: StopReason;
}

/** A normal write, so that the account gets a notification and its other webhooks an event. */
async function stopWebhook(writer: Writer, dataSet: string, stop: Stop): Promise<void> {
  const { account, world } = await writer.database.onPlatform('read', async (db) => {
    const world = await findWorldOfDealer(db, dataSet);
    const account = await db.last<{ id: string; timezone: string }>(sql`select accounts.id, timezone from accounts
      join data_sets on data_sets.account_id = accounts.id where data_sets.id = ${dataSet}`);
    return { account, world: world ?? undefined };
  });
  const call = { dataSet, account, actor: SYSTEM, now: world?.now ?? writer.clock.now(), world };
  await writer.write(call, (work) => markStopped(work, stop));
}

async function markStopped(work: Work, { webhookId: id, because }: Stop): Promise<void> {
  const { db } = work;
  const stopped =
    await db.exec(sql`update webhooks set status = 'Otomatik Durduruldu', stopped_because = ${because}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id} and status = 'Aktif' and deleted_at is null`);
  if (stopped === 0) return;
  // Deliveries that could not be signed were never sent: they wait until the webhook is active again.
  if (because !== 'secret_unreadable') await endWaiting(db, id, 'webhook_stopped');
  const webhook = await readWebhook(db, id);
  await addNotification(work, {
    kind: 'webhook.disabled',
    title: { tr: 'Webhook durduruldu', en: 'A webhook was stopped' },
    body: because === 'secret_unreadable' ? unsignedText(webhook.url) : refusedText(webhook.url),
    resource_type: 'webhook',
    resource_id: id,
  });
  work.emit({ kind: 'webhook.disabled', id, path: `webhooks/${id}`, object: webhook });
}

const refusedText = (url: string): Text => {
  const { host } = new URL(url);
  return {
    tr: `${host} adresi gönderimleri kabul etmediği için bu adrese artık olay gönderilmiyor. Alıcıyı düzeltip webhook’u sürdürün.`,
    en: `Events are no longer sent to ${host}, because it does not accept them. Fix the receiver, then resume the webhook.`,
  };
};

const unsignedText = (url: string): Text => {
  const { host } = new URL(url);
  return {
    tr: `${host} adresinin imza anahtarı okunamadığı için gönderim durdu; bekleyen olaylar saklanıyor. İmza anahtarını yenileyin, alıcıya yenisini verin ve webhook’u sürdürün.`,
    en: `Nothing is sent to ${host}, because its signing secret cannot be read; waiting events are kept. Rotate the secret, give the receiver the new one and resume the webhook.`,
  };
};
