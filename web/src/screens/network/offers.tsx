// Offers in which the dealer is a side: one line for each negotiation, those that wait for an answer first to be found.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { callPage, type Page } from '../../api.ts';
import type { QueryOf } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Money, None } from '../../parts/values.tsx';
import { DealBadge } from '../../records/network/deal-badge.tsx';
import { carName, NETWORK, type NetworkOffer, otherSide } from '../../records/network/network.ts';
import { BesideCard, DealerName } from '../../records/vehicles/car-card.tsx';
import { networkTexts } from './texts.ts';

type OfferSearch = { readonly [Name in 'goster' | 'listing_id' | 'offset']?: string | undefined };

const SHOWN: Readonly<Record<string, QueryOf<'GET v1/network-offers'>>> = {
  '': { awaiting_me: true },
  acik: { status: 'Beklemede' },
  anlasilan: { status: 'Kabul Edildi' },
  tumu: {},
};

export function OffersScreen() {
  const t = useTexts(networkTexts);
  const search: OfferSearch = useSearch({ from: '/shell/ag/teklifler' });
  const navigate = useNavigate({ from: '/ag/teklifler' });
  const goster = search.goster ?? (search.listing_id ? 'tumu' : '');
  const { listing_id, offset } = search;
  const offers = useQuery({
    queryKey: [NETWORK, 'offers', goster, listing_id, offset],
    queryFn: ({ signal }) => callPage('GET v1/network-offers', { query: { ...SHOWN[goster], listing_id, offset }, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: OfferSearch) => navigate({ search: next });
  return (
    <>
      <ChoiceChips
        label={t.filter}
        value={goster}
        chips={[
          { value: '', label: t.waiting },
          { value: 'acik', label: t.open },
          { value: 'anlasilan', label: t.agreed },
          { value: 'tumu', label: t.all },
        ]}
        onChange={(value) => go({ ...search, goster: value, offset: '' })}
      />
      <Loaded query={offers}>{(page) => <OffersTable page={page} search={search} onChange={go} />}</Loaded>
    </>
  );
}

interface OffersTableProps {
  readonly page: Page<NetworkOffer>;
  readonly search: OfferSearch;
  readonly onChange: (search: OfferSearch) => void;
}

function OffersTable({ page, search, onChange }: OffersTableProps) {
  const t = useTexts(networkTexts);
  const navigate = useNavigate();
  const columns = useColumns();
  // An offer that was answered with a counter-offer is part of that one's conversation.
  const rows = page.items.filter(({ status }) => status !== 'Karşı Teklif');
  return (
    <Table
      label={t.offers}
      rows={rows}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/ag/teklifler/$offerId', params: { offerId: id } })}
      empty={
        <ListEmpty
          pastEnd={search.offset ? { title: t.noOffersHere, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
          noMatch={search.goster !== 'tumu' && { title: t.noOffersHere, clear: () => onChange({ goster: 'tumu' }) }}
        >
          <EmptyState
            title={t.noOffers}
            action={
              <Link to="/ag" className={buttonLook()}>
                {t.toCars}
              </Link>
            }
          >
            {t.noOffersText}
          </EmptyState>
        </ListEmpty>
      }
      footer={<Pagination page={page} onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })} />}
    />
  );
}

function useColumns(): readonly Column<NetworkOffer>[] {
  const t = useTexts(networkTexts);
  return [
    {
      id: 'car',
      head: t.car,
      onCard: 'title',
      cell: ({ id, vehicle, my_role }) => (
        <BesideCard car={vehicle}>
          <Link
            to="/ag/teklifler/$offerId"
            params={{ offerId: id }}
            className="font-medium text-text no-underline hover:underline"
          >
            {carName(vehicle)}
          </Link>
          <span className="block text-12 text-text-2">{t.roles[my_role]}</span>
        </BesideCard>
      ),
    },
    { id: 'dealer', head: t.dealer, cell: (offer) => <DealerName dealer={otherSide(offer)} /> },
    {
      id: 'last',
      head: t.last,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'until',
      head: t.until,
      cell: ({ status, expires_at }) => (status === 'Beklemede' ? <DateTime at={expires_at} show="relative" /> : <None />),
    },
    {
      id: 'status',
      head: t.status,
      cell: ({ status, awaiting_me }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <DealBadge status={status} />
          {status === 'Beklemede' && <span className="text-12 text-text-2">{awaiting_me ? t.yourTurn : t.theirTurn}</span>}
        </span>
      ),
    },
  ];
}
