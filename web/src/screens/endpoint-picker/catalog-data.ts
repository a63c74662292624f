// The catalog for screens: cached for a minute, in the form that the API's own decision functions use.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { buildCatalog, type Catalog } from '../../../../src/domain/catalog/catalog.ts';
import type { CatalogLine, CatalogView } from '../../../../src/panel/developer/catalog.ts';
import { call } from '../../api.ts';

export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: ({ signal }) => call('GET catalog', { signal }),
  staleTime: 60_000,
});

/** `view` is null while loading. */
export function useCatalog(): { readonly view: CatalogView | null; readonly error: unknown; readonly retry: () => void } {
  const { data, error, refetch } = useQuery(catalogQuery);
  return { view: data ?? null, error, retry: () => void refetch() };
}

export function useDecidingCatalog(view: CatalogView): Catalog<CatalogLine> {
  return useMemo(() => buildCatalog(view.rows), [view]);
}
