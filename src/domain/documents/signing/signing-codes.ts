// One-time codes of signing links. Each row records how the code was delivered, where to, and which staff saw it, because the evidence of
// a signature is printed from it. At most one code of a recipient is open, and at most one session.
import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../../kit/db.ts';
import { newId } from '../../../kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../../kit/sql.ts';
import type { Actor, Work } from '../../../kit/work.ts';
import { takeMailBudget } from '../../mail/mail-budget.ts';
import { maskEmail } from '../../privacy/mask.ts';
import { seal, unseal } from '../../vault/vault.ts';

const CODE_MS = 10 * 60_000;
const SESSION_MS = 30 * 60_000;
const MAX_TRIES = 5;
/** The maximum number of codes per recipient and hour. */
const MAX_CODES = 5;
const HOUR_MS = 3_600_000;

const codeCell = (account: string, id: string) => ({ account, table: 'signing_codes', column: 'code_encrypted', row: id });

const isOpenCode = (realNow: Date): Sql => sql`signing_codes.code_encrypted is not null
  and signing_codes.expires_at > ${realNow} and tries < ${MAX_TRIES}`;

/** The state of the signing page: a code is waiting to be entered; the session of this browser is open. */
export const codeState = (recipientId: string, realNow: Date, session: Buffer | null): Sql => sql`
  exists (select from ${own('signing_codes')} where recipient_id = ${recipientId} and ${isOpenCode(realNow)}) as "hasCode",
  exists (select from ${own('signing_codes')} where recipient_id = ${recipientId} and session_hash = ${session}
    and session_expires_at > ${realNow}) as "isOpen"`;

/**
 * The recipient is locked. Null if too many were generated. `email`: the code is mailed to this address; null: staff read it in
 * the panel. `budgetAt`: time by which the account's mails are counted.
 */
export async function makeCode(
  { db, keys, realNow }: Work,
  recipientId: string,
  email: string | null,
  budgetAt: Date,
): Promise<string | null> {
  const { made } = await db.one<{ made: number }>(sql`select count(*)::int as made from ${own('signing_codes')}
    where recipient_id = ${recipientId} and created_at > ${new Date(realNow.getTime() - HOUR_MS)}`);
  if (made >= MAX_CODES) return null;
  if (email !== null && !(await takeMailBudget(db, theAccount, 1, budgetAt))) return null;
  await db.exec(sql`update signing_codes set code_encrypted = null, voided_at = ${realNow}
    where account_id = ${theAccount} and recipient_id = ${recipientId} and code_encrypted is not null`);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const id = newId(realNow.getTime());
  await db.exec(sql`insert into signing_codes (account_id, id, recipient_id, created_at, delivery, address, code_encrypted, expires_at)
    values (${theAccount}, ${id}, ${recipientId}, ${realNow}, ${email === null ? 'staff' : 'mail'},
      ${email === null ? null : maskEmail(email)}, ${seal(keys.ring, codeCell(keys.account, id), code)},
      ${new Date(realNow.getTime() + CODE_MS)})`);
  return code;
}

/**
 * The recipient is locked. A code can be used once; wrong codes are counted, and the fifth ends it. A code for staff that no one
 * has opened in the panel can only have been guessed.
 */
export async function takeCode(
  { db, keys, realNow }: Work,
  recipientId: string,
  entered: string,
  session: Buffer,
): Promise<'ok' | 'wrong' | 'none'> {
  const [open] = await db.rows<{ id: string; code_encrypted: Buffer; can_be_known: boolean }>(sql`select id, code_encrypted,
      delivery <> 'staff' or jsonb_array_length(seen_by) > 0 as can_be_known
    from ${own('signing_codes')} where recipient_id = ${recipientId} and ${isOpenCode(realNow)}`);
  if (open === undefined) return 'none';
  const code = unseal(keys.ring, codeCell(keys.account, open.id), open.code_encrypted);
  const isRight = /^\d{6}$/.test(entered) && timingSafeEqual(Buffer.from(code), Buffer.from(entered));
  if (!isRight || !open.can_be_known) {
    await db.exec(sql`update signing_codes set tries = tries + 1 where account_id = ${theAccount} and id = ${open.id}`);
    return 'wrong';
  }
  await db.exec(sql`update signing_codes set session_hash = null, session_expires_at = null
    where account_id = ${theAccount} and recipient_id = ${recipientId} and session_hash is not null`);
  await db.exec(sql`update signing_codes set code_encrypted = null, used_at = ${realNow}, used_code = ${code}, session_hash = ${session},
      session_expires_at = ${new Date(realNow.getTime() + SESSION_MS)} where account_id = ${theAccount} and id = ${open.id}`);
  return 'ok';
}

/** A signature's strength as evidence depends on whether the code reached the recipient alone or staff read it out. */
export interface UsedCode {
  readonly id: string;
  readonly used_code: string;
  readonly delivery: 'mail' | 'staff';
}

/** The code that opened this session, while the session is valid. */
export async function codeOfSession(db: Db, recipientId: string, session: Buffer, realNow: Date): Promise<UsedCode | undefined> {
  const [code] = await db.rows<UsedCode>(sql`select id, used_code, delivery from ${own('signing_codes')}
    where recipient_id = ${recipientId} and session_hash = ${session} and session_expires_at > ${realNow}`);
  return code;
}

/** The decision was made in this code's session. An open code of the recipient ends with it. */
export async function closeCodes({ db, realNow }: Work, recipientId: string, usedId: string | null): Promise<void> {
  await db.exec(sql`update signing_codes set voided_at = case when code_encrypted is null then voided_at else ${realNow} end,
      code_encrypted = null, decided_at = case when id = ${usedId} then ${realNow}::timestamptz end
    where account_id = ${theAccount} and recipient_id = ${recipientId} and (code_encrypted is not null or id = ${usedId})`);
}

/** Codes and sessions of another channel become invalid. */
export async function voidCodes({ db, realNow }: Work, recipientIds: readonly string[]): Promise<void> {
  await db.exec(sql`update signing_codes set code_encrypted = null, session_hash = null, session_expires_at = null, voided_at = ${realNow}
    where account_id = ${theAccount} and recipient_id = any(${recipientIds}::uuid[])
      and (code_encrypted is not null or session_hash is not null)`);
}

/** For the panel: a code that staff read out. */
export interface SigningCode {
  readonly name: string;
  readonly role: string;
  readonly code: string;
  readonly expires_at: string;
}

export interface FoundCode {
  readonly id: string;
  readonly seen_by: readonly SeenBy[];
  readonly shown: SigningCode;
}

interface StaffCode {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly code_encrypted: Buffer;
  readonly expires_at: Date;
  readonly seen_by: readonly SeenBy[];
}

export interface SeenBy {
  readonly person_id: string | null;
  readonly name: string;
  readonly at: string;
}

/** Only codes that were made for staff: one that was mailed is for the recipient only, even if the channel has changed. */
export async function findStaffCodes(
  db: Db,
  { ring, account }: Work['keys'],
  documentId: string,
  realNow: Date,
): Promise<FoundCode[]> {
  await db.one(sql`select id from ${own('documents')} where id = ${documentId} and origin = 'Üretildi'`);
  const found =
    await db.rows<StaffCode>(sql`select signing_codes.id, name, role, signing_codes.code_encrypted, signing_codes.expires_at, seen_by
    from ${own('signing_codes')} join ${own('document_recipients')} on document_recipients.id = recipient_id
    where document_id = ${documentId} and delivery = 'staff' and ${isOpenCode(realNow)} order by "position"`);
  return found.map(({ id, name, role, code_encrypted, expires_at, seen_by }) => ({
    id,
    seen_by,
    shown: { name, role, code: unseal(ring, codeCell(account, id), code_encrypted), expires_at: expires_at.toISOString() },
  }));
}

/** The recipient's open code. */
export const openCodes = async (db: Db, recipientId: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from ${own('signing_codes')}
      where recipient_id = ${recipientId} and code_encrypted is not null`)
  ).map(({ id }) => id);

/** Stored before the codes are shown, because the member of staff who sees them is the witness of the signature. */
export async function logSeen(db: Db, ids: readonly string[], actor: Actor, realNow: Date): Promise<void> {
  const seen: SeenBy = { person_id: actor.personId ?? null, name: actor.fullName ?? actor.name, at: realNow.toISOString() };
  await db.exec(sql`update signing_codes set seen_by = seen_by || ${JSON.stringify(seen)}::jsonb
    where account_id = ${theAccount} and id = any(${ids}::uuid[])`);
}
