// Personal data that no key can read. The panel shows it to the roles that panel/reveals.ts names; each access is audited.
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { audit } from '../writes/audit.ts';
import { openPersonal, PERSONAL_FIELDS, type StoredCustomer } from './customer.ts';

export type CustomerSecrets = Readonly<Record<(typeof PERSONAL_FIELDS)[number], string | null>>;

export async function revealCustomer({ db, keys, actor, account }: Work, id: string): Promise<CustomerSecrets> {
  const stored = await db.one<StoredCustomer>(sql`select * from ${own('customers')} where id = ${id} and deleted_at is null`);
  await audit(db, actor, 'customer.revealed', id, { accountId: account.id });
  return Object.fromEntries(
    PERSONAL_FIELDS.map((name) => [name, openPersonal(keys, stored, name)]),
  ) as unknown as CustomerSecrets;
}
