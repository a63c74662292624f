// The list of sales: states as chips, one search over number, plate and customer, filters in the address, cards on phones.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Handshake } from 'lucide-react';
import { SALE_STATUSES } from '../../../../src/domain/installments/sales-states.ts';
import { call, type Page } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { NewRecordLink, PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { SavedViews } from '../../parts/table/saved-views.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money, None, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove } from '../../records/amounts.ts';
import { ListFiles } from '../../records/list-files.tsx';
import { SaleStatusBadge } from '../../records/sales/sale-badges.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { type ListedSale, listSales } from '../../records/sales/sales.ts';
import { BesidePicture, type CarPictures, useCarPictures } from '../../records/vehicles/car-pictures.tsx';
import { parseSearch, stringifySearch } from '../../search-params.ts';
import { SaleFilters } from './filters.tsx';
import { newSaleTexts } from './new/new-texts.ts';
import { filtersOf, SALE_FILTERS, type SaleSearch } from './search.ts';
import { salesTexts } from './texts.ts';

export function SalesScreen() {
  const t = useTexts(salesTexts);
  const n = useTexts(newSaleTexts);
  const locale = useLocale();
  const search: SaleSearch = useSearch({ from: '/shell/satislar' });
  const navigate = useNavigate({ from: '/satislar' });
  const filters = filtersOf(search);
  const may = useMay('sales:write');
  const sales = useQuery({
    queryKey: ['sales', search],
    queryFn: ({ signal }) => listSales({ ...search }, signal),
    placeholderData: keepPreviousData,
  });
  const counts = useQuery({
    queryKey: ['sale-counts', filters],
    queryFn: ({ signal }) => call('GET sales/counts', { query: { ...filters }, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: SaleSearch) => navigate({ search: next });
  const statuses = counts.data?.statuses;
  const chips = [
    { value: '', label: t.all, count: statuses && Object.values(statuses).reduce((all, one) => all + one, 0) },
    ...SALE_STATUSES.map((status) => ({ value: status, label: saleWord(locale, status), count: statuses?.[status] })),
  ];
  const pick = (query: string) => {
    const found = parseSearch(query);
    go(Object.fromEntries([...SALE_FILTERS].flatMap((name) => (found[name] ? [[name, found[name]]] : []))));
  };
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          <>
            <SavedViews screen="sales" query={stringifySearch({ ...filters }).slice(1)} onPick={pick} />
            <ListFiles list="sales" filters={{ ...filters }} />
            {may && (
              <NewRecordLink to="/satislar/yeni" icon={Handshake}>
                {n.sell}
              </NewRecordLink>
            )}
          </>
        }
      />
      <ChoiceChips
        label={t.statuses}
        value={search.status ?? ''}
        chips={chips}
        onChange={(status) => go({ ...search, status, offset: '' })}
      />
      <SaleFilters search={search} onChange={go} />
      <Loaded query={sales} rows={12}>
        {(page) => <SalesTable page={page} total={counts.data?.total ?? null} search={search} onChange={go} />}
      </Loaded>
    </>
  );
}

interface SalesTableProps {
  readonly page: Page<ListedSale>;
  readonly total: number | null;
  readonly search: SaleSearch;
  readonly onChange: (search: SaleSearch) => void;
}

function SalesTable({ page, total, search, onChange }: SalesTableProps) {
  const t = useTexts(salesTexts);
  const navigate = useNavigate();
  const pictures = useCarPictures(page.items.map(({ vehicle_id }) => vehicle_id));
  const columns = useColumns(search, pictures);
  return (
    <Table
      label={t.title}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/satislar/$saleId', params: { saleId: id }, state: { list: { ...search } } })}
      empty={<NoSales search={search} onChange={onChange} />}
      footer={
        <Pagination
          page={{ ...page, total }}
          onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
          onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
        />
      }
    />
  );
}

function useColumns(search: SaleSearch, pictures: CarPictures): readonly Column<ListedSale>[] {
  const t = useTexts(salesTexts);
  const locale = useLocale();
  return [
    {
      id: 'customer',
      head: t.customer,
      onCard: 'title',
      cell: (sale) => <CustomerCell sale={sale} search={search} />,
    },
    {
      id: 'vehicle',
      head: t.vehicle,
      cell: ({ named, vehicle_id }) => (
        <BesidePicture car={pictures.get(vehicle_id)}>
          {named ? (
            <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
              {named.vehicle} <Plate plate={named.plate} />
            </span>
          ) : (
            <None />
          )}
        </BesidePicture>
      ),
    },
    {
      id: 'date',
      head: t.date,
      cell: ({ sale_date, payment_type }) => (
        <span>
          <Day day={sale_date} />
          <span className="block text-12 text-text-2">{saleWord(locale, payment_type)}</span>
        </span>
      ),
    },
    {
      id: 'total',
      head: t.total,
      align: 'end',
      cell: ({ total_receivable, currency }) => <Money amount={total_receivable} currency={currency} />,
    },
    {
      id: 'outstanding',
      head: t.outstanding,
      align: 'end',
      cell: ({ outstanding_amount, currency }) =>
        isAbove(outstanding_amount) ? <Money amount={outstanding_amount} currency={currency} /> : <None />,
    },
    {
      id: 'overdue',
      head: t.overdue,
      align: 'end',
      cell: ({ overdue_amount, currency }) =>
        isAbove(overdue_amount) ? (
          <span className="font-medium text-danger">
            <Money amount={overdue_amount} currency={currency} />
          </span>
        ) : (
          <None />
        ),
    },
    { id: 'status', head: t.status, cell: ({ status }) => <SaleStatusBadge status={status} /> },
  ];
}

function CustomerCell({ sale, search }: { readonly sale: ListedSale; readonly search: SaleSearch }) {
  const { id, named, sale_no } = sale;
  return (
    <>
      <Link
        to="/satislar/$saleId"
        params={{ saleId: id }}
        state={{ list: { ...search } }}
        className="font-medium text-text no-underline hover:underline"
      >
        {named?.customer ?? sale_no}
      </Link>
      <span className="tabular block text-12 text-text-2">{sale_no}</span>
    </>
  );
}

function NoSales({ search, onChange }: Pick<SalesTableProps, 'search' | 'onChange'>) {
  const t = useTexts(salesTexts);
  const n = useTexts(newSaleTexts);
  const may = useMay('sales:write');
  const isFiltered = Object.values(filtersOf(search)).some(Boolean);
  return (
    <ListEmpty
      pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
      noMatch={isFiltered && { title: t.noMatch, clear: () => onChange({}) }}
    >
      <EmptyState
        title={t.emptyTitle}
        action={
          may && (
            <Link to="/satislar/yeni" className={buttonLook('primary')}>
              {n.sell}
            </Link>
          )
        }
      >
        {t.emptyText}
      </EmptyState>
    </ListEmpty>
  );
}
