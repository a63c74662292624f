import { queryOptions, useQuery } from '@tanstack/react-query';
import type { BranchLine } from '../../../src/panel/branches.ts';
import { getPage } from '../api.ts';

/** All branches, for choosing one: no dealer has a hundred. */
export const branchesQuery = queryOptions({
  queryKey: ['branches', 'all'],
  queryFn: ({ signal }) => getPage<BranchLine>('branches', { limit: 100 }, signal),
});

export const useBranches = (): readonly BranchLine[] => useQuery(branchesQuery).data?.items ?? [];
