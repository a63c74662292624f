// The platform's bank accounts, to which dealers transfer money for their wallets.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { canBeSecond, mayBeOnePerson, twoAdministratorsDecide } from '../keys/second-administrator.ts';
import type { CreateBody } from '../records/body.ts';
import { required, textField } from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';

export interface BankAccount {
  readonly id: string;
  readonly bank: string;
  readonly holder: string;
  readonly iban: string;
}

/** As administrators see it. */
export interface BankAccountLine extends BankAccount {
  /** Dealers see it. */
  readonly is_confirmed: boolean;
  readonly added_by_name: string | null;
  /** Whether the current administrator can be the second. */
  readonly may_confirm: boolean;
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

export const ibanField = textField(42, {
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

/** For dealers. */
export const listBankAccounts = (db: Db): Promise<BankAccount[]> =>
  db.rows<BankAccount>(
    sql`select id, bank, holder, iban from platform_bank_accounts where is_confirmed order by created_at, id limit ${MAX_ACCOUNTS}`,
  );

/** For administrators, with those that wait for a second one. */
export const listAllBankAccounts = (db: Db, personId: string): Promise<BankAccountLine[]> =>
  db.rows<BankAccountLine>(sql`select b.id, bank, holder, iban, is_confirmed, p.full_name as added_by_name,
      not is_confirmed and added_by is not null and not ${mayBeOnePerson(sql`added_by`, sql`${personId}::uuid`)} as may_confirm
    from platform_bank_accounts b left join people p on p.id = added_by order by b.created_at, b.id`);

export interface AddingAdministrator {
  readonly personId: string;
  /** The deployment's setting. */
  readonly fourEyes: boolean;
  readonly realNow: Date;
}

/** Once there are two administrators, dealers see the account after a second one has confirmed it (migration 0104). */
export async function addBankAccount(
  db: Db,
  { bank, holder, iban }: CreateBody<typeof BANK_ACCOUNT_FIELDS>,
  { personId, fourEyes, realNow }: AddingAdministrator,
): Promise<BankAccount & Pick<BankAccountLine, 'is_confirmed'>> {
  if ((await listAllBankAccounts(db, personId)).length >= MAX_ACCOUNTS)
    refuse('not_allowed', `there are ${MAX_ACCOUNTS} bank accounts already`, `zaten ${MAX_ACCOUNTS} banka hesabı var`);
  const alone = !(await twoAdministratorsDecide(db, fourEyes));
  const id = newId(realNow.getTime());
  await db
    .exec(
      sql`insert into platform_bank_accounts (id, bank, holder, iban, is_confirmed, added_by, alone, created_at)
        values (${id}, ${bank}, ${holder}, ${iban}, ${alone}, ${personId}, ${alone}, ${realNow})`,
    )
    .catch((error: unknown) => {
      if (violatedConstraint(error) !== 'platform_bank_accounts_iban_key') throw error;
      refuse('duplicate', 'this IBAN is listed already', 'bu IBAN listede var');
    });
  return { id, bank, holder, iban, is_confirmed: alone };
}

/** The second administrator. Locked, so that an account that is removed at the same time is not confirmed. */
export async function confirmBankAccount(db: Db, id: string, personId: string): Promise<BankAccount> {
  const found = await db.one<BankAccount & { is_confirmed: boolean; added_by: string | null }>(
    sql`select id, bank, holder, iban, is_confirmed, added_by from platform_bank_accounts where id = ${id} for update`,
  );
  const { is_confirmed, added_by, ...account } = found;
  if (is_confirmed) fail('decided_meanwhile');
  if (added_by === null || !(await canBeSecond(db, added_by, personId))) fail('second_person_required');
  await db.exec(sql`update platform_bank_accounts set is_confirmed = true, confirmed_by = ${personId} where id = ${id}`);
  return account;
}

function refuse(code: string, en: string, tr: string): never {
  return fail('validation_failed', { details: [{ field: 'iban', code, message: { en, tr } }] });
}

export const removeBankAccount = (db: Db, id: string): Promise<BankAccount> =>
  db.one<BankAccount>(sql`delete from platform_bank_accounts where id = ${id} returning id, bank, holder, iban`);
