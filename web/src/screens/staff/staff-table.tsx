import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleSlash, LogIn, Minus, Pencil, UserPlus, UserRoundCheck, UserRoundX, UsersRound } from 'lucide-react';
import { useState } from 'react';
import type { StaffLine } from '../../../../src/panel/account/branches.ts';
import { call, type Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { useRole } from '../../session.ts';
import { shellTexts } from '../../texts/shell.ts';
import type { StaffSearch } from './staff-search.ts';
import { staffTexts } from './texts.ts';

interface StaffTableProps {
  readonly page: Page<StaffLine>;
  readonly search: StaffSearch;
  readonly onChange: (search: StaffSearch) => void;
  readonly onEdit: (member: StaffLine) => void;
  readonly onAdd: () => void;
}

export function StaffTable({ page, search, onChange, onEdit, onAdd }: StaffTableProps) {
  const t = useTexts(staffTexts);
  const { roles } = useTexts(shellTexts);
  const owner = useRole('owner');
  const [toggling, setToggling] = useState<StaffLine | null>(null);
  const columns: readonly Column<StaffLine>[] = [
    { id: 'name', head: t.name, onCard: 'title', cell: ({ full_name }) => <span className="font-medium">{full_name}</span> },
    { id: 'role', head: t.role, cell: ({ role }) => roles[role] },
    { id: 'branch', head: t.branch, cell: ({ branch }) => branch ?? <span className="text-text-2">{t.noBranch}</span> },
    { id: 'signs-in', head: t.signsIn, cell: ({ signs_in }) => <SignInBadge signsIn={signs_in} /> },
    { id: 'state', head: t.state, cell: ({ active }) => <StateBadge active={active} /> },
    ...(owner
      ? [
          {
            id: 'actions',
            head: t.actionsHead,
            headHidden: true,
            onCard: 'corner' as const,
            width: 'w-12',
            cell: (member: StaffLine) => (
              <StaffMenu member={member} onEdit={() => onEdit(member)} onToggle={() => setToggling(member)} />
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <Table
        label={t.list}
        rows={page.items}
        rowKey={({ id }) => id}
        columns={columns}
        {...(owner ? { onOpen: onEdit } : {})}
        empty={<NoStaff search={search} onChange={onChange} onAdd={onAdd} />}
        footer={
          <Pagination
            page={page}
            onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
            onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
          />
        }
      />
      {toggling && <ToggleDialog member={toggling} onClose={() => setToggling(null)} />}
    </>
  );
}

function NoStaff({ search, onChange, onAdd }: Pick<StaffTableProps, 'search' | 'onChange' | 'onAdd'>) {
  const t = useTexts(staffTexts);
  const isFiltered = Object.values(search).some(Boolean);
  return (
    <ListEmpty noMatch={isFiltered && { title: t.noMatch, clear: () => onChange({}) }}>
      <EmptyState
        title={t.empty}
        action={
          <Button look="primary" icon={UserPlus} onClick={onAdd}>
            {t.add}
          </Button>
        }
      />
    </ListEmpty>
  );
}

function SignInBadge({ signsIn }: { readonly signsIn: boolean }) {
  const t = useTexts(staffTexts);
  return (
    <Badge tone={signsIn ? 'read' : 'soon'} icon={signsIn ? LogIn : Minus}>
      {signsIn ? t.yes : t.no}
    </Badge>
  );
}

function StateBadge({ active }: { readonly active: boolean }) {
  const t = useTexts(staffTexts);
  return (
    <Badge tone={active ? 'live' : 'soon'} icon={active ? CircleCheck : CircleSlash}>
      {active ? t.active : t.inactive}
    </Badge>
  );
}

interface StaffMenuProps {
  readonly member: StaffLine;
  readonly onEdit: () => void;
  readonly onToggle: () => void;
}

function StaffMenu({ member, onEdit, onToggle }: StaffMenuProps) {
  const t = useTexts(staffTexts);
  const { id, active, signs_in, full_name, role } = member;
  return (
    <Menu trigger={<RowMenuButton label={t.actions(full_name)} />}>
      <MenuItem icon={Pencil} onSelect={onEdit}>
        {t.edit}
      </MenuItem>
      {signs_in ? (
        <MenuItem icon={UsersRound} render={<Link to="/ayarlar/kullanicilar" />}>
          {t.toUsers}
        </MenuItem>
      ) : (
        <>
          {active && (
            <MenuItem
              icon={UserPlus}
              render={<Link to="/ayarlar/kullanicilar" search={{ davet: id, ad: full_name, rol: role }} />}
            >
              {t.invite}
            </MenuItem>
          )}
          <MenuItem icon={active ? UserRoundX : UserRoundCheck} onSelect={onToggle}>
            {active ? t.deactivate : t.activate}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function ToggleDialog({ member, onClose }: { readonly member: StaffLine; readonly onClose: () => void }) {
  const t = useTexts(staffTexts);
  const client = useQueryClient();
  const { id, active, full_name } = member;
  const run = async () => {
    await call('PATCH staff/{member_id}', { params: { member_id: id }, body: { active: !active } });
    notify({ title: t.saved });
    await client.invalidateQueries({ queryKey: ['staff'] });
    await client.invalidateQueries({ queryKey: ['branches'] });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={active ? t.deactivateTitle(full_name) : t.activateTitle(full_name)}
      action={active ? t.deactivate : t.activate}
      danger={active}
      run={run}
    >
      {active ? t.deactivateText : t.activateText}
    </ConfirmDialog>
  );
}
