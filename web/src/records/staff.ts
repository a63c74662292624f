import { useQuery } from '@tanstack/react-query';
import type { StaffLine } from '../../../src/panel/account/branches.ts';
import { callPage } from '../api.ts';

/** All staff, including former members, whose names are still needed. */
export const useStaff = (): readonly StaffLine[] =>
  useQuery({
    queryKey: ['staff', 'all'],
    queryFn: ({ signal }) => callPage('GET staff', { query: { limit: 100 }, signal }),
    staleTime: 300_000,
  }).data?.items ?? [];
