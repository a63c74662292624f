// Signing by link: first a one-time code, then a session of half an hour in which the recipient reads and decides. Codes and
// sessions use real time; the document's own end uses business time.
import { createHash } from 'node:crypto';
import type { Db } from '../../../kit/db.ts';
import { fail } from '../../../kit/errors.ts';
import { own, sql } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { unlinked } from '../../formats/unlinked.ts';
import { queueDealerMail } from '../../mail/mail-queue.ts';
import { type DealerFace, faceOf } from '../../papers/dealer-face.ts';
import type { Signature } from '../../papers/paper.ts';
import { dropMessage, type NewMessage } from '../../worlds/messages.ts';
import type { Channel, RecipientStatus, SaleDocumentStatus } from '../documents-states.ts';
import { readPaperDealer } from '../sale-paper.ts';
import { isMailed } from './sale-document-send.ts';
import { declineDocument, signDocument, viewDocument } from './sale-document-sign.ts';
import { CONSENT } from './signed-copy.ts';
import { codeOfSession, codeState, logSeen, makeCode, openCodes, takeCode } from './signing-codes.ts';
import type { Linked } from './signing-link.ts';

export const sessionHash = (token: string): Buffer => createHash('sha256').update(token).digest();

const IS_SUSPENDED = sql`exists (select from ${own('accounts')} where accounts.status = 'Askıda')`;

/** The content of a link's page. */
export interface Signing {
  readonly dealer: string;
  readonly face: DealerFace;
  /** Of a world: nothing that is signed here has an effect. */
  readonly isSandbox: boolean;
  readonly title: string;
  readonly status: SaleDocumentStatus;
  readonly isOver: boolean;
  /** The dealer is suspended: no decision is possible now. */
  readonly isSuspended: boolean;
  readonly channel: Channel;
  readonly recipient: string;
  readonly decided: RecipientStatus;
  readonly email: string | null;
  readonly hasCode: boolean;
  /** The code was entered in this browser. */
  readonly isOpen: boolean;
  readonly file_id: string | null;
  /** With its page of signatures, once everyone has signed. */
  readonly signed_file_id: string | null;
  readonly sha256: string;
}

export async function readSigning(
  db: Db,
  { document_id, recipient_id }: Linked,
  { now, realNow, session }: { readonly now: Date; readonly realNow: Date; readonly session: Buffer | null },
): Promise<Signing> {
  const found = await db.one<
    Omit<Signing, 'dealer' | 'face' | 'isSandbox'>
  >(sql`select documents.title, documents.status, ${IS_SUSPENDED} as "isSuspended",
      coalesce(expires_at <= ${now}, false) as "isOver", channel, name as recipient, document_recipients.status as decided, email, file_id, signed_file_id,
      encode(sha256, 'hex') as sha256, ${codeState(recipient_id, realNow, session)}
    from ${own('documents')} join ${own('document_recipients')} on document_id = documents.id
    where documents.id = ${document_id} and document_recipients.id = ${recipient_id}`);
  const dealer = await readPaperDealer(db);
  return { dealer: dealer.name, face: faceOf(dealer), isSandbox: dealer.is_sandbox, ...found };
}

/** Sent by the document's channel; if nothing can send it, a member of staff reads it out from the panel. */
export async function requestCode(work: Work, linked: Linked, canMail: boolean): Promise<'mailed' | 'shown' | 'too_many'> {
  const { db } = work;
  const { email: known, phone, name, channel, title } = await lockOpen(db, linked);
  const { is_sandbox: isSandbox } = await readPaperDealer(db);
  const email = isMailed(channel, canMail || isSandbox) ? known : null;
  const code = await makeCode(work, linked.recipient_id, email, isSandbox ? work.now : work.realNow);
  if (code === null) return 'too_many';
  const about = { kind: 'document', id: linked.document_id };
  const text = `«${unlinked(title)}» belgesi için onay kodunuz: ${code}\n\nKod 10 dakika geçerlidir; kimseyle paylaşmayın. Bu kodu siz istemediyseniz bu e-postayı dikkate almayın.\n`;
  if (email === null) {
    if (isSandbox) await dropCode(work, linked.recipient_id, { channel: 'WhatsApp', to: phone ?? name, text, about });
    return 'shown';
  }
  await queueDealerMail(work, { to: email, subject: 'Onay kodunuz', text }, { isSandbox, about });
  return 'mailed';
}

/** In a world no one reads the code out, so it is kept as a message; the evidence of the signature names the sandbox as its witness. */
async function dropCode({ db, keys, now, realNow }: Work, recipientId: string, message: NewMessage): Promise<void> {
  await dropMessage(db, keys, message, now);
  await logSeen(db, await openCodes(db, recipientId), { type: 'system', name: 'Sandbox' }, realNow);
}

interface ForCode {
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string;
  readonly channel: Channel;
  readonly title: string;
}

/**
 * Only for a document that can still be decided on, of a dealer who is not suspended; the document is locked before its
 * recipient.
 */
async function lockOpen(db: Db, { document_id, recipient_id }: Linked): Promise<ForCode> {
  const { title, channel } = await db.one<Pick<ForCode, 'title' | 'channel'>>(sql`select title, channel from ${own('documents')}
    where id = ${document_id} and status in ('Gönderildi', 'Görüntülendi') and not ${IS_SUSPENDED} for update`);
  const recipient = await db.one<Pick<ForCode, 'email' | 'phone' | 'name'>>(sql`select email, phone, name
    from ${own('document_recipients')} where id = ${recipient_id} and status in ('Bekliyor', 'Görüntüledi') for update`);
  return { title, channel, ...recipient };
}

export async function enterCode(work: Work, linked: Linked, code: string, session: Buffer): Promise<'ok' | 'wrong' | 'none'> {
  await lockOpen(work.db, linked);
  const entered = await takeCode(work, linked.recipient_id, code, session);
  if (entered === 'ok') await viewDocument(work, linked.document_id, linked.recipient_id);
  return entered;
}

export interface Browser {
  readonly address: string;
  readonly userAgent: string | null;
}

/** Within the session that the code opened; refused if the document has ended since. */
export async function decideByLink(
  work: Work,
  linked: Linked,
  session: Buffer,
  decision: { readonly sign: Signature } | 'decline',
  { address, userAgent }: Browser,
): Promise<void> {
  const { db, realNow } = work;
  const { document_id, recipient_id } = linked;
  // Locked before the session is read, because a change of the channel voids it.
  await lockOpen(db, linked);
  const code = (await codeOfSession(db, recipient_id, session, realNow)) ?? fail('not_found');
  const evidence = { address, userAgent: userAgent?.slice(0, 500) ?? null, code };
  if (decision === 'decline')
    await declineDocument(work, document_id, recipient_id, { ...evidence, sentence: 'Reddedildi', signature: null });
  else await signDocument(work, document_id, recipient_id, { ...evidence, sentence: CONSENT, signature: decision.sign });
}
