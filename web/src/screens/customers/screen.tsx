// The list of customers: one search over name, phone and e-mail, a filter by risk level, cards on phones.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { RISK_LEVELS } from '../../../../src/domain/customers/customer-states.ts';
import { call, type Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { NewRecordLink, PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, SearchInput } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { SavedViews } from '../../parts/table/saved-views.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { Email, Phone, RiskBadge } from '../../records/customers/contact.tsx';
import { fullName, type ListedCustomer, listCustomers, personName } from '../../records/customers/customers.ts';
import { ListFiles } from '../../records/list-files.tsx';
import { parseSearch, stringifySearch } from '../../search-params.ts';
import { useRole } from '../../session.ts';
import { CustomerDelete, CustomerRowActs } from './acts.tsx';
import { DeletedCustomers } from './deleted.tsx';
import { customersTexts } from './texts.ts';
import { customerWriteTexts } from './write-texts.ts';

interface CustomerSearch {
  readonly q?: string;
  readonly risk_level?: string;
  readonly deleted?: string;
  readonly limit?: string;
  readonly offset?: string;
}

export function CustomersScreen() {
  const search: CustomerSearch = useSearch({ from: '/shell/musteriler' });
  return search.deleted === 'true' ? <DeletedCustomers search={search} /> : <LiveCustomers search={search} />;
}

function LiveCustomers({ search: { deleted: _, ...search } }: { readonly search: CustomerSearch }) {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const navigate = useNavigate({ from: '/musteriler' });
  const masked = useRole('viewer');
  const may = useMay('customers:write');
  const { limit: __, offset: ___, ...filters } = search;
  const customers = useQuery({
    queryKey: ['customers', search],
    queryFn: ({ signal }) => listCustomers({ ...search }, signal),
    placeholderData: keepPreviousData,
  });
  const counts = useQuery({
    queryKey: ['customer-counts', filters],
    queryFn: ({ signal }) => call('GET customers/counts', { query: filters, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: CustomerSearch) => navigate({ search: next });
  const levels = counts.data?.risk_levels;
  const chips = [
    { value: '', label: t.all, count: levels && Object.values(levels).reduce((all, one) => all + one, 0) },
    ...RISK_LEVELS.map((level) => ({ value: level, label: t.riskChips[level], count: levels?.[level] })),
  ];
  const pick = (query: string) => {
    const { q, risk_level } = parseSearch(query);
    go({ ...(q ? { q } : {}), ...(risk_level ? { risk_level } : {}), ...(search.limit ? { limit: search.limit } : {}) });
  };
  return (
    <>
      <PageHeader
        title={t.title}
        description={masked ? t.masked : t.description}
        actions={
          <>
            <SavedViews screen="customers" query={stringifySearch({ ...filters }).slice(1)} onPick={pick} />
            <ListFiles list="customers" filters={filters} />
            {may && <NewRecordLink to="/musteriler/yeni">{w.add}</NewRecordLink>}
          </>
        }
      />
      <ChoiceChips
        label={t.risks}
        value={search.risk_level ?? ''}
        chips={chips}
        onChange={(risk_level) => go({ ...search, risk_level, offset: '' })}
      />
      <FilterBar
        onClear={Object.keys(filters).length > 0 ? () => go(search.limit ? { limit: search.limit } : {}) : undefined}
        actions={
          may && (
            <Link to="/musteriler" search={{ deleted: 'true' }} className={buttonLook('quiet')}>
              <Trash2 aria-hidden className="size-4" />
              {w.trash}
            </Link>
          )
        }
      >
        <SearchInput
          label={masked ? t.searchNames : t.search}
          value={search.q ?? ''}
          onChange={(q) => go({ ...search, q, offset: '' })}
          className="sm:w-80"
        />
      </FilterBar>
      <Loaded query={customers} rows={12}>
        {(page) => <CustomersTable page={page} total={counts.data?.total ?? null} search={search} onChange={go} />}
      </Loaded>
    </>
  );
}

interface CustomersTableProps {
  readonly page: Page<ListedCustomer>;
  readonly total: number | null;
  readonly search: CustomerSearch;
  readonly onChange: (search: CustomerSearch) => void;
}

function CustomersTable({ page, total, search, onChange }: CustomersTableProps) {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const navigate = useNavigate();
  const may = useMay('customers:write');
  const [deletes, setDeletes] = useState<ListedCustomer | null>(null);
  const acts: Column<ListedCustomer> = {
    id: 'acts',
    head: w.acts,
    headHidden: true,
    width: 'w-12',
    align: 'end',
    onCard: 'corner',
    cell: (customer) => <CustomerRowActs customer={customer} onDelete={() => setDeletes(customer)} />,
  };
  const columns: readonly Column<ListedCustomer>[] = [
    {
      id: 'name',
      head: t.name,
      onCard: 'title',
      cell: (customer) => (
        <>
          <Link
            to="/musteriler/$customerId"
            params={{ customerId: customer.id }}
            state={{ list: { ...search } }}
            className="font-medium text-text no-underline hover:underline"
          >
            {fullName(customer)}
          </Link>
          {customer.company_name !== null && <span className="block text-12 text-text-2">{personName(customer)}</span>}
        </>
      ),
    },
    { id: 'phone', head: t.phone, cell: ({ phone }) => <Phone phone={phone} plain /> },
    { id: 'email', head: t.email, cell: ({ email }) => <Email email={email} plain /> },
    { id: 'risk', head: t.risk, cell: ({ risk_level }) => <RiskBadge level={risk_level} /> },
    { id: 'added', head: t.added, cell: ({ created_at }) => <DateTime at={created_at} show="date" /> },
    ...(may ? [acts] : []),
  ];
  return (
    <>
      <Table
        label={t.label}
        rows={page.items}
        rowKey={({ id }) => id}
        columns={columns}
        onOpen={({ id }) =>
          navigate({ to: '/musteriler/$customerId', params: { customerId: id }, state: { list: { ...search } } })
        }
        empty={<NoCustomers search={search} onChange={onChange} />}
        footer={
          <Pagination
            page={{ ...page, total }}
            onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
            onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
          />
        }
      />
      {deletes && <CustomerDelete customer={deletes} onClose={() => setDeletes(null)} />}
    </>
  );
}

function NoCustomers({ search, onChange }: Pick<CustomersTableProps, 'search' | 'onChange'>) {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const may = useMay('customers:write');
  const mayImport = useMay('import:write', 'sensitive');
  const isFiltered = Boolean(search.q || search.risk_level);
  return (
    <ListEmpty
      pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
      noMatch={isFiltered && { title: t.noMatch, clear: () => onChange({}) }}
    >
      <EmptyState
        title={t.emptyTitle}
        action={
          <>
            {may && (
              <Link to="/musteriler/yeni" className={buttonLook('primary')}>
                {w.add}
              </Link>
            )}
            {mayImport && (
              <Link to="/ice-aktarim/yeni" search={{ target: 'customers' }} className={buttonLook('secondary')}>
                {t.emptyAction}
              </Link>
            )}
          </>
        }
      >
        {t.emptyText}
      </EmptyState>
    </ListEmpty>
  );
}
