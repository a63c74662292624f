// The dealer's own bank accounts, which customers' pages show. Only the owner changes them, with the password given again, because they
// decide to whom customers pay.
import {
  addDealerBankAccount,
  DEALER_BANK_ACCOUNT_FIELDS,
  type DealerBankAccount,
  listDealerBankAccounts,
  removeDealerBankAccount,
} from '../../domain/accounts/bank-accounts.ts';
import { panelDelete, panelGet, panelPost } from '../kit/endpoint.ts';
import { writeInAccount } from '../kit/write.ts';

export const dealerBankAccountEndpoints = [
  panelGet('settings/bank-accounts', {
    who: ['owner'],
    databaseRole: 'tenant',
    run: ({ db }): Promise<DealerBankAccount[]> => listDealerBankAccounts(db),
  }),
  panelPost('settings/bank-accounts', {
    who: ['owner'],
    databaseRole: 'none',
    recent: true,
    bodySchema: DEALER_BANK_ACCOUNT_FIELDS,
    run: (context): Promise<DealerBankAccount> => writeInAccount(context, (work) => addDealerBankAccount(work, context.body)),
  }),
  panelDelete('settings/bank-accounts/{bank_account_id}', {
    who: ['owner'],
    databaseRole: 'none',
    recent: true,
    run: (context): Promise<DealerBankAccount> =>
      writeInAccount(context, (work) => removeDealerBankAccount(work, context.params.bank_account_id)),
  }),
];
