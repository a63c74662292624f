// The platform's bank accounts: administrators enter them, and dealers who top up their wallets see them.
import {
  addBankAccount,
  BANK_ACCOUNT_FIELDS,
  type BankAccount,
  listBankAccounts,
  removeBankAccount,
} from '../../domain/wallet/bank-accounts.ts';
import { audit } from '../../domain/writes/audit.ts';
import { panelDelete, panelGet, panelPost } from '../kit/endpoint.ts';

export const bankAccountEndpoints = [
  panelGet('admin/bank-accounts', {
    who: 'admin',
    databaseRole: 'platform',
    run: ({ db }): Promise<BankAccount[]> => listBankAccounts(db),
  }),
  panelPost('admin/bank-accounts', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: BANK_ACCOUNT_FIELDS,
    run: async ({ db, body, actor, realNow }): Promise<BankAccount> => {
      const added = await addBankAccount(db, body, realNow);
      await audit(db, actor, 'bank_account.added', added.id, { after: { bank: added.bank, iban: added.iban } });
      return added;
    },
  }),
  panelDelete('admin/bank-accounts/{bank_account_id}', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, params, actor }): Promise<BankAccount> => {
      const removed = await removeBankAccount(db, params.bank_account_id);
      await audit(db, actor, 'bank_account.removed', removed.id, { before: { bank: removed.bank, iban: removed.iban } });
      return removed;
    },
  }),
];
