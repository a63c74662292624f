// The fixed values of the marketplace. The panel in the browser imports them too.

export const MARKETPLACE_OFFER_STATUSES = [
  'Beklemede',
  'Kabul Edildi',
  'Reddedildi',
  'Süresi Doldu',
  'Tamamlandı',
  'Bozuldu',
] as const;
export type MarketplaceOfferStatus = (typeof MARKETPLACE_OFFER_STATUSES)[number];

export const LISTING_SCOPES = ['own', 'network'] as const;

export const VISIT_KINDS = ['view', 'favorite', 'contact'] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];

/** The orders in which the panel lists the network's cars. */
export const NETWORK_SORTS = ['newest', 'price_asc', 'price_desc', 'year', 'km'] as const;
