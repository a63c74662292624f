// Dealers' accounts: search them, and create one with a link for the owner.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AdminAccountLine } from '../../../../../src/panel/admin/account-views.ts';
import type { OwnerInvitation } from '../../../../../src/panel/admin/owners.ts';
import { callPage } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { EmptyState } from '../../../parts/page/states.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../../parts/table/filters.tsx';
import { Pagination } from '../../../parts/table/pagination.tsx';
import { useShortcut } from '../../../parts/table/row-keys.ts';
import { type Column, Table } from '../../../parts/table/table.tsx';
import { UsageUnread } from '../../../parts/usage-unread.tsx';
import { DateTime, None } from '../../../parts/values.tsx';
import { useFormat } from '../../../session.ts';
import { OnlyAdmins } from '../only-admins.tsx';
import { adminTexts } from '../texts.ts';
import { AccountBadge } from './account-badge.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { NewAccountDialog } from './new-account.tsx';

interface AccountsSearch {
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly offset?: string | undefined;
}

export function AccountsScreen() {
  const t = useTexts(adminTexts);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<OwnerInvitation | null>(null);
  useShortcut('c', () => setMaking(true));
  return (
    <OnlyAdmins>
      <PageHeader
        title={t.accountsTitle}
        description={t.accountsHint}
        actions={
          <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
            {t.newAccount}
          </Button>
        }
      />
      <AccountsList onMake={() => setMaking(true)} />
      <NewAccountDialog
        open={making}
        onClose={() => setMaking(false)}
        onMade={(invitation) => {
          setMaking(false);
          setMade(invitation);
        }}
      />
      <LinkDialog made={made} onClose={() => setMade(null)} />
    </OnlyAdmins>
  );
}

function AccountsList({ onMake }: { readonly onMake: () => void }) {
  const t = useTexts(adminTexts);
  const search: AccountsSearch = useSearch({ from: '/shell/yonetim/hesaplar' });
  const navigate = useNavigate({ from: '/yonetim/hesaplar' });
  const accounts = useQuery({
    queryKey: ['admin', 'accounts', search],
    queryFn: ({ signal }) => callPage('GET admin/accounts', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const go = (next: AccountsSearch) => navigate({ search: next });
  return (
    <>
      <FilterBar onClear={search.q || search.status ? () => go({}) : undefined}>
        <SearchInput label={t.accountsSearch} value={search.q ?? ''} onChange={(q) => go({ ...search, q, offset: '' })} />
        <FilterSelect
          label={t.status}
          none={t.allStatuses}
          value={search.status}
          onChange={(status) => go({ ...search, status, offset: '' })}
          options={[
            { value: 'Aktif', label: t.active },
            { value: 'Askıda', label: t.suspended },
          ]}
        />
      </FilterBar>
      <Loaded query={accounts} rows={10}>
        {(page) => (
          <Table
            label={t.accountsTitle}
            rows={page.items}
            rowKey={(account) => account.id}
            columns={columns}
            onOpen={({ id }) => navigate({ to: '/yonetim/hesaplar/$accountId', params: { accountId: id } })}
            footer={<Pagination page={page} onMove={(offset) => go({ ...search, offset: String(offset || '') })} />}
            empty={
              <EmptyState title={t.noAccounts} action={<Button onClick={onMake}>{t.newAccount}</Button>}>
                {t.noAccountsHint}
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </>
  );
}

function useColumns(): readonly Column<AdminAccountLine>[] {
  const t = useTexts(adminTexts);
  const format = useFormat();
  return [
    {
      id: 'name',
      head: t.account,
      onCard: 'title',
      cell: ({ id, name }) => (
        <Link
          to="/yonetim/hesaplar/$accountId"
          params={{ accountId: id }}
          className="font-medium text-text no-underline wrap-anywhere hover:underline"
        >
          {name}
        </Link>
      ),
    },
    { id: 'place', head: t.place, cell: ({ city, country }) => [city, country].filter(Boolean).join(', ') },
    { id: 'status', head: t.status, cell: ({ status }) => <AccountBadge status={status} /> },
    { id: 'people', head: t.people, align: 'end', cell: ({ people }) => format.number(people) },
    { id: 'keys', head: t.keys, align: 'end', cell: ({ keys }) => format.number(keys) },
    {
      id: 'calls',
      head: t.calls,
      align: 'end',
      cell: ({ calls_24h }) => (calls_24h === null ? <UsageUnread /> : format.number(calls_24h)),
    },
    {
      id: 'errors',
      head: t.errors,
      align: 'end',
      cell: ({ calls_24h, errors_24h }) => (calls_24h && errors_24h !== null ? format.percent(errors_24h / calls_24h) : <None />),
    },
    { id: 'since', head: t.since, cell: ({ created_at }) => <DateTime at={created_at} show="date" /> },
  ];
}
