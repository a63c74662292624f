// The picker's filters in the address.
import type { Method, Risk, Status } from '../../../../src/kit/endpoint.ts';
import type { PickerFilter } from './selection.ts';

export const FILTER_NAMES = ['q', 'kategori', 'risk', 'durum', 'yontem', 'secili'] as const;
export type FilterSearch = { readonly [Name in (typeof FILTER_NAMES)[number]]?: string | undefined };

export const filterFrom = (search: FilterSearch): PickerFilter => ({
  q: search.q,
  category: search.kategori,
  risk: search.risk as Risk | undefined,
  status: search.durum as Status | undefined,
  method: search.yontem as Method | undefined,
  picked: search.secili === '1' || undefined,
});

export const searchFrom = (filter: PickerFilter): FilterSearch => ({
  q: filter.q || undefined,
  kategori: filter.category,
  risk: filter.risk,
  durum: filter.status,
  yontem: filter.method,
  secili: filter.picked ? '1' : undefined,
});
