// Imported customers: matched by external_ref, else by identity number, else by phone and name together.
import type { SealingKeys, Work } from '../../../kit/work.ts';
import {
  CUSTOMER_FIELDS,
  type CustomerValues,
  customerChanges,
  customerConflict,
  customerFaults,
  insertCustomer,
  lockCustomersByRefIdNoOrPhone,
  newCustomer,
  type StoredCustomer,
} from '../../customers/customer.ts';
import { ownGuarantorConflict, refuseOwnGuarantor } from '../../customers/guarantor-writes.ts';
import { instantField, missingFields, readFields, type Values } from '../../records/fields.ts';
import { foldName } from '../../records/person-fields.ts';
import { updateStamped } from '../../records/record.ts';
import { idNoIndexes } from '../../vault/sealed-fields.ts';
import type { Secrets } from '../../vault/secrets.ts';
import { sealingKeys } from '../../vault/vault.ts';
import {
  type Decision,
  type ImportAccount,
  type ImportMoment,
  type ImportTarget,
  onlyMatch,
  present,
  RowRefusal,
} from '../import-target.ts';

const FIELDS = { ...CUSTOMER_FIELDS, created_at: instantField } as const;
type CustomerRow = Values<typeof FIELDS>;

export function customerTarget(account: ImportAccount, secrets: Secrets): ImportTarget<CustomerRow, StoredCustomer> {
  const keys = sealingKeys(secrets, account.id);
  return {
    fields: FIELDS,
    read: (row, context) => readFields(FIELDS, row, context),
    load: (db, rows) =>
      lockCustomersByRefIdNoOrPhone(db, {
        refs: present(rows.map((row) => row.external_ref)),
        idNoIndexes: present(rows.map((row) => row.id_no)).flatMap((idNo) => idNoIndexes(keys, 'customers', idNo)),
        phones: present(rows.map((row) => row.phone)),
      }),
    decide: (known, row, moment) => decide({ keys, country: account.country }, known, row, moment),
    conflict: (error) => customerConflict(error) ?? ownGuarantorConflict(error),
  };
}

export interface CustomerRules {
  readonly keys: SealingKeys;
  readonly country: ImportAccount['country'];
}

function decide(
  rules: CustomerRules,
  known: readonly StoredCustomer[],
  { created_at, ...values }: CustomerRow,
  { now }: ImportMoment,
): Decision<StoredCustomer> {
  const state = created_at === undefined ? {} : { created_at };
  return decideCustomer(rules, matchCustomer(rules.keys, known, values), values, { now, ...state });
}

/** Creates the customer if there is none; otherwise changes what differs. */
export function decideCustomer(
  { keys, country }: CustomerRules,
  stored: StoredCustomer | null,
  values: CustomerValues,
  { now, ...state }: { readonly now: Date; readonly created_at?: Date },
): Decision<StoredCustomer> {
  const faults = customerFaults(stored, values, country);
  const missing = stored === null ? missingFields(CUSTOMER_FIELDS, values) : [];
  if (missing.length + faults.length > 0) throw new RowRefusal([...missing, ...faults]);
  if (stored === null) {
    const customer = newCustomer(keys, values, { now, ...state });
    return {
      outcome: 'created',
      stored: customer,
      write: (work) => emitOnceWritten(work, customer.id, 'created', insertCustomer(work, customer)),
    };
  }
  const changes = customerChanges(keys, stored, values);
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
  return {
    outcome: 'updated',
    stored: { ...stored, ...changes },
    write: async (work) => {
      // Checked only if the number changes, which is rare.
      if (values.id_no && 'id_no_index' in changes) await refuseOwnGuarantor(work, stored.id, values.id_no);
      await emitOnceWritten(work, stored.id, 'updated', updateStamped(work, 'customers', stored.id, changes));
    },
  };
}

/** The event carries the id only, because a customer is personal data. */
async function emitOnceWritten(work: Work, id: string, verb: 'created' | 'updated', written: Promise<void>): Promise<void> {
  await written;
  work.emit({ kind: `customer.${verb}`, id, path: `customers/${id}` });
}

function matchCustomer(keys: SealingKeys, known: readonly StoredCustomer[], row: CustomerRow): StoredCustomer | null {
  const { external_ref, id_no, phone, first_name, last_name } = row;
  const byRef = external_ref
    ? onlyMatch(
        known.filter((one) => one.external_ref === external_ref),
        'external_ref',
      )
    : null;
  if (byRef !== null) return byRef;
  const indexes = id_no ? idNoIndexes(keys, 'customers', id_no) : null;
  const byIdNo =
    indexes &&
    onlyMatch(
      known.filter((one) => indexes.some((index) => one.id_no_index?.equals(index))),
      'id_no',
    );
  if (byIdNo !== null || phone === undefined || first_name === undefined || last_name === undefined) return byIdNo;
  const name = foldName(`${first_name} ${last_name}`);
  // Two people may share phone and name; a different reference or identity number means another person.
  const namesakes = known.filter(
    (one) =>
      one.phone === phone &&
      foldName(`${one.first_name} ${one.last_name}`) === name &&
      (!external_ref || one.external_ref === null) &&
      (!id_no || one.id_no_index === null),
  );
  return onlyMatch(namesakes, 'phone');
}
