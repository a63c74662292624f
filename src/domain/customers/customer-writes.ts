// Writes on a customer: add, edit, delete. The events carry ids only, because a customer is personal data.
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { settingsOf } from '../membership/plan-limits.ts';
import type { CreateBody } from '../records/body.ts';
import type { FieldError } from '../records/fields.ts';
import { updateStamped } from '../records/record.ts';
import { otherIdNoIndexes } from '../vault/sealed-fields.ts';
import {
  type CUSTOMER_FIELDS,
  type CustomerValues,
  customerChanges,
  customerConflict,
  customerFaults,
  DUPLICATE_ID_NO,
  insertCustomer,
  lockCustomer,
  newCustomer,
  type StoredCustomer,
} from './customer.ts';
import { type CustomerDetail, readCustomer } from './customer-view.ts';
import { refuseOwnGuarantor, removeGuarantorsOf } from './guarantor-writes.ts';

export async function addCustomer(work: Work, values: CreateBody<typeof CUSTOMER_FIELDS>): Promise<CustomerDetail> {
  const { db, keys, now } = work;
  await refuseFaults(work, null, values);
  await refuseOldDuplicate(work, null, values.id_no);
  const customer = newCustomer(keys, values, { now });
  await insertCustomer(work, customer).catch(refuseConflict);
  emitCustomerEvent(work, 'created', customer.id);
  return readCustomer(db, customer.id, work.today);
}

export async function editCustomer(work: Work, id: string, values: CustomerValues): Promise<CustomerDetail> {
  const { db, keys } = work;
  const stored = await lockCustomer(db, id);
  await refuseFaults(work, stored, values);
  const changes = customerChanges(keys, stored, values);
  if (Object.keys(changes).length > 0) {
    if (values.id_no) await refuseOwnGuarantor(work, id, values.id_no);
    await refuseOldDuplicate(work, id, values.id_no);
    await updateStamped(work, 'customers', id, changes).catch(refuseConflict);
    emitCustomerEvent(work, 'updated', id);
  }
  return readCustomer(db, id, work.today);
}

/** The country is read only if a rule depends on it. */
async function refuseFaults(work: Work, stored: StoredCustomer | null, values: CustomerValues): Promise<void> {
  const { country } = values.tax_no ? await settingsOf(work) : { country: 'KKTC' as const };
  const details = customerFaults(stored, values, country);
  if (details.length > 0) fail('validation_failed', { details });
}

/** Also deletes the customer's guarantors. The row is locked, so no car can be reserved for the customer at the same time. */
export async function deleteCustomer(work: Work, id: string): Promise<CustomerDetail> {
  const { db, now } = work;
  await lockCustomer(db, id);
  const held = await db.rows(sql`select id from ${own('reservations')} where customer_id = ${id} and status = 'Aktif' limit 1`);
  if (held.length > 0) fail('customer_has_reservation');
  const owing = await db.rows(sql`select id from ${own('sales')} where customer_id = ${id} and status = 'Aktif' limit 1`);
  if (owing.length > 0) fail('customer_has_active_sale');
  const deposits = await db.rows(
    sql`select id from ${own('collections')} where customer_id = ${id} and deposit_status = 'Açık' limit 1`,
  );
  if (deposits.length > 0) fail('deposit_open');
  // Before the customer is stamped, because the stamp locks the data set, which comes after every record in the lock order.
  db.send(sql`select from ${own('guarantors')} where customer_id = ${id} and deleted_at is null order by id for update`);
  await updateStamped(work, 'customers', id, { deleted_at: now });
  emitCustomerEvent(work, 'deleted', id);
  await removeGuarantorsOf(work, id);
  return readCustomer(db, id, work.today, 'any');
}

export const emitCustomerEvent = (work: Work, verb: 'created' | 'updated' | 'deleted', id: string): void =>
  work.emit({ kind: `customer.${verb}`, id, path: `customers/${id}` });

/** Finds a customer whose identity number is still indexed with an older key, which the unique index does not notice. */
export async function refuseOldDuplicate(
  { db, keys }: Work,
  except: string | null,
  idNo: string | null | undefined,
): Promise<void> {
  const others = idNo ? otherIdNoIndexes(keys, 'customers', idNo) : [];
  if (others.length === 0) return;
  const found = await db.rows(sql`select id from ${own('customers')} where deleted_at is null
    and id is distinct from ${except}::uuid and id_no_index = any(${others}::bytea[])`);
  if (found.length > 0) refuse(DUPLICATE_ID_NO);
}

/** Turns a violated constraint into the API's refusal. */
export function refuseConflict(error: unknown): never {
  const conflict = customerConflict(error);
  if (conflict === null) throw error;
  return refuse(conflict);
}

const refuse = (conflict: FieldError): never =>
  fail(conflict.code as 'duplicate_customer', { details: [conflict], words: { field: conflict.field } });
