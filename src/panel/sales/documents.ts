// What only the panel shows of documents: those that wait for a signature, and the one-time codes that the dealer's staff read out
// if they were not mailed.
import { type Document, listDocuments, WAITS_FOR_SIGNATURE } from '../../domain/documents/document.ts';
import { findStaffCodes, logSeen, type SigningCode } from '../../domain/documents/signing/signing-codes.ts';
import { signLink } from '../../domain/files/file-links.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { isMasked } from '../../domain/privacy/mask.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { auditQuietly } from '../../domain/writes/audit-quietly.ts';
import { fail } from '../../kit/errors.ts';
import { paging } from '../../kit/params.ts';
import { PanelList, panelGet } from '../kit/endpoint.ts';

export const documentEndpoints = [
  panelGet('documents/waiting', {
    who: rolesFor({ scope: 'documents:read', risk: 'read' }),
    databaseRole: 'tenant',
    query: paging,
    run: async ({ db, query, account, session, services, realNow }) => {
      const linkTo = (fileId: string) => signLink(services.secrets.files, services.publicUrl(), account.id, fileId, realNow);
      const masked = isMasked(session, { who: 'member', ofColleagues: false });
      const page = { ...query, walk: undefined };
      const found = await listDocuments(db, {}, page, { linkTo, masked }, [WAITS_FOR_SIGNATURE]);
      return new PanelList<Document>(JSON.parse(found.json), query, found.hasMore, null);
    },
  }),
  panelGet('sale-documents/{document_id}/codes', {
    who: rolesFor({ scope: 'documents:write', risk: 'write' }),
    databaseRole: 'none',
    // A code lets its reader sign: administrators do not see it, and any other person who sees it is first recorded as the witness
    // of the signature.
    run: async ({ params, services, account, actor, session, realNow }): Promise<readonly SigningCode[]> => {
      if (session.look) fail('not_permitted');
      const { document_id: id } = params;
      const { database, secrets } = services;
      const codes = await database.inTenant(account.id, 'read', (db) =>
        findStaffCodes(db, sealingKeys(secrets, account.id), id, realNow),
      );
      const unseen = codes.filter(({ seen_by }) => seen_by.every(({ person_id }) => person_id !== actor.personId));
      if (unseen.length > 0)
        await auditQuietly(database, account.id, actor, 'sale_document.code_shown', async (db) => {
          const ids = unseen.map((code) => code.id);
          await logSeen(db, ids, actor, realNow);
          return id;
        });
      return codes.map(({ shown }) => shown);
    },
  }),
];
