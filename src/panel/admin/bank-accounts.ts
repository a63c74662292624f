// The platform's bank accounts: an administrator enters one, a second confirms it, and dealers who top up their wallets see it.
import {
  addBankAccount,
  BANK_ACCOUNT_FIELDS,
  type BankAccount,
  type BankAccountLine,
  confirmBankAccount,
  listAllBankAccounts,
  removeBankAccount,
} from '../../domain/wallet/bank-accounts.ts';
import { audit } from '../../domain/writes/audit.ts';
import { panelDelete, panelGet, panelPost } from '../kit/endpoint.ts';

export const bankAccountEndpoints = [
  panelGet('admin/bank-accounts', {
    who: 'admin',
    databaseRole: 'platform',
    run: ({ db, session }): Promise<BankAccountLine[]> => listAllBankAccounts(db, session.person.id),
  }),
  panelPost('admin/bank-accounts', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: BANK_ACCOUNT_FIELDS,
    run: async ({
      db,
      body,
      session,
      services,
      actor,
      realNow,
    }): Promise<BankAccount & Pick<BankAccountLine, 'is_confirmed'>> => {
      const added = await addBankAccount(db, body, { personId: session.person.id, fourEyes: services.fourEyes, realNow });
      const { bank, iban, is_confirmed } = added;
      await audit(db, actor, 'bank_account.added', added.id, { after: { bank, iban, is_confirmed } });
      return added;
    },
  }),
  panelPost('admin/bank-accounts/{bank_account_id}/confirm', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, params, session, actor }): Promise<BankAccount> => {
      const confirmed = await confirmBankAccount(db, params.bank_account_id, session.person.id);
      await audit(db, actor, 'bank_account.confirmed', confirmed.id, { after: { bank: confirmed.bank, iban: confirmed.iban } });
      return confirmed;
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
