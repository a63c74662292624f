// All papers of a sale in one act, and what they still lack.
import { OFFERED_CHANNELS } from '../../domain/documents/documents-states.ts';
import {
  openPapers,
  type PreparedPapers,
  preparePapers,
  type SentPapers,
  sendPapers,
} from '../../domain/documents/generated/prepared-papers.ts';
import { type PaperGap, readPaperGaps } from '../../domain/documents/paper-gaps.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { drawPaper } from '../../domain/papers/drawing/paper-drawing.ts';
import { oneOfField, required } from '../../domain/records/fields.ts';
import { canMailFor } from '../kit/can-mail.ts';
import { type PanelFile, panelGet, panelPost } from '../kit/endpoint.ts';
import { refuseLook, sentOnce } from '../kit/paper-file.ts';
import { writeInAccount } from '../kit/write.ts';

const WRITERS = rolesFor({ scope: 'documents:write', risk: 'write' });

export const salePaperEndpoints = [
  panelGet('sales/{sale_id}/paper-gaps', {
    who: rolesFor({ scope: 'documents:read', risk: 'read' }),
    databaseRole: 'tenant',
    run: ({ db, params }): Promise<PaperGap[]> => readPaperGaps(db, params.sale_id),
  }),
  panelPost('sales/{sale_id}/papers', {
    who: WRITERS,
    databaseRole: 'none',
    run: (context): Promise<PreparedPapers> =>
      writeInAccount(context, (work) => preparePapers(work, context.params.sale_id, context.locale)),
  }),
  panelPost('sales/{sale_id}/papers/send', {
    who: WRITERS,
    databaseRole: 'none',
    bodySchema: { channel: required(oneOfField(OFFERED_CHANNELS)) },
    run: (context): Promise<SentPapers> =>
      writeInAccount(context, async (work) => {
        const canMail = await canMailFor(work.db, context.services);
        const { params, body, locale } = context;
        return sendPapers(work, params.sale_id, body.channel, { canMail, locale });
      }),
  }),
  panelGet('sales/{sale_id}/papers.pdf', {
    who: WRITERS,
    databaseRole: 'none',
    run: async (context): Promise<PanelFile> => {
      refuseLook(context.session);
      const { sale_id } = context.params;
      const papers = await writeInAccount(context, (work) => openPapers(work, sale_id));
      return sentOnce(await drawPaper(papers, context.account.id), 'evrak');
    },
  }),
];
