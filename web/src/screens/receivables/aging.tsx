// What customers owe by how late it is, one line for each customer and currency; a line leads to their sales.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Aging, AgingRow } from '../../../../src/domain/receivables/aging.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Money, None } from '../../parts/values.tsx';
import { isAbove } from '../../records/amounts.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { ListFiles } from '../../records/list-files.tsx';
import { agingKey, SelectAging, SelectAgingPage, StatementsBar, useAgingSelection } from './aging-statements.tsx';
import { receivablesTexts } from './texts.ts';

const BUCKETS = ['not_due', 'd1_30', 'd31_60', 'd61_90', 'd91'] as const;
const LIMIT = 50;

export function AgingScreen() {
  const t = useTexts(receivablesTexts);
  const { sort = 'total', offset = '0' } = useSearch({ from: '/shell/tahsilat/yaslandirma' });
  const navigate = useNavigate({ from: '/tahsilat/yaslandirma' });
  const aging = useQuery({
    queryKey: ['receivables', 'aging', sort, offset],
    queryFn: ({ signal }) => call('GET receivables/aging', { query: { sort, offset, limit: LIMIT }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={aging}>
      {(loaded) => (
        <>
          <div className="mb-3 flex justify-end">
            <ListFiles list="overdue" />
          </div>
          <Totals aging={loaded} />
          <AgingTable
            aging={loaded}
            sort={sort}
            offset={Number(offset)}
            onSort={(by) => navigate({ search: { sort: by === 'total' ? undefined : by } })}
            onMove={(to) =>
              navigate({ search: { sort: sort === 'total' ? undefined : sort, offset: to === 0 ? undefined : String(to) } })
            }
          />
          <p className="sr-only" role="status">
            {t.sortedBy(sort === 'name' ? t.customer : t.buckets[sort as (typeof BUCKETS)[number] | 'total'])}
          </p>
        </>
      )}
    </Loaded>
  );
}

/** All customers, by currency: amounts of different ones are never added. */
function Totals({ aging: { totals } }: { readonly aging: Aging }) {
  const t = useTexts(receivablesTexts);
  if (totals.length === 0) return null;
  const columns: readonly Column<Aging['totals'][number]>[] = [
    { id: 'currency', head: t.currency, onCard: 'title', cell: ({ currency }) => currency },
    ...[...BUCKETS, 'total' as const].map((name) => ({
      id: name,
      head: t.buckets[name],
      align: 'end' as const,
      cell: (row: Aging['totals'][number]) => <Sum amount={row[name]} currency={row.currency} />,
    })),
  ];
  return (
    <div className="mb-4">
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.allCustomers}</h2>
      <Table label={t.allCustomers} rows={totals} rowKey={({ currency }) => currency} columns={columns} />
    </div>
  );
}

function Sum({ amount, currency }: { readonly amount: string; readonly currency: string }) {
  return isAbove(amount) ? <Money amount={amount} currency={currency} /> : <None />;
}

interface AgingTableProps {
  readonly aging: Aging;
  readonly sort: string;
  readonly offset: number;
  readonly onSort: (by: string) => void;
  readonly onMove: (offset: number) => void;
}

function AgingTable({ aging, sort, offset, onSort, onMove }: AgingTableProps) {
  const t = useTexts(receivablesTexts);
  const navigate = useNavigate();
  const rows = aging.rows.slice(0, LIMIT);
  const selects = useMayPrint();
  const selection = useAgingSelection();
  const select: Column<AgingRow> = {
    id: 'select',
    head: t.statements,
    headHidden: true,
    width: 'w-10',
    onCard: 'corner',
    cell: (row) => <SelectAging row={row} selection={selection} />,
  };
  const columns: readonly Column<AgingRow>[] = [
    ...(selects ? [select] : []),
    {
      id: 'name',
      head: t.customer,
      sorts: true,
      onCard: 'title',
      cell: ({ customer_id, name }) => (
        <Link
          to="/musteriler/$customerId"
          params={{ customerId: customer_id }}
          className="font-medium text-text no-underline hover:underline"
        >
          {name}
        </Link>
      ),
    },
    ...[...BUCKETS, 'total' as const].map((bucket) => ({
      id: bucket,
      head: t.buckets[bucket],
      sorts: true,
      align: 'end' as const,
      cell: (row: AgingRow) => <Sum amount={row[bucket]} currency={row.currency} />,
    })),
  ];
  const page = { items: rows, limit: LIMIT, offset, hasMore: aging.rows.length > LIMIT, total: null };
  return (
    <>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.byCustomer}</h2>
      {selects && <SelectAgingPage page={rows} selection={selection} />}
      <Table
        label={t.byCustomer}
        rows={rows}
        rowKey={agingKey}
        columns={columns}
        // Amounts go from the largest, names from A; the server knows no other order.
        sort={{ by: sort, descending: sort !== 'name' }}
        onSort={({ by }) => onSort(by)}
        onOpen={({ customer_id }) => navigate({ to: '/satislar', search: { customer_id, status: 'Aktif' } })}
        empty={
          <ListEmpty pastEnd={offset > 0 && { title: t.lastPage, toFirst: () => onMove(0) }}>
            <EmptyState title={t.nothingOwed} />
          </ListEmpty>
        }
        footer={(page.hasMore || offset > 0) && <Pagination page={page} onMove={onMove} />}
      />
      <StatementsBar selection={selection} />
    </>
  );
}
