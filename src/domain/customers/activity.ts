// The log of contact with a customer: notes by staff and entries by the system. Entries are never changed or deleted.
import { endOf, type Moment, startOf } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Text } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { listPage, type Page, type Paging, type WalkKey } from '../../kit/page.ts';
import { columnsOf, nullable as maybe, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, rawSql, sql, theAccount } from '../../kit/sql.ts';
import { cutText } from '../../kit/text.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import {
  type Fields,
  instantField,
  nullable,
  oneOfField,
  required,
  textField,
  uuidField,
  withDefault,
} from '../records/fields.ts';
import { requireReferences } from '../records/references.ts';
import { ACTIVITY_KINDS, ACTIVITY_SOURCES, MANUAL_KINDS } from './customer-states.ts';
import { requireCustomer } from './customer-view.ts';

export const ACTIVITY_FIELDS = {
  kind: required(oneOfField(MANUAL_KINDS)),
  note: required(textField(2000, { lines: true })),
  occurred_at: withDefault(instantField, 'now', 'şimdi'),
  staff_id: nullable(uuidField),
} as const satisfies Fields;

export const Activity = object({
  id: uuid(),
  customer_id: uuid(),
  kind: oneOf(ACTIVITY_KINDS),
  note: text('Fiyatı konuştuk, cumartesi gelecek.'),
  occurred_at: timestamp(),
  source: oneOf(ACTIVITY_SOURCES),
  resource_type: maybe(text('sale')),
  resource_id: maybe(uuid()),
  staff_id: maybe(uuid()),
  created_at: timestamp(),
});
export type Activity = Of<typeof Activity>;

export interface ActivityFilter {
  readonly kind?: (typeof ACTIVITY_KINDS)[number] | undefined;
  readonly source?: (typeof ACTIVITY_SOURCES)[number] | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

const NEWEST_FIRST = rawSql('occurred_at desc, id desc');
const BY_OCCURRENCE: WalkKey = { columns: { occurred_at: 'timestamptz', id: 'uuid' }, direction: 'desc' };

export async function listActivity(
  db: Db,
  customerId: string,
  { kind, source, from, to }: ActivityFilter,
  timezone: string,
  page: Paging,
): Promise<Page> {
  const where = [sql`customer_id = ${customerId}`];
  const begins = from === undefined ? null : startOf(from, timezone);
  const ends = to === undefined ? null : endOf(to, timezone);
  if (begins !== null && ends !== null && begins >= ends) {
    const allowed = { en: 'on or before to', tr: 'to değerinden sonra olmayan bir tarih' };
    fail('invalid_parameter', { param: 'from', words: { allowed } });
  }
  if (kind !== undefined) where.push(sql`kind = ${kind}`);
  if (source !== undefined) where.push(sql`source = ${source}`);
  if (begins !== null) where.push(sql`occurred_at >= ${begins}`);
  if (ends !== null) where.push(sql`occurred_at < ${ends}`);
  await requireCustomer(db, customerId);
  return listPage(db, { table: 'customer_activity', shows: Activity, where, order: NEWEST_FIRST, walkedBy: BY_OCCURRENCE }, page);
}

export async function createActivity(
  work: Work,
  customerId: string,
  values: CreateBody<typeof ACTIVITY_FIELDS>,
): Promise<Activity> {
  const { db, now } = work;
  const { kind, note, occurred_at = now, staff_id = null } = values;
  if (occurred_at > now) {
    const message = { en: 'occurred_at must not be in the future', tr: 'occurred_at gelecekte olamaz' };
    fail('validation_failed', { details: [{ field: 'occurred_at', code: 'out_of_range', message }] });
  }
  // Locked, so that the customer is not deleted at the same time; other writes about them can run concurrently.
  await db.one(sql`select id from ${own('customers')} where id = ${customerId} and deleted_at is null for key share`);
  await requireReferences(db, [['staff_id', 'members', staff_id]]);
  return add(work, { customer_id: customerId, kind, note, occurred_at, staff_id });
}

/**
 * Logs the effect of another write, such as a sale, on a customer, in the account's language. That write has locked the records
 * and emits its own events. Sent without waiting.
 */
export function logActivity(
  { db, now }: Work,
  customerId: string,
  entry: { readonly note: Text; readonly resource_type: string; readonly resource_id: string },
): void {
  const { note, resource_type, resource_id } = entry;
  db.send(sql`insert into customer_activity (account_id, id, customer_id, kind, note, occurred_at, source, resource_type, resource_id, created_at)
    select ${theAccount}, ${newId(now.getTime())}, ${customerId}, 'Sistem', left(case when locale = 'en' then ${note.en} else ${note.tr} end, 2000),
      ${now}, 'system', ${resource_type}, ${resource_id}::uuid, ${now} from ${own('accounts')}`);
}

/** A member of staff reminded the customer or a guarantor of an installment. */
export const logReminder = (
  work: Work,
  customerId: string,
  { installment_id, ...fields }: { readonly note: string; readonly staff_id: string | null; readonly installment_id: string },
): Promise<Activity> =>
  add(work, { ...fields, customer_id: customerId, kind: 'WhatsApp', occurred_at: work.now, installment_id });

/** An automatic mail reminded them. Sent without waiting. */
export function logMailReminder(
  { db, now }: Work,
  customerId: string,
  { note, installment_id }: { readonly note: string; readonly installment_id: string },
): void {
  db.send(sql`insert into customer_activity (account_id, id, customer_id, kind, note, occurred_at, source, resource_type, resource_id, created_at)
    values (${theAccount}, ${newId(now.getTime())}, ${customerId}, 'E-posta', ${cutText(note, 2000)}, ${now}, 'system', 'installment',
      ${installment_id}::uuid, ${now})`);
}

type NewActivity = Pick<Activity, 'customer_id' | 'kind' | 'note' | 'staff_id'> & {
  readonly occurred_at: Date;
  readonly installment_id?: string;
};

async function add(work: Work, newActivity: NewActivity): Promise<Activity> {
  const { db, now } = work;
  const id = newId(now.getTime());
  const { customer_id, kind, note, occurred_at, staff_id, installment_id = null } = newActivity;
  await db.exec(sql`insert into customer_activity (account_id, id, customer_id, kind, note, occurred_at, source, staff_id, created_at,
      resource_type, resource_id)
    values (${theAccount}, ${id}, ${customer_id}, ${kind}, ${note}, ${occurred_at}, 'manual', ${staff_id}, ${now},
      ${installment_id === null ? null : 'installment'}, ${installment_id}::uuid)`);
  work.emit({ kind: 'customer_activity.created', id, path: `customers/${customer_id}/activity`, object: { id, customer_id } });
  return db.last<Activity>(sql`select ${columnsOf(Activity)} from ${own('customer_activity')} where id = ${id}`);
}
