// The audit log of the platform: filters in the address, an entry with old and new values in a drawer.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AdminAuditLine } from '../../../../src/panel/admin/audit.ts';
import { call, callPage } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { OutcomeBadge } from '../audit/audit-parts.tsx';
import { AuditDrawer } from '../audit/drawer.tsx';
import { actOf, subjectOf } from '../audit/sentence.ts';
import { auditTexts } from '../audit/texts.ts';
import { adminAuditTexts } from './audit-texts.ts';
import { OnlyAdmins } from './only-admins.tsx';
import { adminTexts } from './texts.ts';

interface AuditSearch {
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly account_id?: string | undefined;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly offset?: string | undefined;
  /** The entry that is open. */
  readonly kayit?: string | undefined;
}

export function AdminAuditScreen() {
  const t = useTexts(adminTexts);
  const a = useTexts(adminAuditTexts);
  const { kayit, ...search }: AuditSearch = useSearch({ from: '/shell/yonetim/denetim' });
  const navigate = useNavigate({ from: '/yonetim/denetim' });
  const entries = useQuery({
    queryKey: ['admin', 'audit', search],
    queryFn: ({ signal }) => callPage('GET admin/audit', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: AuditSearch) => navigate({ search: next });
  const open = (id: string | undefined) => go({ ...search, kayit: id });
  return (
    <OnlyAdmins>
      <PageHeader title={t.auditTitle} description={a.auditHint} />
      <AuditFilters search={search} first={entries.data?.items[0]} onChange={go} />
      <Loaded query={entries} rows={12}>
        {(page) => (
          <>
            <Entries entries={page.items} current={kayit} onOpen={open} onClear={() => go({})} />
            {(page.items.length > 0 || search.offset) && (
              <div className="mt-3">
                <Pagination
                  page={page}
                  onMove={(offset) => go({ ...search, offset: offset === 0 ? undefined : String(offset) })}
                />
              </div>
            )}
            <AuditDrawer
              entry={page.items.find(({ id }) => id === kayit)}
              onClose={() => open(undefined)}
              onTarget={(target) => go({ target })}
            />
          </>
        )}
      </Loaded>
    </OnlyAdmins>
  );
}

interface AuditFiltersProps {
  readonly search: AuditSearch;
  /** Names the account or the record where the log is filtered by one. */
  readonly first: AdminAuditLine | undefined;
  readonly onChange: (search: AuditSearch) => void;
}

function AuditFilters({ search, first, onChange }: AuditFiltersProps) {
  const a = useTexts(adminAuditTexts);
  const words = useTexts(auditTexts);
  const locale = useLocale();
  const subjects = useQuery({
    queryKey: ['admin', 'audit-subjects'],
    queryFn: ({ signal }) => call('GET admin/audit/subjects', { signal }),
    staleTime: 60_000,
  });
  const set = (change: AuditSearch) => onChange({ ...search, ...change, offset: undefined });
  const filtered = Object.entries(search).some(([name, value]) => name !== 'offset' && value);
  const day = (name: 'from' | 'to', label: string) => (
    <div className="w-full min-w-36 flex-1 sm:max-w-40 sm:flex-none">
      <Field label={label}>
        <TextInput type="date" value={search[name] ?? ''} onChange={(value) => set({ [name]: value || undefined })} />
      </Field>
    </div>
  );
  return (
    <FilterBar onClear={filtered ? () => onChange({}) : undefined}>
      <SearchInput label={a.actorSearch} value={search.actor ?? ''} onChange={(actor) => set({ actor: actor || undefined })} />
      <FilterSelect
        label={a.subject}
        none={a.allSubjects}
        value={search.subject}
        onChange={(subject) => set({ subject })}
        options={[...(subjects.data ?? []).map((value) => ({ value, label: subjectOf(value, locale) }))]}
      />
      <FilterSelect
        label={a.outcome}
        none={a.allOutcomes}
        value={search.outcome}
        onChange={(outcome) => set({ outcome })}
        options={[
          { value: 'done', label: a.done },
          { value: 'denied', label: a.denied },
        ]}
      />
      {day('from', a.from)}
      {day('to', a.to)}
      {search.account_id && (
        <Button look="quiet" onClick={() => set({ account_id: undefined })}>
          {first?.account ?? a.onlyAccount} ✕
        </Button>
      )}
      {search.target && (
        <Button look="quiet" className="max-w-full overflow-hidden" onClick={() => set({ target: undefined })}>
          <span className="truncate">{first?.about?.name ?? words.oneRecord}</span> ✕
        </Button>
      )}
    </FilterBar>
  );
}

interface EntriesProps {
  readonly entries: readonly AdminAuditLine[];
  readonly current: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly onClear: () => void;
}

function Entries({ entries, current, onOpen, onClear }: EntriesProps) {
  const t = useTexts(adminTexts);
  const a = useTexts(adminAuditTexts);
  const p = useTexts(partsTexts);
  const columns = useColumns(onOpen);
  return (
    <Table
      label={t.auditTitle}
      rows={entries}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => onOpen(id)}
      isCurrent={({ id }) => id === current}
      empty={<EmptyState title={a.noEntries} action={<Button onClick={onClear}>{p.clearFilters}</Button>} />}
    />
  );
}

function useColumns(onOpen: (id: string) => void): readonly Column<AdminAuditLine>[] {
  const t = useTexts(adminTexts);
  const a = useTexts(adminAuditTexts);
  const locale = useLocale();
  return [
    { id: 'when', head: a.when, cell: ({ created_at }) => <DateTime at={created_at} /> },
    {
      id: 'what',
      head: a.what,
      onCard: 'title',
      cell: (line) => (
        <button
          type="button"
          onClick={() => onOpen(line.id)}
          className="-mx-1 min-h-7 rounded-control px-1 text-start font-medium hover:underline"
        >
          {actOf(line, locale)}
        </button>
      ),
    },
    {
      id: 'who',
      head: a.who,
      cell: ({ actor, actor_name }) => (
        <span className="text-13 wrap-anywhere" title={actor}>
          {actor_name}
        </span>
      ),
    },
    {
      id: 'account',
      head: t.account,
      cell: ({ account, account_id }) =>
        account_id === null ? (
          <None />
        ) : (
          <Link to="/yonetim/hesaplar/$accountId" params={{ accountId: account_id }} className="link wrap-anywhere">
            {account}
          </Link>
        ),
    },
    { id: 'outcome', head: a.outcome, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  ];
}
