// The dealer's own bank accounts, to which customers transfer money. Customers' pages show them.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import { currencyField, required, textField } from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';
import { ibanField } from '../wallet/bank-accounts.ts';
import { audit } from '../writes/audit.ts';

export interface DealerBankAccount {
  readonly id: string;
  readonly bank: string;
  readonly holder: string;
  readonly iban: string;
  readonly currency: Currency;
}

export const DEALER_BANK_ACCOUNT_FIELDS = {
  bank: required(textField(80)),
  holder: required(textField(120)),
  iban: required(ibanField),
  currency: required(currencyField),
} as const;

/** More would only confuse those who pay. */
const MAX_ACCOUNTS = 10;

export const listDealerBankAccounts = (db: Db): Promise<DealerBankAccount[]> =>
  db.rows<DealerBankAccount>(sql`select id, bank, holder, iban, currency from ${own('bank_accounts')} order by created_at, id`);

export async function addDealerBankAccount(
  { db, now, actor, account, holdDataSet }: Work,
  { bank, holder, iban, currency }: CreateBody<typeof DEALER_BANK_ACCOUNT_FIELDS>,
): Promise<DealerBankAccount> {
  // Two that are added at the same time would both find room.
  holdDataSet();
  if ((await listDealerBankAccounts(db)).length >= MAX_ACCOUNTS)
    refuse('not_allowed', `there are ${MAX_ACCOUNTS} bank accounts already`, `zaten ${MAX_ACCOUNTS} banka hesabı var`);
  const id = newId(now.getTime());
  await db
    .exec(
      sql`insert into bank_accounts (account_id, id, bank, holder, iban, currency, created_at)
        values (${theAccount}, ${id}, ${bank}, ${holder}, ${iban}, ${currency}, ${now})`,
    )
    .catch((error: unknown) => {
      if (violatedConstraint(error) !== 'bank_accounts_iban') throw error;
      refuse('duplicate', 'this IBAN is listed already', 'bu IBAN listede var');
    });
  await audit(db, actor, 'own_bank_account.added', id, { accountId: account.id, after: { bank, iban, currency } });
  return { id, bank, holder, iban, currency };
}

export async function removeDealerBankAccount({ db, actor, account }: Work, id: string): Promise<DealerBankAccount> {
  const found = await db.one<DealerBankAccount>(
    sql`delete from bank_accounts where account_id = ${theAccount} and id = ${id} returning id, bank, holder, iban, currency`,
  );
  const { bank, iban, currency } = found;
  await audit(db, actor, 'own_bank_account.removed', id, { accountId: account.id, before: { bank, iban, currency } });
  return found;
}

function refuse(code: string, en: string, tr: string): never {
  return fail('validation_failed', { details: [{ field: 'iban', code, message: { en, tr } }] });
}
