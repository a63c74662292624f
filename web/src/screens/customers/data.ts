// What the customer screens ask of the server, each question in one place, and what is asked again after a change.
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Activity as ActivityLine } from '../../../../src/domain/customers/activity.ts';
import type { Guarantor } from '../../../../src/domain/customers/guarantor.ts';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { get, getPage } from '../../api.ts';

export const customerPath = (id: string): string => `v1/customers/${encodeURIComponent(id)}`;

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customer', id],
    queryFn: ({ signal }) => get<CustomerDetail>(customerPath(id), undefined, signal),
  });

/** Those that people write down. */
export const MANUAL_KINDS = ['Arama', 'SMS', 'WhatsApp', 'E-posta', 'Ziyaret', 'Not'] as const;
export type ActivityKind = ActivityLine['kind'];
export type { ActivityLine, Guarantor };

const ACTIVITY_PAGE = 20;

export const activityQuery = (customerId: string, kind: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['customer-activity', customerId, kind ?? ''],
    queryFn: ({ signal, pageParam }) =>
      getPage<ActivityLine>(`${customerPath(customerId)}/activity`, { kind, limit: ACTIVITY_PAGE, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore, offset, items }) => (hasMore ? offset + items.length : undefined),
  });

export const guarantorsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['guarantors', customerId],
    queryFn: ({ signal }) => getPage<Guarantor>(`${customerPath(customerId)}/guarantors`, { limit: 100 }, signal),
  });

/** After any change of customers: lists and counts are asked for again; the one that was answered is known already. */
export function useCustomersChanged(): (now?: CustomerDetail) => Promise<unknown> {
  const client = useQueryClient();
  return (now) => {
    if (now && now.deleted_at === null) client.setQueryData(customerQuery(now.id).queryKey, now);
    return Promise.all(
      ['customers', 'customer-counts', 'customer-activity'].map((name) => client.invalidateQueries({ queryKey: [name] })),
    );
  };
}

export const fullName = ({ first_name, last_name }: { readonly first_name: string; readonly last_name: string }): string =>
  `${first_name} ${last_name}`;
