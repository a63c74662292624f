// Queries of the customer screens; those of a single customer are in records/customers.ts.
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Activity as ActivityLine } from '../../../../src/domain/customers/activity.ts';
import { callPage } from '../../api.ts';

export type ActivityKind = ActivityLine['kind'];
export type { ActivityLine };

const ACTIVITY_PAGE = 20;

export const activityQuery = (customerId: string, kind: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['customer-activity', customerId, kind ?? ''],
    queryFn: ({ signal, pageParam }) =>
      callPage('GET v1/customers/{customer_id}/activity', {
        params: { customer_id: customerId },
        query: { kind, limit: ACTIVITY_PAGE, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore, offset, items }) => (hasMore ? offset + items.length : undefined),
  });
