// Simulated recipients sign or decline documents, with the functions that the signing page calls: a one-time code, a session, a decision.
import { lockRecipients, lockSaleDocument } from '../../domain/documents/document.ts';
import { decideByLink, enterCode, sessionHash } from '../../domain/documents/signing/signing.ts';
import { codeOfSession, findStaffCodes, logSeen, makeCode } from '../../domain/documents/signing/signing-codes.ts';
import { audit } from '../../domain/writes/audit.ts';
import { own, sql } from '../../kit/sql.ts';
import type { NewEvent, Work } from '../../kit/work.ts';
import { type Act, type ActResult, addActs, after, DAY, type NewAct, type RunAct } from './act.ts';
import { outcomeOfRecipient } from './rules.ts';

/** An address that is reserved for documentation. */
const BROWSER = { address: '192.0.2.1', userAgent: 'Galeri Sandbox' } as const;

interface Recipient {
  readonly id: string;
  readonly email: string | null;
  readonly phone: string | null;
}

export async function planSignatures(work: Work, { id }: NewEvent): Promise<NewAct[]> {
  const recipients = await work.db.rows<Recipient>(
    sql`select id, email, phone from ${own('document_recipients')} where document_id = ${id} order by "position"`,
  );
  return recipients.flatMap((recipient): NewAct[] => {
    const outcome = outcomeOfRecipient(recipient);
    if (outcome === 'by_hand') return [];
    const decision = outcome === 'declines' ? 'decline' : 'sign';
    return [opening(id, recipient.id, decision, after(work, outcome === 'signs_later' ? 3 * DAY : 0))];
  });
}

const opening = (document: string, recordId: string, decision: string, dueAt: Date): NewAct => ({
  kind: 'document_opening',
  recordId,
  details: { document, decision },
  dueAt,
});

const linkedOf = ({ recordId, details }: Act) => ({ recipient_id: recordId, document_id: details.document! });

/** The recipient gets a code, enters it and reads the document. */
export const openDocument: RunAct = async (work, act) => {
  const linked = linkedOf(act);
  const code = await getCode(work, linked.document_id, linked.recipient_id);
  if (code === null) return 'too_many_codes';
  const entered = await enterCode(work, linked, code, sessionHash(act.id));
  if (entered !== 'ok') return `code_${entered}`;
  // A write of its own: the signed copy prints the time of the code, and is drawn between two attempts of the write that signs.
  await addActs(work, [
    { kind: 'document_decision', recordId: act.recordId, details: { ...act.details, session: act.id }, dueAt: work.now },
  ]);
  return null;
};

/** By mail, or shown to staff, as the channel of the document has it. */
async function getCode(work: Work, documentId: string, recipientId: string): Promise<string | null> {
  const { db, keys, realNow, actor } = work;
  const { channel } = await lockSaleDocument(db, documentId);
  const recipient = (await lockRecipients(db, documentId)).find(({ id }) => id === recipientId);
  const email = channel === 'E-posta' ? (recipient?.email ?? null) : null;
  const code = await makeCode(work, recipientId, email, work.now);
  if (code === null || email !== null) return code;
  const shown = (await findStaffCodes(db, keys, documentId, realNow)).filter((one) => one.shown.code === code);
  await logSeen(
    db,
    shown.map(({ id }) => id),
    actor,
    realNow,
  );
  return code;
}

export const decideDocument: RunAct = async (work, act): Promise<ActResult> => {
  const { db, actor, account, realNow, now } = work;
  const { document, decision, session } = act.details;
  const hash = sessionHash(session!);
  // Sessions end in real time; one that ended before the decision, because the service was stopped, is opened again.
  if ((await codeOfSession(db, act.recordId, hash, realNow)) === undefined) {
    await addActs(work, [opening(document!, act.recordId, decision!, now)]);
    return 'session_ended';
  }
  await decideByLink(work, linkedOf(act), hash, decision === 'sign' ? { sign: { typed: 'Sandbox' } } : 'decline', BROWSER);
  const action = decision === 'sign' ? 'sale_document.signed' : 'sale_document.declined';
  await audit(db, actor, action, document!, { accountId: account.id });
  return null;
};
