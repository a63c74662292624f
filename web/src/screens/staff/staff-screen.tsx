// Everyone who works for the dealer, with or without a sign-in; for owners also invitations and what each role may do.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { ROLES } from '../../../../src/domain/identity/roles.ts';
import type { StaffLine } from '../../../../src/panel/account/branches.ts';
import type { MemberLine } from '../../../../src/panel/account/members.ts';
import { callPage, type Page } from '../../api.ts';
import { isSandbox } from '../../environment.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { useBranches } from '../../records/branches.ts';
import { useRole, useSession } from '../../session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { StaffFrame } from './frame.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { OwnerRequests } from './owner-requests.tsx';
import { RoleWords } from './role-words.tsx';
import { StaffDialog } from './staff-dialog.tsx';
import type { StaffPerson } from './staff-person.ts';
import type { StaffSearch } from './staff-search.ts';
import { StaffTable } from './staff-table.tsx';
import { staffTexts } from './texts.ts';
import { usersTexts } from './users-texts.ts';

/** All of them: an owner sees who of the page signs in, and how. */
const signInsQuery = queryOptions({
  queryKey: ['staff', 'members'],
  queryFn: async ({ signal }) => {
    const found: MemberLine[] = [];
    for (let page: Page<MemberLine> | undefined; page === undefined || page.hasMore; found.push(...page.items))
      page = await callPage('GET members', { query: { limit: 100, offset: found.length }, signal });
    return found;
  },
});

function useStaff(search: StaffSearch, showsSignIns: boolean) {
  const staff = useQuery({
    queryKey: ['staff', search],
    queryFn: ({ signal }) => callPage('GET staff', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });
  const members = useQuery({ ...signInsQuery, enabled: showsSignIns });
  const ofId = new Map(members.data?.map((member) => [member.id, member]));
  const people = (page: Page<StaffLine>): Page<StaffPerson> => ({
    ...page,
    items: page.items.map((line) => ({ ...line, member: ofId.get(line.id) ?? null })),
  });
  return { staff, people };
}

export function StaffScreen() {
  const t = useTexts(staffTexts);
  const { davet, ad, rol, ...search } = useSearch({ from: '/shell/ekip' });
  const navigate = useNavigate({ from: '/ekip' });
  const owner = useRole('owner');
  // The sandbox has staff of its own; sign-ins are those of the account, in live.
  const showsSignIns = (useSession().look || owner) && !isSandbox();
  const [open, setOpen] = useState<StaffLine | 'new' | null>(null);
  const { staff, people } = useStaff(search, showsSignIns);
  const go = (next: StaffSearch) => navigate({ search: next });
  const invite = () => navigate({ search: { ...search, davet: 'yeni' } });
  useShortcut('c', () => owner && setOpen('new'));
  return (
    <StaffFrame
      title={t.title}
      description={t.description}
      actions={owner && <Adding onAdd={() => setOpen('new')} {...(showsSignIns ? { onInvite: invite } : {})} />}
    >
      {showsSignIns && <OwnerRequests />}
      <StaffFilters search={search} onChange={go} />
      <Loaded query={staff} rows={6}>
        {(page) => <StaffTable page={people(page)} search={search} showsSignIns={showsSignIns} onChange={go} onEdit={setOpen} />}
      </Loaded>
      {showsSignIns && (
        <div className="mt-6 flex flex-col gap-6">
          <Invitations />
          <RoleWords />
        </div>
      )}
      {open !== null && <StaffDialog member={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {showsSignIns && owner && (
        <InviteDialog
          open={davet !== undefined}
          memberId={davet === 'yeni' ? null : (davet ?? null)}
          name={ad ?? ''}
          role={rol ?? ''}
          onClose={() => navigate({ search, replace: true })}
        />
      )}
    </StaffFrame>
  );
}

function Adding({ onAdd, onInvite }: { readonly onAdd: () => void; readonly onInvite?: () => void }) {
  const t = useTexts(staffTexts);
  const u = useTexts(usersTexts);
  return (
    <>
      <Button icon={UsersRound} onClick={onAdd}>
        {t.add}
      </Button>
      {onInvite && (
        <Button look="primary" icon={UserPlus} onClick={onInvite}>
          {u.invite}
        </Button>
      )}
    </>
  );
}

interface FilterProps {
  readonly search: StaffSearch;
  readonly onChange: (search: StaffSearch) => void;
}

function StaffFilters({ search, onChange }: FilterProps) {
  const t = useTexts(staffTexts);
  const { roles } = useTexts(shellTexts);
  const branches = useBranches();
  const set = (changed: StaffSearch) => onChange({ ...search, ...changed, offset: '' });
  const filtered = Boolean(search.q || search.branch_id || search.role || search.active);
  return (
    <>
      <ChoiceChips
        label={t.state}
        value={search.active ?? ''}
        chips={[
          { value: '', label: t.all },
          { value: 'true', label: t.active },
          { value: 'false', label: t.inactive },
        ]}
        onChange={(active) => set({ active })}
      />
      <FilterBar onClear={filtered ? () => onChange(search.limit ? { limit: search.limit } : {}) : undefined}>
        <SearchInput label={t.search} value={search.q ?? ''} onChange={(q) => set({ q })} />
        <FilterSelect
          label={t.branch}
          none={t.anyBranch}
          value={search.branch_id}
          options={[...branches.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={(branch_id) => set({ branch_id })}
        />
        <FilterSelect
          label={t.role}
          none={t.anyRole}
          value={search.role}
          options={[...ROLES.map((value) => ({ value, label: roles[value] }))]}
          onChange={(role) => set({ role })}
        />
      </FilterBar>
    </>
  );
}
