// The list of expenses: proposals on top, filters in the address, sums by currency below.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Expense } from '../../../../src/domain/expenses/expense.ts';
import {
  CATEGORIES_OF,
  EXPENSE_CATEGORIES,
  EXPENSE_KINDS,
  EXPENSE_METHODS,
  type ExpenseKind,
} from '../../../../src/domain/expenses/expenses-states.ts';
import { call, callPage } from '../../api.ts';
import { useCurrencies, useOwnFirst } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money, None } from '../../parts/values.tsx';
import { useBranches } from '../../records/branches.ts';
import { expensesTexts } from '../../records/expenses/expenses-texts.ts';
import { NewExpense } from '../../records/expenses/new-expense.tsx';
import { ListFiles } from '../../records/list-files.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { useFormat, useRole } from '../../session.ts';
import { ExpenseDrawer } from './drawer.tsx';
import { Proposals } from './proposals.tsx';
import { type ExpenseSearch, filtersOf } from './search.ts';

export function ExpensesScreen() {
  const t = useTexts(expensesTexts);
  const search: ExpenseSearch = useSearch({ from: '/shell/giderler' });
  const navigate = useNavigate({ from: '/giderler' });
  const isOffice = useRole('owner', 'finance');
  const mayEnter = useRole('owner', 'finance', 'sales');
  const filters = filtersOf(search);
  const query = { ...filters, limit: search.limit, offset: search.offset };
  const expenses = useQuery({
    queryKey: ['expenses', query],
    queryFn: ({ signal }) => callPage('GET expenses', { query, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: ExpenseSearch) => navigate({ search: next });
  const begin = () => go({ ...search, yeni: '1' });
  useShortcut('c', () => mayEnter && begin());
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          <>
            {isOffice && <ListFiles list="expenses" filters={{ ...filters }} />}
            {mayEnter && (
              <Button look="primary" icon={Plus} onClick={begin}>
                {t.add}
              </Button>
            )}
          </>
        }
      />
      {isOffice && <ExpenseTabs />}
      {isOffice && <Proposals />}
      <Filters search={search} onChange={go} />
      {isOffice && <Sums filters={filters} />}
      <Loaded query={expenses} rows={10}>
        {(page) => (
          <ExpenseTable
            rows={page.items}
            open={search.gider}
            onOpen={(id) => go({ ...search, gider: id })}
            footer={
              (page.hasMore || Number(search.offset ?? 0) > 0) && (
                <Pagination page={page} onMove={(offset) => go({ ...search, offset: String(offset) })} />
              )
            }
          />
        )}
      </Loaded>
      {search.yeni && <NewExpense vehicleId={search.vehicle_id} onClose={() => go({ ...search, yeni: undefined })} />}
      {search.gider && <ExpenseDrawer id={search.gider} onClose={() => go({ ...search, gider: undefined })} />}
    </>
  );
}

export function ExpenseTabs() {
  const t = useTexts(expensesTexts);
  return (
    <TabLinks label={t.title}>
      <TabLink to="/giderler" activeOptions={{ exact: true }}>
        {t.list}
      </TabLink>
      <TabLink to="/giderler/duzenli">{t.recurring}</TabLink>
    </TabLinks>
  );
}

interface FiltersProps {
  readonly search: ExpenseSearch;
  readonly onChange: (search: ExpenseSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const t = useTexts(expensesTexts);
  const locale = useLocale();
  const branches = useBranches();
  const currencies = useCurrencies();
  const change = (part: ExpenseSearch) => onChange({ ...search, ...part, offset: undefined });
  const isFiltered = Object.values(filtersOf(search)).some(Boolean);
  const categories = search.kind ? CATEGORIES_OF[search.kind as ExpenseKind] : EXPENSE_CATEGORIES;
  return (
    <FilterBar onClear={isFiltered ? () => onChange({}) : undefined}>
      <SearchInput label={t.search} value={search.q ?? ''} onChange={(q) => change({ q: q || undefined })} />
      <FilterSelect
        label={t.names.kind}
        none={t.anyKind}
        value={search.kind}
        options={EXPENSE_KINDS.map((value) => ({ value: value as string, label: t.kinds[value] }))}
        onChange={(kind) => change({ kind, category: undefined })}
      />
      <FilterSelect
        label={t.names.category}
        none={t.anyCategory}
        value={search.category}
        options={(categories ?? []).map((value) => ({ value: value as string, label: t.categories[value] }))}
        onChange={(category) => change({ category })}
      />
      <FilterSelect
        label={t.names.currency}
        none={t.anyCurrency}
        value={search.currency}
        options={currencies}
        onChange={(currency) => change({ currency })}
      />
      <FilterSelect
        label={t.names.method}
        none={t.anyMethod}
        value={search.method}
        options={EXPENSE_METHODS.map((value) => ({ value: value as string, label: saleWord(locale, value) }))}
        onChange={(method) => change({ method })}
      />
      {branches.length > 1 && (
        <FilterSelect
          label={t.names.branch_id}
          none={t.anyBranch}
          value={search.branch_id}
          options={branches.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(branch_id) => change({ branch_id })}
        />
      )}
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className="w-40">
          <Field label={t[name]} labelHidden>
            <TextInput type="date" value={search[name] ?? ''} onChange={(day) => change({ [name]: day || undefined })} />
          </Field>
        </div>
      ))}
    </FilterBar>
  );
}

function Sums({ filters }: { readonly filters: ReturnType<typeof filtersOf> }) {
  const t = useTexts(expensesTexts);
  const format = useFormat();
  const ownFirst = useOwnFirst();
  const sums = useQuery({
    queryKey: ['expenses', 'sums', filters],
    queryFn: ({ signal }) => call('GET expenses/sums', { query: filters, signal }),
    placeholderData: keepPreviousData,
  });
  if (!sums.data || sums.data.length === 0) return null;
  return (
    <p className="tabular mt-0 mb-3 text-13 text-text-2">
      {t.total}:{' '}
      {ownFirst(sums.data)
        .map(({ currency, amount }) => format.money(amount, currency))
        .join(' · ')}
    </p>
  );
}

interface TableProps {
  readonly rows: readonly Expense[];
  readonly open?: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly footer?: ReactNode;
}

function ExpenseTable({ rows, open, onOpen, footer }: TableProps) {
  const t = useTexts(expensesTexts);
  return (
    <Table
      label={t.title}
      rows={rows}
      rowKey={({ id }) => id}
      columns={useExpenseColumns()}
      onOpen={({ id }) => onOpen(id)}
      isCurrent={({ id }) => id === open}
      empty={<EmptyState title={t.none}>{t.noneText}</EmptyState>}
      footer={footer}
    />
  );
}

function useExpenseColumns(): readonly Column<Expense>[] {
  const t = useTexts(expensesTexts);
  const locale = useLocale();
  const { names } = t;
  return [
    {
      id: 'number',
      head: t.number,
      onCard: 'title',
      cell: ({ id, expense_no, reverses_id, reversed_by_id }) => (
        <span className="flex flex-wrap items-center gap-2">
          <Link to="/giderler" search={(now) => ({ ...now, gider: id })} className="tabular">
            {expense_no}
          </Link>
          {reverses_id && (
            <Badge tone="soon" icon={Undo2}>
              {t.isReversal}
            </Badge>
          )}
          {reversed_by_id && (
            <Badge tone="soon" icon={Undo2}>
              {t.isReversed}
            </Badge>
          )}
        </span>
      ),
    },
    { id: 'day', head: names.day, cell: ({ day }) => <Day day={day} /> },
    { id: 'category', head: names.category, cell: ({ category }) => t.categories[category] },
    {
      id: 'about',
      head: t.about,
      cell: ({ vehicle, supplier }) => {
        const about = [vehicle && `${vehicle.plate} ${vehicle.name}`, supplier].filter(Boolean).join(' · ');
        return about === '' ? <None /> : <span className="wrap-anywhere">{about}</span>;
      },
    },
    { id: 'method', head: names.method, givesWay: 'second', onCard: 'hide', cell: ({ method }) => saleWord(locale, method) },
    {
      id: 'amount',
      head: names.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ];
}
