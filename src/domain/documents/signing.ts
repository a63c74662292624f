// Signing by link, step by step: a one-time code first, then a session of half an hour in which the document is read and decided on.
// Codes and sessions run in real time; the document's own end is business time.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { takeMailBudget } from '../mail/mail-budget.ts';
import { queueDealerMail } from '../mail/mail-queue.ts';
import { seal, unseal } from '../vault/vault.ts';
import type { Channel, RecipientStatus, SaleDocumentStatus } from './documents-states.ts';
import { isMailed } from './sale-document-send.ts';
import { declineDocument, signDocument, viewDocument } from './sale-document-sign.ts';
import { readPaperDealer } from './sale-paper.ts';
import { CONSENT } from './signed-copy.ts';
import type { Linked } from './signing-link.ts';

const CODE_MS = 10 * 60_000;
const SESSION_MS = 30 * 60_000;
const MAX_TRIES = 5;
/** A recipient asks for this many codes an hour at most. */
const MAX_CODES = 5;
const HOUR_MS = 3_600_000;

export const sessionHash = (token: string): Buffer => createHash('sha256').update(token).digest();
const codeCell = (account: string, id: string) => ({ account, table: 'document_recipients', column: 'code_encrypted', row: id });

/** What the page of a link shows. Before the code nothing but who asks for what. */
export interface Signing {
  readonly dealer: string;
  readonly title: string;
  readonly status: SaleDocumentStatus;
  readonly isOver: boolean;
  readonly channel: Channel;
  readonly recipient: string;
  readonly decided: RecipientStatus;
  readonly email: string | null;
  readonly hasCode: boolean;
  /** The code was given in this browser. */
  readonly isOpen: boolean;
  readonly file_id: string | null;
  /** With its page of signatures, once all have signed. */
  readonly signed_file_id: string | null;
  readonly sha256: string;
}

export async function readSigning(
  db: Db,
  { document_id, recipient_id }: Linked,
  { now, realNow, session }: { readonly now: Date; readonly realNow: Date; readonly session: Buffer | null },
): Promise<Signing> {
  const found = await db.one<Omit<Signing, 'dealer'>>(sql`select documents.title, documents.status,
      coalesce(expires_at <= ${now}, false) as "isOver", channel, name as recipient, document_recipients.status as decided, email, file_id, signed_file_id,
      encode(sha256, 'hex') as sha256, coalesce(code_expires_at > ${realNow} and code_tries < ${MAX_TRIES}, false) as "hasCode",
      coalesce(session_hash = ${session} and session_expires_at > ${realNow}, false) as "isOpen"
    from ${own('documents')} join ${own('document_recipients')} on document_id = documents.id
    where documents.id = ${document_id} and document_recipients.id = ${recipient_id}`);
  return { dealer: (await readPaperDealer(db)).name, ...found };
}

/** Sent by the document's channel; where nothing can send it, a person of the dealer reads it out of the panel. */
export async function requestCode(work: Work, linked: Linked, canMail: boolean): Promise<'mailed' | 'shown' | 'too_many'> {
  const { db, keys, realNow } = work;
  const { email, channel, title, codes_from, codes_made } = await lockForCode(db, linked);
  const isNewHour = codes_from === null || codes_from.getTime() <= realNow.getTime() - HOUR_MS;
  if (!isNewHour && codes_made >= MAX_CODES) return 'too_many';
  const to = isMailed(channel, canMail) ? email : null;
  if (to !== null && !(await takeMailBudget(db, theAccount, 1, realNow))) return 'too_many';
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await db.exec(sql`update document_recipients set code_encrypted = ${seal(keys.ring, codeCell(keys.account, linked.recipient_id), code)},
      code_expires_at = ${new Date(realNow.getTime() + CODE_MS)}, code_tries = 0,
      codes_from = ${isNewHour ? realNow : codes_from}, codes_made = ${isNewHour ? 1 : codes_made + 1}
    where account_id = ${theAccount} and id = ${linked.recipient_id}`);
  if (to === null) return 'shown';
  const text = `«${title}» belgesi için onay kodunuz: ${code}\n\nKod 10 dakika geçerlidir; kimseyle paylaşmayın. Bu kodu siz istemediyseniz bu e-postayı dikkate almayın.\n`;
  await queueDealerMail(db, keys.ring, { to, subject: `Onay kodunuz: ${code}`, text }, realNow);
  return 'mailed';
}

interface ForCode {
  readonly email: string | null;
  readonly channel: Channel;
  readonly title: string;
  readonly codes_from: Date | null;
  readonly codes_made: number;
}

/** Only of a document that can still be decided on; the document is locked before its recipient, as everywhere. */
async function lockForCode(db: Db, { document_id, recipient_id }: Linked): Promise<ForCode> {
  const { title, channel } = await db.one<Pick<ForCode, 'title' | 'channel'>>(sql`select title, channel from ${own('documents')}
    where id = ${document_id} and status in ('Gönderildi', 'Görüntülendi') for update`);
  const recipient = await db.one<Omit<ForCode, 'title' | 'channel'>>(sql`select email, codes_from, codes_made
    from ${own('document_recipients')} where id = ${recipient_id} and status in ('Bekliyor', 'Görüntüledi') for update`);
  return { title, channel, ...recipient };
}

/** A code is good once; each wrong one is counted, and the fifth ends it. */
export async function enterCode(work: Work, linked: Linked, given: string, session: Buffer): Promise<'ok' | 'wrong' | 'none'> {
  const { db, keys, realNow } = work;
  await lockForCode(db, linked);
  const { recipient_id: id } = linked;
  const { code_encrypted: sealed } = await db.one<{
    code_encrypted: Buffer | null;
  }>(sql`select case when code_expires_at > ${realNow}
      and code_tries < ${MAX_TRIES} then code_encrypted end as code_encrypted from ${own('document_recipients')} where id = ${id}`);
  if (sealed === null) return 'none';
  const code = unseal(keys.ring, codeCell(keys.account, id), sealed);
  if (!/^\d{6}$/.test(given) || !timingSafeEqual(Buffer.from(code), Buffer.from(given))) {
    await db.exec(
      sql`update document_recipients set code_tries = code_tries + 1 where account_id = ${theAccount} and id = ${id}`,
    );
    return 'wrong';
  }
  await db.exec(sql`update document_recipients set code_encrypted = null, code_expires_at = null, session_hash = ${session},
      session_expires_at = ${new Date(realNow.getTime() + SESSION_MS)}, session_code = ${code} where account_id = ${theAccount} and id = ${id}`);
  await viewDocument(work, linked.document_id, id);
  return 'ok';
}

export interface Browser {
  readonly address: string;
  readonly userAgent: string | null;
}

/** Within the session that the code opened; refused where the document has ended meanwhile. */
export async function decideByLink(
  work: Work,
  { document_id, recipient_id }: Linked,
  session: Buffer,
  decision: 'sign' | 'decline',
  { address, userAgent }: Browser,
): Promise<void> {
  const { db, realNow } = work;
  const [open] = await db.rows<{ session_code: string }>(sql`select session_code from ${own('document_recipients')}
    where id = ${recipient_id} and session_hash = ${session} and session_expires_at > ${realNow}`);
  if (open === undefined) fail('not_found');
  const evidence = { address, userAgent: userAgent?.slice(0, 500) ?? null, sentence: CONSENT, code: open!.session_code };
  const act = decision === 'sign' ? signDocument : declineDocument;
  await act(work, document_id, recipient_id, decision === 'sign' ? evidence : { ...evidence, sentence: 'Reddedildi' });
}

/** For the panel: the codes that a person of the dealer reads out, where none was mailed. */
export interface SigningCode {
  readonly name: string;
  readonly role: string;
  readonly code: string;
  readonly expires_at: string;
}

export async function readSigningCodes(
  db: Db,
  { ring, account }: Work['keys'],
  documentId: string,
  { realNow, canMail }: { readonly realNow: Date; readonly canMail: boolean },
): Promise<SigningCode[]> {
  const { channel } = await db.one<{ channel: Channel | null }>(
    sql`select channel from ${own('documents')} where id = ${documentId} and origin = 'Üretildi'`,
  );
  if (channel === null || isMailed(channel, canMail)) return [];
  const waiting = await db.rows<{ id: string; name: string; role: string; code_encrypted: Buffer; code_expires_at: Date }>(sql`
    select id, name, role, code_encrypted, code_expires_at from ${own('document_recipients')} where document_id = ${documentId}
      and code_encrypted is not null and code_expires_at > ${realNow} and code_tries < ${MAX_TRIES} order by "position"`);
  return waiting.map(({ id, name, role, code_encrypted, code_expires_at }) => ({
    ...{ name, role, code: unseal(ring, codeCell(account, id), code_encrypted), expires_at: code_expires_at.toISOString() },
  }));
}
