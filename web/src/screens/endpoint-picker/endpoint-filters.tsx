// Filters of catalog endpoints for all screens: search, category, risk, status, method.
import type { ReactNode } from 'react';
import type { Method, Risk, Status } from '../../../../src/kit/endpoint.ts';
import type { CatalogView } from '../../../../src/panel/developer/catalog.ts';
import { useLocale, useTexts } from '../../language.ts';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { isFiltered, type PickerFilter } from './selection.ts';
import { pickerTexts } from './texts.ts';

const RISKS: readonly Risk[] = ['read', 'write', 'destructive', 'sensitive'];
const STATUSES: readonly Status[] = ['Aktif', 'Yakında'];
const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

interface EndpointFiltersProps {
  readonly categories: CatalogView['categories'];
  readonly filter: PickerFilter;
  readonly onFilter: (filter: PickerFilter) => void;
  /** The screen's additional filters. */
  readonly children: ReactNode;
}

export function EndpointFilters({ categories, filter, onFilter, children }: EndpointFiltersProps) {
  const t = useTexts(pickerTexts);
  const words = useTexts(partsTexts);
  const locale = useLocale();
  const set = (change: PickerFilter) => onFilter({ ...filter, ...change });
  return (
    <FilterBar onClear={isFiltered(filter) ? () => onFilter({}) : undefined}>
      <SearchInput label={t.search} value={filter.q ?? ''} onChange={(q) => set({ q })} pause={120} />
      <FilterSelect
        label={t.category}
        none={t.allCategories}
        value={filter.category}
        options={categories.map(({ id, name }) => ({ value: id, label: name[locale] }))}
        onChange={(category) => set({ category })}
      />
      <FilterSelect
        label={t.risk}
        none={t.allRisks}
        value={filter.risk}
        options={RISKS.map((value) => ({ value, label: words.risks[value] }))}
        onChange={(risk) => set({ risk })}
      />
      <FilterSelect
        label={t.status}
        none={t.allStatuses}
        value={filter.status}
        options={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
        onChange={(status) => set({ status })}
      />
      <FilterSelect
        label={t.method}
        none={t.allMethods}
        value={filter.method}
        options={METHODS.map((value) => ({ value, label: value }))}
        onChange={(method) => set({ method })}
      />
      {children}
    </FilterBar>
  );
}
