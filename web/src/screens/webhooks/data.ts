// What the webhook screens ask of the server, and what is asked again after a change.
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import type { Delivery, DeliveryDetail } from '../../../../src/domain/webhooks/webhook-delivery.ts';
import type { AttemptsView } from '../../../../src/panel/webhooks.ts';
import { get, getPage } from '../../api.ts';

export const WEBHOOK_STATUSES: readonly Webhook['status'][] = ['Aktif', 'Pasif', 'Otomatik Durduruldu'];
export const DELIVERY_STATUSES: readonly Delivery['status'][] = ['Bekliyor', 'Başarılı', 'Başarısız'];
export const MOST_WEBHOOKS = 10;

export const webhookPath = (id: string): string => `v1/webhooks/${encodeURIComponent(id)}`;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => getPage<Webhook>('v1/webhooks', { limit: 100 }, signal),
  refetchInterval: 15_000,
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => get<Webhook>(webhookPath(id), undefined, signal),
    refetchInterval: 15_000,
  });

export interface DeliverySearch {
  readonly status?: string;
  readonly event_type?: string;
  readonly limit?: string;
  readonly offset?: string;
}

/** `everyMs`: beside the stream (live.ts). */
export const deliveriesQuery = (webhookId: string, search: DeliverySearch, everyMs: number | false) =>
  queryOptions({
    queryKey: ['deliveries', webhookId, search],
    queryFn: ({ signal }) => getPage<Delivery>(`${webhookPath(webhookId)}/deliveries`, { ...search }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });

export const deliveryPath = (webhookId: string, id: string): string =>
  `${webhookPath(webhookId)}/deliveries/${encodeURIComponent(id)}`;

export const deliveryQuery = (webhookId: string, id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) => get<DeliveryDetail>(deliveryPath(webhookId, id), undefined, signal),
  });

export const attemptsQuery = (webhookId: string, id: string) =>
  queryOptions({
    queryKey: ['delivery-attempts', id],
    queryFn: ({ signal }) =>
      get<AttemptsView>(
        `webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(id)}/attempts`,
        undefined,
        signal,
      ),
  });

export function useWebhooksChanged(): () => Promise<unknown> {
  const client = useQueryClient();
  const names = ['webhooks', 'webhook', 'deliveries', 'delivery', 'delivery-attempts'];
  return () => Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
}
