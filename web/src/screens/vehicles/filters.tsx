// Filters of the stock: the search in the bar, the others opened by a button, and each set filter as a removable token.
import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { FUEL_TYPES, TRANSMISSIONS } from '../../../../src/domain/stock/stock-states.ts';
import type { VehicleCounts } from '../../../../src/panel/stock/counts.ts';
import { useCurrencies } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { amountOf } from '../../parts/form/form-amount.ts';
import { Checkbox } from '../../parts/input/choices.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { FilterBar, SearchInput } from '../../parts/table/filters.tsx';
import { branchesQuery, useBranches } from '../../records/branches.ts';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { useFormat, useSession } from '../../session.ts';
import { vehicleListTexts } from './list-texts.ts';
import { changed, kmOf, orderOf, SORTED_BY, VEHICLE_FILTERS, type VehicleFilter, type VehicleSearch, yearOf } from './search.ts';
import { vehiclesTexts } from './texts.ts';

interface VehicleFiltersProps {
  readonly search: VehicleSearch;
  readonly counts: VehicleCounts | undefined;
  readonly onChange: (search: VehicleSearch) => void;
  /** At the right of the bar. */
  readonly actions?: ReactNode;
}

export function VehicleFilters({ search, counts, onChange, actions }: VehicleFiltersProps) {
  const l = useTexts(vehicleListTexts);
  const [open, setOpen] = useState(false);
  const panel = useId();
  // Price bounds without a currency use the dealer's.
  const currency = useSession().account?.default_currency ?? 'TL';
  const tokens = useTokens(search);
  const change = (part: VehicleSearch) => onChange(changed(search, part, currency));
  return (
    <>
      <FilterBar actions={actions} onClear={tokens.length > 0 || search.status ? () => onChange(cleared(search)) : undefined}>
        <SearchInput label={l.search} value={search.q ?? ''} onChange={(q) => change({ q })} />
        <Button icon={SlidersHorizontal} aria-expanded={open} aria-controls={panel} onClick={() => setOpen(!open)}>
          {tokens.length > 0 ? l.filtersOn(tokens.length) : l.filters}
        </Button>
      </FilterBar>
      <div id={panel} hidden={!open} className="card mb-3 p-4">
        {open && <FilterFields search={search} counts={counts} onChange={change} />}
      </div>
      {tokens.length > 0 && (
        <ul className="m-0 mb-3 flex list-none flex-wrap gap-1.5 p-0">
          {tokens.map(({ name, text }) => (
            <li key={name}>
              <button
                type="button"
                aria-label={l.remove(text)}
                onClick={() => change({ [name]: '' })}
                className="inline-flex min-h-7 items-center gap-1 rounded-badge bg-read-bg px-2 text-12 font-medium text-read hover:brightness-95 pointer-coarse:min-h-11"
              >
                <span className="wrap-anywhere">{text}</span>
                <X aria-hidden className="size-3.5 shrink-0" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const cleared = ({ limit }: VehicleSearch): VehicleSearch => (limit === undefined ? {} : { limit });

/** The set filters in words, except the status, which has its own chips. */
function useTokens(search: VehicleSearch): readonly { readonly name: VehicleFilter; readonly text: string }[] {
  const t = useTexts(vehiclesTexts);
  const l = useTexts(vehicleListTexts);
  const format = useFormat();
  const locale = useLocale();
  const branches = useQuery({ ...branchesQuery, enabled: search.branch_id !== undefined }).data?.items ?? [];
  const { currency = 'TL' } = search;
  const bound = (amount: string) => format.money(amount, currency, true);
  const words: { readonly [Name in VehicleFilter]?: (value: string) => string } = {
    q: (value) => `“${value}”`,
    plate: (value) => `${t.plate}: ${value}`,
    brand: (value) => `${t.brand}: ${value}`,
    model: (value) => `${t.model}: ${value}`,
    city: (value) => `${t.city}: ${value}`,
    branch_id: (value) => `${t.branch}: ${branches.find(({ id }) => id === value)?.name ?? '…'}`,
    year_min: (value) => `${t.year} ≥ ${value}`,
    year_max: (value) => `${t.year} ≤ ${value}`,
    price_min: (value) => `${t.price} ≥ ${bound(value)}`,
    price_max: (value) => `${t.price} ≤ ${bound(value)}`,
    currency: (value) => `${t.currency}: ${value}`,
    km_min: (value) => `${t.km} ≥ ${format.km(Number(value))}`,
    km_max: (value) => `${t.km} ≤ ${format.km(Number(value))}`,
    fuel_type: (value) => `${t.fuel}: ${wireWord(locale, value)}`,
    transmission: (value) => `${t.transmission}: ${wireWord(locale, value)}`,
    days_min: (value) => l.daysAtLeast(value),
    reserved_days_max: (value) => l.reservedAtMost(value),
    is_marketplace_visible: (value) => `${t.visible}: ${value === 'true' ? t.visibleYes : t.visibleNo}`,
    deleted: () => l.deleted,
  };
  return VEHICLE_FILTERS.flatMap((name) => {
    const value = search[name];
    const say = words[name];
    return value && say ? [{ name, text: say(value) }] : [];
  });
}

interface FilterFieldsProps {
  readonly search: VehicleSearch;
  readonly counts: VehicleCounts | undefined;
  readonly onChange: (part: VehicleSearch) => void;
}

function FilterFields({ search, counts, onChange }: FilterFieldsProps) {
  const t = useTexts(vehiclesTexts);
  const l = useTexts(vehicleListTexts);
  const branches = useBranches();
  const choice = (name: 'brand' | 'model' | 'city', values: readonly string[] = []) => (
    <Field label={t[name]}>
      <Select
        value={search[name] ?? ''}
        onChange={(value) => onChange({ [name]: value })}
        options={[{ value: '', label: l.any }, ...withPresent(values, search[name]).map((value) => ({ value, label: value }))]}
      />
    </Field>
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        <OrderChoice search={search} onChange={onChange} />
        {choice('brand', counts?.brands)}
        {search.brand && choice('model', counts?.models)}
        {choice('city', counts?.cities)}
        {(branches.length > 1 || search.branch_id) && (
          <Field label={t.branch}>
            <Select
              value={search.branch_id ?? ''}
              onChange={(branch_id) => onChange({ branch_id })}
              options={[{ value: '', label: l.any }, ...branches.map(({ id, name }) => ({ value: id, label: name }))]}
            />
          </Field>
        )}
        <WordChoice name="fuel_type" label={t.fuel} words={FUEL_TYPES} search={search} onChange={onChange} />
        <WordChoice name="transmission" label={t.transmission} words={TRANSMISSIONS} search={search} onChange={onChange} />
        <Field label={t.visible}>
          <Select
            value={search.is_marketplace_visible ?? ''}
            onChange={(is_marketplace_visible) => onChange({ is_marketplace_visible })}
            options={[
              { value: '', label: l.any },
              { value: 'true', label: t.visibleYes },
              { value: 'false', label: t.visibleNo },
            ]}
          />
        </Field>
      </div>
      <Bounds search={search} onChange={onChange} />
      <Checkbox
        label={l.deletedShow}
        checked={search.deleted === 'true'}
        onChange={(deleted) => onChange({ deleted: deleted ? 'true' : '' })}
      />
    </div>
  );
}

/** Cards on a phone have no heads to press, and a narrow table does not show every column. */
function OrderChoice({ search, onChange }: Pick<FilterFieldsProps, 'search' | 'onChange'>) {
  const t = useTexts(vehiclesTexts);
  const l = useTexts(vehicleListTexts);
  const { sort, descending } = orderOf(search);
  const optionOf = (by: string, isDown: boolean) => `${by} ${isDown}`;
  const columns = Object.entries(SORTED_BY) as [keyof typeof SORTED_BY, string][];
  return (
    <Field label={l.sort}>
      <Select
        value={optionOf(sort, descending)}
        onChange={(value) => {
          const [by, desc] = value.split(' ') as [string, string];
          onChange({ sort: by, desc });
        }}
        options={columns.flatMap(([column, by]) =>
          [false, true].map((isDown) => ({ value: optionOf(by, isDown), label: l.sorted(t[column], isDown) })),
        )}
      />
    </Field>
  );
}

interface WordChoiceProps extends Pick<FilterFieldsProps, 'search' | 'onChange'> {
  readonly name: 'fuel_type' | 'transmission';
  readonly label: string;
  readonly words: readonly string[];
}

function WordChoice({ name, label, words, search, onChange }: WordChoiceProps) {
  const l = useTexts(vehicleListTexts);
  const locale = useLocale();
  return (
    <Field label={label}>
      <Select
        value={search[name] ?? ''}
        onChange={(value) => onChange({ [name]: value })}
        options={[{ value: '', label: l.any }, ...words.map((value) => ({ value, label: wireWord(locale, value) }))]}
      />
    </Field>
  );
}

/** From and to side by side, even on a phone. */
function Bounds({ search, onChange }: Pick<FilterFieldsProps, 'search' | 'onChange'>) {
  const t = useTexts(vehiclesTexts);
  const l = useTexts(vehicleListTexts);
  const year = { read: yearOf, fault: l.yearFault };
  const price = { read: amountOf, fault: l.priceFault };
  const whole = { read: kmOf, fault: l.wholeFault };
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-5">
      <Bound {...year} label={l.yearMin} value={search.year_min} onChange={(year_min) => onChange({ year_min })} />
      <Bound {...year} label={l.yearMax} value={search.year_max} onChange={(year_max) => onChange({ year_max })} />
      <div className="col-span-2 lg:col-span-1">
        <Field label={t.currency}>
          <Select
            value={search.currency ?? ''}
            onChange={(currency) => onChange({ currency })}
            options={[{ value: '', label: l.any }, ...useCurrencies()]}
          />
        </Field>
      </div>
      <Bound {...price} label={l.priceMin} value={search.price_min} onChange={(price_min) => onChange({ price_min })} />
      <Bound {...price} label={l.priceMax} value={search.price_max} onChange={(price_max) => onChange({ price_max })} />
      <Bound {...whole} label={l.kmMin} value={search.km_min} onChange={(km_min) => onChange({ km_min })} />
      <Bound {...whole} label={l.kmMax} value={search.km_max} onChange={(km_max) => onChange({ km_max })} />
      <Bound {...whole} label={l.daysMin} value={search.days_min} onChange={(days_min) => onChange({ days_min })} />
      <Bound
        {...whole}
        label={l.reservedDaysMax}
        value={search.reserved_days_max}
        onChange={(reserved_days_max) => onChange({ reserved_days_max })}
      />
    </div>
  );
}

/** Also offers the value in the address where the stock does not have it. */
const withPresent = (values: readonly string[], present: string | undefined): readonly string[] =>
  present && !values.includes(present) ? [present, ...values] : values;

interface BoundProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Converts the typed text for the API; undefined where it is invalid. */
  readonly read: (typed: string) => string | undefined;
  readonly fault: string;
  readonly onChange: (value: string) => void;
}

/** Applied on Enter or when the field is left, because a half-typed number is not a filter. */
function Bound({ label, value = '', read, fault, onChange }: BoundProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const wrong = typed.trim() !== '' && read(typed) === undefined;
  const [left, setLeft] = useState(false);
  const apply = () => {
    setLeft(true);
    const next = typed.trim() === '' ? '' : read(typed);
    if (next !== undefined && next !== value) onChange(next);
  };
  return (
    <Field label={label} error={wrong && left ? fault : undefined}>
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        onBlur={apply}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply()}
      />
    </Field>
  );
}
