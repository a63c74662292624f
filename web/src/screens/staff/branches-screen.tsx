// The dealer's branches, one of which is the main branch.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Pencil, Plus, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { BranchLine } from '../../../../src/panel/account/branches.ts';
import { call, callPage, type Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Menu, MenuHeading, MenuItem } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { None } from '../../parts/values.tsx';
import { Phone } from '../../records/customers/contact.tsx';
import { useFormat, useRole } from '../../session.ts';
import { BranchDialog } from './branch-dialog.tsx';
import { StaffFrame } from './frame.tsx';
import { staffTexts } from './texts.ts';

export function BranchesScreen() {
  const t = useTexts(staffTexts).branches;
  const owner = useRole('owner');
  const search = useSearch({ from: '/shell/ekip/subeler' });
  const [open, setOpen] = useState<BranchLine | 'new' | null>(null);
  const offset = search.offset ?? '';
  const branches = useQuery({
    queryKey: ['branches', offset],
    queryFn: ({ signal }) => callPage('GET branches', { query: { limit: 50, offset }, signal }),
  });
  useShortcut('c', () => owner && setOpen('new'));
  const add = (
    <Button look="primary" icon={Plus} onClick={() => setOpen('new')}>
      {t.add}
    </Button>
  );
  return (
    <StaffFrame title={t.title} description={t.description} actions={owner && add}>
      <Loaded query={branches} rows={3}>
        {(page) => <BranchesTable page={page} onEdit={setOpen} />}
      </Loaded>
      {open !== null && <BranchDialog branch={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </StaffFrame>
  );
}

interface BranchesTableProps {
  readonly page: Page<BranchLine>;
  readonly onEdit: (branch: BranchLine) => void;
}

function BranchesTable({ page, onEdit }: BranchesTableProps) {
  const t = useTexts(staffTexts).branches;
  const owner = useRole('owner');
  const client = useQueryClient();
  const navigate = useNavigate({ from: '/ekip/subeler' });
  const [removing, setRemoving] = useState<BranchLine | null>(null);
  const makeMain = async (id: string) => {
    try {
      await call('POST branches/{branch_id}/main', { params: { branch_id: id } });
      notify({ title: t.madeMain });
    } catch (error) {
      notify({ title: (error as Error).message, failed: true });
    }
    await client.invalidateQueries({ queryKey: ['branches'] });
  };
  const remove = async () => {
    if (removing === null) return;
    await call('DELETE branches/{branch_id}', { params: { branch_id: removing.id } });
    notify({ title: t.removed });
    await client.invalidateQueries({ queryKey: ['branches'] });
  };
  const columns = useColumns({ onEdit, onMain: makeMain, onRemove: setRemoving });
  return (
    <>
      <Table
        label={t.list}
        rows={page.items}
        rowKey={({ id }) => id}
        columns={columns}
        {...(owner ? { onOpen: onEdit } : {})}
        empty={<EmptyState title={t.empty} />}
        footer={
          (page.hasMore || page.offset > 0) && (
            <Pagination page={page} onMove={(next) => navigate({ search: next === 0 ? {} : { offset: String(next) } })} />
          )
        }
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={t.removeTitle(removing?.name ?? '')}
        action={t.remove}
        run={remove}
      >
        {t.removeText}
      </ConfirmDialog>
    </>
  );
}

interface BranchActs {
  readonly onEdit: (branch: BranchLine) => void;
  readonly onMain: (id: string) => void;
  readonly onRemove: (branch: BranchLine) => void;
}

function useColumns({ onEdit, onMain, onRemove }: BranchActs): readonly Column<BranchLine>[] {
  const all = useTexts(staffTexts);
  const t = all.branches;
  const owner = useRole('owner');
  const format = useFormat();
  return [
    {
      id: 'name',
      head: t.name,
      onCard: 'title',
      cell: ({ name, is_main }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          {is_main && (
            <Badge tone="read" icon={Star}>
              {t.main}
            </Badge>
          )}
        </span>
      ),
    },
    { id: 'city', head: t.city, cell: ({ city }) => city ?? <None /> },
    { id: 'phone', head: t.phone, cell: ({ phone }) => (phone === null ? <None /> : <Phone phone={phone} plain />) },
    {
      id: 'vehicles',
      head: t.vehicles,
      align: 'end',
      cell: ({ id, vehicle_count }) =>
        vehicle_count === 0 ? (
          format.number(0)
        ) : (
          <Link to="/araclar" search={{ branch_id: id }} className="link">
            {format.number(vehicle_count)}
          </Link>
        ),
    },
    {
      id: 'staff',
      head: t.staff,
      align: 'end',
      cell: ({ id, staff_count }) =>
        staff_count === 0 ? (
          format.number(0)
        ) : (
          <Link to="/ekip" search={{ branch_id: id }} className="link">
            {format.number(staff_count)}
          </Link>
        ),
    },
    ...(owner
      ? [
          {
            id: 'actions',
            head: all.actionsHead,
            headHidden: true,
            onCard: 'corner' as const,
            width: 'w-12',
            cell: (branch: BranchLine) => (
              <BranchMenu
                branch={branch}
                onEdit={() => onEdit(branch)}
                onMain={() => onMain(branch.id)}
                onRemove={() => onRemove(branch)}
              />
            ),
          },
        ]
      : []),
  ];
}

interface BranchMenuProps {
  readonly branch: BranchLine;
  readonly onEdit: () => void;
  readonly onMain: () => void;
  readonly onRemove: () => void;
}

function BranchMenu({ branch, onEdit, onMain, onRemove }: BranchMenuProps) {
  const all = useTexts(staffTexts);
  const t = all.branches;
  return (
    <Menu trigger={<RowMenuButton label={all.actions(branch.name)} />}>
      <MenuItem icon={Pencil} onSelect={onEdit}>
        {all.edit}
      </MenuItem>
      {!branch.is_main && (
        <MenuItem icon={Star} onSelect={onMain}>
          {t.makeMain}
        </MenuItem>
      )}
      <MenuItem icon={Trash2} danger disabled={!branch.removable} onSelect={onRemove}>
        {t.remove}
      </MenuItem>
      {!branch.removable && (
        <MenuHeading>
          <span className="block max-w-64">{branch.is_main ? t.cannotRemoveMain : t.cannotRemove}</span>
        </MenuHeading>
      )}
    </Menu>
  );
}
