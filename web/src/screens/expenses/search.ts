// The address of the list uses the endpoint's own parameter names; `gider` is the one that is open beside it.
const EXPENSE_FILTERS = ['q', 'kind', 'category', 'currency', 'method', 'branch_id', 'vehicle_id', 'from', 'to'] as const;
export const EXPENSE_SEARCH = [...EXPENSE_FILTERS, 'limit', 'offset', 'gider', 'yeni'] as const;

export type ExpenseSearch = { readonly [Name in (typeof EXPENSE_SEARCH)[number]]?: string | undefined };

/** Without the page and what is open. */
export function filtersOf({ limit: _, offset: __, gider: ___, yeni: ____, ...filters }: ExpenseSearch) {
  return filters;
}
