// The list's address uses the API's own parameter names, so that it can be used for an API call; and a few of the panel's own.

/** Which the API's list and export do not know. */
const PANEL_FILTERS = ['km_min', 'km_max', 'fuel_type', 'transmission', 'days_min', 'reserved_days_max'] as const;

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
  ...PANEL_FILTERS,
  'deleted',
] as const;
export type VehicleFilter = (typeof VEHICLE_FILTERS)[number];

export const VEHICLE_SEARCH = [...VEHICLE_FILTERS, 'sort', 'desc', 'limit', 'offset'] as const;

export type VehicleSearch = { readonly [Name in (typeof VEHICLE_SEARCH)[number]]?: string };

type Filters = Omit<VehicleSearch, 'limit' | 'offset' | 'sort' | 'desc'>;

/** Without the page and its order. */
export function filtersOf(search: VehicleSearch): Filters {
  const { limit: _, offset: __, sort: ___, desc: ____, ...filters } = search;
  return filters;
}

/** Those that the API's export takes. */
export const apiFiltersOf = (search: VehicleSearch): Omit<Filters, (typeof PANEL_FILTERS)[number]> => {
  const filters: { -readonly [Name in keyof Filters]: Filters[Name] } = { ...filtersOf(search) };
  for (const name of PANEL_FILTERS) delete filters[name];
  return filters;
};

/** The order by a column of the list, and back. */
export const SORTED_BY = {
  plate: 'plate',
  vehicle: 'brand',
  year: 'model_year',
  km: 'km',
  fuel: 'fuel_type',
  transmission: 'transmission',
  price: 'price',
  status: 'status',
  city: 'city',
  added: 'created_at',
} as const;

/** The newest first unless something else was chosen. */
export function orderOf({ sort = 'created_at', desc }: VehicleSearch): { readonly sort: string; readonly descending: boolean } {
  return { sort, descending: desc === undefined || desc === '' ? sort === 'created_at' : desc === 'true' };
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

export const kmOf = (typed: string): string | undefined => {
  const bare = typed.replace(/[\s.,]/g, '');
  return /^\d{1,7}$/.test(bare) ? String(Number(bare)) : undefined;
};

export function yearOf(typed: string): string | undefined {
  const year = Number(typed.trim());
  return /^\d{4}$/.test(typed.trim()) && year >= 1900 && year <= 2200 ? typed.trim() : undefined;
}
