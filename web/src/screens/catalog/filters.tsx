// The catalog's filters: those of the picker, and the order.
import type { CatalogView } from '../../../../src/panel/developer/catalog.ts';
import { useTexts } from '../../language.ts';
import { FilterSelect } from '../../parts/table/filters.tsx';
import { EndpointFilters } from '../endpoint-picker/endpoint-filters.tsx';
import { type FilterSearch, filterFrom, searchFrom } from '../endpoint-picker/filter-address.ts';
import { catalogTexts } from './texts.ts';

export interface CatalogSearch extends FilterSearch {
  /** `talep`: most requested first. */
  readonly sirala?: string | undefined;
}

interface CatalogFiltersProps {
  readonly view: CatalogView | null;
  readonly search: CatalogSearch;
  readonly onChange: (search: CatalogSearch) => void;
}

export function CatalogFilters({ view, search, onChange }: CatalogFiltersProps) {
  const t = useTexts(catalogTexts);
  return (
    <EndpointFilters
      categories={view?.categories ?? []}
      filter={filterFrom(search)}
      onFilter={(filter) => onChange({ ...searchFrom(filter), sirala: search.sirala })}
    >
      <FilterSelect
        label={t.order}
        none={t.byCatalog}
        value={search.sirala}
        options={[{ value: 'talep', label: t.byVotes }]}
        onChange={(sirala) => onChange({ ...search, sirala })}
      />
    </EndpointFilters>
  );
}
