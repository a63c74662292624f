// What only the panel does with promissory notes: several printed on shared sheets, several moved at once, the slip that goes with them.
import { rolesFor } from '../../domain/identity/roles.ts';
import { openNotes } from '../../domain/sale-papers/note-paper.ts';
import { readNoteSlip, SLIP_PURPOSES } from '../../domain/sale-papers/note-slip.ts';
import { listNotes, NOTES_EDIT_FIELDS, NoteFilters, type PromissoryNote } from '../../domain/sales/note.ts';
import { editNotes } from '../../domain/sales/note-writes.ts';
import { dayIn } from '../../kit/clock.ts';
import { oneOfParam, paging, requiredParam, textParam } from '../../kit/params.ts';
import { listed, type PanelFile, panelGet, panelPost } from '../kit/endpoint.ts';
import { idsParam } from '../kit/ids-param.ts';
import { fileOf, refuseLook } from '../kit/paper-file.ts';
import { writeInAccount } from '../kit/write.ts';

/** Names in a PDF cannot be masked, so viewers do not get it. */
const READERS = rolesFor({ scope: 'promissory-notes:read', risk: 'read' }).filter((role) => role !== 'viewer');

export const noteEndpoints = [
  // What is still to be paid, by its day: the register opens with it.
  panelGet('promissory-notes/open', {
    who: rolesFor({ scope: 'promissory-notes:read', risk: 'read' }),
    databaseRole: 'tenant',
    query: { ...NoteFilters, ...paging },
    run: async ({ db, query, account: { timezone } }) => {
      const page = await listNotes(db, { ...query, open: true }, timezone, { ...query, limit: query.limit + 1 });
      return listed(JSON.parse(page.json) as PromissoryNote[], query);
    },
  }),
  panelGet('promissory-notes/print.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: { ids: requiredParam(idsParam) },
    run: async (context): Promise<PanelFile> => {
      refuseLook(context.session);
      const paper = await writeInAccount(context, (work) => openNotes(work, context.query.ids));
      return fileOf(context.account.id, paper, paper.notes.length === 1 ? paper.notes[0]!.note_no : 'senetler');
    },
  }),
  panelGet('promissory-notes/slip.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: { ids: requiredParam(idsParam), handed_to: textParam(200), purpose: oneOfParam(SLIP_PURPOSES) },
    run: async ({ query, services, account, now, session }): Promise<PanelFile> => {
      refuseLook(session);
      const { ids, handed_to, purpose } = query;
      const today = dayIn(now, account.timezone);
      const paper = await services.database.inTenant(account.id, 'read', (db) =>
        readNoteSlip(db, { ids, handed_to, purpose, now, today }),
      );
      return fileOf(account.id, paper, `senet-bordrosu-${today}`);
    },
  }),
  panelPost('promissory-notes/move', {
    who: rolesFor({ scope: 'promissory-notes:write', risk: 'write' }),
    databaseRole: 'none',
    bodySchema: NOTES_EDIT_FIELDS,
    run: async (context): Promise<{ readonly moved: number }> => {
      await writeInAccount(context, (work) => editNotes(work, context.body));
      return { moved: context.body.note_ids.length };
    },
  }),
];
