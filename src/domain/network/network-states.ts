// The fixed values of offers and swaps between dealers. The panel in the browser imports them too.

export const OFFER_STATUSES = [
  'Beklemede',
  'Kabul Edildi',
  'Reddedildi',
  'Karşı Teklif',
  'Geri Çekildi',
  'Süresi Doldu',
  'Tamamlandı',
  'Bozuldu',
] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

export const OFFER_SIDES = ['seller', 'buyer'] as const;
export type OfferSide = (typeof OFFER_SIDES)[number];

export const TRADE_STATUSES = [
  'Beklemede',
  'Kabul Edildi',
  'Reddedildi',
  'İptal',
  'Süresi Doldu',
  'Tamamlandı',
  'Bozuldu',
] as const;
export type TradeStatus = (typeof TRADE_STATUSES)[number];

export const TRADE_SIDES = ['requester', 'recipient'] as const;
export type TradeSide = (typeof TRADE_SIDES)[number];

/** An offer or request is valid for an hour to two weeks. */
export const VALID_HOURS = { least: 1, most: 14 * 24 } as const;
