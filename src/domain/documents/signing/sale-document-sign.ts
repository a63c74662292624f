// Recipients' actions: open a document, sign it, decline it; and a scan that proves all signatures at once. The document is
// locked first, so that concurrent actions run one after another, and actions after its end are refused.
import { fail } from '../../../kit/errors.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { logActivity } from '../../customers/activity.ts';
import { addNotification } from '../../notifications/notification.ts';
import type { Signature } from '../../papers/paper.ts';
import { seal } from '../../vault/vault.ts';
import { emitDocumentEvent, type LockedDocument, lockRecipients, lockSaleDocument, type StoredRecipient } from '../document.ts';
import { logDocument } from '../document-events.ts';
import { type Channel, type EventChannel, isOut } from '../documents-states.ts';
import { signatureCell } from '../paper-cell.ts';
import { addRecipients, defaultRecipients } from './recipients.ts';
import { keepSignedCopy } from './signed-copy.ts';
import { closeCodes, type UsedCode } from './signing-codes.ts';

/** How a decision by link is proved. */
export interface Evidence {
  readonly address: string;
  readonly userAgent: string | null;
  readonly sentence: string;
  readonly code: UsedCode;
  /** Null for a decline. */
  readonly signature: Signature | null;
}

interface Acting {
  readonly document: LockedDocument;
  readonly recipients: readonly StoredRecipient[];
  readonly recipient: StoredRecipient;
}

async function lockActing({ db, now }: Work, documentId: string, recipientId: string, to: string): Promise<Acting> {
  const document = await lockSaleDocument(db, documentId);
  const recipients = await lockRecipients(db, documentId);
  const recipient = recipients.find(({ id }) => id === recipientId) ?? fail('not_found');
  // Also applies if the sweeper has not processed the document yet.
  const status = isOut(document.status) && document.expires_at! <= now ? 'Süresi Doldu' : document.status;
  if (!isOut(status)) fail('invalid_transition', { words: { from: status, to } });
  if (recipient.status === 'İmzaladı' || recipient.status === 'Reddetti')
    fail('invalid_transition', { words: { from: recipient.status, to } });
  return { document, recipients, recipient };
}

const channelOf = ({ channel }: LockedDocument): EventChannel => (channel ?? 'Bağlantı') as Channel;

/** How the code of a decision was delivered, even if the document has another channel now. */
const decidedBy = (document: LockedDocument, evidence: Evidence | null): EventChannel =>
  evidence === null ? channelOf(document) : evidence.code.delivery === 'mail' ? 'E-posta' : 'Bağlantı';

/** Opening it again changes nothing. */
export async function viewDocument(work: Work, documentId: string, recipientId: string): Promise<void> {
  const { db, now } = work;
  const { document, recipient } = await lockActing(work, documentId, recipientId, 'Görüntülendi');
  if (recipient.status === 'Görüntüledi') return;
  await db.exec(sql`update document_recipients set status = 'Görüntüledi', viewed_at = ${now}
    where account_id = ${theAccount} and id = ${recipientId}`);
  await move(work, document, 'Görüntülendi');
  logDocument(work, documentId, 'viewed', { recipient_name: recipient.name, channel: channelOf(document) });
  emitDocumentEvent(work, 'sale_document.viewed', document);
}

export async function signDocument(
  work: Work,
  documentId: string,
  recipientId: string,
  evidence: Evidence | null,
): Promise<void> {
  const { document, recipients, recipient } = await lockActing(work, documentId, recipientId, 'İmzalandı');
  await decide(work, recipient, 'İmzaladı', evidence);
  logDocument(work, documentId, 'signed', { recipient_name: recipient.name, channel: decidedBy(document, evidence) });
  emitDocumentEvent(work, 'sale_document.signed', document);
  await notifySigned(work, document, 'sale_document.signed', recipient.name);
  const isLast = recipients.every(({ id, status }) => id === recipientId || status === 'İmzaladı');
  if (!isLast) {
    await move(work, document, 'Görüntülendi');
    return;
  }
  const copy = await keepSignedCopy(work, document);
  await complete(work, document, 'Bağlantı', copy);
}

export async function declineDocument(
  work: Work,
  documentId: string,
  recipientId: string,
  evidence: Evidence | null,
): Promise<void> {
  const { document, recipient } = await lockActing(work, documentId, recipientId, 'Reddedildi');
  await decide(work, recipient, 'Reddetti', evidence);
  await move(work, document, 'Reddedildi');
  logDocument(work, documentId, 'declined', { recipient_name: recipient.name, channel: decidedBy(document, evidence) });
  emitDocumentEvent(work, 'sale_document.declined', document);
  await notifySigned(work, document, 'sale_document.declined', recipient.name);
}

/** The scan proves every signature. The document is locked and open. */
export async function markSignedByHand(work: Work, document: LockedDocument): Promise<void> {
  const { db, now } = work;
  const { id } = document;
  const known = await lockRecipients(db, id);
  const waiting = known.filter(({ status }) => status !== 'İmzaladı');
  const signed =
    known.length === 0 ? await addRecipients(work, id, await defaultRecipients(work, document), 'İmzaladı') : waiting;
  await db.exec(sql`update document_recipients set status = 'İmzaladı', decided_at = ${now}
    where account_id = ${theAccount} and document_id = ${id} and status <> 'İmzaladı'`);
  for (const { name } of signed) {
    logDocument(work, id, 'signed', { recipient_name: name, channel: 'Kâğıt' });
    emitDocumentEvent(work, 'sale_document.signed', document);
  }
  await notifySigned(work, document, 'sale_document.signed', signed.map(({ name }) => name).join(', '));
  await complete(work, document, 'Islak', null);
}

async function decide(
  work: Work,
  { id }: StoredRecipient,
  status: 'İmzaladı' | 'Reddetti',
  evidence: Evidence | null,
): Promise<void> {
  const { db, now } = work;
  const { address = null, userAgent = null, sentence = null, code = null, signature = null } = evidence ?? {};
  const { ring, account } = work.keys;
  const sealed = signature && seal(ring, signatureCell(account, id), JSON.stringify(signature));
  await closeCodes(work, id, code?.id ?? null);
  await db.exec(sql`update document_recipients set status = ${status}, decided_at = ${now}, viewed_at = coalesce(viewed_at, ${now}),
      evidence_address = ${address}, evidence_user_agent = ${userAgent}, evidence_sentence = ${sentence}, evidence_code = ${code?.used_code ?? null},
      signature_encrypted = ${sealed}
    where account_id = ${theAccount} and id = ${id}`);
}

/** Its recipients are part of the document, so it has changed also if its status has not. */
const move = ({ db, updatedAt }: Work, { id }: LockedDocument, status: 'Görüntülendi' | 'Reddedildi'): Promise<number> =>
  db.exec(
    sql`update documents set status = ${status}, updated_at = ${updatedAt()} where account_id = ${theAccount} and id = ${id}`,
  );

async function complete(work: Work, document: LockedDocument, method: 'Bağlantı' | 'Islak', copy: string | null): Promise<void> {
  const { db, now } = work;
  const { id, sale_id, title } = document;
  await db.exec(sql`update documents set status = 'İmzalandı', signature_method = ${method}, completed_at = ${now}, signed_file_id = ${copy},
      updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`);
  logDocument(work, id, 'completed');
  emitDocumentEvent(work, 'sale_document.completed', document);
  const sale = await db.one<{ customer_id: string; sale_no: string }>(
    sql`select customer_id, sale_no from ${own('sales')} where id = ${sale_id}`,
  );
  const note = { en: `${title} of sale ${sale.sale_no} signed`, tr: `${sale.sale_no} satışının belgesi imzalandı: ${title}` };
  logActivity(work, sale.customer_id, { note, resource_type: 'sale_document', resource_id: id });
}

const TITLES = {
  'sale_document.signed': { en: 'A document was signed', tr: 'Bir belge imzalandı' },
  'sale_document.declined': { en: 'A document was declined', tr: 'Bir belge reddedildi' },
} as const;

const notifySigned = (work: Work, { id, title }: LockedDocument, kind: keyof typeof TITLES, name: string): Promise<string> =>
  addNotification(work, {
    kind,
    title: TITLES[kind],
    body: { en: `${title}: ${name}`, tr: `${title}: ${name}` },
    resource_type: 'sale_document',
    resource_id: id,
  });
