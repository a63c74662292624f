// Promissory notes (senet) issued for a sale, one per installment. The amounts on the paper never change; a wrong note is
// cancelled.
import { createBody, patchBody } from '../domain/records/body.ts';
import { NoteDocument, prepareNoteDocument, readNoteDocument } from '../domain/sale-papers/note-paper.ts';
import { listNotes, NOTE_EDIT_FIELDS, NOTE_FIELDS, NoteFilters, PromissoryNote, readNote } from '../domain/sales/note.ts';
import { editNote, issueNotes } from '../domain/sales/note-writes.ts';
import { WITH_SALE } from '../domain/sales/sale-view.ts';
import { get, patch, post, resource } from '../kit/endpoint.ts';
import { arrayOf } from '../kit/schema.ts';

export const promissoryNotes = resource('Promissory notes', 'Senetler', [
  get('promissory-notes', 'promissory-notes:read', 'read', 'Yakında', ['List promissory notes', 'Senetleri listele'], {
    about: [
      'Returns the register of promissory notes by due date: where each note is, and the amount received for it.',
      'Senet defteri, vade sırasıyla: her senedin nerede olduğu ve karşılığında ne tahsil edildiği.',
    ],
    query: NoteFilters,
    includes: WITH_SALE,
    lists: PromissoryNote,
    synced: true,
    sorts: true,
    run: ({ db, query, account, page }) => listNotes(db, query, account.timezone, page),
  }),
  post('promissory-notes', 'promissory-notes:write', 'write', 'Yakında', ['Write notes for a sale', 'Satış için senet düzenle'], {
    about: [
      'Creates a promissory note for each chosen installment, or for every open installment without one, payable to the dealer’s registered name, for the open amount. Returns an array.',
      'Seçilen taksitlerin ya da senedi olmayan her açık taksitin kalan tutarı için, galerinin ticaret unvanına senet düzenler. Yanıt bir dizidir.',
    ],
    refuses: [
      'unknown_reference',
      'unknown_guarantor',
      'legal_name_missing',
      'sale_cancelled',
      'note_exists',
      'installment_paid',
      'nothing_to_issue',
    ],
    emits: ['promissory_note.created'],
    bodySchema: createBody(NOTE_FIELDS),
    returns: arrayOf(PromissoryNote),
    successStatus: 201,
    run: ({ work, body }) => issueNotes(work, body),
  }),
  get('promissory-notes/{note_id}', 'promissory-notes:read', 'read', 'Yakında', ['Read a promissory note', 'Senedi getir'], {
    about: [
      'Returns a promissory note: its amounts, where it is, and the amount received for it.',
      'Bir senet: üzerindekiler, nerede olduğu ve karşılığında gelen.',
    ],
    returns: PromissoryNote,
    run: ({ db, params }) => readNote(db, params.note_id),
  }),
  patch(
    'promissory-notes/{note_id}',
    'promissory-notes:write',
    'write',
    'Yakında',
    ["Change a note's status", 'Senedin durumunu değiştir'],
    {
      about: [
        'Moves a promissory note: to a bank, an assignee or a lawyer and back, to protest after its due date, returned to the customer after payment, or cancelled with a reason. `printed: true` records that the original was printed. «Tahsil Edildi» is derived from collections.',
        'Senedi taşır: bankaya, devralana ya da avukata ve geri; vadesinden sonra protestoya; tahsil edilince iadeye; nedeniyle iptale. `printed: true` aslının basıldığını bildirir. «Tahsil Edildi» tahsilatlardan gelir.',
      ],
      refuses: ['invalid_transition', 'note_not_due', 'status_not_settable'],
      refusesAs: { status_not_settable: 409 },
      emits: [
        'promissory_note.status_changed',
        'promissory_note.protested',
        'promissory_note.returned',
        'promissory_note.cancelled',
        'promissory_note.updated',
      ],
      bodySchema: patchBody(NOTE_EDIT_FIELDS),
      returns: PromissoryNote,
      run: ({ work, params, body }) => editNote(work, params.note_id, body),
    },
  ),
  get(
    'promissory-notes/{note_id}/document',
    'promissory-notes:read',
    'read',
    'Yakında',
    ['Read the printable note', 'Senedin çıktısını getir'],
    {
      about: [
        'Returns a link to the promissory note as a PDF, valid for 15 minutes. After the original was printed (`printed_at`), every further PDF is marked as a copy, because two originals are two debts.',
        'Senedin basılacak PDF’i, 15 dakikalık bağlantıyla. Aslı basıldıktan sonra (`printed_at`) her çıktı örnek olarak işaretlenir: iki asıl, iki borçtur.',
      ],
      refuses: ['note_cancelled'],
      returns: NoteDocument,
      fresh: true,
      prepares: prepareNoteDocument,
      run: ({ db, params, linkTo, masked }) => readNoteDocument(db, params.note_id, { linkTo, masked }),
    },
  ),
]);
