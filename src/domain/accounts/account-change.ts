// The platform's changes to an account: its registered name, contact, status and capabilities.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import {
  type Fields,
  fieldContext,
  flagField,
  nullable,
  oneOfField,
  readFields,
  textField,
  type Values,
} from '../records/fields.ts';
import { phoneField } from '../records/person-fields.ts';
import { type Columns, changedColumns, columnList, replacedBy, updateRow } from '../records/record.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { AccountRefusal, type Country } from './accounts.ts';
import type { Capability } from './accounts-states.ts';
import { setSuspended } from './suspension.ts';

export const ACCOUNT_STATUSES = ['Aktif', 'Askıda'] as const;

const CHANGE_FIELDS = {
  legal_name: nullable(textField(200)),
  phone: nullable(phoneField),
  city: nullable(textField(60)),
  status: oneOfField(ACCOUNT_STATUSES),
  dealer_network: flagField,
  marketplace: flagField,
  live_auctions: flagField,
  import: flagField,
} as const satisfies Fields;

export interface AccountView {
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  readonly city: string | null;
  readonly country: Country;
  readonly phone: string | null;
  readonly email: string | null;
  readonly default_currency: string;
  readonly timezone: string;
  readonly status: (typeof ACCOUNT_STATUSES)[number];
  readonly capabilities: Readonly<Record<Capability, boolean>>;
  readonly created_at: string;
}

/** With the platform role; null if there is no such account. An AccountRefusal gives the reason in one line. */
export async function changeAccount(
  db: Db,
  id: string,
  input: Readonly<Record<string, unknown>>,
  actor: Actor,
  now: Date,
): Promise<AccountView | null> {
  const { values, errors } = readFields(CHANGE_FIELDS, input, fieldContext(now, 'UTC'));
  if (errors.length > 0) throw new AccountRefusal(errors.map(({ message }) => message.en).join('; '));
  const { status, ...fields }: Values<typeof CHANGE_FIELDS> = values;
  const names = columnList(Object.keys(CHANGE_FIELDS));
  const [stored] = await db.rows<Columns>(sql`select ${names} from accounts where id = ${id} for no key update`);
  if (stored === undefined) return null;
  const changed = changedColumns(stored, fields);
  if (Object.keys(changed).length > 0) {
    await updateRow(db, 'accounts', id, { ...changed, updated_at: now });
    await audit(db, actor, 'account.changed', id, { accountId: id, before: replacedBy(stored, changed), after: changed });
  }
  if (status !== undefined) await setSuspended(db, id, status === 'Askıda', null, actor, now);
  return readAccount(db, id);
}

async function readAccount(db: Db, id: string): Promise<AccountView> {
  const {
    dealer_network,
    marketplace,
    live_auctions,
    import: imports,
    created_at,
    ...account
  } = await db.one<
    Omit<AccountView, 'capabilities'> & Record<Capability, boolean>
  >(sql`select id, name, legal_name, city, country, phone, email, default_currency, timezone, status, dealer_network, marketplace,
    live_auctions, import, utc_text(created_at) as created_at from accounts where id = ${id}`);
  return { ...account, capabilities: { dealer_network, marketplace, live_auctions, import: imports }, created_at };
}
