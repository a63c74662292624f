// Imported customers: matched by external_ref, else by identity number, else by phone and name together.
import type { Db } from '../kit/db.ts';
import {
  CUSTOMER_FIELDS,
  customerChanges,
  customerConflict,
  findCustomersByIdNo,
  findCustomersByPhoneAndName,
  findCustomersByRef,
  insertCustomer,
  type PersonalDataKeys,
  personalDataKeys,
  type StoredCustomer,
  updateCustomer,
} from './customer.ts';
import { instantField, missingFields, readFields, type Values } from './fields.ts';
import { type ImportAccount, type ImportTarget, type Outcome, onlyMatch, RowRefusal } from './import-target.ts';
import type { Secrets } from './secrets.ts';

const FIELDS = { ...CUSTOMER_FIELDS, created_at: instantField } as const;
type GivenCustomer = Values<typeof FIELDS>;

export function customerTarget(account: ImportAccount, secrets: Secrets): ImportTarget {
  const keys = personalDataKeys(secrets, account.id);
  return {
    fields: FIELDS,
    prepare: (given, context) => {
      const { values, errors } = readFields(FIELDS, given, context);
      return errors.length > 0 ? { errors } : { apply: (db, now) => applyCustomer(db, keys, values, now) };
    },
    conflict: customerConflict,
  };
}

async function applyCustomer(
  db: Db,
  keys: PersonalDataKeys,
  { created_at, ...values }: GivenCustomer,
  now: Date,
): Promise<Outcome> {
  const stored = await matchCustomer(db, keys, values);
  if (stored === null) {
    const errors = missingFields(FIELDS, values);
    if (errors.length > 0) throw new RowRefusal(errors);
    await insertCustomer(db, keys, values, now, created_at);
    return 'created';
  }
  const changes = customerChanges(keys, stored, values, created_at === undefined ? {} : { created_at });
  if (Object.keys(changes).length === 0) return 'unchanged';
  await updateCustomer(db, stored.id, changes, now);
  return 'updated';
}

async function matchCustomer(db: Db, keys: PersonalDataKeys, given: GivenCustomer): Promise<StoredCustomer | null> {
  const { external_ref, id_no, phone, first_name, last_name } = given;
  const byRef = external_ref ? onlyMatch(await findCustomersByRef(db, external_ref), 'external_ref') : null;
  if (byRef !== null) return byRef;
  const byIdNo = id_no ? onlyMatch(await findCustomersByIdNo(db, keys, id_no), 'id_no') : null;
  if (byIdNo !== null || phone === undefined || first_name === undefined || last_name === undefined) return byIdNo;
  // Father and son may share both: whoever has another reference or identity number is another person.
  const found = await findCustomersByPhoneAndName(db, {
    phone,
    name: `${first_name} ${last_name}`,
    withoutRef: Boolean(external_ref),
    withoutIdNo: Boolean(id_no),
  });
  return onlyMatch(found, 'phone');
}
