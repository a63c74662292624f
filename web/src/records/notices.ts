// Unread banners about the account's keys, such as an endpoint that went live.
import { useQuery } from '@tanstack/react-query';
import type { BannerLine } from '../../../src/panel/account/banners.ts';
import { call } from '../api.ts';
import { useRole } from '../session.ts';

/** For roles that manage keys. */
export function useNotices(): readonly BannerLine[] {
  const keeper = useRole('owner', 'developer');
  const notices = useQuery({
    queryKey: ['notices'],
    queryFn: ({ signal }) => call('GET notices', { signal }),
    enabled: keeper,
    refetchInterval: 60_000,
  });
  return keeper ? (notices.data ?? []) : [];
}
