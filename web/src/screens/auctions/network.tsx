// Auctions of the network: those that run, soonest end first; mine, those I bid in, and all.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { callPage, type Page } from '../../api.ts';
import type { QueryOf } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, SearchInput } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { AuctionBadge } from '../../records/auctions/auction-badge.tsx';
import { AUCTIONS, type NetworkAuction } from '../../records/auctions/auctions.ts';
import { BesideCard, DealerName } from '../../records/vehicles/car-card.tsx';
import { PutUp } from './put-up.tsx';
import { auctionsTexts } from './texts.ts';

type AuctionSearch = { readonly [Name in 'goster' | 'brand' | 'offset']?: string | undefined };

/** Of the dealer's own cars under the hammer; the API does not ask for those with a bid, so all are read. */
const MOST = 100;

const SHOWN: Readonly<Record<string, QueryOf<'GET v1/network-auctions'>>> = {
  '': { status: 'Canlı' },
  benim: { role: 'seller' },
  peyli: { role: 'seller', status: 'Canlı', limit: MOST },
  pey: { role: 'bidder' },
  tumu: {},
};

export function NetworkAuctionsScreen() {
  const t = useTexts(auctionsTexts);
  const search: AuctionSearch = useSearch({ from: '/shell/muzayede/ag' });
  const navigate = useNavigate({ from: '/muzayede/ag' });
  const mayPutUp = useMay('network-auctions:write');
  const [isPuttingUp, setPuttingUp] = useState(false);
  const goster = search.goster ?? '';
  const { brand, offset } = search;
  const auctions = useQuery({
    queryKey: [AUCTIONS, 'network', goster, brand, offset],
    queryFn: async ({ signal }) => {
      const page = await callPage('GET v1/network-auctions', { query: { ...SHOWN[goster], brand, offset }, signal });
      return goster === 'peyli' ? { ...page, items: page.items.filter(({ bid_count }) => bid_count > 0) } : page;
    },
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  const go = (next: AuctionSearch) => navigate({ search: next });
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <ChoiceChips
          label={t.show}
          value={goster}
          chips={[
            { value: '', label: t.running },
            { value: 'benim', label: t.mine },
            { value: 'peyli', label: t.mineWithBids },
            { value: 'pey', label: t.bidIn },
            { value: 'tumu', label: t.all },
          ]}
          onChange={(value) => go({ ...search, goster: value, offset: '' })}
        />
        {mayPutUp && (
          <Button look="primary" icon={Plus} className="mb-3" onClick={() => setPuttingUp(true)}>
            {t.putUp}
          </Button>
        )}
      </div>
      <FilterBar onClear={brand ? () => go({ ...search, brand: '', offset: '' }) : undefined}>
        <SearchInput label={t.brand} value={brand ?? ''} onChange={(typed) => go({ ...search, brand: typed, offset: '' })} />
      </FilterBar>
      <Loaded query={auctions}>{(page) => <Auctions page={page} search={search} onChange={go} />}</Loaded>
      {isPuttingUp && <PutUp onClose={() => setPuttingUp(false)} />}
    </>
  );
}

interface AuctionsProps {
  readonly page: Page<NetworkAuction>;
  readonly search: AuctionSearch;
  readonly onChange: (search: AuctionSearch) => void;
}

function Auctions({ page, search, onChange }: AuctionsProps) {
  const t = useTexts(auctionsTexts);
  const navigate = useNavigate();
  const columns = useColumns();
  const isFiltered = search.goster !== 'tumu' || Boolean(search.brand);
  return (
    <Table
      label={t.network}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/muzayede/ag/$auctionId', params: { auctionId: id } })}
      empty={
        <ListEmpty
          pastEnd={search.offset ? { title: t.noAuctionsHere, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
          noMatch={isFiltered && { title: t.noAuctionsHere, clear: () => onChange({ goster: 'tumu' }) }}
        >
          <EmptyState title={t.noAuctions}>{t.noAuctionsText}</EmptyState>
        </ListEmpty>
      }
      footer={<Pagination page={page} onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })} />}
    />
  );
}

function useColumns(): readonly Column<NetworkAuction>[] {
  const t = useTexts(auctionsTexts);
  return [
    {
      id: 'car',
      head: t.car,
      onCard: 'title',
      cell: ({ id, title, vehicle, my_role, am_i_leading }) => (
        <BesideCard car={vehicle}>
          <Link
            to="/muzayede/ag/$auctionId"
            params={{ auctionId: id }}
            className="font-medium text-text no-underline hover:underline"
          >
            {title}
          </Link>
          {my_role !== 'viewer' && (
            <span className="block text-12 text-text-2">
              {my_role === 'seller' ? t.roleSeller : am_i_leading ? t.roleLeading : t.roleOutbid}
            </span>
          )}
        </BesideCard>
      ),
    },
    { id: 'seller', head: t.seller, cell: ({ seller }) => <DealerName dealer={seller} /> },
    {
      id: 'bid',
      head: t.currentBid,
      align: 'end',
      cell: ({ current_bid, start_price, currency }) => (
        <span>
          <Money amount={current_bid ?? start_price} currency={currency} short />
          {current_bid === null && <span className="block text-12 text-text-2">{t.startsAtPrice}</span>}
        </span>
      ),
    },
    { id: 'count', head: t.bidCount, align: 'end', cell: ({ bid_count }) => bid_count },
    {
      id: 'ends',
      head: t.ends,
      cell: ({ status, starts_at, ends_at }) => (
        <DateTime at={status === 'Planlandı' ? starts_at : ends_at} show={status === 'Canlı' ? 'relative' : 'exact'} />
      ),
    },
    { id: 'status', head: t.status, cell: ({ status, result }) => <AuctionBadge status={result ?? status} /> },
  ];
}
