// Unread notifications, for the bell and the page.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Notification } from '../../../src/domain/notifications/notification.ts';
import { callPage } from '../api.ts';
import { useMay } from '../permissions.ts';

/** More are shown as «99+». */
export const MAX_COUNTED = 99;

const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  queryFn: ({ signal }) => callPage('GET v1/notifications', { query: { unread: true, limit: 100 }, signal }),
  refetchInterval: 60_000,
});

/** Newest first, up to a hundred. */
export function useUnread(): readonly Notification[] {
  const may = useMay('notifications:read');
  return useQuery({ ...unreadQuery, enabled: may }).data?.items ?? [];
}
