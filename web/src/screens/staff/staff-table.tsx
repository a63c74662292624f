// The people of the dealer as a table; for owners with the sign-in of each.
import type { StaffLine } from '../../../../src/panel/account/branches.ts';
import type { Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useRole, useSession } from '../../session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { SignInBadge, StateBadge } from './staff-badges.tsx';
import { StaffMenu } from './staff-menu.tsx';
import type { StaffPerson } from './staff-person.ts';
import type { StaffSearch } from './staff-search.ts';
import { staffTexts } from './texts.ts';
import { usersTexts } from './users-texts.ts';

interface StaffTableProps {
  readonly page: Page<StaffPerson>;
  readonly search: StaffSearch;
  /** Whether the reader sees the sign-in of others. */
  readonly showsSignIns: boolean;
  readonly onChange: (search: StaffSearch) => void;
  readonly onEdit: (person: StaffLine) => void;
}

export function StaffTable({ page, search, showsSignIns, onChange, onEdit }: StaffTableProps) {
  const t = useTexts(staffTexts);
  const owner = useRole('owner');
  const isFiltered = Object.values(search).some(Boolean);
  return (
    <Table
      label={t.list}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={useColumns(showsSignIns, onEdit)}
      {...(owner ? { onOpen: onEdit } : {})}
      empty={
        <ListEmpty noMatch={isFiltered && { title: t.noMatch, clear: () => onChange({}) }}>
          <EmptyState title={t.empty} />
        </ListEmpty>
      }
      footer={
        <Pagination
          page={page}
          onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
          onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
        />
      }
    />
  );
}

function useColumns(showsSignIns: boolean, onEdit: (person: StaffLine) => void): readonly Column<StaffPerson>[] {
  const t = useTexts(staffTexts);
  const u = useTexts(usersTexts);
  const { roles } = useTexts(shellTexts);
  const owner = useRole('owner');
  const seen: Column<StaffPerson> = {
    id: 'seen',
    head: u.lastSeen,
    cell: ({ signs_in, member }) =>
      member?.last_seen_at ? (
        <DateTime at={member.last_seen_at} show="relative" />
      ) : (
        <span className="text-text-2">{signs_in ? u.notSeen : '–'}</span>
      ),
  };
  return [
    { id: 'name', head: t.name, onCard: 'title', cell: (person) => <Name person={person} /> },
    { id: 'role', head: t.role, cell: ({ role }) => roles[role] },
    { id: 'branch', head: t.branch, cell: ({ branch }) => branch ?? <span className="text-text-2">{t.noBranch}</span> },
    { id: 'signs-in', head: t.signsIn, cell: (person) => <SignInBadge person={person} /> },
    ...(showsSignIns ? [seen] : []),
    { id: 'state', head: t.state, cell: ({ active }) => <StateBadge active={active} /> },
    ...(owner
      ? [
          {
            id: 'actions',
            head: t.actionsHead,
            headHidden: true,
            onCard: 'corner' as const,
            width: 'w-12',
            cell: (person: StaffPerson) => <StaffMenu person={person} onEdit={() => onEdit(person)} />,
          },
        ]
      : []),
  ];
}

function Name({ person: { full_name, member } }: { readonly person: StaffPerson }) {
  const u = useTexts(usersTexts);
  const { person } = useSession();
  return (
    <div className="min-w-0 py-0.5">
      <span className="font-medium">{full_name}</span>
      {member?.email === person.email && <span className="text-text-2"> ({u.you})</span>}
      {member && <span className="block text-13 wrap-anywhere text-text-2">{member.email}</span>}
    </div>
  );
}
