// Cars that other dealers of the network have published, with what one can do about them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { NETWORK_SORTS } from '../../../../src/domain/marketplace/marketplace-states.ts';
import { callPage, type Page } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import { useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { NETWORK, type NetworkListing } from '../../records/network/network.ts';
import { CarFacts, CarPicture, DealerName } from '../../records/vehicles/car-card.tsx';
import { CarActs } from './car-acts.tsx';
import { MakeOffer } from './make-offer.tsx';
import { ProposeTrade } from './propose-trade.tsx';
import { networkTexts } from './texts.ts';

type CarSearch = {
  readonly [Name in 'q' | 'currency' | 'price_min' | 'price_max' | 'year_min' | 'km_max' | 'sort' | 'offset' | 'ilan']?:
    | string
    | undefined;
};

const CarSheet = lazy(async () => ({ default: (await import('./car-sheet.tsx')).CarSheet }));

const PAGE = 24;
type Act = { readonly act: 'offer' | 'trade'; readonly listing: NetworkListing };

export function NetworkCarsScreen() {
  const search: CarSearch = useSearch({ from: '/shell/ag/' });
  const navigate = useNavigate({ from: '/ag' });
  const [act, setAct] = useState<Act | null>(null);
  const { ilan, ...filters } = search;
  const cars = useQuery({
    queryKey: [NETWORK, 'cars', filters],
    queryFn: ({ signal }) => callPage('GET network/cars', { query: { ...filters, limit: PAGE }, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: CarSearch) => navigate({ search: next });
  const close = () => setAct(null);
  const opened = cars.data?.items.find(({ id }) => id === ilan);
  return (
    <>
      <CarFilters search={filters} onChange={go} />
      <Loaded query={cars} rows={6}>
        {(page) => <Cards page={page} search={filters} onChange={go} onAct={setAct} />}
      </Loaded>
      {opened && (
        <Suspense fallback={null}>
          <CarSheet listing={opened} onAct={setAct} onClose={() => go(filters)} />
        </Suspense>
      )}
      {act?.act === 'offer' && <MakeOffer listing={act.listing} onClose={close} />}
      {act?.act === 'trade' && <ProposeTrade listing={act.listing} onClose={close} />}
    </>
  );
}

interface ChosenProps {
  readonly search: CarSearch;
  readonly onChange: (search: CarSearch) => void;
}

const isFiltered = ({ offset: _, sort: __, ...filters }: CarSearch): boolean => Object.values(filters).some(Boolean);

function CarFilters({ search, onChange }: ChosenProps) {
  const t = useTexts(networkTexts);
  const change = (part: CarSearch) => onChange({ ...search, ...part, offset: '' });
  const clear = () => onChange({ sort: search.sort });
  // A price is compared within one currency only.
  const prices = search.currency ? (['price_min', 'price_max'] as const) : [];
  return (
    <FilterBar onClear={isFiltered(search) ? clear : undefined} actions={<SortSelect search={search} onChange={onChange} />}>
      <SearchInput label={t.search} value={search.q ?? ''} onChange={(q) => change({ q })} />
      <FilterSelect
        label={t.currency}
        none={t.anyCurrency}
        value={search.currency}
        options={useCurrencies()}
        onChange={(currency) => change({ currency, ...(currency ? {} : { price_min: '', price_max: '' }) })}
      />
      {([...prices, 'year_min', 'km_max'] as const).map((name) => (
        <SearchInput
          key={name}
          label={t.bounds[name]}
          value={search[name] ?? ''}
          onChange={(typed) => change({ [name]: wholeNumber(typed, name === 'year_min' ? 4 : 8) })}
          className="w-[calc(50%-4px)]! sm:w-36!"
          quiet
        />
      ))}
    </FilterBar>
  );
}

/** «85.000» is typed as often as 85000. A year that is not whole yet asks for nothing. */
const wholeNumber = (typed: string, digits: number): string => {
  const number = typed.replace(/\D/g, '').slice(0, digits);
  return digits === 4 && number.length < 4 ? '' : number;
};

function SortSelect({ search, onChange }: ChosenProps) {
  const t = useTexts(networkTexts);
  const [newest, ...others] = NETWORK_SORTS;
  return (
    <FilterSelect
      label={t.sort}
      none={t.sorts[newest]}
      value={search.sort}
      options={others.map((value) => ({ value: value as string, label: t.sorts[value] }))}
      onChange={(sort) => onChange({ ...search, sort, offset: '' })}
    />
  );
}

interface CardsProps extends ChosenProps {
  readonly page: Page<NetworkListing>;
  readonly onAct: (act: Act) => void;
}

function Cards({ page, search, onChange, onAct }: CardsProps) {
  const t = useTexts(networkTexts);
  if (page.items.length === 0)
    return (
      <div className="card">
        <ListEmpty
          pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
          noMatch={isFiltered(search) && { title: t.noMatch, clear: () => onChange({ sort: search.sort }) }}
        >
          <EmptyState title={t.noCars}>{t.noCarsText}</EmptyState>
        </ListEmpty>
      </div>
    );
  return (
    <>
      <ul aria-label={t.cars} className="m-0 mb-3 grid list-none grid-cols-1 gap-3 p-0 lg:grid-cols-2 2xl:grid-cols-3">
        {page.items.map((listing) => (
          <Card key={listing.id} listing={listing} onAct={onAct} />
        ))}
      </ul>
      <Pagination page={page} onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })} />
    </>
  );
}

function Card({ listing, onAct }: { readonly listing: NetworkListing; readonly onAct: CardsProps['onAct'] }) {
  const { title, price, currency, vehicle, seller, published_at } = listing;
  if (vehicle === undefined || seller === undefined) return null;
  return (
    <li className="card relative flex min-w-0 overflow-hidden">
      <CarPicture car={vehicle} className="aspect-[3/2] w-28 shrink-0 self-start rounded-br-card sm:w-40" />
      <div className="flex min-w-0 grow flex-col gap-1.5 p-3">
        <div className="flex items-start justify-between gap-3">
          <h2 className="m-0 text-14 font-semibold wrap-anywhere">
            {/* The whole card opens; its own buttons lie above. */}
            <Link
              to="/ag"
              search={(now) => ({ ...now, ilan: listing.id })}
              resetScroll={false}
              className="text-text no-underline after:absolute after:inset-0 hover:underline"
            >
              {title}
            </Link>
          </h2>
          <span className="text-16 font-semibold">
            <Money amount={price} currency={currency} short />
          </span>
        </div>
        <p className="m-0 text-13 text-text-2">
          <CarFacts car={vehicle} />
        </p>
        <p className="m-0 flex flex-wrap justify-between gap-x-3 text-13">
          <DealerName dealer={seller} />
          <span className="text-text-2">
            <DateTime at={published_at} show="relative" />
          </span>
        </p>
        <CarActs listing={listing} onAct={onAct} />
      </div>
    </li>
  );
}
