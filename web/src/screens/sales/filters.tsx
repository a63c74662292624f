// Filters of the sales, each of them in the address.
import { SlidersHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import { LEGAL_STAGES, PAYMENT_TYPES } from '../../../../src/domain/installments/sales-states.ts';
import { useCurrencies } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { useBranches } from '../../records/branches.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { useStaff } from '../../records/staff.ts';
import { useRole } from '../../session.ts';
import { filtersOf, type SaleSearch } from './search.ts';
import { salesTexts } from './texts.ts';

interface SaleFiltersProps {
  readonly search: SaleSearch;
  readonly onChange: (search: SaleSearch) => void;
}

export function SaleFilters({ search, onChange }: SaleFiltersProps) {
  const t = useTexts(salesTexts);
  const locale = useLocale();
  const masked = useRole('viewer');
  const change = (part: SaleSearch) => onChange({ ...search, ...part, offset: '' });
  const words = (values: readonly string[]) => values.map((value) => ({ value, label: saleWord(locale, value) }));
  const isFiltered = Object.values(filtersOf(search)).some(Boolean);
  const [isOpen, setOpen] = useState(false);
  return (
    <FilterBar onClear={isFiltered ? () => onChange(search.limit ? { limit: search.limit } : {}) : undefined}>
      <SearchInput
        label={masked ? t.searchNames : t.search}
        value={search.q ?? ''}
        onChange={(q) => change({ q })}
        className="sm:w-72"
      />
      {/* Eight controls would fill a phone before the first sale. */}
      <Button icon={SlidersHorizontal} aria-expanded={isOpen} className="sm:hidden" onClick={() => setOpen(!isOpen)}>
        {t.filters}
      </Button>
      <div className={cx('flex w-full flex-wrap items-end gap-2 sm:contents', !isOpen && 'max-sm:hidden')}>
        <FilterSelect
          label={t.late}
          none={t.anyLate}
          value={search.overdue}
          options={[{ value: 'true', label: t.onlyLate }]}
          onChange={(overdue) => change({ overdue })}
        />
        <FilterSelect
          label={t.payment}
          none={t.anyPayment}
          value={search.payment_type}
          options={words(PAYMENT_TYPES)}
          onChange={(payment_type) => change({ payment_type })}
        />
        <FilterSelect
          label={t.currency}
          none={t.anyCurrency}
          value={search.currency}
          options={useCurrencies()}
          onChange={(currency) => change({ currency })}
        />
        <FilterSelect
          label={t.legal}
          none={t.anyLegal}
          value={search.legal_stage}
          options={words(LEGAL_STAGES)}
          onChange={(legal_stage) => change({ legal_stage })}
        />
        <PlaceFilters search={search} onChange={change} />
        <Days search={search} onChange={change} />
      </div>
      {search.customer_id && (
        <Button icon={X} onClick={() => change({ customer_id: '' })}>
          {t.ofCustomer}
        </Button>
      )}
      {search.vehicle_id && (
        <Button icon={X} onClick={() => change({ vehicle_id: '' })}>
          {t.ofVehicle}
        </Button>
      )}
    </FilterBar>
  );
}

/** The branch and the salesperson, where there are several. */
function PlaceFilters({ search, onChange: change }: SaleFiltersProps) {
  const t = useTexts(salesTexts);
  const branches = useBranches();
  const staff = useStaff();
  return (
    <>
      {(branches.length > 1 || search.branch_id) && (
        <FilterSelect
          label={t.branch}
          none={t.anyBranch}
          value={search.branch_id}
          options={branches.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(branch_id) => change({ branch_id })}
        />
      )}
      {(staff.length > 1 || search.salesperson_id) && (
        <FilterSelect
          label={t.seller}
          none={t.anySeller}
          value={search.salesperson_id}
          options={staff.map(({ id, full_name }) => ({ value: id, label: full_name }))}
          onChange={(salesperson_id) => change({ salesperson_id })}
        />
      )}
    </>
  );
}

function Days({ search, onChange }: SaleFiltersProps) {
  const t = useTexts(salesTexts);
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className="min-w-32 flex-1 sm:w-36 sm:flex-none">
          <Field label={t[name]}>
            <TextInput
              type="date"
              value={search[name] ?? ''}
              {...(name === 'from' && search.to ? { max: search.to } : {})}
              {...(name === 'to' && search.from ? { min: search.from } : {})}
              onChange={(day) => onChange({ [name]: day })}
            />
          </Field>
        </div>
      ))}
    </>
  );
}
