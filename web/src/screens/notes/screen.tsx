// The register of promissory notes: states as chips, filters in the address, several chosen to be printed or moved together.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ReceiptText, X } from 'lucide-react';
import { useState } from 'react';
import { NOTE_STATUSES, type NoteStatus, OPEN_NOTE_STATUSES } from '../../../../src/domain/installments/note-states.ts';
import { call, type Page } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { Table } from '../../parts/table/table.tsx';
import { useMay } from '../../permissions.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { ListFiles } from '../../records/list-files.tsx';
import { type ListedNote, listNotes, type PromissoryNote } from '../../records/sales/notes.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { IssueNotes } from '../sale-acts/notes/note-issue.tsx';
import { noteActsTexts } from '../sale-acts/notes/note-texts.ts';
import { SelectionBar, SelectPage, useNoteActs, useSelection } from './acts.tsx';
import { useNoteColumns } from './columns.tsx';
import { NoteDrawer } from './drawer.tsx';
import { EVERY, filtersOf, isOpenOnly, type NoteSearch } from './search.ts';
import { notesTexts } from './texts.ts';

export function NotesScreen() {
  const t = useTexts(notesTexts);
  const locale = useLocale();
  const search: NoteSearch = useSearch({ from: '/shell/senetler' });
  const navigate = useNavigate({ from: '/senetler' });
  const filters = filtersOf(search);
  const isOpen = isOpenOnly(search);
  const query = { ...filters, limit: search.limit, offset: search.offset };
  const notes = useQuery({
    queryKey: ['notes', isOpen, query],
    queryFn: ({ signal }) => listNotes(query, signal, isOpen ? 'open' : 'all'),
    placeholderData: keepPreviousData,
  });
  const counts = useQuery({
    queryKey: ['note-counts', filters],
    queryFn: ({ signal }) => call('GET promissory-notes/counts', { query: { ...filters }, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: NoteSearch) => navigate({ search: next });
  const statuses = counts.data?.statuses;
  const sumOf = (of: readonly NoteStatus[]) => statuses && of.reduce((all, status) => all + statuses[status], 0);
  const chips = [
    { value: '', label: t.open, count: sumOf(OPEN_NOTE_STATUSES) },
    { value: EVERY, label: t.all, count: sumOf(NOTE_STATUSES) },
    ...NOTE_STATUSES.map((status) => ({ value: status, label: saleWord(locale, status), count: statuses?.[status] })),
  ];
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          <>
            <ListFiles list="promissory-notes" filters={{ ...filters, ...(isOpen ? { open: 'true' } : {}) }} />
            <Issue saleId={search.sale_id} />
          </>
        }
      />
      <ChoiceChips
        label={t.statuses}
        value={search.status || (isOpen ? '' : EVERY)}
        chips={chips}
        onChange={(status) =>
          go({ ...search, status: status || undefined, offset: '', ...(status === '' ? { sale_id: '', customer_id: '' } : {}) })
        }
      />
      <Filters search={search} onChange={go} />
      <Loaded query={notes} rows={12}>
        {(page) => (
          <NotesTable
            hasAny={Boolean(sumOf(NOTE_STATUSES))}
            page={page}
            total={(isOpen ? sumOf(OPEN_NOTE_STATUSES) : counts.data?.total) ?? null}
            search={search}
            onChange={go}
          />
        )}
      </Loaded>
    </>
  );
}

/** The shortcut `c` does the same. */
function Issue({ saleId }: { readonly saleId: string | undefined }) {
  const a = useTexts(noteActsTexts);
  const may = useMay('promissory-notes:write');
  const [isOpen, setOpen] = useState(false);
  const [issued, setIssued] = useState<readonly PromissoryNote[]>([]);
  const account = useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => call('GET v1/account', { signal }),
    enabled: may,
  });
  const { begin, layer } = useNoteActs(() => {});
  useShortcut('c', () => may && setOpen(true));
  if (!may) return null;
  return (
    <>
      <Button look="primary" icon={ReceiptText} onClick={() => setOpen(true)}>
        {a.issue}
      </Button>
      {isOpen && (
        <IssueNotes
          saleId={saleId}
          place={account.data?.city ?? ''}
          onIssued={(notes) => {
            setOpen(false);
            setIssued(notes);
            begin({ act: 'print', notes });
          }}
          onClose={() => setOpen(false)}
        />
      )}
      {issued.length > 0 && layer}
    </>
  );
}

interface FiltersProps {
  readonly search: NoteSearch;
  readonly onChange: (search: NoteSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const t = useTexts(notesTexts);
  const change = (part: NoteSearch) => onChange({ ...search, ...part, offset: '' });
  const isFiltered = Object.values(filtersOf(search)).some(Boolean);
  return (
    <FilterBar onClear={isFiltered ? () => onChange(search.limit ? { limit: search.limit } : {}) : undefined}>
      <FilterSelect
        label={t.currency}
        none={t.anyCurrency}
        value={search.currency}
        options={useCurrencies()}
        onChange={(currency) => change({ currency })}
      />
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className="min-w-32 flex-1 sm:w-36 sm:flex-none">
          <Field label={t[name]}>
            <TextInput
              type="date"
              value={search[name] ?? ''}
              {...(name === 'from' && search.to ? { max: search.to } : {})}
              {...(name === 'to' && search.from ? { min: search.from } : {})}
              onChange={(day) => change({ [name]: day })}
            />
          </Field>
        </div>
      ))}
      {search.sale_id && (
        <Button icon={X} onClick={() => change({ sale_id: '' })}>
          {t.ofSale}
        </Button>
      )}
      {search.customer_id && (
        <Button icon={X} onClick={() => change({ customer_id: '' })}>
          {t.ofCustomer}
        </Button>
      )}
    </FilterBar>
  );
}

interface NotesTableProps extends FiltersProps {
  readonly page: Page<ListedNote>;
  readonly total: number | null;
  /** Some note matches, in any state. */
  readonly hasAny: boolean;
}

function NotesTable({ page, total, hasAny, search, onChange }: NotesTableProps) {
  const t = useTexts(notesTexts);
  const selects = useMayPrint();
  const selection = useSelection();
  const { begin, layer } = useNoteActs(selection.clear);
  const open = (senet: string) => onChange({ ...search, senet });
  const columns = useNoteColumns({ search, selection: selects ? selection : null, begin, onOpen: open });
  return (
    <>
      {selects && <SelectPage page={page.items} selection={selection} />}
      <Table
        label={t.title}
        rows={page.items}
        rowKey={({ id }) => id}
        columns={columns}
        isCurrent={({ id }) => id === search.senet}
        onOpen={({ id }) => open(id)}
        empty={<NoNotes hasAny={hasAny} search={search} onChange={onChange} />}
        footer={
          <Pagination
            page={{ ...page, total }}
            onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
            onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
          />
        }
      />
      <SelectionBar selection={selection} begin={begin} />
      {search.senet && <NoteDrawer id={search.senet} begin={begin} onClose={() => onChange({ ...search, senet: undefined })} />}
      {layer}
    </>
  );
}

function NoNotes({ hasAny, search, onChange }: FiltersProps & Pick<NotesTableProps, 'hasAny'>) {
  const t = useTexts(notesTexts);
  const isFiltered = Object.values(filtersOf(search)).some(Boolean);
  return (
    <ListEmpty
      pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
      noMatch={isFiltered && { title: t.noMatch, clear: () => onChange({}) }}
    >
      {hasAny ? <EmptyState title={t.noneOpen} /> : <EmptyState title={t.emptyTitle}>{t.emptyText}</EmptyState>}
    </ListEmpty>
  );
}
