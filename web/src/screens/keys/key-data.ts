// What the key screens ask of the server, each question in one place.
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { KeyDetail, KeyLine } from '../../../../src/panel/keys/key-views.ts';
import type { KeyEvent, KeySetup, KeyUsage, KeyWindow, RowUse } from '../../../../src/panel/keys/keys.ts';
import { get, getPage, type Query } from '../../api.ts';
import { useSession } from '../../session.ts';

export const PAGE = 25;

export const keysQuery = (query: Query) =>
  queryOptions({
    queryKey: ['keys', 'list', query],
    queryFn: ({ signal }) => getPage<KeyLine>('keys', query, signal),
    placeholderData: keepPreviousData,
  });

export const keyQuery = (id: string) =>
  queryOptions({ queryKey: ['keys', id], queryFn: ({ signal }) => get<KeyDetail>(`keys/${id}`, undefined, signal) });

export const usageQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: ['keys', id, 'usage', days],
    queryFn: ({ signal }) => get<KeyUsage>(`keys/${id}/usage`, { days }, signal),
    placeholderData: keepPreviousData,
  });

/** Asked again while it is looked at; a hidden tab asks nothing. */
export const windowQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id, 'window'],
    queryFn: ({ signal }) => get<KeyWindow>(`keys/${id}/window`, undefined, signal),
    refetchInterval: 5000,
  });

export const rowUseQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id, 'row-use'],
    queryFn: ({ signal }) => get<RowUse[]>(`keys/${id}/row-use`, undefined, signal),
  });

export const historyQuery = (id: string, offset: number) =>
  queryOptions({
    queryKey: ['keys', id, 'history', offset],
    queryFn: ({ signal }) => getPage<KeyEvent>(`keys/${id}/history`, { limit: PAGE, offset }, signal),
    placeholderData: keepPreviousData,
  });

const setupQuery = queryOptions({
  queryKey: ['key-setup'],
  queryFn: ({ signal }) => get<KeySetup>('key-setup', undefined, signal),
  staleTime: 300_000,
});

export const useKeySetup = (): KeySetup | null => useQuery(setupQuery).data ?? null;

/** After any act on keys: whatever is shown of them is asked for again. */
export function useRefreshKeys(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['keys'] });
}

/** Whether this person may change keys here at all; the server decides again. */
export function useMayChange(): { readonly may: boolean; readonly owner: boolean } {
  const { account, look } = useSession();
  const may = !look && (account?.role === 'owner' || account?.role === 'developer');
  return { may, owner: !look && account?.role === 'owner' };
}
