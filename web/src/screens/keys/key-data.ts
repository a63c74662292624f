// Queries of the key screens.
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { KeySetup } from '../../../../src/panel/keys/keys.ts';
import { call, callPage } from '../../api.ts';
import type { QueryOf } from '../../endpoints.ts';
import { useSession } from '../../session.ts';

export const PAGE = 25;

export const keysQuery = (query: QueryOf<'GET keys'>) =>
  queryOptions({
    queryKey: ['keys', 'list', query],
    queryFn: ({ signal }) => callPage('GET keys', { query, signal }),
    placeholderData: keepPreviousData,
  });

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id],
    queryFn: ({ signal }) => call('GET keys/{key_id}', { params: { key_id: id }, signal }),
  });

export const usageQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: ['keys', id, 'usage', days],
    queryFn: ({ signal }) => call('GET keys/{key_id}/usage', { params: { key_id: id }, query: { days }, signal }),
    placeholderData: keepPreviousData,
  });

/** Polled while it is visible. */
export const windowQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id, 'window'],
    queryFn: ({ signal }) => call('GET keys/{key_id}/window', { params: { key_id: id }, signal }),
    refetchInterval: 5000,
  });

export const endpointUseQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id, 'row-use'],
    queryFn: ({ signal }) => call('GET keys/{key_id}/row-use', { params: { key_id: id }, signal }),
  });

export const historyQuery = (id: string, offset: number) =>
  queryOptions({
    queryKey: ['keys', id, 'history', offset],
    queryFn: ({ signal }) =>
      callPage('GET keys/{key_id}/history', { params: { key_id: id }, query: { limit: PAGE, offset }, signal }),
    placeholderData: keepPreviousData,
  });

const setupQuery = queryOptions({
  queryKey: ['key-setup'],
  queryFn: ({ signal }) => call('GET key-setup', { signal }),
  staleTime: 300_000,
});

export const useKeySetup = (): KeySetup | null => useQuery(setupQuery).data ?? null;

/** Call after any change of keys: invalidates everything that shows them. */
export function useRefreshKeys(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['keys'] });
}

/** Whether this person may change keys; the server checks again. */
export function useMayChange(): { readonly may: boolean; readonly owner: boolean } {
  const { account, look } = useSession();
  const may = !look && (account?.role === 'owner' || account?.role === 'developer');
  return { may, owner: !look && account?.role === 'owner' };
}
