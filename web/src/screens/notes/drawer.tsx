import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Printer } from 'lucide-react';
import { isLive } from '../../../../src/domain/installments/note-states.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { DateTime, Day, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { CustomerName } from '../../records/customers/customer-name.tsx';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { NoteBadge, noteIcon } from '../../records/sales/note-badge.tsx';
import { noteQuery, type PromissoryNote } from '../../records/sales/notes.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { saleQuery } from '../../records/sales/sales.ts';
import { useMoves } from '../sale-acts/notes/note-move.tsx';
import { noteActsTexts } from '../sale-acts/notes/note-texts.ts';
import type { BeginNoteAct } from './acts.tsx';
import { notesTexts } from './texts.ts';

interface NoteDrawerProps {
  readonly id: string;
  readonly begin: BeginNoteAct;
  readonly onClose: () => void;
}

export function NoteDrawer({ id, begin, onClose }: NoteDrawerProps) {
  const t = useTexts(notesTexts);
  const note = useQuery(noteQuery(id));
  return (
    <Drawer open onClose={onClose} title={note.data?.note_no ?? t.number}>
      {note.isPending ? (
        <Skeleton className="h-80 w-full" />
      ) : note.isError ? (
        <ErrorState error={note.error} onRetry={note.refetch} />
      ) : (
        <NoteView note={note.data} begin={begin} />
      )}
    </Drawer>
  );
}

function NoteView({ note, begin }: { readonly note: PromissoryNote; readonly begin: BeginNoteAct }) {
  const t = useTexts(notesTexts);
  const a = useTexts(noteActsTexts);
  const may = useMay('promissory-notes:write');
  const mayPrint = useMayPrint() && isLive(note.status);
  const moves = useMoves([note]);
  return (
    <div className="flex flex-col gap-4 pb-2">
      <p className="m-0 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-20 font-semibold">
          <Money amount={note.amount} currency={note.currency} />
        </span>
        <NoteBadge status={note.status} />
      </p>
      <Facts title={t.number} facts={useFacts(note)} />
      <div className="flex flex-wrap gap-2">
        {mayPrint && (
          <Button look="primary" icon={Printer} onClick={() => begin({ act: 'print', notes: [note] })}>
            {a.print}
          </Button>
        )}
        {may && (
          <Button icon={Pencil} onClick={() => begin({ act: 'edit', notes: [note] })}>
            {a.edit}
          </Button>
        )}
        {may &&
          moves.map((to) => (
            <Button key={to} icon={noteIcon(to)} onClick={() => begin({ act: 'move', notes: [note], to })}>
              {a.moveTo[to]}
            </Button>
          ))}
      </div>
    </div>
  );
}

function useFacts(note: PromissoryNote): readonly Fact[] {
  const t = useTexts(notesTexts);
  const locale = useLocale();
  const sale = useQuery(saleQuery(note.sale_id));
  const known = (name: 'bank_name' | 'transferred_to' | 'lawyer'): Fact[] =>
    note[name] === null ? [] : [{ name: t[name], value: note[name] }];
  const days = (['protest_date', 'returned_on'] as const).flatMap((name) =>
    note[name] === null ? [] : [{ name: t[name], value: <Day day={note[name]} /> }],
  );
  return [
    { name: t.words, value: note.amount_in_words },
    { name: t.due, value: <Day day={note.due_date} /> },
    { name: t.maker, value: <CustomerName id={note.customer_id} /> },
    ...(note.guarantor_ids.length === 0 ? [] : [{ name: t.guarantors, value: t.guarantorCount(note.guarantor_ids.length) }]),
    {
      name: t.sale,
      value: (
        <Link to="/satislar/$saleId" params={{ saleId: note.sale_id }} className="link tabular">
          {sale.data?.sale_no ?? '…'}
        </Link>
      ),
    },
    { name: t.payee, value: note.payee_name },
    {
      name: t.issued,
      value: (
        <>
          <Day day={note.issue_date} />, {note.issue_place}
        </>
      ),
    },
    { name: t.payment_place, value: note.payment_place },
    { name: t.collected, value: <Money amount={note.collected_amount} currency={note.currency} /> },
    ...(note.previous_status === null ? [] : [{ name: t.before, value: saleWord(locale, note.previous_status) }]),
    ...known('bank_name'),
    ...known('transferred_to'),
    ...known('lawyer'),
    ...days,
    { name: t.printedAt, value: note.printed_at === null ? t.notPrinted : <DateTime at={note.printed_at} /> },
    { name: t.note, value: note.note === null ? null : <span className="whitespace-pre-wrap">{note.note}</span> },
  ];
}
