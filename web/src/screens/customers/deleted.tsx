// Deleted customers: restore them, or erase their data for good at their request.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Eraser, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { DeletedCustomer } from '../../../../src/panel/sales/customers.ts';
import { callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { Phone } from '../../records/customers/contact.tsx';
import { fullName } from '../../records/customers/customers.ts';
import { useRole } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { EraseDialog, useRestoreCustomer } from './erase.tsx';
import { customersTexts } from './texts.ts';
import { customerWriteTexts } from './write-texts.ts';

interface PageSearch {
  readonly limit?: string;
  readonly offset?: string;
}

export function DeletedCustomers({ search }: { readonly search: PageSearch }) {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const p = useTexts(partsTexts);
  const may = useMay('customers:write');
  const navigate = useNavigate({ from: '/musteriler' });
  const [erases, setErases] = useState<DeletedCustomer | null>(null);
  const columns = useColumns(setErases);
  const { limit, offset } = search;
  const customers = useQuery({
    queryKey: ['customers', 'deleted', limit, offset],
    queryFn: ({ signal }) => callPage('GET customers/deleted', { query: { limit, offset }, signal }),
    placeholderData: keepPreviousData,
    enabled: may,
  });
  const go = (next: PageSearch) => navigate({ search: { deleted: 'true', ...next } });
  const toList = (
    <Link to="/musteriler" className={buttonLook('quiet')}>
      <ArrowLeft aria-hidden className="size-4" />
      {t.toList}
    </Link>
  );
  return (
    <>
      <PageHeader title={w.trashTitle} description={w.trashText} actions={toList} />
      {may ? (
        <Loaded query={customers}>
          {(page) => (
            <Table
              label={w.trashTitle}
              rows={page.items}
              rowKey={({ id }) => id}
              columns={columns}
              empty={<EmptyState title={page.offset > 0 ? t.lastPage : w.trashEmpty} action={toList} />}
              footer={
                <Pagination
                  page={page}
                  onMove={(to) => go({ ...search, offset: to === 0 ? '' : String(to) })}
                  onLimit={(to) => go({ limit: to })}
                />
              }
            />
          )}
        </Loaded>
      ) : (
        <div className="card">
          <EmptyState title={p.forbidden} action={toList} />
        </div>
      )}
      {erases && <EraseDialog customer={erases} onClose={() => setErases(null)} />}
    </>
  );
}

function useColumns(onErase: (customer: DeletedCustomer) => void): readonly Column<DeletedCustomer>[] {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const isOwner = useRole('owner');
  const restore = useRestoreCustomer();
  return [
    { id: 'name', head: t.name, onCard: 'title', cell: (customer) => <span className="font-medium">{fullName(customer)}</span> },
    { id: 'phone', head: t.phone, cell: ({ phone }) => <Phone phone={phone} plain /> },
    { id: 'deleted', head: w.deletedOn, cell: ({ deleted_at }) => <DateTime at={deleted_at} /> },
    {
      id: 'restore',
      head: w.restore,
      headHidden: true,
      align: 'end',
      cell: (customer) => (
        <Button icon={RotateCcw} aria-label={`${w.restore}: ${fullName(customer)}`} onClick={() => restore(customer)}>
          {w.restore}
        </Button>
      ),
    },
    ...(isOwner
      ? [
          {
            id: 'acts',
            head: w.acts,
            headHidden: true,
            width: 'w-12',
            align: 'end',
            onCard: 'corner',
            cell: (customer) => (
              <Menu trigger={<RowMenuButton label={w.installmentActs(fullName(customer))} />}>
                <MenuItem icon={Eraser} danger onSelect={() => onErase(customer)}>
                  {w.erase}
                </MenuItem>
              </Menu>
            ),
          } satisfies Column<DeletedCustomer>,
        ]
      : []),
  ];
}
