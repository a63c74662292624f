// The account's audit log: filters in the address, an entry in a drawer.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditLine } from '../../../../src/panel/account/audit.ts';
import { call, callPage, type Page } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { ListFiles } from '../../records/list-files.tsx';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { OutcomeBadge, useRoleName } from '../audit/audit-parts.tsx';
import { AuditDrawer } from '../audit/drawer.tsx';
import { actorOf, sentenceOf, subjectOf } from '../audit/sentence.ts';
import { auditTexts } from '../audit/texts.ts';
import { SettingsFrame } from './frame.tsx';

interface AuditSearch {
  readonly subject?: string;
  readonly actor?: string;
  readonly target?: string;
  readonly outcome?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly offset?: string;
  readonly kayit?: string;
}

export function AuditScreen() {
  const t = useTexts(auditTexts);
  const search: AuditSearch = useSearch({ from: '/shell/ayarlar/denetim' });
  const navigate = useNavigate({ from: '/ayarlar/denetim' });
  const { kayit, ...rest } = search;
  const go = (next: AuditSearch) => navigate({ search: next });
  const entries = useQuery({
    queryKey: ['audit', rest],
    queryFn: ({ signal }) => callPage('GET audit', { query: { ...rest }, signal }),
    placeholderData: keepPreviousData,
  });
  const { limit: _, offset: __, ...filters } = rest;
  const open = kayit === undefined ? undefined : entries.data?.items.find(({ id }) => id === kayit);
  return (
    <SettingsFrame title={t.title} description={t.description} actions={<ListFiles list="audit" filters={filters} />}>
      <AuditFilters search={rest} record={entries.data?.items[0]?.about?.name} onChange={go} />
      <Loaded query={entries} rows={12}>
        {(page) => <AuditTable page={page} search={search} onChange={go} />}
      </Loaded>
      <AuditDrawer entry={open} onClose={() => go(rest)} onTarget={(target) => go({ target })} />
    </SettingsFrame>
  );
}

interface FilterProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

/** Two per line on a phone. */
const HALF = 'min-w-32 flex-1 sm:flex-none';

function AuditFilters({ search, record, onChange }: FilterProps & { readonly record: string | undefined }) {
  const t = useTexts(auditTexts);
  const locale = useLocale();
  const subjects = useQuery({
    queryKey: ['audit-subjects'],
    queryFn: ({ signal }) => call('GET audit/subjects', { signal }),
  });
  const members = useQuery({
    queryKey: ['members', 'all'],
    queryFn: ({ signal }) => callPage('GET members', { query: { limit: 100 }, signal }),
  });
  const set = (changed: AuditSearch) => onChange({ ...search, ...changed, offset: '' });
  const known = [...new Set([...(subjects.data ?? []), ...(search.subject ? [search.subject] : [])])];
  const people = [
    ...new Set([...(members.data?.items ?? []).map(({ email }) => email), ...(search.actor ? [search.actor] : [])]),
  ];
  const filtered = Object.entries(search).some(([name, value]) => name !== 'limit' && name !== 'offset' && value);
  return (
    <>
      <ChoiceChips
        label={t.outcome}
        value={search.outcome ?? ''}
        chips={[
          { value: '', label: t.all },
          { value: 'done', label: t.done },
          { value: 'denied', label: t.denied },
        ]}
        onChange={(outcome) => set({ outcome })}
      />
      <FilterBar onClear={filtered ? () => onChange(search.limit ? { limit: search.limit } : {}) : undefined}>
        <div className={HALF}>
          <Field label={t.subject}>
            <Select
              className="sm:w-48"
              value={search.subject ?? ''}
              options={[
                { value: '', label: t.anySubject },
                ...known.map((value) => ({ value, label: subjectOf(value, locale) })),
              ]}
              onChange={(subject) => set({ subject })}
            />
          </Field>
        </div>
        <div className={HALF}>
          <Field label={t.who}>
            <Select
              className="sm:w-56"
              value={search.actor ?? ''}
              options={[{ value: '', label: t.anyone }, ...people.map((value) => ({ value, label: value }))]}
              onChange={(actor) => set({ actor })}
            />
          </Field>
        </div>
        <Days search={search} onChange={set} />
      </FilterBar>
      {search.target && (
        <p className="mt-0 mb-3 flex flex-wrap items-center gap-2 text-13">
          <span className="text-text-2">{t.record}:</span> <span className="wrap-anywhere">{record ?? t.oneRecord}</span>
        </p>
      )}
    </>
  );
}

function Days({ search, onChange: set }: FilterProps) {
  const t = useTexts(auditTexts);
  return (
    <>
      <div className={HALF}>
        <Field label={t.from}>
          <TextInput type="date" value={search.from ?? ''} max={search.to} onChange={(from) => set({ from })} />
        </Field>
      </div>
      <div className={HALF}>
        <Field label={t.to}>
          <TextInput type="date" value={search.to ?? ''} min={search.from} onChange={(to) => set({ to })} />
        </Field>
      </div>
    </>
  );
}

interface AuditTableProps extends FilterProps {
  readonly page: Page<AuditLine>;
}

function AuditTable({ page, search, onChange }: AuditTableProps) {
  const t = useTexts(auditTexts);
  const p = useTexts(partsTexts);
  const roleName = useRoleName();
  const locale = useLocale();
  const format = useFormat();
  const open = ({ id }: AuditLine) => onChange({ ...search, kayit: id });
  const columns: readonly Column<AuditLine>[] = [
    { id: 'time', head: t.time, width: 'w-44', cell: ({ created_at }) => <DateTime at={created_at} /> },
    {
      id: 'what',
      head: t.what,
      onCard: 'title',
      cell: (line) => (
        <button
          type="button"
          onClick={() => open(line)}
          className="-mx-1 min-h-7 rounded-control px-1 text-start font-medium wrap-break-word hover:underline"
        >
          {sentenceOf(line, locale, format)}
        </button>
      ),
    },
    {
      id: 'who',
      head: t.who,
      cell: ({ actor, actor_name, role, actor_type }) => (
        <span className="block min-w-28">
          <span className="block wrap-anywhere" title={actor}>
            {actor_type === 'panel' ? actor_name : `${t.actorTypes[actor_type]}: ${actorOf({ actor_type, actor_name }, locale)}`}
          </span>
          {roleName(role) && <span className="block text-12 text-text-2">{roleName(role)}</span>}
        </span>
      ),
    },
    { id: 'address', head: t.address, cell: ({ ip }) => (ip === null ? <None /> : <span className="code">{ip}</span>) },
    { id: 'outcome', head: t.outcome, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  ];
  return (
    <Table
      label={t.list}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={open}
      isCurrent={({ id }) => id === search.kayit}
      empty={<EmptyState title={t.empty} action={<Button onClick={() => onChange({})}>{p.clearFilters}</Button>} />}
      footer={
        <Pagination
          page={page}
          onMove={(offset) => onChange({ ...search, kayit: '', offset: offset === 0 ? '' : String(offset) })}
          onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
        />
      }
    />
  );
}
