// Notifications for a dealer's account, not for single people. Their kinds are those of the events they come from.
import type { Db } from '../../kit/db.ts';
import type { Text } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { columnsOf, nullable, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, rawSql, sql, theAccount } from '../../kit/sql.ts';
import type { Actor, Work } from '../../kit/work.ts';

// biome-ignore format: one list, by subject
export const NOTIFICATION_KINDS = [
  'network_offer.created', 'network_offer.countered', 'network_offer.accepted', 'network_offer.rejected', 'network_offer.withdrawn',
  'network_offer.expired', 'network_offer.fell_through', 'network_auction.won', 'network_auction.lost', 'network_auction.outbid',
  'network_auction.ended', 'network_auction.fell_through', 'live_lot.fell_through',
  'live_lot.won', 'live_lot.outbid', 'live_lot.sold', 'live_lot.unsold', 'trade_request.created', 'trade_request.accepted',
  'trade_request.rejected', 'trade_request.cancelled', 'trade_request.expired', 'trade_request.fell_through',
  'marketplace_offer.received', 'wallet_topup.approved', 'wallet_topup.rejected',
  'auction_request.approved', 'auction_request.rejected', 'installment.overdue', 'payment_promise.broken', 'sale_document.signed',
  'sale_document.declined', 'import_run.finished', 'import_run.failed', 'webhook.disabled', 'membership_invoice.issued',
  'vehicle.reservation_released', 'notification.created',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const Notification = object({
  id: uuid(),
  kind: oneOf(NOTIFICATION_KINDS),
  title: text('Rezervasyonun süresi doldu'),
  body: text('Volkswagen Golf (AB 123) yeniden stokta.'),
  resource_type: nullable(text('vehicle')),
  resource_id: nullable(uuid()),
  read_at: nullable(timestamp()),
  created_at: timestamp(),
});
export type Notification = Of<typeof Notification>;

export interface NewNotification {
  readonly kind: NotificationKind;
  readonly title: Text;
  readonly body: Text;
  /** `vehicle` */
  readonly resource_type?: string;
  readonly resource_id?: string;
}

const MAX_TITLE = 200;
const MAX_BODY = 2000;

/** Written in the account's language. A notification is not an event itself: the caller emits the event that it comes from. */
/**
 * True for a key or a member of the dealer; false for the clock, another dealer or the platform, whose administrators act as
 * `admin`.
 */
const isOwnAct = ({ type, role }: Actor): boolean =>
  type === 'api_key' || (type === 'panel' && role !== undefined && role !== 'admin');

/** Does nothing if the dealer acted: dealers are not notified of their own actions. Returns the id that it has or would have. */
export async function addNotification({ db, now, actor }: Work, newNotification: NewNotification): Promise<string> {
  const id = newId(now.getTime());
  if (isOwnAct(actor)) return id;
  const { title, body, resource_type = null, resource_id = null } = newNotification;
  await db.exec(sql`insert into notifications (account_id, id, kind, title, body, resource_type, resource_id, created_at)
    select ${theAccount}, ${id}, ${newNotification.kind}, left(case when locale = 'en' then ${title.en} else ${title.tr} end, ${MAX_TITLE}),
      left(case when locale = 'en' then ${body.en} else ${body.tr} end, ${MAX_BODY}), ${resource_type}, ${resource_id}::uuid, ${now}
    from ${own('accounts')}`);
  return id;
}

export const readNotification = (db: Db, id: string): Promise<Notification> =>
  db.last<Notification>(sql`select ${columnsOf(Notification)} from ${own('notifications')} where id = ${id}`);

/** Marking again changes nothing. */
export async function markRead({ db, now }: Work, id: string): Promise<Notification> {
  await db.exec(sql`update ${rawSql('notifications')} set read_at = ${now}
    where account_id = ${theAccount} and id = ${id} and read_at is null`);
  return readNotification(db, id);
}

/** Marks notifications created before the given time, or all. */
export async function markAllRead({ db, now }: Work, before: Date | undefined): Promise<{ updated: number }> {
  const updated = await db.exec(sql`update ${rawSql('notifications')} set read_at = ${now}
    where account_id = ${theAccount} and read_at is null and created_at < ${before ?? 'infinity'}::timestamptz`);
  return { updated };
}
