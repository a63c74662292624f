// The signed copy of a document: by link, the same paper with a page that proves who signed; by hand, the scan itself.
import type { Db } from '../../../kit/db.ts';
import { fail } from '../../../kit/errors.ts';
import { own, sql } from '../../../kit/sql.ts';
import type { SealingKeys, Work } from '../../../kit/work.ts';
import type { SeenBy } from '../../link-codes/link-codes.ts';
import { type Paper, readPaperText, type Signature, type SigningEvidence } from '../../papers/paper.ts';
import { unseal } from '../../vault/vault.ts';
import { type DocumentFile, type LockedDocument, type Reader, shownFile } from '../document.ts';
import { storePaper } from '../drawn-file.ts';
import { paperCell, signatureCell } from '../paper-cell.ts';
import type { UsedCode } from './signing-codes.ts';

interface Signed {
  readonly id: string;
  readonly role: string;
  readonly name: string;
  readonly decided_at: Date;
  readonly evidence_address: string | null;
  readonly evidence_user_agent: string | null;
  readonly evidence_sentence: string | null;
  readonly signature_encrypted: Buffer | null;
}

interface CodeRecord {
  readonly recipient_id: string;
  readonly created_at: Date;
  readonly delivery: UsedCode['delivery'];
  readonly address: string | null;
  readonly seen_by: readonly SeenBy[];
  readonly is_deciding: boolean;
}

/** Drawn from the document's stored paper, even if the sale has changed since. Returns the id of its file. */
export async function keepSignedCopy(work: Work, document: LockedDocument): Promise<string> {
  const { keys } = work;
  if (document.paper_encrypted === null) return fail('not_found');
  const paper = readPaperText(unseal(keys.ring, paperCell(keys.account, document.id), document.paper_encrypted));
  if (!('evidence' in paper)) throw new Error(`${paper.code} is signed on paper only`);
  const signed: Paper = { ...paper, evidence: await evidenceOf(work, document) };
  return (await storePaper(work, document.id, signed, 'signed')).id;
}

/** A recipient may request codes for weeks; only the newest are printed. */
const MAX_CODES = 10;

async function evidenceOf({ db, account, keys }: Work, { id, sha256 }: LockedDocument): Promise<SigningEvidence> {
  const signers =
    await db.rows<Signed>(sql`select id, role, name, decided_at, evidence_address, evidence_user_agent, evidence_sentence,
      signature_encrypted from ${own('document_recipients')} where document_id = ${id} order by "position"`);
  const codes =
    await db.rows<CodeRecord>(sql`select recipient_id, created_at, delivery, address, seen_by, decided_at is not null as is_deciding
    from ${own('signing_codes')} where recipient_id = any(${signers.map((one) => one.id)}::uuid[]) order by created_at, id`);
  const at = (time: Date): string => dayTimeIn(time, account.timezone);
  return {
    document_id: id,
    sha256,
    consent: signers.find(({ evidence_sentence }) => evidence_sentence !== null)?.evidence_sentence ?? CONSENT,
    signers: signers.map((one) => {
      const theirs = codes.filter(({ recipient_id }) => recipient_id === one.id);
      const deciding = theirs.find(({ is_deciding }) => is_deciding);
      return {
        role: one.role,
        name: one.name,
        signed_at: at(one.decided_at),
        method: methodOf(one, deciding),
        codes: theirs
          .filter((code) => theirs.length <= MAX_CODES || code.is_deciding || theirs.indexOf(code) >= theirs.length - MAX_CODES)
          .map((code) => codeLine(code, at)),
        address: one.evidence_address ?? '–',
        user_agent: one.evidence_user_agent,
        signature: signatureOf(keys, one),
      };
    }),
  };
}

function signatureOf({ ring, account }: SealingKeys, { id, signature_encrypted: sealed }: Signed): Signature | null {
  return sealed && (JSON.parse(unseal(ring, signatureCell(account, id), sealed)) as Signature);
}

/** What the signing page shows of a document: drawn from its stored paper, as the PDF was. Null once it was erased. */
export async function readSentPaper(db: Db, keys: SealingKeys, documentId: string): Promise<Paper | null> {
  const { sealed } = await db.one<{ sealed: Buffer | null }>(
    sql`select paper_encrypted as sealed from ${own('documents')} where id = ${documentId}`,
  );
  return sealed && readPaperText(unseal(keys.ring, paperCell(keys.account, documentId), sealed));
}

const namesOf = ({ seen_by }: CodeRecord): string => seen_by.map(({ name }) => name).join(', ');

/** A code that staff saw proves that they were present, not that the recipient signed remotely. */
function methodOf({ evidence_address }: Signed, code: CodeRecord | undefined): string {
  if (evidence_address === null) return 'Dış kayıt';
  if (code === undefined) return 'Bağlantı ve kod ile; kodun nasıl iletildiği kaydedilmemiş';
  return code.delivery === 'mail' ? 'Uzaktan, bağlantı ve kod ile' : `Şahit huzurunda, yerinde imza. Şahit: ${namesOf(code)}`;
}

function codeLine(code: CodeRecord, at: (time: Date) => string): string {
  const { created_at, delivery, address, seen_by, is_deciding } = code;
  const how =
    delivery === 'mail'
      ? `e-posta ile ${address ?? '–'} adresine gönderildi; panelde gösterilmedi`
      : seen_by.length === 0
        ? 'çalışan için üretildi; kimse görmedi'
        : `çalışana gösterildi: ${seen_by.map((one) => `${one.name} (${at(new Date(one.at))})`).join(', ')}`;
  return `${at(created_at)}: ${how}${is_deciding ? ' (onay bu kodla verildi)' : ''}`;
}

/** The statement that a recipient agrees to. A signature by link is called «onay». */
export const CONSENT =
  'Belgeyi okudum, anladım ve elektronik ortamda onaylıyorum. Onayım; IP adresim, tarayıcı bilgim, zamanı ve tek kullanımlık kodla birlikte kaydedilir.';

/** `15.02.2026 14:03:21` */
const dayTimeIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('tr-TR', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(at);

export async function readSignedCopy(db: Db, id: string, reader: Reader): Promise<DocumentFile> {
  const [document] = await db.rows<{ status: string; file_id: string | null }>(sql`select status,
      coalesce(signed_file_id, (select file_id from (select * from ${own('documents')}) scans where scans.signs_document_id = documents.id)) as file_id
    from ${own('documents')} where id = ${id} and origin = 'Üretildi'`);
  if (document === undefined) return fail('not_found');
  if (document.status !== 'İmzalandı') return fail('document_not_signed');
  // Erased with the sale's other documents.
  if (document.file_id === null) return fail('not_found');
  const file = await db.one<{ content_type: string; size_bytes: number; sha256: string }>(sql`
    select content_type, size_bytes, encode(sha256, 'hex') as sha256 from ${own('stored_files')} where id = ${document.file_id}`);
  return shownFile(reader, document.file_id, file);
}
