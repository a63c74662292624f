// The list's address uses the API's own parameter names, so that it can be used for an API call.

export const VEHICLE_FILTERS = [
  'status',
  'q',
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

/** Without the page. */
export function filtersOf(search: VehicleSearch): Omit<VehicleSearch, 'limit' | 'offset'> {
  const { limit: _, offset: __, ...filters } = search;
  return filters;
}

/** Applies a change with its side effects: a new brand clears the model, and price bounds need a currency. */
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

export function yearOf(typed: string): string | undefined {
  const year = Number(typed.trim());
  return /^\d{4}$/.test(typed.trim()) && year >= 1900 && year <= 2200 ? typed.trim() : undefined;
}
