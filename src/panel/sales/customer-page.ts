// A customer's own page for the dealer's staff: its link, the code that they read out if none is mailed, and how it was opened.
import { findStaffPageCode, PAGE_CODES } from '../../domain/customer-page/page-codes.ts';
import { type PageState, readPageState } from '../../domain/customer-page/page-state.ts';
import { createPageLink, type NewPageLink, revokePageLink } from '../../domain/customer-page/page-writes.ts';
import { OFFERED_CHANNELS } from '../../domain/documents/documents-states.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { oneOfField, required } from '../../domain/records/fields.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { auditQuietly } from '../../domain/writes/audit-quietly.ts';
import { canMailFor } from '../kit/can-mail.ts';
import { panelGet, panelPost } from '../kit/endpoint.ts';
import { writeInAccount } from '../kit/write.ts';

/** As for signing links. */
const WRITERS = rolesFor({ scope: 'documents:write', risk: 'write' });

/** The code that the customer has requested and that staff read out. */
export interface PageCode {
  readonly code: string;
  readonly expires_at: string;
}

export const customerPageEndpoints = [
  panelGet('customers/{customer_id}/page', {
    who: WRITERS,
    databaseRole: 'tenant',
    run: ({ db, params, now, realNow }): Promise<PageState> => readPageState(db, params.customer_id, { now, realNow }),
  }),
  panelPost('customers/{customer_id}/page', {
    who: WRITERS,
    databaseRole: 'none',
    bodySchema: { channel: required(oneOfField(OFFERED_CHANNELS)) },
    run: (context): Promise<NewPageLink> =>
      writeInAccount(context, async (work) => {
        const canMail = await canMailFor(work.db, context.services);
        return createPageLink(work, context.params.customer_id, context.body.channel, canMail);
      }),
  }),
  panelPost('customers/{customer_id}/page/revoke', {
    who: WRITERS,
    databaseRole: 'none',
    run: (context): Promise<PageState> =>
      writeInAccount(context, async (work) => {
        const { customer_id } = context.params;
        await revokePageLink(work, customer_id);
        return readPageState(work.db, customer_id, work);
      }),
  }),
  panelPost('customers/{customer_id}/page/code', {
    who: WRITERS,
    databaseRole: 'none',
    // A code opens the customer's data, so the person who sees it is recorded first.
    run: async ({ params, services, account, actor, realNow }): Promise<readonly PageCode[]> => {
      const { customer_id: id } = params;
      const { database, secrets } = services;
      const found = await database.inTenant(account.id, 'read', (db) =>
        findStaffPageCode(db, sealingKeys(secrets, account.id), id, realNow),
      );
      if (found === null) return [];
      if (found.seen_by.every(({ person_id }) => person_id !== actor.personId))
        await auditQuietly(database, account.id, actor, 'customer_page.code_shown', async (db) => {
          await PAGE_CODES.logSeen(db, [found.id], actor, realNow);
          return id;
        });
      return [{ code: found.code, expires_at: found.expires_at }];
    },
  }),
];
