// Offers and swaps between dealers, as the panel reads them.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import type { DataOf, ItemOf } from '../../endpoints.ts';

export type NetworkListing = ItemOf<'GET v1/marketplace/listings'>;
export type NetworkOffer = ItemOf<'GET v1/network-offers'>;
export type OfferThread = DataOf<'GET v1/network-offers/{offer_id}'>;
export type TradeRequest = ItemOf<'GET v1/trade-requests'>;
export type CarCard = NetworkOffer['vehicle'];
export type DealerParty = NetworkOffer['seller'];

/** The first part of every query key here: what one side does may change all of them. */
export const NETWORK = 'network';

export const offerQuery = (offer_id: string) =>
  queryOptions({
    queryKey: [NETWORK, 'offer', offer_id],
    queryFn: ({ signal }) => call('GET v1/network-offers/{offer_id}', { params: { offer_id }, signal }),
  });

export const tradeQuery = (request_id: string) =>
  queryOptions({
    queryKey: [NETWORK, 'trade', request_id],
    queryFn: ({ signal }) => call('GET v1/trade-requests/{request_id}', { params: { request_id }, signal }),
  });

/** An agreement holds cars and suspends listings, so these are read again too. */
export function useNetworkChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    for (const key of [NETWORK, 'vehicles', 'vehicle', 'vehicle-counts', 'listings', 'notifications'])
      void client.invalidateQueries({ queryKey: [key] });
  };
}

export const carName = ({ model_year, brand, model }: CarCard): string => `${model_year} ${brand} ${model}`;

export const otherSide = ({ my_role, seller, buyer }: Pick<NetworkOffer, 'my_role' | 'seller' | 'buyer'>): DealerParty =>
  my_role === 'seller' ? buyer : seller;

export const otherDealer = ({ my_role, requester, recipient }: TradeRequest): DealerParty =>
  my_role === 'requester' ? recipient : requester;
