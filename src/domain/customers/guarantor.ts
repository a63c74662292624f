// A guarantor (kefil): fields, the database row with encrypted personal data, and the API representation.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Page, Paging } from '../../kit/page.ts';
import { deletedOrNot, listPage } from '../../kit/page.ts';
import { columnsOf, integer, nullable as maybe, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import {
  encrypted,
  type FieldError,
  type Fields,
  moneyField,
  nullable,
  oneOfField,
  required,
  textField,
  type Values,
} from '../records/fields.ts';
import { emailField, idNoField, phoneField } from '../records/person-fields.ts';
import { type Columns, columnOf, columnsOfValues, lockRecords, violatedConstraint } from '../records/record.ts';
import { sealFields } from '../vault/sealed-fields.ts';
import { requireCustomer } from './customer-view.ts';

export const RELATIONSHIPS = ['Eş', 'Anne/Baba', 'Kardeş', 'Akraba', 'Arkadaş', 'İş Arkadaşı', 'Diğer'] as const;

export const GUARANTOR_FIELDS = {
  first_name: required(textField(80)),
  last_name: required(textField(80)),
  phone: required(phoneField),
  email: nullable(emailField),
  relationship: nullable(oneOfField(RELATIONSHIPS)),
  id_no: encrypted(nullable(idNoField)),
  address: encrypted(nullable(textField(500, { lines: true }))),
  monthly_income: encrypted(nullable(moneyField())),
} as const satisfies Fields;
export type GuarantorValues = Values<typeof GUARANTOR_FIELDS>;

const shape = {
  id: uuid(),
  customer_id: uuid(),
  first_name: text('Mehmet'),
  last_name: text('Yılmaz'),
  phone: text('+905421234567'),
  email: maybe(text('mehmet@example.com')),
  relationship: maybe(oneOf(RELATIONSHIPS)),
};
const times = { created_at: timestamp(), updated_at: timestamp() };
export const Guarantor = object({ ...shape, active_sale_count: integer(), ...times });
export type Guarantor = Of<typeof Guarantor>;

const SELECT_LIST = sql`${columnsOf(object(shape))}, (select count(*)::int from ${own('sales')}
    where sales.customer_id = chosen.customer_id and status = 'Aktif' and chosen.id = any(guarantor_ids)) as active_sale_count,
  ${columnsOf(object(times))}`;

export const readGuarantor = (db: Db, id: string, which: 'live' | 'any' = 'live'): Promise<Guarantor> =>
  db.last<Guarantor>(
    sql`select ${SELECT_LIST} from (select * from ${own('guarantors')} where id = ${id} and (deleted_at is null or ${which === 'any'})) chosen`,
  );

export async function listGuarantors(db: Db, customerId: string, deleted: true | undefined, page: Paging): Promise<Page> {
  await requireCustomer(db, customerId);
  const where = [sql`customer_id = ${customerId}`, deletedOrNot(deleted)];
  return listPage(db, { table: 'guarantors', shows: SELECT_LIST, where }, page);
}

/** A guarantor's row, by column. */
export interface StoredGuarantor extends Columns {
  readonly id: string;
  readonly customer_id: string;
}

const COLUMNS = [
  ...Object.keys(GUARANTOR_FIELDS).map((name) => columnOf(GUARANTOR_FIELDS, name)),
  ...['id', 'customer_id', 'id_no_index'],
];

/** Locks the guarantor with this id; throws not_found if there is none or it is deleted. */
export async function lockGuarantor(db: Db, id: string): Promise<StoredGuarantor> {
  const [found] = await lockRecords<StoredGuarantor>(db, 'guarantors', COLUMNS, sql`id = ${id}`);
  return found ?? fail('not_found');
}

export function newGuarantor({ keys, now, updatedAt }: Work, customerId: string, values: GuarantorValues): StoredGuarantor {
  const id = newId(now.getTime());
  return {
    id,
    customer_id: customerId,
    created_at: now,
    updated_at: updatedAt(),
    ...columnsOfValues(GUARANTOR_FIELDS, values),
    ...sealFields(keys, 'guarantors', id, GUARANTOR_FIELDS, values),
  };
}

const DUPLICATE: FieldError = {
  field: 'id_no',
  code: 'duplicate_guarantor',
  message: {
    en: 'This customer already has a guarantor with this identity number',
    tr: 'Müşterinin bu kimlik numaralı bir kefili zaten var',
  },
};

export const refuseDuplicate = (): never => fail('duplicate_guarantor', { details: [DUPLICATE] });

/** Turns a violated constraint into the API's refusal. */
export function refuseConflict(error: unknown): never {
  if (violatedConstraint(error) === 'guarantors_id_no') refuseDuplicate();
  throw error;
}
