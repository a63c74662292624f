import { useQuery } from '@tanstack/react-query';
import type { StaffLine } from '../../../src/panel/branches.ts';
import { getPage } from '../api.ts';

/** Everyone who works here; names of those who left stay known. */
export const useStaff = (): readonly StaffLine[] =>
  useQuery({
    queryKey: ['staff', 'all'],
    queryFn: ({ signal }) => getPage<StaffLine>('staff', { limit: 100 }, signal),
    staleTime: 300_000,
  }).data?.items ?? [];
