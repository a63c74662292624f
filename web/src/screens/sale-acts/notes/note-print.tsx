// Notes are printed once as originals: preview, paper, and then the word that it came out well.
import { CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { isLive } from '../../../../../src/domain/installments/note-states.ts';
import { call } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { useWrite } from '../../../parts/form/form-write.ts';
import { ErrorSummary } from '../../../parts/input/error-summary.tsx';
import { Field, Select, TextInput } from '../../../parts/input/field.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { useMay } from '../../../permissions.ts';
import { PaperLink } from '../../../records/documents/papers.tsx';
import { type PromissoryNote, printAddress, slipAddress } from '../../../records/sales/notes.ts';
import { saleWord } from '../../../records/sales/sale-texts.ts';
import { useSalesChanged } from '../../../records/sales/sales.ts';
import { noteActsTexts } from './note-texts.ts';

const PER_SHEET = 3;

interface NotesProps {
  readonly notes: readonly PromissoryNote[];
  readonly onClose: () => void;
}

export function PrintNotes({ notes, onClose }: NotesProps) {
  const t = useTexts(noteActsTexts);
  const changed = useSalesChanged();
  const may = useMay('promissory-notes:write');
  const [isOpened, setOpened] = useState(false);
  const printable = notes.filter(({ status }) => isLive(status));
  const originals = printable.filter(({ printed_at }) => printed_at === null);
  const write = useWrite({
    send: (_: undefined, headers) =>
      call('POST promissory-notes/move', { body: { note_ids: originals.map(({ id }) => id), printed: true }, headers }),
    onDone: ({ moved }) => {
      notify({ title: t.markedPrinted(moved) });
      onClose();
      return changed();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.printTitle}
      description={t.sheets(printable.length, Math.ceil(printable.length / PER_SHEET))}
      footer={
        <>
          <PaperLink
            title={t.printTitle}
            href={printAddress(printable)}
            look={isOpened ? 'secondary' : 'primary'}
            onOpen={() => setOpened(true)}
          >
            {t.open}
          </PaperLink>
          {may && originals.length > 0 && (
            <Button
              look={isOpened ? 'primary' : 'secondary'}
              icon={CheckCheck}
              disabled={!isOpened}
              busy={write.isPending}
              onClick={() => write.run(undefined)}
            >
              {t.printedWell}
            </Button>
          )}
        </>
      }
    >
      <ErrorSummary error={write.error} names={{}} />
      <ul className="mt-0 mb-3 list-disc pl-5">
        {originals.length > 0 && <li>{t.originals(originals.length)}</li>}
        {printable.length > originals.length && <li>{t.copies(printable.length - originals.length)}</li>}
      </ul>
      {originals.length > 0 && <p className="m-0 text-13 text-text-2">{t.printHint}</p>}
    </Dialog>
  );
}

const PURPOSES = { Bankada: 'Tahsile', Teminatta: 'Teminata', Avukatta: 'Avukata', Devredildi: 'Devir' } as const;

/** What is known of where these notes are, if they are all there. */
function placeOf(notes: readonly PromissoryNote[]): { readonly handed_to: string; readonly purpose: string } {
  const [first] = notes;
  const purpose = first && first.status in PURPOSES ? PURPOSES[first.status as keyof typeof PURPOSES] : '';
  const toOf = (note: PromissoryNote) => note.bank_name ?? note.lawyer ?? note.transferred_to ?? '';
  const isOne = notes.every((note) => note.status === first?.status && toOf(note) === toOf(first));
  return isOne && first && purpose !== '' ? { handed_to: toOf(first), purpose } : { handed_to: '', purpose: '' };
}

export function NoteSlip({ notes, onClose }: NotesProps) {
  const t = useTexts(noteActsTexts);
  const locale = useLocale();
  const [{ handed_to, purpose }, set] = useState(() => placeOf(notes));
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.slipTitle}
      description={t.slipText}
      footer={
        <PaperLink
          isApart
          title={t.slipTitle}
          href={slipAddress(notes, { handed_to: handed_to.trim(), purpose })}
          look="primary"
          onOpen={onClose}
        >
          {t.openSlip}
        </PaperLink>
      }
    >
      <div className="flex flex-col gap-4 py-1">
        <Field label={t.handed_to} hint={t.handedHint} optional>
          <TextInput value={handed_to} maxLength={200} autoFocus onChange={(typed) => set({ handed_to: typed, purpose })} />
        </Field>
        <Field label={t.purpose}>
          <Select
            value={purpose}
            options={[
              { value: '', label: t.noPurpose },
              ...Object.values(PURPOSES).map((value) => ({ value: value as string, label: saleWord(locale, value) })),
            ]}
            onChange={(value) => set({ handed_to, purpose: value })}
          />
        </Field>
      </div>
    </Dialog>
  );
}
