// Writes on a guarantor. The customer is locked first, so that two concurrent writes cannot make a person their own guarantor,
// and a deleted customer gets no guarantor.
import { Failure, fail } from '../../kit/errors.ts';
import { own, rawSql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import type { FieldError } from '../records/fields.ts';
import { changedColumns, columnsOfValues, insertRecord, updateRecord } from '../records/record.ts';
import { changedSealed, idNoIndexes, otherIdNoIndexes } from '../vault/sealed-fields.ts';
import { lockCustomer, type StoredCustomer } from './customer.ts';
import {
  GUARANTOR_FIELDS,
  type Guarantor,
  type GuarantorValues,
  lockGuarantor,
  newGuarantor,
  readGuarantor,
  refuseConflict,
  refuseDuplicate,
} from './guarantor.ts';

export async function addGuarantor(
  work: Work,
  customerId: string,
  values: CreateBody<typeof GUARANTOR_FIELDS>,
): Promise<Guarantor> {
  const { db } = work;
  refuseCustomer(work, await lockCustomer(db, customerId), values.id_no);
  await refuseOldDuplicate(work, customerId, null, values.id_no);
  const guarantor = newGuarantor(work, customerId, values);
  await insertRecord(db, 'guarantors', guarantor).catch(refuseConflict);
  emitGuarantorEvent(work, 'created', guarantor.id, customerId);
  return readGuarantor(db, guarantor.id);
}

export async function editGuarantor(work: Work, id: string, values: GuarantorValues): Promise<Guarantor> {
  const { db, keys } = work;
  const { customer_id } = await db.one<{ customer_id: string }>(
    sql`select customer_id from ${own('guarantors')} where id = ${id} and deleted_at is null`,
  );
  const customer = await lockCustomer(db, customer_id);
  const stored = await lockGuarantor(db, id);
  const changes = {
    ...changedColumns(stored, columnsOfValues(GUARANTOR_FIELDS, values)),
    ...changedSealed(keys, 'guarantors', stored, GUARANTOR_FIELDS, values),
  };
  if (Object.keys(changes).length > 0) {
    refuseCustomer(work, customer, values.id_no);
    await refuseOldDuplicate(work, customer_id, id, values.id_no);
    await updateRecord(db, 'guarantors', id, { ...changes, updated_at: work.updatedAt() }).catch(refuseConflict);
    emitGuarantorEvent(work, 'updated', id, customer_id);
  }
  return readGuarantor(db, id);
}

export async function deleteGuarantor(work: Work, id: string): Promise<Guarantor> {
  const { db, now } = work;
  const { customer_id } = await lockGuarantor(db, id);
  if (await isInUse(work, id, customer_id)) fail('guarantor_in_use');
  await updateRecord(db, 'guarantors', id, { deleted_at: now, updated_at: work.updatedAt() });
  emitGuarantorEvent(work, 'deleted', id, customer_id);
  return readGuarantor(db, id, 'any');
}

/** Whether the guarantor, who is locked, belongs to an open sale or to a valid promissory note. */
async function isInUse({ db }: Work, id: string, customerId: string): Promise<boolean> {
  const found =
    await db.rows(sql`select from ${own('sales')} where customer_id = ${customerId} and status = 'Aktif' and ${id} = any(guarantor_ids)
    union all select from ${own('promissory_notes')} where customer_id = ${customerId} and live_installment_id is not null
      and ${id} = any(guarantor_ids) limit 1`);
  return found.length > 0;
}

/** Deletes the guarantors of a customer who is being deleted. The customer is locked. */
export async function removeGuarantorsOf(work: Work, customerId: string): Promise<void> {
  const { db, now } = work;
  const removed = await db.rows<{
    id: string;
  }>(sql`update ${rawSql('guarantors')} set deleted_at = ${now}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and customer_id = ${customerId} and deleted_at is null returning id`);
  for (const { id } of removed.sort((one, other) => (one.id < other.id ? -1 : 1)))
    emitGuarantorEvent(work, 'deleted', id, customerId);
}

/** Refuses an identity number for a customer if one of their guarantors has it. The customer is locked. */
export async function refuseOwnGuarantor({ db, keys }: Work, customerId: string, idNo: string): Promise<void> {
  const found = await db.rows(sql`select id from ${own('guarantors')} where customer_id = ${customerId} and deleted_at is null
    and id_no_index = any(${idNoIndexes(keys, 'guarantors', idNo)}::bytea[])`);
  if (found.length > 0) fail('guarantor_is_customer', { details: [SAME_PERSON] });
}

/** The same refusal as an error of an import row; null for any other failure. */
export const ownGuarantorConflict = (error: unknown): FieldError | null =>
  error instanceof Failure && error.code === 'guarantor_is_customer' ? SAME_PERSON : null;

function refuseCustomer({ keys }: Work, customer: StoredCustomer, idNo: string | null | undefined): void {
  if (idNo && idNoIndexes(keys, 'customers', idNo).some((index) => customer.id_no_index?.equals(index)))
    fail('guarantor_is_customer', { details: [SAME_PERSON] });
}

/** Finds a guarantor whose identity number is still indexed with an older key. The customer is locked. */
async function refuseOldDuplicate(
  { db, keys }: Work,
  customerId: string,
  except: string | null,
  idNo: string | null | undefined,
): Promise<void> {
  const others = idNo ? otherIdNoIndexes(keys, 'guarantors', idNo) : [];
  if (others.length === 0) return;
  const found = await db.rows(sql`select id from ${own('guarantors')} where customer_id = ${customerId} and deleted_at is null
    and id is distinct from ${except}::uuid and id_no_index = any(${others}::bytea[])`);
  if (found.length > 0) refuseDuplicate();
}

const SAME_PERSON: FieldError = {
  field: 'id_no',
  code: 'guarantor_is_customer',
  message: { en: 'A customer cannot be their own guarantor', tr: 'Müşteri kendi kefili olamaz' },
};

export const emitGuarantorEvent = (work: Work, verb: 'created' | 'updated' | 'deleted', id: string, customer_id: string): void =>
  work.emit({ kind: `guarantor.${verb}`, id, path: `guarantors/${id}`, object: { id, customer_id } });
