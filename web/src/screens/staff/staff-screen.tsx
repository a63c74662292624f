// Everyone who works for the dealer, with or without a sign-in.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { ROLES } from '../../../../src/domain/identity/roles.ts';
import type { StaffLine } from '../../../../src/panel/account/branches.ts';
import { callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { useBranches } from '../../records/branches.ts';
import { useRole } from '../../session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { StaffFrame } from './frame.tsx';
import { StaffDialog } from './staff-dialog.tsx';
import type { StaffSearch } from './staff-search.ts';
import { StaffTable } from './staff-table.tsx';
import { staffTexts } from './texts.ts';

export function StaffScreen() {
  const t = useTexts(staffTexts);
  const search: StaffSearch = useSearch({ from: '/shell/ekip' });
  const navigate = useNavigate({ from: '/ekip' });
  const owner = useRole('owner');
  const [open, setOpen] = useState<StaffLine | 'new' | null>(null);
  const staff = useQuery({
    queryKey: ['staff', search],
    queryFn: ({ signal }) => callPage('GET staff', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: StaffSearch) => navigate({ search: next });
  useShortcut('c', () => owner && setOpen('new'));
  return (
    <StaffFrame
      title={t.title}
      description={t.description}
      actions={
        owner && (
          <Button look="primary" icon={UserPlus} onClick={() => setOpen('new')}>
            {t.add}
          </Button>
        )
      }
    >
      <StaffFilters search={search} onChange={go} />
      <Loaded query={staff} rows={6}>
        {(page) => <StaffTable page={page} search={search} onChange={go} onEdit={setOpen} onAdd={() => setOpen('new')} />}
      </Loaded>
      {open !== null && <StaffDialog member={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </StaffFrame>
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
