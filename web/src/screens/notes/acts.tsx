// What may be done with notes, one or several: printed, moved, listed on a slip.
import { Eye, FileSpreadsheet, Pencil, Printer, SquareArrowRight, X } from 'lucide-react';
import { useState } from 'react';
import { isLive, type NoteStatus } from '../../../../src/domain/installments/note-states.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import { Menu, MenuItem, MenuLine } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { useMay } from '../../permissions.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { noteIcon } from '../../records/sales/note-badge.tsx';
import { type ListedNote, MAX_NOTES, type PromissoryNote } from '../../records/sales/notes.ts';
import { EditNote, MoveNotes, useMoves } from '../sale-acts/notes/note-move.tsx';
import { NoteSlip, PrintNotes } from '../sale-acts/notes/note-print.tsx';
import { noteActsTexts } from '../sale-acts/notes/note-texts.ts';
import { notesTexts } from './texts.ts';

export type NoteAct =
  | { readonly act: 'print' | 'slip'; readonly notes: readonly PromissoryNote[] }
  | { readonly act: 'move'; readonly notes: readonly PromissoryNote[]; readonly to?: NoteStatus }
  | { readonly act: 'edit'; readonly notes: readonly [PromissoryNote] };

export type BeginNoteAct = (act: NoteAct) => void;

/** `begin(act)` opens the dialog of an act; `layer` renders it. */
export function useNoteActs(onMoved: () => void) {
  const [open, setOpen] = useState<NoteAct | null>(null);
  const close = () => setOpen(null);
  const begin: BeginNoteAct = setOpen;
  return { begin, layer: open && <NoteLayer open={open} onMoved={onMoved} onClose={close} /> };
}

function NoteLayer({
  open,
  onMoved,
  onClose,
}: {
  readonly open: NoteAct;
  readonly onMoved: () => void;
  readonly onClose: () => void;
}) {
  switch (open.act) {
    case 'print':
      return <PrintNotes notes={open.notes} onClose={onClose} />;
    case 'slip':
      return <NoteSlip notes={open.notes} onClose={onClose} />;
    case 'edit':
      return <EditNote note={open.notes[0]} onClose={onClose} />;
    default:
      return <MoveNotes notes={open.notes} to={open.to} onDone={onMoved} onClose={onClose} />;
  }
}

interface RowActsProps {
  readonly note: PromissoryNote;
  readonly begin: BeginNoteAct;
  readonly onOpen: () => void;
}

export function NoteRowActs({ note, begin, onOpen }: RowActsProps) {
  const t = useTexts(notesTexts);
  const a = useTexts(noteActsTexts);
  const may = useMay('promissory-notes:write');
  const mayPrint = useMayPrint() && isLive(note.status);
  const found = useMoves([note]);
  const moves = may ? found : [];
  return (
    <Menu trigger={<RowMenuButton label={t.actsOf(note.note_no)} />}>
      <MenuItem icon={Eye} onSelect={onOpen}>
        {t.openNote}
      </MenuItem>
      {mayPrint && (
        <MenuItem icon={Printer} onSelect={() => begin({ act: 'print', notes: [note] })}>
          {a.print}
        </MenuItem>
      )}
      {may && (
        <MenuItem icon={Pencil} onSelect={() => begin({ act: 'edit', notes: [note] })}>
          {a.edit}
        </MenuItem>
      )}
      {moves.length > 0 && <MenuLine />}
      {moves.map((to) => (
        <MenuItem key={to} icon={noteIcon(to)} danger={to === 'İptal'} onSelect={() => begin({ act: 'move', notes: [note], to })}>
          {a.moveTo[to]}
        </MenuItem>
      ))}
    </Menu>
  );
}

export interface Selection {
  readonly notes: ReadonlyMap<string, ListedNote>;
  toggle(notes: readonly ListedNote[], on: boolean): void;
  clear(): void;
}

/** Across pages, as many as are handled at once. */
export function useSelection(): Selection {
  const [notes, setNotes] = useState<ReadonlyMap<string, ListedNote>>(new Map());
  return {
    notes,
    toggle: (some, on) => {
      const next = new Map(notes);
      for (const note of some) {
        if (!on) next.delete(note.id);
        else if (next.size < MAX_NOTES || next.has(note.id)) next.set(note.id, note);
      }
      setNotes(next);
    },
    clear: () => setNotes(new Map()),
  };
}

export function SelectNote({ note, selection }: { readonly note: ListedNote; readonly selection: Selection }) {
  const t = useTexts(notesTexts);
  return (
    <Checkbox
      aria-label={t.select(note.note_no)}
      checked={selection.notes.has(note.id)}
      onChange={(on) => selection.toggle([note], on)}
    />
  );
}

export function SelectPage({ page, selection }: { readonly page: readonly ListedNote[]; readonly selection: Selection }) {
  const t = useTexts(notesTexts);
  const chosen = page.filter(({ id }) => selection.notes.has(id)).length;
  if (page.length === 0) return null;
  return (
    <Checkbox
      label={<span className="text-13 text-text-2">{t.selectPage(page.length)}</span>}
      checked={chosen === 0 ? false : chosen === page.length ? true : 'mixed'}
      onChange={(on) => selection.toggle(page, on)}
      className="mb-1 px-3"
    />
  );
}

export function SelectionBar({ selection, begin }: { readonly selection: Selection; readonly begin: BeginNoteAct }) {
  const t = useTexts(notesTexts);
  const a = useTexts(noteActsTexts);
  const may = useMay('promissory-notes:write');
  const notes = [...selection.notes.values()];
  if (notes.length === 0) return null;
  return (
    <section
      aria-label={t.selection}
      className="card sticky bottom-3 z-20 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 px-3 py-2 shadow-pop"
    >
      <span aria-live="polite" className="text-13 font-medium">
        {t.selected(notes.length)}
        {notes.length === MAX_NOTES && <span className="font-normal text-text-2"> · {t.selectedMax}</span>}
      </span>
      <Button
        look="primary"
        icon={Printer}
        disabled={!notes.some(({ status }) => isLive(status))}
        onClick={() => begin({ act: 'print', notes })}
      >
        {a.print}
      </Button>
      <Button icon={FileSpreadsheet} onClick={() => begin({ act: 'slip', notes })}>
        {a.slip}
      </Button>
      {may && (
        <Button icon={SquareArrowRight} onClick={() => begin({ act: 'move', notes })}>
          {a.move}
        </Button>
      )}
      <Button look="quiet" icon={X} onClick={selection.clear}>
        {t.unselect}
      </Button>
    </section>
  );
}
