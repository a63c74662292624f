// Live events: what runs now, what is to come, what is over.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { callPage, type Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { AuctionBadge } from '../../records/auctions/auction-badge.tsx';
import { AUCTIONS, type LiveEvent } from '../../records/auctions/auctions.ts';
import { DealerName } from '../../records/vehicles/car-card.tsx';
import { auctionsTexts } from './texts.ts';

export function EventsScreen() {
  const { offset } = useSearch({ from: '/shell/muzayede/' });
  const events = useQuery({
    queryKey: [AUCTIONS, 'events', offset],
    queryFn: ({ signal }) => callPage('GET v1/live-auctions', { query: { offset }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  return <Loaded query={events}>{(page) => <Events page={page} offset={offset} />}</Loaded>;
}

function Events({ page, offset }: { readonly page: Page<LiveEvent>; readonly offset: string | undefined }) {
  const t = useTexts(auctionsTexts);
  const navigate = useNavigate();
  const columns = useColumns();
  const go = (to: number) => navigate({ to: '/muzayede', search: to === 0 ? {} : { offset: String(to) } });
  return (
    <Table
      label={t.live}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/muzayede/canli/$eventId', params: { eventId: id } })}
      empty={
        <ListEmpty pastEnd={offset ? { title: t.noEventsHere, toFirst: () => go(0) } : undefined}>
          <EmptyState title={t.noEvents}>{t.noEventsText}</EmptyState>
        </ListEmpty>
      }
      footer={<Pagination page={page} onMove={go} />}
    />
  );
}

function useColumns(): readonly Column<LiveEvent>[] {
  const t = useTexts(auctionsTexts);
  return [
    {
      id: 'title',
      head: t.event,
      onCard: 'title',
      cell: ({ id, title, am_i_operator }) => (
        <>
          <Link
            to="/muzayede/canli/$eventId"
            params={{ eventId: id }}
            className="font-medium text-text no-underline hover:underline"
          >
            {title}
          </Link>
          {am_i_operator && <span className="block text-12 text-text-2">{t.iRunIt}</span>}
        </>
      ),
    },
    { id: 'starts', head: t.starts, cell: ({ starts_at }) => <DateTime at={starts_at} /> },
    { id: 'operator', head: t.operator, cell: ({ operator }) => <DealerName dealer={operator} /> },
    { id: 'lots', head: t.lots, align: 'end', cell: ({ lot_count }) => lot_count },
    { id: 'sold', head: t.sold, align: 'end', cell: ({ sold_count }) => sold_count },
    { id: 'status', head: t.status, cell: ({ status }) => <AuctionBadge status={status} /> },
  ];
}
