// The query of votes and the two mutations that change them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { slugOf } from '../../../../src/domain/catalog/catalog.ts';
import type { Vote } from '../../../../src/domain/releases/votes.ts';
import { call } from '../../api.ts';
import { useSession } from '../../session.ts';

export const votesQuery = queryOptions({
  queryKey: ['catalog', 'votes'],
  queryFn: ({ signal }) => call('GET catalog/votes', { signal }),
});

/** Everyone in an account who may change anything. */
export function useMayVote(): boolean {
  const { account, look } = useSession();
  return account !== null && !look && account.role !== 'viewer' && account.status === 'Aktif';
}

/** Null withdraws the vote. */
export function useVote(endpointId: string) {
  const client = useQueryClient();
  const params = { slug: slugOf(endpointId) };
  return useMutation({
    mutationFn: (vote: Vote | null): Promise<unknown> =>
      vote === null ? call('DELETE catalog/{slug}/vote', { params }) : call('POST catalog/{slug}/vote', { params, body: vote }),
    onSettled: () => client.invalidateQueries({ queryKey: ['catalog'] }),
  });
}
