// Swaps in which the dealer is a side.
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
import { DateTime, None } from '../../parts/values.tsx';
import { DealBadge } from '../../records/network/deal-badge.tsx';
import { carName, NETWORK, otherDealer, type TradeRequest } from '../../records/network/network.ts';
import { BesideCard, DealerName } from '../../records/vehicles/car-card.tsx';
import { Difference } from './difference.tsx';
import { networkTexts } from './texts.ts';

type TradeSearch = { readonly [Name in 'goster' | 'offset']?: string | undefined };

const SHOWN: Readonly<Record<string, QueryOf<'GET v1/trade-requests'>>> = {
  '': { status: 'Beklemede' },
  bende: { status: 'Beklemede', role: 'recipient' },
  anlasilan: { status: 'Kabul Edildi' },
  tumu: {},
};

export function TradesScreen() {
  const t = useTexts(networkTexts);
  const search: TradeSearch = useSearch({ from: '/shell/ag/takas' });
  const navigate = useNavigate({ from: '/ag/takas' });
  const { goster = '', offset } = search;
  const trades = useQuery({
    queryKey: [NETWORK, 'trades', goster, offset],
    queryFn: ({ signal }) => callPage('GET v1/trade-requests', { query: { ...SHOWN[goster], offset }, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: TradeSearch) => navigate({ search: next });
  return (
    <>
      <ChoiceChips
        label={t.filter}
        value={goster}
        chips={[
          { value: '', label: t.open },
          { value: 'bende', label: t.waiting },
          { value: 'anlasilan', label: t.agreed },
          { value: 'tumu', label: t.all },
        ]}
        onChange={(value) => go({ goster: value })}
      />
      <Loaded query={trades}>{(page) => <TradesTable page={page} search={search} onChange={go} />}</Loaded>
    </>
  );
}

interface TradesTableProps {
  readonly page: Page<TradeRequest>;
  readonly search: TradeSearch;
  readonly onChange: (search: TradeSearch) => void;
}

function TradesTable({ page, search, onChange }: TradesTableProps) {
  const t = useTexts(networkTexts);
  const navigate = useNavigate();
  const columns = useColumns();
  return (
    <Table
      label={t.trades}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/ag/takas/$requestId', params: { requestId: id } })}
      empty={
        <ListEmpty
          pastEnd={search.offset ? { title: t.noTradesHere, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
          noMatch={search.goster !== 'tumu' && { title: t.noTradesHere, clear: () => onChange({ goster: 'tumu' }) }}
        >
          <EmptyState
            title={t.noTrades}
            action={
              <Link to="/ag" className={buttonLook()}>
                {t.toCars}
              </Link>
            }
          >
            {t.noTradesText}
          </EmptyState>
        </ListEmpty>
      }
      footer={<Pagination page={page} onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })} />}
    />
  );
}

function useColumns(): readonly Column<TradeRequest>[] {
  const t = useTexts(networkTexts);
  return [
    {
      id: 'get',
      head: t.youGet,
      onCard: 'title',
      cell: ({ id, my_role, offered_vehicle, requested_vehicle }) => (
        <BesideCard car={my_role === 'requester' ? requested_vehicle : offered_vehicle}>
          <Link
            to="/ag/takas/$requestId"
            params={{ requestId: id }}
            className="font-medium text-text no-underline hover:underline"
          >
            {carName(my_role === 'requester' ? requested_vehicle : offered_vehicle)}
          </Link>
          <span className="block text-12 text-text-2">{t.roles[my_role]}</span>
        </BesideCard>
      ),
    },
    {
      id: 'give',
      head: t.youGive,
      cell: ({ my_role, offered_vehicle, requested_vehicle }) => {
        const car = my_role === 'requester' ? offered_vehicle : requested_vehicle;
        return <BesideCard car={car}>{carName(car)}</BesideCard>;
      },
    },
    { id: 'difference', head: t.difference, cell: (trade) => <Difference trade={trade} /> },
    { id: 'dealer', head: t.dealer, cell: (trade) => <DealerName dealer={otherDealer(trade)} /> },
    {
      id: 'until',
      head: t.until,
      cell: ({ status, expires_at }) => (status === 'Beklemede' ? <DateTime at={expires_at} show="relative" /> : <None />),
    },
    { id: 'status', head: t.status, cell: ({ status }) => <DealBadge status={status} /> },
  ];
}
