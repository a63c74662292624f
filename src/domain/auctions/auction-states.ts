// The fixed values of auctions, requests, live events and lots. The panel in the browser imports them too.

export const AUCTION_STATUSES = ['Planlandı', 'Canlı', 'Bitti', 'İptal'] as const;
export type AuctionStatus = (typeof AUCTION_STATUSES)[number];

/** «Bozuldu»: the seller released the winner's reservation. */
export const AUCTION_RESULTS = ['Satıldı', 'Satılmadı', 'Bozuldu'] as const;

export const AUCTION_ROLES = ['seller', 'bidder', 'viewer'] as const;
export type AuctionRole = (typeof AUCTION_ROLES)[number];

export const REQUEST_STATUSES = ['Beklemede', 'Onaylandı', 'Reddedildi', 'İptal'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const EVENT_STATUSES = ['Planlandı', 'Canlı', 'Bitti', 'İptal'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export const LOT_STATUSES = ['Sırada', 'Açık', 'Satıldı', 'Satılmadı', 'Çekildi', 'Bozuldu'] as const;
export type LotStatus = (typeof LOT_STATUSES)[number];

/** Higher numbers are used temporarily while lots are reordered. */
export const MAX_LOT_NO = 89_999;

/** The panel asks for confirmation of a bid that is more than 50 percent and more than twenty increments above the minimum. */
export const isFarAbove = (amount: bigint, nextMinimum: bigint, step: bigint): boolean =>
  amount * 2n > nextMinimum * 3n && amount > nextMinimum + 20n * step;
