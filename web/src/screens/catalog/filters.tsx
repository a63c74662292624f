// The catalog's filters, in the words of the picker; the address holds them.
import type { Method, Risk, Status } from '../../../../src/kit/endpoint.ts';
import type { CatalogView } from '../../../../src/panel/catalog.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Field, Select } from '../../parts/field.tsx';
import { FilterBar, SearchInput } from '../../parts/filters.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { pickerTexts } from '../picker/texts.ts';
import { catalogTexts } from './texts.ts';

export interface CatalogSearch {
  readonly q?: string | undefined;
  readonly kategori?: string | undefined;
  readonly risk?: string | undefined;
  readonly durum?: string | undefined;
  readonly yontem?: string | undefined;
  /** `talep`: most asked for first. */
  readonly sirala?: string | undefined;
}

const RISKS: readonly Risk[] = ['read', 'write', 'destructive', 'sensitive'];
const STATUSES: readonly Status[] = ['Aktif', 'Yakında'];
const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

interface CatalogFiltersProps {
  readonly view: CatalogView | null;
  readonly search: CatalogSearch;
  readonly onChange: (search: CatalogSearch) => void;
}

export function CatalogFilters({ view, search, onChange }: CatalogFiltersProps) {
  const t = useTexts(pickerTexts);
  const c = useTexts(catalogTexts);
  const words = useTexts(partsTexts);
  const locale = useLocale();
  const { q, kategori, risk, durum, yontem, sirala } = search;
  const isFiltered = Boolean(q || kategori || risk || durum || yontem);
  const set = (change: CatalogSearch) => onChange({ ...search, ...change });
  const choices = [
    {
      name: 'kategori',
      label: t.category,
      none: t.allCategories,
      options: (view?.categories ?? []).map(({ id, name }) => ({ value: id, label: name[locale] })),
    },
    { name: 'risk', label: t.risk, none: t.allRisks, options: RISKS.map((value) => ({ value, label: words.risks[value] })) },
    {
      name: 'durum',
      label: t.status,
      none: t.allStatuses,
      options: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
    },
    { name: 'yontem', label: t.method, none: t.allMethods, options: METHODS.map((value) => ({ value, label: value })) },
  ] as const;
  return (
    <FilterBar onClear={isFiltered ? () => onChange(sirala ? { sirala } : {}) : undefined}>
      <SearchInput label={t.search} value={q ?? ''} onChange={(text) => set({ q: text || undefined })} pause={120} />
      {choices.map(({ name, label, none, options }) => (
        <div key={name} className="min-w-32 flex-1 sm:max-w-48 sm:flex-none">
          <Field label={label} labelHidden>
            <Select
              value={search[name] ?? ''}
              options={[{ value: '', label: none }, ...options]}
              onChange={(value) => set({ [name]: value || undefined })}
            />
          </Field>
        </div>
      ))}
      <div className="min-w-32 flex-1 sm:max-w-48 sm:flex-none">
        <Field label={c.order} labelHidden>
          <Select
            value={sirala ?? ''}
            options={[
              { value: '', label: c.byCatalog },
              { value: 'talep', label: c.byVotes },
            ]}
            onChange={(value) => set({ sirala: value || undefined })}
          />
        </Field>
      </div>
    </FilterBar>
  );
}
