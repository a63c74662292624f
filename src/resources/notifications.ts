// What happened that the dealer should know. One set for the account, not one per user.
import { get, post, resource } from '../kit/endpoint.ts';

export const notifications = resource('Notifications', 'Bildirimler', [
  get('notifications', 'notifications:read', 'read', 'Yakında', ['List notifications', 'Bildirimleri listele']),
  get('notifications/{notification_id}', 'notifications:read', 'read', 'Yakında', ['Read a notification', 'Bildirimi getir']),
  post('notifications/{notification_id}/read', 'notifications:write', 'write', 'Yakında', [
    'Mark a notification as read',
    'Bildirimi okundu işaretle',
  ]),
  post('notifications/read-all', 'notifications:write', 'write', 'Yakında', [
    'Mark all notifications as read',
    'Tüm bildirimleri okundu işaretle',
  ]),
]);
