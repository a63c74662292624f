// The signed copy of a document: by link, the same paper with a page that proves who signed; by hand, the scan itself.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type Paper, readPaperText, type SigningEvidence } from '../papers/paper.ts';
import { maskEmail, maskPhone } from '../privacy/mask.ts';
import { unseal } from '../vault/vault.ts';
import { type DocumentFile, type LockedDocument, type Reader, shownFile } from './document.ts';
import { keepDrawn } from './drawn-file.ts';
import { paperCell } from './paper-cell.ts';

interface Signed {
  readonly role: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly decided_at: Date;
  readonly evidence_address: string | null;
  readonly evidence_user_agent: string | null;
  readonly evidence_sentence: string | null;
}

/** Drawn from what the document was drawn from, whatever the sale says by now. Returns the id of its file. */
export async function keepSignedCopy(work: Work, document: LockedDocument): Promise<string> {
  const { keys } = work;
  if (document.paper_encrypted === null) return fail('not_found');
  const paper = readPaperText(unseal(keys.ring, paperCell(keys.account, document.id), document.paper_encrypted));
  if (!('evidence' in paper)) throw new Error(`${paper.code} is signed on paper only`);
  const signed: Paper = { ...paper, evidence: await evidenceOf(work, document) };
  return (await keepDrawn(work, document.id, signed, 'signed')).id;
}

async function evidenceOf({ db, account }: Work, { id, sha256, channel }: LockedDocument): Promise<SigningEvidence> {
  const signers = await db.rows<Signed>(sql`select role, name, email, phone, decided_at, evidence_address, evidence_user_agent,
      evidence_sentence from ${own('document_recipients')} where document_id = ${id} order by "position"`);
  return {
    document_id: id,
    sha256,
    consent: signers.find(({ evidence_sentence }) => evidence_sentence !== null)?.evidence_sentence ?? CONSENT,
    signers: signers.map((one) => ({
      ...{ role: one.role, name: one.name, signed_at: dayTimeIn(one.decided_at, account.timezone) },
      channel: one.evidence_address === null ? 'Dış kayıt' : (channel ?? 'Bağlantı'),
      contact: channel === 'E-posta' ? one.email && maskEmail(one.email) : one.phone && maskPhone(one.phone),
      address: one.evidence_address ?? '–',
      user_agent: one.evidence_user_agent,
    })),
  };
}

/** What a recipient agrees to. A signature by link is called «onay». */
export const CONSENT =
  'Belgeyi okudum, anladım ve elektronik ortamda onaylıyorum. Onayım; IP adresim, tarayıcı bilgim, zamanı ve tek kullanımlık kodla birlikte kaydedilir.';

/** `15.02.2026 14:03:21` */
const dayTimeIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('tr-TR', {
    ...{ timeZone, day: '2-digit', month: '2-digit', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  }).format(at);

export async function readSignedCopy(db: Db, id: string, reader: Reader): Promise<DocumentFile> {
  const [document] = await db.rows<{ status: string; file_id: string | null }>(sql`select status,
      coalesce(signed_file_id, (select file_id from (select * from ${own('documents')}) scans where scans.signs_document_id = documents.id)) as file_id
    from ${own('documents')} where id = ${id} and origin = 'Üretildi'`);
  if (document === undefined) return fail('not_found');
  if (document.status !== 'İmzalandı') return fail('document_not_signed');
  // Erased with the sale's other papers.
  if (document.file_id === null) return fail('not_found');
  const file = await db.one<{ content_type: string; size_bytes: number; sha256: string }>(sql`
    select content_type, size_bytes, encode(sha256, 'hex') as sha256 from ${own('stored_files')} where id = ${document.file_id}`);
  return shownFile(reader, document.file_id, file);
}
