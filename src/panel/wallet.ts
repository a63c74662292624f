// What only the panel shows of the wallet: top-up requests with their receipts, and what the money was spent on.

import { MAX_SCAN_BYTES, storeScan } from '../domain/documents/scan.ts';
import { attachReceipt, RECEIPTS_OF_TOPUP, receiptFile, type TopupReceipt } from '../domain/documents/uploaded/topup-receipt.ts';
import { signLink } from '../domain/files/file-links.ts';
import { rolesFor } from '../domain/identity/roles.ts';
import { type BankAccount, listBankAccounts } from '../domain/wallet/bank-accounts.ts';
import { readSpending } from '../domain/wallet/spending.ts';
import { TopupRequest } from '../domain/wallet/topup.ts';
import { TOPUP_STATUSES } from '../domain/wallet/wallet-states.ts';
import { audit } from '../domain/writes/audit.ts';
import type { FileLink } from '../kit/endpoint.ts';
import { fail } from '../kit/errors.ts';
import { oneOfParam, paging } from '../kit/params.ts';
import { columnsOf, type Of } from '../kit/schema.ts';
import { own, sql } from '../kit/sql.ts';
import { listed, panelGet, panelPost } from './kit/endpoint.ts';
import { writeInAccount } from './kit/write.ts';

const READERS = rolesFor({ scope: 'wallet:read', risk: 'read' });
/** A receipt shows a bank account: it is for those who move money. */
const PAYERS = rolesFor({ scope: 'wallet:write', risk: 'sensitive' });

/** A line of `GET wallet/topup-requests`. */
export type TopupLine = Of<typeof TopupRequest> & { readonly receipts: readonly TopupReceipt[] };

export const walletEndpoints = [
  panelGet('wallet/topup-requests', {
    who: READERS,
    databaseRole: 'tenant',
    query: { ...paging, status: oneOfParam(TOPUP_STATUSES) },
    run: async ({ db, query }) => {
      const which = query.status === undefined ? sql`true` : sql`status = ${query.status}`;
      const found = await db.rows<TopupLine>(sql`select ${columnsOf(TopupRequest)}, ${RECEIPTS_OF_TOPUP} as receipts
        from ${own('wallet_topups')} where ${which}
        order by wallet_topups.created_at desc, id desc limit ${query.limit + 1} offset ${query.offset}`);
      return listed(found, query);
    },
  }),
  panelGet('wallet/bank-accounts', {
    who: READERS,
    databaseRole: 'platform',
    ofOwner: false,
    // Nothing of a sandbox is paid for.
    run: async ({ db, account }): Promise<BankAccount[]> => (account.world === undefined ? listBankAccounts(db) : []),
  }),
  panelGet('wallet/spending', {
    who: READERS,
    databaseRole: 'tenant',
    run: ({ db, account, now }) => readSpending(db, account.timezone, now),
  }),
  panelPost('wallet/topup-requests/{request_id}/receipts', {
    who: PAYERS,
    databaseRole: 'none',
    upload: { maxBytes: MAX_SCAN_BYTES, stores: storeScan },
    run: (context) => writeInAccount(context, (work) => attachReceipt(work, context.params.request_id, context.files)),
  }),
  panelGet('wallet/topup-requests/{request_id}/receipts/{document_id}', {
    who: PAYERS,
    databaseRole: 'none',
    run: async (context): Promise<FileLink> => {
      const { params, services, account, session, actor, realNow } = context;
      if (session.look) fail('not_permitted');
      return services.database.inTenant(account.id, 'write', async (db) => {
        const file = await receiptFile(db, params.request_id, params.document_id);
        await audit(db, actor, 'document.opened', params.document_id, { accountId: account.id });
        return signLink(services.secrets.files, services.publicUrl(), account.id, file, realNow);
      });
    },
  }),
];
