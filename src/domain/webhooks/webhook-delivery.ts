// The delivery of one event to one webhook: its representation, the test event, and sending a finished delivery again.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { firstEventId, newEventId, newId } from '../../kit/ids.ts';
import {
  anything,
  arrayOf,
  columnsOf,
  integer,
  nullable,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { requireReadableEvent, unreadableEvents } from './event-rights.ts';
import { lockWebhook } from './webhook.ts';

export const DELIVERY_STATUSES = ['Bekliyor', 'Başarılı', 'Başarısız'] as const;

export const Delivery = object({
  id: uuid(),
  webhook_id: uuid(),
  event_id: text('evt_01kb2c3d4e5f6g7h8j9kambncp'),
  event_type: text('vehicle.created'),
  status: oneOf(DELIVERY_STATUSES),
  attempt_count: integer(),
  response_status: nullable(integer()),
  response_excerpt: nullable(text('ok')),
  duration_ms: nullable(integer()),
  error: nullable(text('no_response')),
  next_attempt_at: nullable(timestamp()),
  created_at: timestamp(),
  last_attempt_at: nullable(timestamp()),
});
export type Delivery = Of<typeof Delivery>;

const { response_excerpt: _, ...otherFields } = Delivery.shape;
const WithoutResponse = object(otherFields);

/** A receiver's response can repeat the event, so it is hidden from the same roles. */
const responseFor = (hidden: readonly string[]): Sql =>
  sql`case when event_type = any(${hidden}) then null else response_excerpt end as response_excerpt`;

/** The columns of a delivery for a person with this role, or for a key (null). */
export function deliveryColumns(role: string | null): Sql {
  const hidden = unreadableEvents(role);
  return hidden.length === 0 ? columnsOf(Delivery) : sql`${columnsOf(WithoutResponse)}, ${responseFor(hidden)}`;
}

/** The event as it is sent and signed. */
const Payload = object({
  id: text('evt_01kb2c3d4e5f6g7h8j9kambncp'),
  type: text('vehicle.created'),
  timestamp: timestamp(),
  api_version: text('v1'),
  account_id: uuid(),
  environment: oneOf(['production', 'sandbox']),
  sequence: nullable(integer()),
  resource: object({ kind: text('vehicle'), id: uuid(), path: text('/api/v1/vehicles/…') }),
  data: object({ object: anything(), changed: arrayOf(text('price')), previous: nullable(anything()) }),
  request_id: nullable(text('req_01kb2c3d4e5f6g7h8j9kambncp')),
});

export const DeliveryDetail = object({ ...Delivery.shape, payload: Payload });
export type DeliveryDetail = Of<typeof DeliveryDetail>;

/** One attempt of a delivery; only the panel shows attempts. */
export interface DeliveryAttempt {
  readonly number: number;
  readonly created_at: string;
  readonly response_status: number | null;
  readonly response_excerpt: string | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Newest first; the last twenty are kept. */
export async function listAttempts(db: Db, webhookId: string, id: string, role: string): Promise<DeliveryAttempt[]> {
  const { hidden } = await db.one<{ hidden: boolean }>(sql`select event_type = any(${unreadableEvents(role)}) as hidden
    from ${own('webhook_deliveries')} where webhook_id = ${webhookId} and id = ${id}`);
  return db.rows<DeliveryAttempt>(sql`select number, utc_text(created_at) as created_at, response_status,
    case when not ${hidden} then response_excerpt end as response_excerpt, error, duration_ms
    from ${own('webhook_attempts')} where delivery_id = ${id} order by number desc`);
}

const MAX_PINGS_A_MINUTE = 10;
export const PING = 'test.ping';

export async function readDelivery(db: Db, webhookId: string, id: string, role: string | null): Promise<DeliveryDetail> {
  const { payload, ...delivery } = await db.one<Delivery & { payload: string }>(sql`
    select ${columnsOf(Delivery)}, (select payload from ${own('events')} where events.id = webhook_deliveries.event_id) as payload
    from ${own('webhook_deliveries')} where webhook_id = ${webhookId} and id = ${id}
      and exists (select from ${own('webhooks')} where webhooks.id = ${webhookId} and deleted_at is null)`);
  requireReadableEvent(role, delivery.event_type);
  return { ...delivery, payload: JSON.parse(payload) as DeliveryDetail['payload'] };
}

const shownDelivery = ({ db, actor }: Work, id: string): Promise<Delivery> =>
  db.one<Delivery>(sql`select ${deliveryColumns(actor.role ?? null)} from ${own('webhook_deliveries')} where id = ${id}`);

/** Sends a test event to this webhook only, even if it is not Aktif. It gets no sequence number. */
export async function sendPing(work: Work, webhookId: string): Promise<Delivery> {
  const { db, now, realNow, account, actor } = work;
  await lockWebhook(work, webhookId);
  await limitPings(work);
  const { kind: environment } = await db.one<{ kind: string }>(sql`select kind from ${own('data_sets')}`);
  const id = newEventId(now.getTime());
  const delivery = newId(now.getTime());
  const requestId = actor.requestId ?? null;
  const payload = JSON.stringify({
    id,
    type: PING,
    timestamp: now.toISOString(),
    api_version: 'v1',
    account_id: account.id,
    environment,
    sequence: null,
    resource: { kind: 'webhook', id: webhookId, path: `/api/v1/webhooks/${webhookId}` },
    data: { object: { id: webhookId }, changed: [], previous: {} },
    request_id: requestId,
  });
  await db.exec(sql`insert into events (account_id, id, kind, resource_kind, resource_id, payload, request_id, created_at)
    values (${theAccount}, ${id}, ${PING}, 'webhook', ${webhookId}, ${payload}, ${requestId}, ${now})`);
  await db.exec(sql`insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, created_at, next_attempt_at)
    values (${theAccount}, ${delivery}, ${webhookId}, ${id}, ${PING}, ${realNow}, ${realNow})`);
  return shownDelivery(work, delivery);
}

/** Limited, because unlimited test events would let a caller flood someone else's server through us. */
async function limitPings({ db, now }: Work): Promise<void> {
  const [oldest] = await db.rows<{ created_at: Date }>(sql`select created_at from ${own('events')}
    where id >= ${firstEventId(now.getTime() - 59_999)} and kind = ${PING} order by id desc
    limit 1 offset ${MAX_PINGS_A_MINUTE - 1}`);
  if (oldest === undefined) return;
  const seconds = Math.max(1, Math.ceil((oldest.created_at.getTime() + 60_000 - now.getTime()) / 1000));
  const message = {
    en: `You can send ${MAX_PINGS_A_MINUTE} test events per minute; retry in ${seconds} s`,
    tr: `Dakikada en çok ${MAX_PINGS_A_MINUTE} test olayı gönderebilirsiniz; ${seconds} sn sonra yeniden deneyin`,
  };
  fail('rate_limit_exceeded', { message, headers: { 'Retry-After': String(seconds) } });
}

/**
 * Makes one more attempt now, also if the receiver accepted the event before and lost it. If it fails, the delivery has failed.
 */
export async function retryDelivery(work: Work, webhookId: string, id: string): Promise<Delivery> {
  const { db, realNow } = work;
  const { status: webhook } = await lockWebhook(work, webhookId);
  const { status } = await db.one<{ status: string }>(sql`select status from ${own('webhook_deliveries')}
    where webhook_id = ${webhookId} and id = ${id} for update`);
  if (status === 'Bekliyor') fail('delivery_not_finished');
  if (webhook !== 'Aktif') fail('webhook_passive');
  // A delivery that ended before its last attempt gets only this one attempt too.
  await db.exec(sql`update webhook_deliveries set status = 'Bekliyor', next_attempt_at = ${realNow}, claimed_until = null, once_more = true
    where account_id = ${theAccount} and id = ${id}`);
  return shownDelivery(work, id);
}
