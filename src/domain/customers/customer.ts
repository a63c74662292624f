// A customer's fields, the rules for them, and the row in the database with encrypted personal data.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import type { SealingKeys, Work } from '../../kit/work.ts';
import {
  dayField,
  encrypted,
  type FieldError,
  flagField,
  moneyField,
  nullable,
  oneOfField,
  required,
  textField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import { emailField, idNoField, phoneField, taxNoField, turkishTaxNoFault } from '../records/person-fields.ts';
import {
  type Columns,
  changedColumns,
  columnOf,
  columnsOfValues,
  insertRecord,
  lockRecords,
  lockRecordsByAny,
  violatedConstraint,
} from '../records/record.ts';
import { changedSealed, openField, sealFields } from '../vault/sealed-fields.ts';
import { CUSTOMER_KINDS, RISK_LEVELS } from './customer-states.ts';

export const CUSTOMER_FIELDS = {
  first_name: required(textField(80)),
  last_name: required(textField(80)),
  phone: required(phoneField),
  email: nullable(emailField),
  risk_level: withDefault(oneOfField(RISK_LEVELS), '`medium`'),
  kind: withDefault(oneOfField(CUSTOMER_KINDS), '`Bireysel`'),
  company_name: nullable(textField(200)),
  tax_office: nullable(textField(80)),
  notice_given_on: nullable(dayField({ past: true })),
  reminder_opt_out: withDefault(flagField, '`false`'),
  note: nullable(textField(2000, { lines: true })),
  external_ref: nullable(textField(120)),
  id_no: encrypted(nullable(idNoField)),
  tax_no: encrypted(nullable(taxNoField)),
  address: encrypted(nullable(textField(500, { lines: true }))),
  monthly_income: encrypted(nullable(moneyField())),
  birth_date: encrypted(nullable(dayField({ past: true }))),
} as const;
export type CustomerValues = Values<typeof CUSTOMER_FIELDS>;

/** Write-only fields; encrypted in the database. */
export const PERSONAL_FIELDS = ['id_no', 'tax_no', 'address', 'monthly_income', 'birth_date'] as const;
type PersonalField = (typeof PERSONAL_FIELDS)[number];

/** A customer's row, by column. */
export interface StoredCustomer extends Columns {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
  readonly kind: (typeof CUSTOMER_KINDS)[number];
  readonly company_name: string | null;
  readonly external_ref: string | null;
  readonly id_no_index: Buffer | null;
}

const COLUMNS = [
  ...Object.keys(CUSTOMER_FIELDS).map((name) => columnOf(CUSTOMER_FIELDS, name)),
  ...['id', 'id_no_index', 'created_at', 'updated_at'],
];

/** Locks all customers who have one of the references, identity numbers or phones. */
export async function lockCustomersByRefIdNoOrPhone(
  db: Db,
  criteria: { readonly refs: readonly string[]; readonly idNoIndexes: readonly Buffer[]; readonly phones: readonly string[] },
): Promise<StoredCustomer[]> {
  return lockRecordsByAny<StoredCustomer>(db, 'customers', COLUMNS, [
    sql`external_ref = any(${criteria.refs}::text[])`,
    sql`id_no_index = any(${criteria.idNoIndexes}::bytea[])`,
    sql`phone = any(${criteria.phones}::text[])`,
  ]);
}

/** Locks the customer with this id; throws not_found if there is none or it is deleted. */
export async function lockCustomer(db: Db, id: string): Promise<StoredCustomer> {
  const [found] = await lockRecords<StoredCustomer>(db, 'customers', COLUMNS, sql`id = ${id}`);
  return found ?? fail('not_found');
}

const EMPTY: Columns = Object.fromEntries(COLUMNS.map((column) => [column, null]));

/** The whole row of a new customer, with defaults for fields that are not given. */
export function newCustomer(
  keys: SealingKeys,
  values: CustomerValues,
  { now, created_at = now, id = newId(now.getTime()) }: { readonly now: Date; readonly created_at?: Date; readonly id?: string },
): StoredCustomer {
  const columns = {
    ...EMPTY,
    id,
    risk_level: 'medium',
    kind: 'Bireysel',
    reminder_opt_out: false,
    created_at,
    updated_at: now,
    ...columnsOfValues(CUSTOMER_FIELDS, values),
    ...sealedColumns(keys, id, values),
  };
  return columns as Columns as StoredCustomer;
}

export const insertCustomer = async (work: Work, customer: StoredCustomer): Promise<void> =>
  insertRecord(work.db, 'customers', { ...customer, updated_at: await work.proposeStamp() });

/** The columns that the given fields would change. */
export function customerChanges(keys: SealingKeys, stored: StoredCustomer, values: CustomerValues): Columns {
  return {
    ...changedColumns(stored, columnsOfValues(CUSTOMER_FIELDS, values)),
    ...changedSealed(keys, 'customers', stored, CUSTOMER_FIELDS, values),
  };
}

/** Errors of the customer as the write would leave it, beyond single fields. */
export function customerFaults(stored: StoredCustomer | null, body: CustomerValues, country: 'KKTC' | 'TR'): FieldError[] {
  const faults: FieldError[] = [];
  const { kind = 'Bireysel', company_name = null } = { ...(stored ?? {}), ...body };
  if (kind === 'Kurumsal' && company_name === null) faults.push(NO_COMPANY_NAME);
  const fault = country === 'TR' && body.tax_no ? turkishTaxNoFault(body.tax_no) : null;
  if (fault !== null)
    faults.push({
      field: 'tax_no',
      code: 'invalid',
      message: { en: `tax_no must be ${fault.en}`, tr: `tax_no, ${fault.tr} olmalı` },
    });
  return faults;
}

const NO_COMPANY_NAME: FieldError = {
  field: 'company_name',
  code: 'required',
  message: { en: 'company_name is required of a company (Kurumsal)', tr: 'company_name kurumsal müşteride zorunludur' },
};

export const openPersonal = (keys: SealingKeys, stored: StoredCustomer, name: PersonalField): string | null =>
  openField(keys, 'customers', stored, name);

export const sealedColumns = (keys: SealingKeys, id: string, values: CustomerValues): Columns =>
  sealFields(keys, 'customers', id, CUSTOMER_FIELDS, values);

export const DUPLICATE_ID_NO: FieldError = {
  field: 'id_no',
  code: 'duplicate_customer',
  message: { en: 'Another customer already has this identity number', tr: 'Bu kimlik numarasıyla başka bir müşteri var' },
};

const CONFLICTS: Readonly<Record<string, FieldError>> = {
  customers_id_no: DUPLICATE_ID_NO,
  customers_external_ref: {
    field: 'external_ref',
    code: 'external_ref_in_use',
    message: { en: 'Another customer has this external_ref', tr: 'Başka bir müşteri bu external_ref değerini taşıyor' },
  },
};

/** The field at fault if the database refused a customer because of the caller's values; null otherwise. */
export const customerConflict = (error: unknown): FieldError | null => CONFLICTS[violatedConstraint(error) ?? ''] ?? null;
