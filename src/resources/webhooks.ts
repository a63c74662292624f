// Webhooks for the dealer's events, and the result of each delivery. Hidden from every key: the signing secret, except once on
// create and on rotate. Replies are not cached, because the webhook sender writes whenever it has sent something.
import { createBody, patchBody } from '../domain/records/body.ts';
import {
  addWebhook,
  editWebhook,
  NewWebhook,
  ROTATION_FIELDS,
  RotatedWebhook,
  readWebhook,
  removeWebhook,
  rotateSecret,
  WEBHOOK_EDITS,
  WEBHOOK_FIELDS,
  WEBHOOK_STATUSES,
  Webhook,
} from '../domain/webhooks/webhook.ts';
import {
  DELIVERY_STATUSES,
  Delivery,
  DeliveryDetail,
  deliveryColumns,
  readDelivery,
  retryDelivery,
  sendPing,
} from '../domain/webhooks/webhook-delivery.ts';
import { EVENT_KINDS } from '../domain/writes/event-kinds.ts';
import { type Context, del, get, patch, post, resource } from '../kit/endpoint.ts';
import { deletedOrNot, listPage, type Page } from '../kit/page.ts';
import { momentParam, oneOfParam, trueParam } from '../kit/params.ts';
import { readPeriod } from '../kit/period.ts';
import { sql } from '../kit/sql.ts';

const DeliveryFilters = {
  status: oneOfParam(DELIVERY_STATUSES),
  event_type: oneOfParam(EVENT_KINDS),
  from: momentParam,
  to: momentParam,
} as const;

/** Deliveries are kept for 30 days; a longer period returns no more. */
const ANY_SPAN = { days: 366, max: 36_600 };

export const webhooks = resource('Webhook management', 'Webhook yönetimi', [
  get('webhooks', 'webhooks:read', 'read', 'Yakında', ['List webhooks', "Webhook'ları listele"], {
    about: [
      'Returns the webhooks, newest first. Signing secrets are never returned.',
      'Olayların gönderildiği adresler, en yeniden eskiye. İmza anahtarları hiçbir zaman gösterilmez.',
    ],
    query: { status: oneOfParam(WEBHOOK_STATUSES), deleted: trueParam },
    lists: Webhook,
    synced: true,
    fresh: true,
    run: ({ db, query, page }) => {
      const where = [deletedOrNot(query.deleted)];
      if (query.status !== undefined) where.push(sql`status = ${query.status}`);
      return listPage(db, { table: 'webhooks', shows: Webhook, where }, page);
    },
  }),
  post('webhooks', 'webhooks:write', 'write', 'Yakında', ['Add a webhook', 'Webhook ekle'], {
    about: [
      'Creates a webhook: events are sent to its URL from now on. The signing secret is returned only in this response.',
      'Bundan böyle olayların gönderileceği bir adres ekler. İmza anahtarı yalnızca bu yanıtta yer alır.',
    ],
    refuses: ['webhook_limit_reached', 'url_not_allowed', 'unknown_event'],
    bodySchema: createBody(WEBHOOK_FIELDS),
    returns: NewWebhook,
    successStatus: 201,
    run: ({ work, body }) => addWebhook(work, body),
  }),
  get('webhooks/{webhook_id}', 'webhooks:read', 'read', 'Yakında', ['Read a webhook', "Webhook'u getir"], {
    about: [
      'Returns a webhook with the results of its last deliveries. The signing secret is never returned.',
      'Bir webhook ve son gönderimlerinin durumu. İmza anahtarı hiçbir zaman gösterilmez.',
    ],
    returns: Webhook,
    fresh: true,
    run: ({ db, params }) => readWebhook(db, params.webhook_id),
  }),
  patch(
    'webhooks/{webhook_id}',
    'webhooks:write',
    'write',
    'Yakında',
    ['Edit, pause or resume a webhook', "Webhook'u düzenle, duraklat veya sürdür"],
    {
      about: [
        'Updates the URL, events or description. `status` pauses a webhook or enables a disabled one.',
        'Adresi, olayları ya da açıklamayı değiştirir; `status` duraklatır ya da durmuş olanı sürdürür.',
      ],
      refuses: ['url_not_allowed', 'unknown_event'],
      bodySchema: patchBody(WEBHOOK_EDITS),
      returns: Webhook,
      run: ({ work, params, body }) => editWebhook(work, params.webhook_id, body),
    },
  ),
  del('webhooks/{webhook_id}', 'webhooks:write', 'destructive', 'Yakında', ['Delete a webhook', "Webhook'u sil"], {
    about: ['Deletes the webhook; pending deliveries are not sent.', 'Webhook’u kaldırır; bekleyen gönderimler artık yapılmaz.'],
    returns: Webhook,
    run: ({ work, params }) => removeWebhook(work, params.webhook_id),
  }),
  post(
    'webhooks/{webhook_id}/rotate-secret',
    'webhooks:write',
    'sensitive',
    'Yakında',
    ["Rotate a webhook's signing secret", 'İmza anahtarını yenile'],
    {
      about: [
        'Creates a new signing secret, returned only in this response. For `overlap_seconds`, deliveries are signed with both secrets. Fails while an earlier overlap is still open.',
        'Webhook’a yalnızca bu yanıtta gösterilen yeni bir imza anahtarı verir; `overlap_seconds` boyunca her çağrı ikisiyle de imzalanır. Önceki geçiş süresi sürerken reddedilir.',
      ],
      refuses: ['rotation_open'],
      bodySchema: createBody(ROTATION_FIELDS),
      returns: RotatedWebhook,
      run: ({ work, params, body }) => rotateSecret(work, params.webhook_id, body.overlap_seconds),
    },
  ),
  post('webhooks/{webhook_id}/test', 'webhooks:write', 'write', 'Yakında', ['Send a test event', 'Test olayı gönder'], {
    about: [
      'Sends a `test.ping` to this webhook and returns 202 with its delivery. At most ten per minute.',
      'Bu webhook’a bir `test.ping` gönderir ve gönderimiyle birlikte 202 döner. Dakikada en çok on kez.',
    ],
    emits: ['test.ping'],
    returns: Delivery,
    successStatus: 202,
    run: ({ work, params }) => sendPing(work, params.webhook_id),
  }),
  get(
    'webhooks/{webhook_id}/deliveries',
    'webhooks:read',
    'read',
    'Yakında',
    ["List a webhook's deliveries", 'Gönderimleri listele'],
    {
      about: [
        'Returns the deliveries of a webhook, newest first. Deliveries are stored for 30 days.',
        'Webhook’un gönderimleri, en yeniden eskiye; 30 gün saklanır.',
      ],
      query: DeliveryFilters,
      lists: Delivery,
      fresh: true,
      run: listDeliveries,
    },
  ),
  get(
    'webhooks/{webhook_id}/deliveries/{delivery_id}',
    'webhooks:read',
    'read',
    'Yakında',
    ['Read a delivery with its payload', 'Gönderimi içeriğiyle getir'],
    {
      about: [
        'Returns a delivery with the exact payload that is sent and signed.',
        'Bir gönderim, gönderildiği ve imzalandığı hâliyle içeriğiyle.',
      ],
      returns: DeliveryDetail,
      fresh: true,
      run: ({ db, params, role }) => readDelivery(db, params.webhook_id, params.delivery_id, role),
    },
  ),
  post(
    'webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    'webhooks:write',
    'write',
    'Yakında',
    ['Send a delivery again', 'Olayı yeniden gönder'],
    {
      about: [
        'Sends the event of a finished delivery, failed or successful, again with the same event id, and returns 202. Fails if the delivery is pending or in progress.',
        'Bitmiş bir gönderimin olayını, başarılı da olsa başarısız da, aynı olay kimliğiyle bir kez daha gönderir ve 202 döner. Bekleyen ya da süren gönderim reddedilir.',
      ],
      refuses: ['delivery_not_finished', 'webhook_passive'],
      returns: Delivery,
      successStatus: 202,
      run: ({ work, params }) => retryDelivery(work, params.webhook_id, params.delivery_id),
    },
  ),
]);

async function listDeliveries({
  db,
  params,
  query,
  page,
  realNow,
  account,
  role,
}: Context<'webhooks/{webhook_id}/deliveries', typeof DeliveryFilters>): Promise<Page> {
  await readWebhook(db, params.webhook_id);
  const where = [sql`webhook_id = ${params.webhook_id}`];
  if (query.status !== undefined) where.push(sql`status = ${query.status}`);
  if (query.event_type !== undefined) where.push(sql`event_type = ${query.event_type}`);
  if (query.from !== undefined || query.to !== undefined) {
    const { from, end } = readPeriod(query, realNow, account.timezone, ANY_SPAN);
    where.push(sql`created_at >= ${from}`, sql`created_at < ${end}`);
  }
  return listPage(db, { table: 'webhook_deliveries', shows: deliveryColumns(role), where }, page);
}
