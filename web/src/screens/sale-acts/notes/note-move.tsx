// Notes move from hand to hand: to a bank, an assignee, a lawyer and back, to protest, to the customer who has paid.

import { useState } from 'react';
import { factOf, movesFrom, NOTE_STATUSES, type NoteStatus } from '../../../../../src/domain/installments/note-states.ts';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { FormLayer } from '../../../parts/form/form.tsx';
import { picked, withoutEmpty } from '../../../parts/form/form-body.ts';
import { type FieldsOf, LinesField, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { Field, Select } from '../../../parts/input/field.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { openPaper } from '../../../records/documents/paper-store.ts';
import { type PromissoryNote, slipAddress } from '../../../records/sales/notes.ts';
import { saleWord } from '../../../records/sales/sale-texts.ts';
import { useSalesChanged, useToday } from '../../../records/sales/sales.ts';
import { noteActsTexts } from './note-texts.ts';

/** Where all of them may go together; to protest only once they are due. */
export function useMoves(notes: readonly PromissoryNote[]): readonly NoteStatus[] {
  const today = useToday();
  return NOTE_STATUSES.filter((to) =>
    notes.every(({ status, due_date }) => movesFrom(status).includes(to) && (to !== 'Protestolu' || due_date < today)),
  );
}

interface MoveProps {
  readonly notes: readonly PromissoryNote[];
  /** Chosen in the form where it is not given. */
  readonly to?: NoteStatus | undefined;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

const emptyMove = (today: string) => ({
  bank_name: '',
  transferred_to: '',
  lawyer: '',
  protest_date: today,
  returned_on: today,
  note: '',
});
type MoveForm = ReturnType<typeof emptyMove>;

export function MoveNotes({ notes, to: fixedStatus, onDone, onClose }: MoveProps) {
  const t = useTexts(noteActsTexts);
  const locale = useLocale();
  const today = useToday();
  const moves = useMoves(notes);
  const [to, setTo] = useState<NoteStatus | undefined>(fixedStatus ?? moves[0]);
  const fact = to === undefined ? null : factOf(to);
  const form = useForm(emptyMove(today));
  const write = useMove(notes, () => {
    onDone?.();
    onClose();
  });
  const names = {
    bank_name: t.bank_name,
    transferred_to: t.transferred_to,
    lawyer: t.lawyer,
    protest_date: t.protest_date,
    returned_on: t.returned_on,
    note: t.cancelReason,
  };
  const of: FieldsOf<MoveForm> = { form, error: write.error, names };
  const isCancel = to === 'İptal';
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() =>
        to !== undefined &&
        write.run({
          note_ids: notes.map(({ id }) => id),
          status: to,
          ...(fact === null ? {} : picked(form.values, [fact])),
          note: isCancel ? form.values.note : undefined,
        })
      }
      onClose={onClose}
      title={fixedStatus === undefined ? t.moveTitle(notes.length) : t.moveTo[fixedStatus]!}
      description={<Named notes={notes} />}
      action={to === undefined ? t.move : t.moveTo[to]!}
      danger={isCancel}
    >
      {fixedStatus === undefined &&
        (moves.length === 0 ? (
          <p className="m-0">{t.noMove}</p>
        ) : (
          <Field label={t.to}>
            <Select
              value={to ?? ''}
              options={moves.map((value) => ({ value: value as string, label: saleWord(locale, value) }))}
              onChange={(value) => setTo(value as NoteStatus)}
            />
          </Field>
        ))}
      <FactField of={of} fact={fact} notes={notes} />
      {isCancel && (
        <>
          <p className="m-0 text-13">{t.cancelText}</p>
          <LinesField of={of} name="note" rows={2} maxLength={2000} />
        </>
      )}
    </FormLayer>
  );
}

interface FactFieldProps extends Pick<MoveProps, 'notes'> {
  readonly of: FieldsOf<MoveForm>;
  readonly fact: ReturnType<typeof factOf>;
}

/** The fact that a move must state: a bank, a person or a day. */
function FactField({ of, fact, notes }: FactFieldProps) {
  const today = useToday();
  const dueDates = notes.map(({ due_date }) => due_date).sort();
  return (
    <>
      {(fact === 'bank_name' || fact === 'transferred_to' || fact === 'lawyer') && (
        <TextField of={of} name={fact} maxLength={fact === 'bank_name' ? 120 : 200} autoFocus />
      )}
      {fact === 'protest_date' && (
        <TextField of={of} name={fact} type="date" min={dayAfter(dueDates.at(-1) ?? today)} max={today} />
      )}
      {fact === 'returned_on' && <TextField of={of} name={fact} type="date" max={today} />}
    </>
  );
}

function Named({ notes }: Pick<MoveProps, 'notes'>) {
  return <span className="tabular">{notes.map(({ note_no }) => note_no).join(', ')}</span>;
}

/** Who takes papers away signs a slip: it is offered as soon as they are handed over. */
function useMove(notes: readonly PromissoryNote[], onDone: () => void) {
  const t = useTexts(noteActsTexts);
  const locale = useLocale();
  const changed = useSalesChanged();
  const SLIPS: Readonly<Record<string, string>> = {
    Bankada: 'Tahsile',
    Teminatta: 'Teminata',
    Avukatta: 'Avukata',
    Devredildi: 'Devir',
  };
  return useWrite({
    send: (typed: RawBody<'POST promissory-notes/move'>, headers) =>
      call('POST promissory-notes/move', { rawBody: withoutEmpty(typed), headers }),
    onDone: ({ moved }, { status, bank_name, lawyer, transferred_to }) => {
      const purpose = SLIPS[String(status)];
      const handed_to = String(bank_name ?? lawyer ?? transferred_to ?? '');
      notify({
        title: t.moved(moved, saleWord(locale, String(status))),
        ...(purpose === undefined
          ? {}
          : {
              undo: {
                label: t.openSlip,
                run: () => openPaper({ title: t.slipTitle, forms: [{ href: slipAddress(notes, { handed_to, purpose }) }] }),
              },
            }),
      });
      onDone();
      return changed();
    },
  });
}

/** What is written beside the note; where it is paid only while it is in hand. */
export function EditNote({ note, onClose }: { readonly note: PromissoryNote; readonly onClose: () => void }) {
  const t = useTexts(noteActsTexts);
  const changed = useSalesChanged();
  const form = useForm({ note: note.note ?? '', payment_place: note.payment_place });
  const isInHand = note.status === 'Portföyde';
  const write = useWrite({
    send: (typed: RawBody<'PATCH v1/promissory-notes/{note_id}'>, headers) =>
      call('PATCH v1/promissory-notes/{note_id}', { params: { note_id: note.id }, rawBody: typed, headers }),
    onDone: () => {
      notify({ title: t.saved });
      onClose();
      return changed();
    },
  });
  const names = { note: t.note, payment_place: t.payment_place };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const { values } = form;
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() =>
        write.run({
          note: values.note.trim() === '' ? null : values.note,
          ...(isInHand ? { payment_place: values.payment_place } : {}),
        })
      }
      onClose={onClose}
      title={t.edit}
      description={<Named notes={[note]} />}
    >
      {isInHand && <TextField of={of} name="payment_place" maxLength={120} />}
      <LinesField of={of} name="note" rows={3} maxLength={2000} optional />
    </FormLayer>
  );
}
