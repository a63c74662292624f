import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call, callPage } from '../../api.ts';
import type { DataOf, ItemOf } from '../../endpoints.ts';

export type Listing = ItemOf<'GET v1/marketplace/listings'>;
export type ListingDetail = DataOf<'GET v1/marketplace/listings/{listing_id}'>;
export type ConsumerOffer = ItemOf<'GET v1/marketplace/listings/{listing_id}/offers'>;

/** The first part of every query key here. */
const LISTINGS = 'listings';

export interface ListingSearch {
  readonly status?: string | undefined;
  /** `waiting`: the offers that wait for an answer, instead of listings. */
  readonly offers?: string | undefined;
  readonly offset?: string | undefined;
}

export const listingsQuery = ({ status, offset }: ListingSearch) =>
  queryOptions({
    queryKey: [LISTINGS, 'list', status, offset],
    queryFn: ({ signal }) => callPage('GET v1/marketplace/listings', { query: { status, offset }, signal }),
  });

/** Of consumers, on any listing, that wait for an answer. */
export const waitingOffersQuery = (offset: string | undefined) =>
  queryOptions({
    queryKey: [LISTINGS, 'waiting', offset],
    queryFn: ({ signal }) => callPage('GET marketplace/offers', { query: { offset }, signal }),
  });

export const figuresQuery = queryOptions({
  queryKey: [LISTINGS, 'figures'],
  queryFn: ({ signal }) => call('GET v1/marketplace/stats', { signal }),
});

export const listingQuery = (listing_id: string) =>
  queryOptions({
    queryKey: [LISTINGS, 'one', listing_id],
    queryFn: ({ signal }) => call('GET v1/marketplace/listings/{listing_id}', { params: { listing_id }, signal }),
  });

export const MOST_OFFERS = 50;

export const consumerOffersQuery = (listing_id: string) =>
  queryOptions({
    queryKey: [LISTINGS, 'offers', listing_id],
    queryFn: ({ signal }) =>
      callPage('GET v1/marketplace/listings/{listing_id}/offers', {
        params: { listing_id },
        query: { limit: MOST_OFFERS },
        signal,
      }),
  });

/** What is done to a listing also changes its car and the network's view of it. */
export function useListingsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    for (const key of [LISTINGS, 'network', 'vehicles', 'vehicle', 'vehicle-counts'])
      void client.invalidateQueries({ queryKey: [key] });
  };
}
