// The register's address uses the API's own parameter names; `senet` is the one that is open beside it.

export const NOTE_FILTERS = ['status', 'currency', 'from', 'to', 'sale_id', 'customer_id'] as const;
export const NOTE_SEARCH = [...NOTE_FILTERS, 'limit', 'offset', 'senet'] as const;

export type NoteSearch = { readonly [Name in (typeof NOTE_SEARCH)[number]]?: string | undefined };
export type NoteFilterValues = Omit<NoteSearch, 'limit' | 'offset' | 'senet'>;

/** The chip that shows every note. What one sale or customer has is shown whole anyway; otherwise the register opens with what is to be paid. */
export const EVERY = 'tumu';
export const isOpenOnly = ({ status, sale_id, customer_id }: NoteSearch): boolean => !(status || sale_id || customer_id);

/** Without the page and what is open. */
export function filtersOf({ limit: _, offset: __, senet: ___, status, ...filters }: NoteSearch): NoteFilterValues {
  return status === EVERY ? filters : { ...filters, status };
}
