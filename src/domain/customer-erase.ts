// Erasure of a person at his own request: the records stay, because money and cars hang on them; who he was does not. Done by the
// owner in the panel or by the platform on the command line, never through the API.
import { own, type Sql, sql, theAccount, trusted } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';
import { audit } from './audit.ts';
import { deleteCustomer } from './customer-acts.ts';
import { readTask } from './task.ts';

export interface Erased {
  readonly id: string;
  readonly guarantors: number;
  readonly activities: number;
  readonly tasks: number;
  readonly reservations: number;
}

const NAME = sql`first_name = 'Silinmiş', last_name = 'Kayıt', phone = '+0000000', email = null`;
const SEALED = sql`id_no_encrypted = null, id_no_index = null, address_encrypted = null, monthly_income_encrypted = null`;
const WORDS = 'Silindi';

/** One who is not deleted yet is deleted first, with what that refuses and tells. Again finds nothing left and does no harm. */
export async function eraseCustomer(work: Work, id: string): Promise<Erased> {
  const { db, now, actor, account } = work;
  const { live } = await db.one<{ live: boolean }>(
    sql`select deleted_at is null as live from ${own('customers')} where id = ${id} for update`,
  );
  if (live) await deleteCustomer(work, id);
  const change = (table: string, set: Sql, where: Sql): Promise<number> =>
    db.exec(sql`update ${trusted(table)} set ${set} where account_id = ${theAccount} and ${where}`);
  const his = sql`customer_id = ${id}`;
  await eraseRowErrors(work, id);
  // The words of a hold stand in the history of its vehicle too, those that a later word has replaced among them.
  await change('vehicle_history', sql`note = ${WORDS}`, sql`${his} and note is not null`);
  const reservations = await change('reservations', sql`note = null`, sql`${his} and note is not null`);
  const activities = await change('customer_activity', sql`note = ${WORDS}`, his);
  const tasks = await eraseTasks(work, id);
  const guarantors = await change('guarantors', sql`${NAME}, ${SEALED}, relationship = null, updated_at = ${now}`, his);
  const rest = sql`birth_date_encrypted = null, note = null, external_ref = null, risk_level = 'medium'`;
  await change(
    'customers',
    sql`${NAME}, ${SEALED}, ${rest}, erased_at = coalesce(erased_at, ${now}), updated_at = ${now}`,
    sql`id = ${id}`,
  );
  await audit(db, actor, 'customer.erased', id, { accountId: account.id });
  return { id, guarantors, activities, tasks, reservations };
}

/** A row that failed in an import is named by its key, which may be his phone, however it was written, or the number he has elsewhere. */
async function eraseRowErrors({ db }: Work, customerId: string): Promise<void> {
  await db.exec(sql`delete from import_row_errors where account_id = ${theAccount} and key is not null and exists (
    select from ${own('customers')} where id = ${customerId} and (key = external_ref
      or right(regexp_replace(key, '\\D', '', 'g'), 10) = right(regexp_replace(phone, '\\D', '', 'g'), 10)))`);
}

/** What was still to be done about him is called off. Told as it is now; what stood there before is told nobody. */
async function eraseTasks(work: Work, customerId: string): Promise<number> {
  const { db, now } = work;
  const changed = await db.rows<{
    id: string;
    deleted_at: Date | null;
  }>(sql`update tasks set title = ${WORDS}, description = null,
      status = case when status in ('Yapılacak', 'Devam Ediyor') then 'İptal' else status end, updated_at = ${now}
    where account_id = ${theAccount} and customer_id = ${customerId} and (title <> ${WORDS} or description is not null)
    returning id, deleted_at`);
  for (const { id } of changed
    .filter(({ deleted_at }) => deleted_at === null)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    work.emit({ kind: 'task.updated', id, path: `tasks/${id}`, object: await readTask(db, id, now) });
  return changed.length;
}
