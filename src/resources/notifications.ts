// Notifications for the dealer: one set for the account, not one per user.
import {
  markAllRead,
  markRead,
  NOTIFICATION_KINDS,
  Notification,
  readNotification,
} from '../domain/notifications/notification.ts';
import { createBody } from '../domain/records/body.ts';
import { instantField } from '../domain/records/fields.ts';
import { get, post, resource } from '../kit/endpoint.ts';
import { listPage } from '../kit/page.ts';
import { oneOfParam, trueParam } from '../kit/params.ts';
import { integer, object } from '../kit/schema.ts';
import { sql } from '../kit/sql.ts';

export const notifications = resource('Notifications', 'Bildirimler', [
  get('notifications', 'notifications:read', 'read', 'Yakında', ['List notifications', 'Bildirimleri listele'], {
    about: [
      'Returns the notifications of the account, newest first. They are shared by all users of the account.',
      'Galerinin bilmesi gerekenler, en yeniden eskiye; kişi başına değil, hesap için tek bir küme.',
    ],
    query: { unread: trueParam, kind: oneOfParam(NOTIFICATION_KINDS) },
    lists: Notification,
    run: ({ db, query, page }) => {
      const where = [sql`true`];
      if (query.unread) where.push(sql`read_at is null`);
      if (query.kind !== undefined) where.push(sql`kind = ${query.kind}`);
      return listPage(db, { table: 'notifications', shows: Notification, where }, page);
    },
  }),
  get('notifications/{notification_id}', 'notifications:read', 'read', 'Yakında', ['Read a notification', 'Bildirimi getir'], {
    about: [
      'Returns a notification with its text, the related record and the time it was read. This does not mark it as read.',
      'Bir bildirimin metni, ilgili kaydı ve okunduğu zaman. Buradan okumak onu okundu olarak işaretlemez.',
    ],
    returns: Notification,
    run: ({ db, params }) => readNotification(db, params.notification_id),
  }),
  post(
    'notifications/{notification_id}/read',
    'notifications:write',
    'write',
    'Yakında',
    ['Mark a notification as read', 'Bildirimi okundu olarak işaretle'],
    {
      about: [
        'Marks a notification as read for the whole account. If it was already read, nothing changes.',
        'Bildirimi tüm hesap için okundu olarak işaretler; zaten okunmuşsa olduğu gibi kalır.',
      ],
      returns: Notification,
      run: ({ work, params }) => markRead(work, params.notification_id),
    },
  ),
  post(
    'notifications/read-all',
    'notifications:write',
    'write',
    'Yakında',
    ['Mark all notifications as read', 'Tüm bildirimleri okundu olarak işaretle'],
    {
      about: [
        'Marks all notifications, or those up to `before`, as read. Returns the number that changed.',
        'Tüm bildirimleri ya da `before` anına kadarkileri okundu olarak işaretler; yanıt kaç tanesinin değiştiğini söyler.',
      ],
      bodySchema: createBody({ before: instantField }),
      returns: object({ updated: integer() }),
      run: ({ work, body }) => markAllRead(work, body.before),
    },
  ),
]);
