// Queries and mutations of the webhook screens.
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import type { Delivery } from '../../../../src/domain/webhooks/webhook-delivery.ts';
import { call, callPage } from '../../api.ts';

export const WEBHOOK_STATUSES: readonly Webhook['status'][] = ['Aktif', 'Pasif', 'Otomatik Durduruldu'];
export const DELIVERY_STATUSES: readonly Delivery['status'][] = ['Bekliyor', 'Başarılı', 'Başarısız'];
export const MAX_WEBHOOKS = 10;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => callPage('GET v1/webhooks', { query: { limit: 100 }, signal }),
  refetchInterval: 15_000,
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => call('GET v1/webhooks/{webhook_id}', { params: { webhook_id: id }, signal }),
    refetchInterval: 15_000,
  });

export interface DeliverySearch {
  readonly status?: string;
  readonly event_type?: string;
  readonly limit?: string;
  readonly offset?: string;
}

/** `everyMs`: polling besides the stream (live.ts). */
export const deliveriesQuery = (webhookId: string, search: DeliverySearch, everyMs: number | false) =>
  queryOptions({
    queryKey: ['deliveries', webhookId, search],
    queryFn: ({ signal }) =>
      callPage('GET v1/webhooks/{webhook_id}/deliveries', { params: { webhook_id: webhookId }, query: { ...search }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });

export const deliveryQuery = (webhookId: string, id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) =>
      call('GET v1/webhooks/{webhook_id}/deliveries/{delivery_id}', {
        params: { webhook_id: webhookId, delivery_id: id },
        signal,
      }),
  });

export const attemptsQuery = (webhookId: string, id: string) =>
  queryOptions({
    queryKey: ['delivery-attempts', id],
    queryFn: ({ signal }) =>
      call('GET webhooks/{webhook_id}/deliveries/{delivery_id}/attempts', {
        params: { webhook_id: webhookId, delivery_id: id },
        signal,
      }),
  });

export function useWebhooksChanged(): () => Promise<unknown> {
  const client = useQueryClient();
  const names = ['webhooks', 'webhook', 'deliveries', 'delivery', 'delivery-attempts'];
  return () => Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
}
