// Everyone who works for the dealer, with or without a sign-in.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { ROLES } from '../../../../src/domain/roles.ts';
import type { BranchLine, StaffLine } from '../../../../src/panel/branches.ts';
import { getPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/choice-chips.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { FilterBar, SearchInput } from '../../parts/filters.tsx';
import { useShortcut } from '../../parts/row-keys.ts';
import { ErrorState, SkeletonRows } from '../../parts/states.tsx';
import { useRole } from '../../session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { StaffFrame } from './frame.tsx';
import { StaffDialog } from './staff-dialog.tsx';
import { StaffTable } from './staff-table.tsx';
import { staffTexts } from './texts.ts';

export interface StaffSearch {
  readonly q?: string;
  readonly branch_id?: string;
  readonly role?: string;
  readonly active?: string;
  readonly limit?: string;
  readonly offset?: string;
}

/** All branches, for choosing one: no dealer has a hundred. */
export function useBranches(): readonly BranchLine[] {
  const branches = useQuery({
    queryKey: ['branches', 'all'],
    queryFn: ({ signal }) => getPage<BranchLine>('branches', { limit: 100 }, signal),
  });
  return branches.data?.items ?? [];
}

export function StaffScreen() {
  const t = useTexts(staffTexts);
  const search: StaffSearch = useSearch({ from: '/shell/ekip' });
  const navigate = useNavigate({ from: '/ekip' });
  const owner = useRole('owner');
  const [open, setOpen] = useState<StaffLine | 'new' | null>(null);
  const staff = useQuery({
    queryKey: ['staff', search],
    queryFn: ({ signal }) => getPage<StaffLine>('staff', { ...search }, signal),
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
      {staff.isPending ? (
        <SkeletonRows rows={6} />
      ) : staff.isError ? (
        <div className="card">
          <ErrorState error={staff.error} onRetry={staff.refetch} />
        </div>
      ) : (
        <StaffTable page={staff.data} search={search} onChange={go} onEdit={setOpen} onAdd={() => setOpen('new')} />
      )}
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
        <Field label={t.branch} labelHidden>
          <Select
            className="sm:w-48"
            value={search.branch_id ?? ''}
            options={[{ value: '', label: t.anyBranch }, ...branches.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(branch_id) => set({ branch_id })}
          />
        </Field>
        <Field label={t.role} labelHidden>
          <Select
            className="sm:w-40"
            value={search.role ?? ''}
            options={[{ value: '', label: t.anyRole }, ...ROLES.map((value) => ({ value, label: roles[value] }))]}
            onChange={(role) => set({ role })}
          />
        </Field>
      </FilterBar>
    </>
  );
}
