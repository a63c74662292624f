// Auctions, lots and requests as the panel reads them.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api.ts';
import type { DataOf, ItemOf } from '../../endpoints.ts';

export type NetworkAuction = ItemOf<'GET v1/network-auctions'>;
export type AuctionBid = ItemOf<'GET v1/network-auctions/{auction_id}/bids'>;
export type AuctionRequest = ItemOf<'GET v1/auction-requests'>;
export type LiveEvent = ItemOf<'GET v1/live-auctions'>;
export type LiveLot = ItemOf<'GET v1/live-auctions/{event_id}/lots'>;
export type LiveLotDetail = DataOf<'GET v1/live-auctions/lots/{lot_id}'>;

/** The first part of every query key here: what one side does may change all of them. */
export const AUCTIONS = 'auctions';

export const eventQuery = (event_id: string) =>
  queryOptions({
    queryKey: [AUCTIONS, 'event', event_id],
    queryFn: ({ signal }) => call('GET v1/live-auctions/{event_id}', { params: { event_id }, signal }),
  });

/** A car that goes to an auction or comes from one changes in the stock too. */
export function useAuctionsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    for (const key of [AUCTIONS, 'vehicles', 'vehicle', 'vehicle-counts', 'listings', 'notifications'])
      void client.invalidateQueries({ queryKey: [key] });
  };
}

/** How far the server's clock is ahead of this browser's. */
export const aheadBy = (serverTime: string): number => Date.parse(serverTime) - Date.now();

/** The server's clock, every second. */
export function useServerNow(ahead: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + ahead;
}

/** 3725000 → 1:02:05; more than a day in days and hours. */
export function durationText(milliseconds: number, dayWord: string, hourWord: string): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return `${days} ${dayWord} ${hours} ${hourWord}`;
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
