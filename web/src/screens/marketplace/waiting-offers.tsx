// Consumers' offers that wait for an answer, over all listings, those that expire first on top; answered on the listing's page.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { WaitingOffer } from '../../../../src/panel/stock/marketplace.ts';
import { useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { BesidePicture, type CarPictures, useCarPictures } from '../../records/vehicles/car-pictures.tsx';
import { type ListingSearch, waitingOffersQuery } from './listings.ts';
import { marketplaceTexts } from './texts.ts';

/** In the address. */
export const WAITING = 'waiting';

interface WaitingOffersProps {
  readonly search: ListingSearch;
  readonly onChange: (search: ListingSearch) => void;
}

export function WaitingOffers({ search, onChange }: WaitingOffersProps) {
  const t = useTexts(marketplaceTexts);
  const navigate = useNavigate();
  const offers = useQuery({ ...waitingOffersQuery(search.offset), placeholderData: keepPreviousData });
  const pictures = useCarPictures(offers.data?.items.map(({ vehicle_id }) => vehicle_id) ?? []);
  const columns = useColumns(pictures);
  const move = (offset: string) => onChange({ offers: WAITING, offset });
  return (
    <Loaded query={offers}>
      {(page) => (
        <Table
          label={t.waitingOffers}
          rows={page.items}
          rowKey={({ id }) => id}
          columns={columns}
          onOpen={({ listing_id }) => navigate({ to: '/pazar/$listingId', params: { listingId: listing_id } })}
          empty={
            <ListEmpty pastEnd={search.offset ? { title: t.noneWaiting, toFirst: () => move('') } : undefined} noMatch={false}>
              <EmptyState title={t.noneWaiting}>{t.noneWaitingText}</EmptyState>
            </ListEmpty>
          }
          footer={<Pagination page={page} onMove={(offset) => move(offset === 0 ? '' : String(offset))} />}
        />
      )}
    </Loaded>
  );
}

function useColumns(pictures: CarPictures): readonly Column<WaitingOffer>[] {
  const t = useTexts(marketplaceTexts);
  return [
    {
      id: 'listing',
      head: t.listing,
      onCard: 'title',
      cell: ({ listing_id, vehicle_id, title }) => (
        <BesidePicture car={pictures.get(vehicle_id)}>
          <Link
            to="/pazar/$listingId"
            params={{ listingId: listing_id }}
            className="font-medium text-text no-underline hover:underline"
          >
            {title}
          </Link>
        </BesidePicture>
      ),
    },
    { id: 'buyer', head: t.buyer, cell: ({ buyer_name }) => buyer_name },
    { id: 'made', head: t.offered, cell: ({ created_at }) => <DateTime at={created_at} show="relative" /> },
    { id: 'expires', head: t.expires, cell: ({ expires_at }) => <DateTime at={expires_at} show="relative" /> },
    {
      id: 'amount',
      head: t.offer,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ];
}
