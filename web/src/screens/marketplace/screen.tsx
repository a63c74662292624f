// The dealer's listings with their figures: states as chips, the last thirty days above them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Megaphone, Rocket } from 'lucide-react';
import { useState } from 'react';
import { LISTING_STATUSES } from '../../../../src/domain/stock/stock-states.ts';
import type { Page } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { Figure } from '../../parts/figure.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { DealBadge } from '../../records/network/deal-badge.tsx';
import { dealWord } from '../../records/network/network-texts.ts';
import { BesidePicture, type CarPictures, useCarPictures } from '../../records/vehicles/car-pictures.tsx';
import { useFormat } from '../../session.ts';
import { figuresQuery, type Listing, type ListingSearch, listingsQuery } from './listings.ts';
import { PublishListing } from './publish.tsx';
import { marketplaceTexts } from './texts.ts';
import { WAITING, WaitingOffers } from './waiting-offers.tsx';

export function MarketplaceScreen() {
  const t = useTexts(marketplaceTexts);
  const locale = useLocale();
  const search: ListingSearch = useSearch({ from: '/shell/pazar' });
  const navigate = useNavigate({ from: '/pazar' });
  const may = useMay('marketplace:write');
  const [publishes, setPublishes] = useState(false);
  const go = (next: ListingSearch) => navigate({ search: next });
  const begin = () => may && setPublishes(true);
  useShortcut('c', begin);
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          may && (
            <Button look="primary" icon={Megaphone} onClick={begin}>
              {t.publish}
            </Button>
          )
        }
      />
      <Figures />
      <ChoiceChips
        label={t.statuses}
        value={search.offers ?? search.status ?? ''}
        chips={[
          { value: '', label: t.all },
          ...LISTING_STATUSES.map((status) => ({ value: status as string, label: dealWord(locale, status) })),
          { value: WAITING, label: t.waitingOffers },
        ]}
        onChange={(view) => go(view === WAITING ? { offers: WAITING } : { status: view })}
      />
      {search.offers ? <WaitingOffers search={search} onChange={go} /> : <Listings search={search} onChange={go} />}
      {publishes && <PublishListing onClose={() => setPublishes(false)} />}
    </>
  );
}

function Figures() {
  const t = useTexts(marketplaceTexts);
  const format = useFormat();
  const figures = useQuery(figuresQuery).data;
  const number = (value: number | undefined) => (value === undefined ? '…' : format.number(value));
  const rate = (value: number | null | undefined) => (value == null ? null : t.contactRate(format.percent(value)));
  return (
    <section aria-label={t.figures} className="mb-4">
      <h2 className="m-0 mb-2 text-13 font-medium text-text-2">{t.figures}</h2>
      <dl className="m-0 grid grid-cols-2 gap-3 lg:grid-cols-5">
        <Figure name={t.active} value={number(figures?.active)} hint={figures && t.suspended(figures.suspended)} />
        <Figure name={t.views} value={number(figures?.views)} />
        <Figure name={t.favorites} value={number(figures?.favorites)} />
        <Figure name={t.contacts} value={number(figures?.contacts)} hint={rate(figures?.contact_rate)} />
        <Figure name={t.offers} value={number(figures?.offers)} hint={figures && t.acceptedOffers(figures.accepted_offers)} />
      </dl>
    </section>
  );
}

interface ListProps {
  readonly search: ListingSearch;
  readonly onChange: (search: ListingSearch) => void;
}

function Listings({ search, onChange }: ListProps) {
  const listings = useQuery({ ...listingsQuery(search), placeholderData: keepPreviousData });
  return <Loaded query={listings}>{(page) => <ListingsTable page={page} search={search} onChange={onChange} />}</Loaded>;
}

function ListingsTable({ page, search, onChange }: ListProps & { readonly page: Page<Listing> }) {
  const t = useTexts(marketplaceTexts);
  const navigate = useNavigate();
  const pictures = useCarPictures(page.items.flatMap(({ vehicle_id }) => vehicle_id ?? []));
  const columns = useColumns(pictures);
  return (
    <Table
      label={t.title}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/pazar/$listingId', params: { listingId: id } })}
      empty={
        <ListEmpty
          pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
          noMatch={Boolean(search.status) && { title: t.noMatch, clear: () => onChange({}) }}
        >
          <EmptyState title={t.empty}>{t.emptyText}</EmptyState>
        </ListEmpty>
      }
      footer={<Pagination page={page} onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })} />}
    />
  );
}

function useColumns(pictures: CarPictures): readonly Column<Listing>[] {
  const t = useTexts(marketplaceTexts);
  const format = useFormat();
  const figure = (name: 'views' | 'favorites' | 'contacts' | 'offers'): Column<Listing> => ({
    id: name,
    head: t[name],
    align: 'end',
    cell: ({ stats }) => <span className="tabular">{format.number(stats?.[name] ?? 0)}</span>,
  });
  return [
    {
      id: 'listing',
      head: t.listing,
      onCard: 'title',
      cell: ({ id, vehicle_id, title, boosted_until }) => (
        <BesidePicture car={pictures.get(vehicle_id ?? '')}>
          <span className="inline-flex flex-wrap items-center gap-2">
            <Link
              to="/pazar/$listingId"
              params={{ listingId: id }}
              className="font-medium text-text no-underline hover:underline"
            >
              {title}
            </Link>
            {boosted_until && (
              <Badge tone="read" icon={Rocket}>
                {t.boosted}
              </Badge>
            )}
          </span>
        </BesidePicture>
      ),
    },
    { id: 'price', head: t.price, align: 'end', cell: ({ price, currency }) => <Money amount={price} currency={currency} /> },
    figure('views'),
    { ...figure('favorites'), givesWay: 'first' },
    figure('contacts'),
    figure('offers'),
    { id: 'published', head: t.published, cell: ({ published_at }) => <DateTime at={published_at} show="date" /> },
    { id: 'status', head: t.status, cell: ({ status }) => <DealBadge status={status ?? 'Kapandı'} /> },
  ];
}
