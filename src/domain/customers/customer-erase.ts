// Erasure of a customer at their own request: their records stay, because money and cars depend on them, but personal data is removed.
// Done by the owner in the panel or by the platform on the command line, never through the API.
import { own, rawSql, type Sql, STAMP, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { ERASED_WORDS } from '../records/record.ts';
import { audit } from '../writes/audit.ts';
import { deleteCustomer } from './customer-writes.ts';

export interface Erased {
  readonly id: string;
  readonly guarantors: number;
  readonly activities: number;
  readonly tasks: number;
  readonly reservations: number;
}

const NAME = sql`first_name = 'Silinmiş', last_name = 'Kayıt', phone = '+0000000', email = null`;
const SEALED = sql`id_no_encrypted = null, id_no_index = null, address_encrypted = null, monthly_income_encrypted = null`;

/** A customer who is not deleted yet is deleted first, with the same refusals and events. Erasing twice changes nothing. */
export async function eraseCustomer(work: Work, id: string): Promise<Erased> {
  const { db, now, actor, account } = work;
  const { live } = await db.one<{ live: boolean }>(
    sql`select deleted_at is null as live from ${own('customers')} where id = ${id} for update`,
  );
  if (live) await deleteCustomer(work, id);
  const change = (table: string, set: Sql, where: Sql): Promise<number> =>
    db.exec(sql`update ${rawSql(table)} set ${set} where account_id = ${theAccount} and ${where}`);
  const his = sql`customer_id = ${id}`;
  const { reservations, tasks } = await work.consequences.customerErased(work, { id });
  const activities = await change('customer_activity', sql`note = ${ERASED_WORDS}`, his);
  const guarantors = await change(
    'guarantors',
    sql`${NAME}, ${SEALED}, relationship = null, updated_at = ${work.updatedAt()}`,
    his,
  );
  const company = sql`company_name = case when kind = 'Kurumsal' then 'Silinmiş Kayıt' end, tax_office = null, tax_no_encrypted = null`;
  const rest = sql`${company}, birth_date_encrypted = null, note = null, external_ref = null, risk_level = 'medium',
    notice_given_on = null, reminder_opt_out = false`;
  await work.stamp();
  await change(
    'customers',
    sql`${NAME}, ${SEALED}, ${rest}, erased_at = coalesce(erased_at, ${now}), updated_at = ${STAMP}`,
    sql`id = ${id}`,
  );
  await audit(db, actor, 'customer.erased', id, { accountId: account.id });
  return { id, guarantors, activities, tasks, reservations };
}
