// An enquiry: its fields, its sealed person, and its row.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { SealingKeys, Work } from '../../kit/work.ts';
import { dayField, type Fields, nullable, oneOfField, required, textField, uuidField } from '../records/fields.ts';
import { phoneField } from '../records/person-fields.ts';
import { blindIndex, seal, unseal } from '../vault/vault.ts';
import { audit } from '../writes/audit.ts';
import {
  ENQUIRY_STAGES,
  ENTERED_SOURCES,
  type EnquirySource,
  type EnquiryStage,
  type EntryKind,
  MAX_MESSAGE,
} from './enquiry-states.ts';

export const PERSON_FIELDS = {
  name: required(textField(80, { min: 2 })),
  phone: required(phoneField),
  message: nullable(textField(MAX_MESSAGE, { lines: true })),
} as const satisfies Fields;

export const ENQUIRY_FIELDS = {
  ...PERSON_FIELDS,
  source: required(oneOfField(ENTERED_SOURCES)),
  vehicle_id: nullable(uuidField),
  owner_id: nullable(uuidField),
  next_step_on: nullable(dayField()),
} as const satisfies Fields;

export const ENQUIRY_EDIT_FIELDS = {
  stage: oneOfField(ENQUIRY_STAGES),
  lost_reason: nullable(textField(200)),
  sale_id: nullable(uuidField),
  owner_id: nullable(uuidField),
  next_step_on: nullable(dayField()),
  vehicle_id: nullable(uuidField),
} as const satisfies Fields;

export interface StoredEnquiry {
  readonly id: string;
  readonly source: EnquirySource;
  readonly stage: EnquiryStage;
  readonly name_encrypted: Buffer | null;
  readonly phone_encrypted: Buffer | null;
  readonly vehicle_id: string | null;
  readonly owner_id: string | null;
  readonly next_step_on: string | null;
  readonly task_id: string | null;
  readonly customer_id: string | null;
  readonly sale_id: string | null;
  readonly offer_id: string | null;
  readonly erased_at: Date | null;
}

const COLUMNS = sql`id, source, stage, name_encrypted, phone_encrypted, vehicle_id, owner_id, next_step_on, task_id, customer_id, sale_id,
  offer_id, erased_at`;

/** People in the role `sales` work on their own enquiries and on those without an owner; `null` means all. */
export type Seller = { readonly memberId: string | null } | null;

export const seenBy = (seller: Seller): Sql =>
  seller === null ? sql`true` : sql`(owner_id is null or owner_id = ${seller.memberId}::uuid)`;

export const isSeenBy = (seller: Seller, { owner_id }: Pick<StoredEnquiry, 'owner_id'>): boolean =>
  seller === null || owner_id === null || owner_id === seller.memberId;

export async function lockEnquiry(db: Db, id: string, seller: Seller): Promise<StoredEnquiry> {
  const [found] = await db.rows<StoredEnquiry>(
    sql`select ${COLUMNS} from ${own('enquiries')} where id = ${id} and ${seenBy(seller)} for update`,
  );
  return found ?? fail('not_found');
}

/** Without a lock, to learn what has to be locked before it. */
export async function peekEnquiry(db: Db, id: string, seller: Seller): Promise<StoredEnquiry> {
  return db.one<StoredEnquiry>(sql`select ${COLUMNS} from ${own('enquiries')} where id = ${id} and ${seenBy(seller)}`);
}

/** The open enquiry of this telephone number, locked. */
export async function lockOpenOf({ db, keys }: Pick<Work, 'db' | 'keys'>, phone: string): Promise<StoredEnquiry | null> {
  const [found] = await db.rows<StoredEnquiry>(sql`select ${COLUMNS} from ${own('enquiries')}
    where phone_index = any(${phoneIndexes(keys, phone)}::bytea[]) and stage not in ('Kazanıldı', 'Kaybedildi') for update`);
  return found ?? null;
}

const cellOf = ({ account }: SealingKeys, table: 'enquiries' | 'enquiry_entries', column: string, row: string) => ({
  account,
  table,
  column,
  row,
});

export const phoneIndexWith = ({ account }: SealingKeys, index: Buffer, phone: string): Buffer =>
  blindIndex(index, account, 'enquiries.phone', phone);

/** More than one while the vault's key is being changed. */
export const phoneIndexes = (keys: SealingKeys, phone: string): Buffer[] =>
  [keys.index, ...keys.otherIndexes].map((index) => phoneIndexWith(keys, index, phone));

export const sealPerson = (
  keys: SealingKeys,
  id: string,
  { name, phone }: { readonly name: string; readonly phone: string },
) => ({
  name_encrypted: seal(keys.ring, cellOf(keys, 'enquiries', 'name_encrypted', id), name),
  phone_encrypted: seal(keys.ring, cellOf(keys, 'enquiries', 'phone_encrypted', id), phone),
  phone_index: phoneIndexWith(keys, keys.index, phone),
});

export interface Person {
  readonly name: string | null;
  readonly phone: string | null;
}

/** Null where it was erased. */
export function openPerson(
  keys: SealingKeys,
  { id, name_encrypted, phone_encrypted }: Pick<StoredEnquiry, 'id' | 'name_encrypted' | 'phone_encrypted'>,
): Person {
  const open = (column: string, sealed: Buffer | null) =>
    sealed === null ? null : unseal(keys.ring, cellOf(keys, 'enquiries', column, id), sealed);
  return { name: open('name_encrypted', name_encrypted), phone: open('phone_encrypted', phone_encrypted) };
}

export const openEntry = (keys: SealingKeys, id: string, sealed: Buffer | null): string | null =>
  sealed === null ? null : unseal(keys.ring, cellOf(keys, 'enquiry_entries', 'text_encrypted', id), sealed);

export interface NewEntry {
  readonly kind: EntryKind;
  readonly value?: string | null;
  readonly text?: string | null;
  readonly vehicle_id?: string | null;
}

export const sealEntry = (keys: SealingKeys, id: string, text: string | null): Buffer | null =>
  text === null ? null : seal(keys.ring, cellOf(keys, 'enquiry_entries', 'text_encrypted', id), text);

/** Adds to the history; sent with the next statement. */
export function logEntry({ db, keys, now, actor }: Work, enquiryId: string, entry: NewEntry): void {
  const id = newId(now.getTime());
  const { kind, value = null, text = null, vehicle_id = null } = entry;
  const name = actor.type === 'panel' ? (actor.fullName ?? null) : null;
  db.send(sql`insert into enquiry_entries (account_id, id, enquiry_id, kind, value, text_encrypted, vehicle_id, actor, created_at)
    values (${theAccount}, ${id}, ${enquiryId}, ${kind}, ${value}, ${sealEntry(keys, id, text)}, ${vehicle_id}, ${name}, ${now})`);
  db.send(
    sql`update enquiries set last_activity_at = ${now}, updated_at = ${now} where account_id = ${theAccount} and id = ${enquiryId}`,
  );
}

/** Without values, because the person of an enquiry can be erased and the log cannot. */
export const auditEnquiry = ({ db, actor, account }: Work, what: 'created' | 'changed' | 'erased', id: string): Promise<void> =>
  audit(db, actor, `enquiry.${what}`, id, { accountId: account.id });
