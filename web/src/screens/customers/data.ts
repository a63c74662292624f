// What the customer screens ask of the server, each question in one place, besides the customer themselves (records/customers.ts).
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Activity as ActivityLine } from '../../../../src/domain/customers/activity.ts';
import type { Guarantor } from '../../../../src/domain/customers/guarantor.ts';
import { getPage } from '../../api.ts';
import { customerPath } from '../../records/customers.ts';

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
