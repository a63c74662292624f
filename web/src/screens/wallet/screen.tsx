// The wallet: what is in it, what it went for, the requests to load it, and every movement.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { TRANSACTION_TYPES } from '../../../../src/domain/wallet/wallet-states.ts';
import { call, callPage } from '../../api.ts';
import type { ItemOf } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Figure } from '../../parts/figure.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove } from '../../records/amounts.ts';
import { ListFiles } from '../../records/list-files.tsx';
import { walletWord } from '../../records/wallet-words.tsx';
import { useFormat } from '../../session.ts';
import { walletTexts } from './texts.ts';
import { Topup } from './topup.tsx';
import { TopupRequests } from './topup-requests.tsx';

export function WalletScreen() {
  const t = useTexts(walletTexts);
  const may = useMay('wallet:write', 'sensitive');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          may && (
            <Button look="primary" icon={Plus} onClick={() => setOpen(true)}>
              {t.topup}
            </Button>
          )
        }
      />
      <Figures />
      <TopupRequests />
      <Statement />
      {isOpen && <Topup onClose={() => setOpen(false)} />}
    </>
  );
}

function Figures() {
  const t = useTexts(walletTexts);
  const format = useFormat();
  const wallet = useQuery({ queryKey: ['wallet', 'balance'], queryFn: ({ signal }) => call('GET v1/wallet', { signal }) });
  const spending = useQuery({
    queryKey: ['wallet', 'spending'],
    queryFn: ({ signal }) => call('GET wallet/spending', { signal }),
  });
  return (
    <Loaded query={wallet} rows={2}>
      {({ balance, pending_topups, currency }) => (
        <dl className="m-0 mb-6 grid grid-cols-1 gap-3 min-[480px]:grid-cols-2 xl:grid-cols-4">
          <Figure name={t.balance} value={<Money amount={balance} currency={currency} />} />
          <Figure name={t.pending} value={<Money amount={pending_topups} currency={currency} />} />
          {(spending.data?.rows ?? []).map(({ purpose, this_month, this_year }) => (
            <Figure
              key={purpose}
              name={`${t[purpose]}, ${t.thisMonth}`}
              value={<Money amount={this_month} currency={currency} />}
              hint={t.yearSoFar(format.money(this_year, currency))}
            />
          ))}
        </dl>
      )}
    </Loaded>
  );
}

type Movement = ItemOf<'GET v1/wallet/transactions'>;

function Statement() {
  const t = useTexts(walletTexts);
  const locale = useLocale();
  const columns = useColumns();
  const { talepler: _, ...search } = useSearch({ from: '/shell/cuzdan' });
  const navigate = useNavigate({ from: '/cuzdan' });
  const set = (next: Partial<typeof search>) => navigate({ search: (now) => ({ ...now, offset: undefined, ...next }) });
  const movements = useQuery({
    queryKey: ['wallet', 'transactions', search],
    queryFn: ({ signal }) => callPage('GET v1/wallet/transactions', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Boolean(search.type || search.from || search.to);
  return (
    <section aria-label={t.statement}>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="m-0 text-16 font-semibold">{t.statement}</h2>
        <ListFiles list="wallet" filters={{ type: search.type, from: search.from, to: search.to }} />
      </div>
      <FilterBar {...(isFiltered ? { onClear: () => navigate({ search: {} }) } : {})}>
        <FilterSelect
          label={t.type}
          none={t.allTypes}
          value={search.type}
          options={TRANSACTION_TYPES.map((value) => ({ value, label: walletWord(locale, value) }))}
          onChange={(type) => set({ type })}
        />
        <Field label={t.from}>
          <TextInput type="date" value={search.from ?? ''} onChange={(from) => set({ from })} />
        </Field>
        <Field label={t.to}>
          <TextInput type="date" value={search.to ?? ''} onChange={(to) => set({ to })} />
        </Field>
      </FilterBar>
      <Loaded query={movements}>
        {(page) => (
          <Table
            label={t.statement}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={isFiltered ? t.noMovements : t.noMovementsYet} />}
            footer={<Pagination page={page} onMove={(offset) => set({ offset: offset === 0 ? undefined : String(offset) })} />}
          />
        )}
      </Loaded>
    </section>
  );
}

function useColumns(): readonly Column<Movement>[] {
  const t = useTexts(walletTexts);
  const locale = useLocale();
  return [
    {
      id: 'about',
      head: t.about,
      onCard: 'title',
      cell: ({ description }) => <span className="wrap-anywhere">{description}</span>,
    },
    { id: 'day', head: t.day, cell: ({ created_at }) => <DateTime at={created_at} /> },
    { id: 'type', head: t.type, cell: ({ type }) => walletWord(locale, type) },
    {
      id: 'amount',
      head: t.moved,
      align: 'end',
      cell: ({ amount, currency }) => (
        <span className={cx('font-medium', isAbove(amount) && 'text-live')}>
          {isAbove(amount) && '+'}
          <Money amount={amount} currency={currency} />
        </span>
      ),
    },
    {
      id: 'after',
      head: t.after,
      align: 'end',
      cell: ({ balance_after, currency }) => <Money amount={balance_after} currency={currency} />,
    },
  ];
}
