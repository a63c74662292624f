// What only the panel shows of documents: the one-time codes that a person of the dealer reads out, where none was mailed.
import { readSigningCodes, type SigningCode } from '../domain/documents/signing.ts';
import { rolesFor } from '../domain/identity/roles.ts';
import { sealingKeys } from '../domain/vault/vault.ts';
import { auditQuietly } from '../domain/writes/audit-quietly.ts';
import { fail } from '../kit/errors.ts';
import { panelGet } from './endpoint.ts';

export const documentRows = [
  panelGet('sale-documents/{document_id}/codes', {
    who: rolesFor({ scope: 'documents:write', risk: 'write' }),
    door: 'none',
    // A code stands for a person's will: it is not for an administrator who only looks in, and who saw it is in the audit log.
    run: async ({ params, services, account, actor, session, realNow }): Promise<readonly SigningCode[]> => {
      if (session.look) fail('not_permitted');
      const { document_id: id } = params;
      const { database, secrets, canMail } = services;
      const codes = await database.inTenant(account.id, 'read', (db) =>
        readSigningCodes(db, sealingKeys(secrets, account.id), id, { realNow, canMail }),
      );
      if (codes.length > 0) await auditQuietly(database, account.id, actor, 'sale_document.code_shown', async () => id);
      return codes;
    },
  }),
];
