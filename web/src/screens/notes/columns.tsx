import { Link } from '@tanstack/react-router';
import { isLive } from '../../../../src/domain/installments/note-states.ts';
import { useTexts } from '../../language.ts';
import type { Column } from '../../parts/table/table.tsx';
import { Day, Money, None, Plate } from '../../parts/values.tsx';
import { isAbove } from '../../records/amounts.ts';
import { NoteBadge } from '../../records/sales/note-badge.tsx';
import type { ListedNote } from '../../records/sales/notes.ts';
import { useToday } from '../../records/sales/sales.ts';
import { type BeginNoteAct, NoteRowActs, type Selection, SelectNote } from './acts.tsx';
import type { NoteSearch } from './search.ts';
import { notesTexts } from './texts.ts';

interface ColumnsOf {
  readonly search: NoteSearch;
  /** Null for a person who may do nothing with a selection. */
  readonly selection: Selection | null;
  readonly begin: BeginNoteAct;
  readonly onOpen: (id: string) => void;
}

export function useNoteColumns({ search, selection, begin, onOpen }: ColumnsOf): readonly Column<ListedNote>[] {
  const t = useTexts(notesTexts);
  const today = useToday();
  const select: Column<ListedNote> = {
    id: 'select',
    head: t.selection,
    headHidden: true,
    width: 'w-10',
    onCard: 'hide',
    cell: (note) => selection && <SelectNote note={note} selection={selection} />,
  };
  return [
    ...(selection === null ? [] : [select]),
    {
      id: 'number',
      head: t.number,
      onCard: 'title',
      cell: (note) => <NumberCell note={note} search={search} selection={selection} />,
    },
    {
      id: 'maker',
      head: t.maker,
      cell: (note) => <MakerCell note={note} />,
    },
    {
      id: 'due',
      head: t.due,
      cell: ({ due_date, status }) => (
        <span>
          <Day day={due_date} />
          {due_date < today && isLive(status) && status !== 'Tahsil Edildi' && (
            <span className="block text-12 font-medium text-danger">{t.overdue}</span>
          )}
        </span>
      ),
    },
    {
      id: 'amount',
      head: t.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'collected',
      head: t.collected,
      align: 'end',
      cell: ({ collected_amount, currency }) =>
        isAbove(collected_amount) ? <Money amount={collected_amount} currency={currency} /> : <None />,
    },
    {
      id: 'where',
      head: t.where,
      cell: (note) => <PlaceCell note={note} />,
    },
    {
      id: 'acts',
      head: t.acts,
      headHidden: true,
      width: 'w-12',
      align: 'end',
      onCard: 'corner',
      cell: (note) => <NoteRowActs note={note} begin={begin} onOpen={() => onOpen(note.id)} />,
    },
  ];
}

interface NoteProps {
  readonly note: ListedNote;
}

function NumberCell({ note, search, selection }: NoteProps & Pick<ColumnsOf, 'search' | 'selection'>) {
  const t = useTexts(notesTexts);
  return (
    <span className="flex items-start gap-1">
      {selection && (
        <span className="sm:hidden">
          <SelectNote note={note} selection={selection} />
        </span>
      )}
      <span>
        <Link
          to="/senetler"
          search={{ ...search, senet: note.id }}
          className="tabular font-medium whitespace-nowrap text-text no-underline hover:underline"
        >
          {note.note_no}
        </Link>
        <span className="block text-12 text-text-2">{note.printed_at === null ? t.notPrinted : t.printed}</span>
      </span>
    </span>
  );
}

/** The customer, the sale and the car. */
function MakerCell({ note: { named, sale_id, customer_id } }: NoteProps) {
  return named ? (
    <span>
      <Link to="/musteriler/$customerId" params={{ customerId: customer_id }} className="link inline-block min-h-6">
        {named.customer}
      </Link>
      <span className="flex flex-wrap items-center gap-x-2 text-12 text-text-2">
        <Link to="/satislar/$saleId" params={{ saleId: sale_id }} className="link tabular inline-flex min-h-6 items-center">
          {named.sale_no}
        </Link>
        <Plate plate={named.plate} />
      </span>
    </span>
  ) : (
    <None />
  );
}

/** Where the note is, and who holds it. */
function PlaceCell({ note: { status, bank_name, transferred_to, lawyer } }: NoteProps) {
  const holder =
    status === 'Bankada' || status === 'Teminatta'
      ? bank_name
      : status === 'Devredildi'
        ? transferred_to
        : status === 'Avukatta'
          ? lawyer
          : null;
  return (
    <span>
      <NoteBadge status={status} />
      {holder && <span className="block text-12 wrap-anywhere text-text-2">{holder}</span>}
    </span>
  );
}
