// Dealers' accounts: created with everything that an account needs, and listed. Used by the command line and the panel.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { CURRENCIES, type Currency } from '../../kit/money.ts';
import { sql } from '../../kit/sql.ts';
import {
  type Fields,
  fieldContext,
  nullable,
  oneOfField,
  readFields,
  required,
  textField,
  uuidField,
} from '../records/fields.ts';
import { emailField, phoneField } from '../records/person-fields.ts';
import { type Actor, audit } from '../writes/audit.ts';

export const COUNTRIES = ['KKTC', 'TR'] as const;
export type Country = (typeof COUNTRIES)[number];

const DEFAULTS = {
  KKTC: { timezone: 'Asia/Famagusta', rate_source: 'KKTCMB', currency: 'STG' },
  TR: { timezone: 'Europe/Istanbul', rate_source: 'TCMB', currency: 'TL' },
} as const;

export interface NewAccount {
  readonly id?: string;
  readonly name: string;
  readonly city?: string | null;
  readonly country?: Country;
  readonly currency?: Currency;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly legal_name?: string | null;
}

const ACCOUNT_FIELDS = {
  id: uuidField,
  name: required(textField(120)),
  city: nullable(textField(60)),
  country: oneOfField(COUNTRIES),
  currency: oneOfField(CURRENCIES),
  email: nullable(emailField),
  phone: nullable(phoneField),
  legal_name: nullable(textField(200)),
} as const satisfies Fields;

/** Why an account cannot be created, in one line. */
export class AccountRefusal extends Error {}

/** With the platform role. Creates the account, its production data set (of the same id), the main branch and the audit row together. */
export async function createAccount(
  db: Db,
  newAccount: NewAccount,
  actor: Actor,
  now: Date,
): Promise<{ id: string; name: string }> {
  const present = Object.fromEntries(Object.entries(newAccount).filter(([, value]) => value !== undefined));
  const { values, errors } = readFields(ACCOUNT_FIELDS, present, fieldContext(now, 'UTC'));
  if (errors.length > 0) throw new AccountRefusal(errors.map(({ message }) => message.en).join('; '));
  const {
    id = newId(now.getTime()),
    name,
    city = null,
    country = 'KKTC',
    email = null,
    phone = null,
    legal_name = null,
  } = values;
  const { timezone, rate_source, currency } = DEFAULTS[country];
  const default_currency = values.currency ?? currency;
  // Capabilities are on by the table's own defaults.
  await db.exec(sql`insert into accounts
    (id, name, legal_name, city, country, phone, email, default_currency, timezone, rate_source, created_at, updated_at)
    values (${id}, ${name}, ${legal_name}, ${city}, ${country}, ${phone}, ${email}, ${default_currency}, ${timezone}, ${rate_source},
      ${now}, ${now})`);
  await db.exec(sql`insert into data_sets (id, account_id, kind, created_at) values (${id}, ${id}, 'production', ${now})`);
  await db.exec(sql`insert into branches (account_id, id, name, city, phone, is_main, created_at, updated_at)
    values (${id}, ${newId(now.getTime())}, 'Merkez', ${city}, ${phone}, true, ${now}, ${now})`);
  await audit(db, actor, 'account.created', id, { accountId: id, after: { name, city, country, default_currency, timezone } });
  return { id, name: name! };
}

export interface AccountSummary {
  readonly id: string;
  readonly name: string;
  readonly city: string | null;
  readonly country: Country;
  readonly default_currency: Currency;
  readonly timezone: string;
  readonly status: 'Aktif' | 'Askıda';
  readonly created_at: string;
}

/** With the platform role, oldest first. */
export const listAccounts = (db: Db): Promise<AccountSummary[]> =>
  db.rows<AccountSummary>(sql`select id, name, city, country, default_currency, timezone, status, utc_text(created_at) as created_at
    from accounts order by accounts.created_at, id`);

/** With the platform role; null if there is no such account. */
export async function findAccount(db: Db, id: string): Promise<AccountSummary | null> {
  const [row] = await db.rows<AccountSummary>(sql`select id, name, city, country, default_currency, timezone, status,
    utc_text(created_at) as created_at from accounts where id = ${id}`);
  return row ?? null;
}

/** With the platform role. */
export const listDataSets = (db: Db): Promise<{ id: string }[]> =>
  db.rows<{ id: string }>(sql`select id from data_sets order by id`);

/** Marks a demonstration account: it is reachable from this machine only, and is removed with the demonstration. */
export const markAsDemo = (db: Db, id: string): Promise<number> =>
  db.exec(sql`update accounts set is_demo = true where id = ${id}`);
