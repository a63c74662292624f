// The list's address: the names of the catalog row's own filters, so that what stands there can be called with a key as it is.

export const VEHICLE_FILTERS = [
  'status',
  'plate',
  'brand',
  'model',
  'city',
  'branch_id',
  'year_min',
  'year_max',
  'currency',
  'price_min',
  'price_max',
  'is_marketplace_visible',
  'deleted',
] as const;
export type VehicleFilter = (typeof VEHICLE_FILTERS)[number];

export const VEHICLE_SEARCH = [...VEHICLE_FILTERS, 'limit', 'offset'] as const;

export type VehicleSearch = { readonly [Name in (typeof VEHICLE_SEARCH)[number]]?: string };

/** Without the page one is on. */
export function filtersOf(search: VehicleSearch): VehicleSearch {
  const { limit: _, offset: __, ...filters } = search;
  return filters;
}

/** A change of filters, with what must go along: models belong to a brand, bounds to a currency. */
export function changed(search: VehicleSearch, change: VehicleSearch, currency: string): VehicleSearch {
  const next: { -readonly [Name in keyof VehicleSearch]: VehicleSearch[Name] } = { ...search, ...change };
  delete next.offset;
  if ('brand' in change && change.brand !== search.brand && !('model' in change)) delete next.model;
  if ('currency' in change && !change.currency) {
    delete next.price_min;
    delete next.price_max;
  } else if ((next.price_min || next.price_max) && !next.currency) {
    next.currency = currency;
  }
  return next;
}

/**
 * An amount as people here type it, or undefined: 1.250.000 and 1250000 are the same, 1500,50 and 1500.50 too. The API takes a
 * plain decimal.
 */
export function amountOf(typed: string): string | undefined {
  const bare = typed.replace(/[\s\u00a0₺£$€]/g, '');
  const grouped = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/.test(bare) || /^\d+,\d{1,2}$/.test(bare);
  const english = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(bare);
  const plain = grouped ? bare.replaceAll('.', '').replace(',', '.') : english ? bare.replaceAll(',', '') : bare;
  return /^\d{1,12}(\.\d{1,2})?$/.test(plain) ? plain : undefined;
}

export function yearOf(typed: string): string | undefined {
  const year = Number(typed.trim());
  return /^\d{4}$/.test(typed.trim()) && year >= 1900 && year <= 2200 ? typed.trim() : undefined;
}
