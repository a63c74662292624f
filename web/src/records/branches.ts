import { queryOptions, useQuery } from '@tanstack/react-query';
import type { BranchLine } from '../../../src/panel/account/branches.ts';
import { callPage } from '../api.ts';

/** All branches, for choosing one: no dealer has a hundred. */
export const branchesQuery = queryOptions({
  queryKey: ['branches', 'all'],
  queryFn: ({ signal }) => callPage('GET branches', { query: { limit: 100 }, signal }),
});

export const useBranches = (): readonly BranchLine[] => useQuery(branchesQuery).data?.items ?? [];
