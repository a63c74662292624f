// The list's address uses the API's own parameter names, so that it can be used for an API call.

export const SALE_FILTERS = [
  'q',
  'status',
  'overdue',
  'payment_type',
  'currency',
  'legal_stage',
  'branch_id',
  'salesperson_id',
  'customer_id',
  'vehicle_id',
  'from',
  'to',
] as const;
export const SALE_SEARCH = [...SALE_FILTERS, 'limit', 'offset'] as const;

export type SaleSearch = { readonly [Name in (typeof SALE_SEARCH)[number]]?: string | undefined };
export type SaleFilterValues = Omit<SaleSearch, 'limit' | 'offset'>;

/** Without the page. */
export function filtersOf({ limit: _, offset: __, ...filters }: SaleSearch): SaleFilterValues {
  return filters;
}
