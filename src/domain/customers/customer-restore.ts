// Restores a deleted customer. Only the panel does it: for keys a deleted customer is gone for good.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Paging } from '../../kit/page.ts';
import { own, rawSql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type Columns, updateStamped } from '../records/record.ts';
import { openField } from '../vault/sealed-fields.ts';
import { audit } from '../writes/audit.ts';
import { type CustomerDetail, readCustomer } from './customer-view.ts';
import { emitCustomerEvent, refuseConflict, refuseOldDuplicate } from './customer-writes.ts';
import { emitGuarantorEvent } from './guarantor-writes.ts';

export interface DeletedCustomer {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  /** Null for a person. */
  readonly company_name: string | null;
  readonly phone: string;
  readonly deleted_at: string;
}

/** Last deleted first; one more than the page size if there is a next page. Erased customers cannot be restored. */
export const listDeletedCustomers = (db: Db, page: Paging): Promise<DeletedCustomer[]> =>
  db.rows<DeletedCustomer>(sql`select id, first_name, last_name, case when kind = 'Kurumsal' then company_name end as company_name, phone, utc_text(deleted_at) as deleted_at from (
      select * from ${own('customers')} where deleted_at is not null and erased_at is null
      order by deleted_at desc, id desc limit ${page.limit + 1} offset ${page.offset}) page order by page.deleted_at desc, id desc`);

/**
 * Also restores the guarantors who were deleted together with the customer. There is no event kind for it, so the event is an
 * update.
 */
export async function restoreCustomer(work: Work, id: string): Promise<CustomerDetail> {
  const { db, keys, actor, account } = work;
  const stored = await db.one<Columns & { readonly deleted_at: Date | null }>(
    sql`select id, deleted_at, id_no_encrypted from ${own('customers')} where id = ${id} and erased_at is null for update`,
  );
  if (stored.deleted_at === null) return readCustomer(db, id, work.today);
  await refuseOldDuplicate(work, id, openField(keys, 'customers', stored, 'id_no'));
  await updateStamped(work, 'customers', id, { deleted_at: null }).catch(refuseConflict);
  emitCustomerEvent(work, 'updated', id);
  const back = await db.rows<{
    id: string;
  }>(sql`update ${rawSql('guarantors')} set deleted_at = null, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and customer_id = ${id} and deleted_at = ${stored.deleted_at} returning id`);
  for (const guarantor of back.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    emitGuarantorEvent(work, 'updated', guarantor.id, id);
  await audit(db, actor, 'customer.restored', id, { accountId: account.id });
  return readCustomer(db, id, work.today);
}

const SHOWN_NAME = rawSql(`case when kind = 'Kurumsal' then company_name else first_name || ' ' || last_name end`);

/** Erasing must be confirmed by typing the name exactly as shown: the company's or the person's. */
export async function requireName(db: Db, id: string, typed: string): Promise<void> {
  const { name } = await db.one<{ name: string }>(
    sql`select ${SHOWN_NAME} as name from ${own('customers')} where id = ${id} and erased_at is null`,
  );
  if (typed.trim().normalize('NFC') === name.trim().normalize('NFC')) return;
  const message = { en: "Type the customer's name exactly as shown", tr: 'Müşterinin adını olduğu gibi yazın' };
  fail('validation_failed', { details: [{ field: 'typed_name', code: 'not_the_name', message }] });
}
