// Webhooks: the addresses to which a dealer's events are sent. The signing secret is shown only when it is generated.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { arrayOf, columnsOf, integer, nullable, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { writtenMoment } from '../formats/written.ts';
import { allowedUrl } from '../net/outbound.ts';
import type { CreateBody } from '../records/body.ts';
import {
  integerField,
  listField,
  nullable as nullableField,
  oneOfField,
  required,
  textField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import { changedColumns } from '../records/record.ts';
import { isInWorld } from '../worlds/messages.ts';
import { isSubscription } from '../writes/event-kinds.ts';
import { requireEventRights } from './event-rights.ts';
import { sealSecret, tryOpenSecret } from './webhook-secrets.ts';
import { newWebhookSecret } from './webhook-signing.ts';

export const WEBHOOK_STATUSES = ['Aktif', 'Pasif', 'Otomatik Durduruldu'] as const;

/** It failed for days, answered 410, or its signing secret cannot be decrypted. */
export const STOP_REASONS = ['failing', 'gone', 'secret_unreadable'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const Webhook = object({
  id: uuid(),
  url: text('https://erp.example.com/galeri'),
  events: arrayOf(text('vehicle.*')),
  description: nullable(text('Muhasebe')),
  status: oneOf(WEBHOOK_STATUSES),
  stopped_because: nullable(oneOf(STOP_REASONS)),
  consecutive_failures: integer(),
  last_success_at: nullable(timestamp()),
  secret_hint: text('x8Q='),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Webhook = Of<typeof Webhook>;

export const NewWebhook = object({ ...Webhook.shape, secret: text('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0m2Jt1m8x8Q=') });
export type NewWebhook = Of<typeof NewWebhook>;

export const RotatedWebhook = object({ ...NewWebhook.shape, previous_valid_until: nullable(timestamp()) });
export type RotatedWebhook = Of<typeof RotatedWebhook>;

export const WEBHOOK_FIELDS = {
  url: required(textField(2000)),
  events: required(listField(textField(80), 200, 1)),
  description: nullableField(textField(500)),
} as const;

/** `Otomatik Durduruldu` cannot be set by a caller; a failing webhook gets it. */
export const WEBHOOK_EDITS = { ...WEBHOOK_FIELDS, status: oneOfField(['Aktif', 'Pasif'] as const) } as const;

const DEFAULT_OVERLAP_S = 86_400;
const MAX_OVERLAP_S = 604_800;
export const ROTATION_FIELDS = {
  overlap_seconds: withDefault(integerField(0, MAX_OVERLAP_S), `\`${DEFAULT_OVERLAP_S}\``),
} as const;

/** In production. A sandbox has a ceiling of its own (worlds/ceilings.ts). */
const MAX_WEBHOOKS = 10;

export const readWebhook = (db: Db, id: string): Promise<Webhook> =>
  db.one<Webhook>(sql`select ${columnsOf(Webhook)} from ${own('webhooks')} where id = ${id} and deleted_at is null`);

interface StoredWebhook {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly status: Webhook['status'];
  readonly secret_encrypted: Buffer;
  readonly previous_valid_until: Date | null;
}

/** Locked until the write ends, with a lock that does not block inserts of deliveries. */
export const lockWebhook = ({ db }: Work, id: string): Promise<StoredWebhook> =>
  db.one<StoredWebhook>(sql`select url, webhooks.events, description, status, secret_encrypted, previous_valid_until
    from ${own('webhooks')} where id = ${id} and deleted_at is null for no key update`);

export async function addWebhook(work: Work, body: CreateBody<typeof WEBHOOK_FIELDS>): Promise<NewWebhook> {
  const { db, keys, now } = work;
  const url = readTarget(work, body.url);
  const events = readEvents(body.events);
  requireEventRights(work.actor.role, events);
  // Locked, so that two concurrent writes cannot both add the last allowed webhook.
  work.holdDataSet();
  const { count } = await db.one<{ count: bigint }>(sql`select count(*) from ${own('webhooks')} where deleted_at is null`);
  if (count >= MAX_WEBHOOKS && !(await isInWorld(db))) fail('webhook_limit_reached', { words: { limit: MAX_WEBHOOKS } });
  const id = newId(now.getTime());
  const secret = newWebhookSecret();
  await db.exec(sql`insert into webhooks (events, account_id, id, url, description, secret_encrypted, secret_hint, created_at, updated_at)
    values (${events}, ${theAccount}, ${id}, ${url}, ${body.description ?? null},
      ${sealSecret(keys, 'secret_encrypted', id, secret)}, ${secret.slice(-4)}, ${now}, ${work.updatedAt()})`);
  return { ...(await readWebhook(db, id)), secret };
}

/** Aktif also starts a stopped webhook again, with its failures cleared. */
export async function editWebhook(work: Work, id: string, body: Values<typeof WEBHOOK_EDITS>): Promise<Webhook> {
  const { db } = work;
  const stored = await lockWebhook(work, id);
  const url = body.url === undefined ? stored.url : readTarget(work, body.url);
  const events = body.events === undefined ? stored.events : readEvents(body.events);
  const description = body.description === undefined ? stored.description : body.description;
  const status = body.status ?? stored.status;
  const before = { url: stored.url, events: stored.events.join(), description: stored.description, status: stored.status };
  const changed = Object.keys(changedColumns(before, { url, events: events.join(), description, status }));
  // Pausing and describing are open to every role that edits webhooks; sending events to an address is not.
  const isResumed = changed.includes('status') && status === 'Aktif';
  if (isResumed || changed.includes('url') || changed.includes('events')) requireEventRights(work.actor.role, events);
  if (changed.length > 0) {
    const because = status === stored.status ? sql`stopped_because` : sql`null`;
    await db.exec(sql`update webhooks set events = ${events}, url = ${url}, description = ${description}, status = ${status},
      stopped_because = ${because}, updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`);
  }
  if (body.status === 'Aktif') {
    await db.exec(sql`update webhooks set consecutive_failures = 0, failing_since = null
      where account_id = ${theAccount} and id = ${id} and failing_since is not null`);
  }
  return readWebhook(db, id);
}

/** Its waiting deliveries are dropped. */
export async function removeWebhook(work: Work, id: string): Promise<Webhook> {
  const { db, now } = work;
  await lockWebhook(work, id);
  const shown = await readWebhook(db, id);
  await db.exec(sql`update webhooks set deleted_at = ${now}, status = 'Pasif', stopped_because = null, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  await endWaiting(db, id, 'webhook_deleted');
  return { ...shown, status: 'Pasif', stopped_because: null, updated_at: work.updatedAt().toISOString() };
}

/** Ends the waiting deliveries of a webhook that receives no more; they can be retried once it is Aktif. */
export async function endWaiting(db: Db, webhookId: string, error: 'webhook_deleted' | 'webhook_stopped'): Promise<void> {
  await db.exec(sql`update webhook_deliveries set status = 'Başarısız', next_attempt_at = null, claimed_until = null, error = ${error}
    where account_id = ${theAccount} and webhook_id = ${webhookId} and status = 'Bekliyor'`);
}

/** Both secrets sign until the overlap ends, so that a receiver can switch without losing a delivery. */
export async function rotateSecret(work: Work, id: string, overlapSeconds = DEFAULT_OVERLAP_S): Promise<RotatedWebhook> {
  const { db, keys, realNow } = work;
  const stored = await lockWebhook(work, id);
  const open = stored.previous_valid_until;
  if (open !== null && open > realNow) fail('rotation_open', { words: { until: writtenMoment(open) } });
  const secret = newWebhookSecret();
  // An old secret that cannot be decrypted signs nothing, so there is no overlap.
  const old = tryOpenSecret(keys, 'secret_encrypted', id, stored.secret_encrypted);
  const keeps = overlapSeconds > 0 && old !== null;
  const until = keeps ? new Date(realNow.getTime() + overlapSeconds * 1000) : null;
  const previous = keeps ? sealSecret(keys, 'previous_secret_encrypted', id, old) : null;
  await db.exec(sql`update webhooks set secret_encrypted = ${sealSecret(keys, 'secret_encrypted', id, secret)},
      secret_hint = ${secret.slice(-4)}, previous_secret_encrypted = ${previous}, previous_valid_until = ${until}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  return { ...(await readWebhook(db, id)), secret, previous_valid_until: until?.toISOString() ?? null };
}

function readTarget({ loopbackTargets }: Work, address: string): string {
  const url = allowedUrl(address, { loopback: loopbackTargets });
  if (url === null) {
    const message = { en: 'url must be a public https address', tr: 'url herkese açık bir https adresi olmalı' };
    fail('url_not_allowed', { details: [{ field: 'url', code: 'url_not_allowed', message }] });
  }
  return url.href;
}

function readEvents(events: readonly string[]): string[] {
  const unknown = events.find((name) => !isSubscription(name));
  if (unknown !== undefined) {
    const message = { en: `Unknown event type: ${unknown}`, tr: `${unknown} diye bir olay türü yok` };
    fail('unknown_event', { words: { event: unknown }, details: [{ field: 'events', code: 'unknown_event', message }] });
  }
  return [...new Set(events)];
}
