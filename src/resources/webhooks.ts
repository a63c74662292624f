// Where the dealer's events are sent, and how each delivery went. Kept from every key: the signing secret, except once on create
// and on rotate.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const webhooks = resource('Webhook management', 'Webhook yönetimi', [
  get('webhooks', 'webhooks:read', 'read', 'Yakında', ['List webhooks', "Webhook'ları listele"]),
  post('webhooks', 'webhooks:write', 'write', 'Yakında', ['Add a webhook', 'Webhook ekle']),
  get('webhooks/{webhook_id}', 'webhooks:read', 'read', 'Yakında', ['Read a webhook', "Webhook'u getir"]),
  patch('webhooks/{webhook_id}', 'webhooks:write', 'write', 'Yakında', [
    'Edit, pause or resume a webhook',
    "Webhook'u düzenle, durdur veya başlat",
  ]),
  del('webhooks/{webhook_id}', 'webhooks:write', 'destructive', 'Yakında', ['Delete a webhook', "Webhook'u sil"]),
  post('webhooks/{webhook_id}/rotate-secret', 'webhooks:write', 'sensitive', 'Yakında', [
    "Rotate a webhook's signing secret",
    'İmza anahtarını yenile',
  ]),
  post('webhooks/{webhook_id}/test', 'webhooks:write', 'write', 'Yakında', ['Send a test event', 'Test olayı gönder']),
  get('webhooks/{webhook_id}/deliveries', 'webhooks:read', 'read', 'Yakında', [
    "List a webhook's deliveries",
    'Gönderimleri listele',
  ]),
  get('webhooks/{webhook_id}/deliveries/{delivery_id}', 'webhooks:read', 'read', 'Yakında', [
    'Read a delivery with its payload',
    'Gönderimi içeriğiyle getir',
  ]),
  post('webhooks/{webhook_id}/deliveries/{delivery_id}/retry', 'webhooks:write', 'write', 'Yakında', [
    'Retry a failed delivery',
    'Başarısız gönderimi yinele',
  ]),
]);
