// Queries of the vehicle screens, and what is invalidated after a change.
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HistoryEntry } from '../../../../src/domain/stock/vehicle-history.ts';
import type { Of } from '../../../../src/kit/schema.ts';
import type { VehicleCounts } from '../../../../src/panel/stock/counts.ts';
import { call, callPage } from '../../api.ts';
import { type VehicleDetail, vehicleQuery } from '../../records/vehicles/vehicles.ts';

/** An item of `GET vehicles/{vehicle_id}/history`. */
export type HistoryLine = Of<typeof HistoryEntry>;

export const historyQuery = (id: string, search: { readonly event?: string; readonly offset?: string }) =>
  queryOptions({
    queryKey: ['vehicle-history', id, search],
    queryFn: ({ signal }) =>
      callPage('GET v1/vehicles/{vehicle_id}/history', { params: { vehicle_id: id }, query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });

/** Call after any change of vehicles: invalidates what shows them; the changed vehicle is taken from the reply. */
export function useVehiclesChanged(): (now?: VehicleDetail) => Promise<unknown> {
  const client = useQueryClient();
  return (now) => {
    if (now) client.setQueryData(vehicleQuery(now.id).queryKey, now);
    const stale = ['vehicles', 'vehicle-counts', 'vehicle-history', ...(now ? [] : ['vehicle'])];
    return Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: [name] })));
  };
}

const accountQuery = queryOptions({
  queryKey: ['account-city'],
  queryFn: ({ signal }) => call('GET v1/account', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Undefined until loaded. */
export const useAccountCity = (): string | null | undefined => useQuery(accountQuery).data?.city;

/** Brands and cities of the stock and models of one brand, as suggestions while typing. */
export const useStockWords = (brand: string): VehicleCounts | undefined =>
  useQuery({
    queryKey: ['vehicle-counts', brand === '' ? {} : { brand }],
    queryFn: ({ signal }) => call('GET vehicles/counts', { query: brand === '' ? {} : { brand }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  }).data;
