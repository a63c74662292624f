// One-time codes of signing links. Each row records how the code was delivered, where to, and which staff saw it, because the evidence of
// a signature is printed from it. At most one code of a recipient is open, and at most one session.
import type { Db } from '../../../kit/db.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { type Delivery, linkCodes, type SeenBy } from '../../link-codes/link-codes.ts';

/** The evidence page shows the code that was used. */
const CODES = linkCodes({ table: 'signing_codes', owner: 'recipient_id', used: 'used_code' });

export const { state: codeState, take: takeCode, openIds: openCodes, logSeen } = CODES;

/** The recipient is locked. Null if too many were generated. */
export const makeCode = (work: Work, recipientId: string, email: string | null, budgetAt: Date): Promise<string | null> =>
  CODES.make(work, { ownerId: recipientId, owners: sql`select ${recipientId}::uuid`, email, budgetAt });

/** Codes and sessions of another channel become invalid. */
export const voidCodes = (work: Work, recipientIds: readonly string[]): Promise<void> =>
  CODES.void(work, sql`select unnest(${recipientIds}::uuid[])`);

/** A signature's strength as evidence depends on whether the code reached the recipient alone or staff read it out. */
export interface UsedCode {
  readonly id: string;
  readonly used_code: string;
  readonly delivery: Delivery;
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

/** Only codes that were made for staff: one that was mailed is for the recipient only, even if the channel has changed. */
export async function findStaffCodes(db: Db, keys: Work['keys'], documentId: string, realNow: Date): Promise<FoundCode[]> {
  await db.one(sql`select id from ${own('documents')} where id = ${documentId} and origin = 'Üretildi'`);
  const found =
    await db.rows<StaffCode>(sql`select signing_codes.id, name, role, signing_codes.code_encrypted, signing_codes.expires_at, seen_by
    from ${own('signing_codes')} join ${own('document_recipients')} on document_recipients.id = recipient_id
    where document_id = ${documentId} and delivery = 'staff' and ${CODES.isOpen(realNow)} order by "position"`);
  return found.map(({ name, role, expires_at, seen_by, ...code }) => ({
    id: code.id,
    seen_by,
    shown: { name, role, code: CODES.unseal(keys, code), expires_at: expires_at.toISOString() },
  }));
}
