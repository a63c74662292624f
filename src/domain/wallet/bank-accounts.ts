// The platform's bank accounts, to which dealers transfer money for their wallets.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import type { CreateBody } from '../records/body.ts';
import { required, textField } from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';

export interface BankAccount {
  readonly id: string;
  readonly bank: string;
  readonly holder: string;
  readonly iban: string;
}

/** More would only confuse those who pay. */
const MAX_ACCOUNTS = 10;

/** Letters are 10 to 35, the first four characters go to the end, and the number leaves 1 when divided by 97 (ISO 13616). */
function normalIban(text: string): string | null {
  const iban = text.replace(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(iban)) return null;
  const digits = [...`${iban.slice(4)}${iban.slice(0, 4)}`].map((one) => Number.parseInt(one, 36)).join('');
  return BigInt(digits) % 97n === 1n ? iban : null;
}

const ibanField = textField(42, {
  tidy: normalIban,
  allowed: {
    en: 'an IBAN with valid check digits, such as TR33 0006 1005 1978 6457 8413 26',
    tr: 'TR33 0006 1005 1978 6457 8413 26 gibi, kontrol basamakları doğru bir IBAN',
  },
});

export const BANK_ACCOUNT_FIELDS = {
  bank: required(textField(80)),
  holder: required(textField(120)),
  iban: required(ibanField),
} as const;

export const listBankAccounts = (db: Db): Promise<BankAccount[]> =>
  db.rows<BankAccount>(
    sql`select id, bank, holder, iban from platform_bank_accounts order by created_at, id limit ${MAX_ACCOUNTS}`,
  );

export async function addBankAccount(
  db: Db,
  { bank, holder, iban }: CreateBody<typeof BANK_ACCOUNT_FIELDS>,
  now: Date,
): Promise<BankAccount> {
  if ((await listBankAccounts(db)).length >= MAX_ACCOUNTS)
    refuse('not_allowed', `there are ${MAX_ACCOUNTS} bank accounts already`, `zaten ${MAX_ACCOUNTS} banka hesabı var`);
  const id = newId(now.getTime());
  await db
    .exec(
      sql`insert into platform_bank_accounts (id, bank, holder, iban, created_at) values (${id}, ${bank}, ${holder}, ${iban}, ${now})`,
    )
    .catch((error: unknown) => {
      if (violatedConstraint(error) !== 'platform_bank_accounts_iban_key') throw error;
      refuse('duplicate', 'this IBAN is listed already', 'bu IBAN listede var');
    });
  return { id, bank, holder, iban };
}

function refuse(code: string, en: string, tr: string): never {
  return fail('validation_failed', { details: [{ field: 'iban', code, message: { en, tr } }] });
}

export const removeBankAccount = (db: Db, id: string): Promise<BankAccount> =>
  db.one<BankAccount>(sql`delete from platform_bank_accounts where id = ${id} returning id, bank, holder, iban`);
