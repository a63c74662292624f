// Erasure of documents: a sale's documents after their retention period, and those that a person's erasure covers at once.
import type { Db } from '../../../kit/db.ts';
import { own, type Sql, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { dropFiles } from '../../files/stored-files.ts';
import { ERASED_WORDS } from '../../records/record.ts';
import { audit } from '../../writes/audit.ts';

interface Erasable {
  readonly id: string;
  readonly file_id: string | null;
  readonly signed_file_id: string | null;
}

/** The files and their source data are deleted; the record stays, with its hash. */
async function eraseFiles(work: Work, found: readonly Erasable[]): Promise<void> {
  const { db, now, actor, account } = work;
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  await db.exec(sql`update documents set file_id = null, signed_file_id = null, paper_encrypted = null, note = null,
      erased_at = coalesce(erased_at, ${now}), updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = any(${ids}::uuid[])`);
  await db.exec(sql`update document_recipients set signature_encrypted = null
    where account_id = ${theAccount} and document_id = any(${ids}::uuid[]) and signature_encrypted is not null`);
  await dropFiles(
    work,
    found.flatMap(({ file_id, signed_file_id }) => [file_id, signed_file_id].filter((one) => one !== null)),
  );
  for (const id of ids) await audit(db, actor, 'document.erased', id, { accountId: account.id });
}

/** The end of a sale: its cancellation or its last payment. */
const ENDED_ON = sql`case sales.status when 'İptal' then sales.cancelled_at::date else coalesce((select max(collected_on)
  from ${own('collections')} where collections.sale_id = sales.id and collections.status = 'Geçerli'), sales.created_at::date) end`;

/** A sale whose retention period has passed. */
const isOver = (today: string): Sql => sql`sales.status in ('Tamamlandı', 'İptal')
  and (${ENDED_ON} + make_interval(years => accounts.document_retention_years))::date <= ${today}::date`;

const oldDocuments = (
  today: string,
): Sql => sql`from ${own('documents')} join ${own('sales')} on sales.id = documents.sale_id, ${own('accounts')}
  where documents.erased_at is null and ${isOver(today)}`;

const oldNotes = (
  today: string,
): Sql => sql`from ${own('promissory_notes')} join ${own('sales')} on sales.id = promissory_notes.sale_id,
  ${own('accounts')} where promissory_notes.erased_at is null and ${isOver(today)}`;

export async function hasOldPapers(db: Db, today: string): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    sql`select exists (select ${oldDocuments(today)}) or exists (select ${oldNotes(today)}) as found`,
  );
  return found;
}

/**
 * Documents and notes of sales that ended that many years ago. Returns how many were erased; a full batch means that there may be
 * more.
 */
export async function eraseOldPapers(work: Work, limit: number): Promise<number> {
  const { db, today } = work;
  const documents = await db.rows<Erasable>(sql`select documents.id, file_id, signed_file_id ${oldDocuments(today)}
    order by documents.created_at, documents.id limit ${limit} for update of documents`);
  await eraseFiles(work, documents);
  const notes = await db.rows<Omit<Erasable, 'signed_file_id'>>(sql`select promissory_notes.id, file_id ${oldNotes(today)}
    order by promissory_notes.created_at, promissory_notes.id limit ${limit - documents.length} for update of promissory_notes`);
  await eraseNotes(work, notes);
  return documents.length + notes.length;
}

/** A note's record stays; its file is deleted and not drawn again. */
async function eraseNotes(work: Work, found: readonly Omit<Erasable, 'signed_file_id'>[]): Promise<void> {
  const { db, now, actor, account } = work;
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  await db.exec(sql`update promissory_notes set file_id = null, drawn_from = null, erased_at = ${now}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = any(${ids}::uuid[])`);
  await dropFiles(
    work,
    found.flatMap(({ file_id }) => file_id ?? []),
  );
  for (const id of ids) await audit(db, actor, 'promissory_note.erased', id, { accountId: account.id });
}

/**
 * Consequence of a customer's erasure: their scans are deleted unless they belong to a sale, whose documents are kept for the
 * legal period; signers' names remain only in those documents.
 */
export async function eraseCustomerDocuments(work: Work, customerId: string): Promise<void> {
  const { db } = work;
  const found = await db.rows<Erasable>(sql`select id, file_id, signed_file_id from ${own('documents')}
    where customer_id = ${customerId} and sale_id is null and erased_at is null for update`);
  await eraseFiles(work, found);
  await db.exec(
    sql`update documents set title = kind, updated_at = ${work.updatedAt()}
      where account_id = ${theAccount} and customer_id = ${customerId} and origin = 'Yüklendi'`,
  );
  const his = sql`document_id in (select id from ${own('documents')} where customer_id = ${customerId} and origin = 'Üretildi')`;
  await db.exec(sql`update document_recipients set name = ${ERASED_WORDS}, email = null, phone = null, evidence_address = null,
      evidence_user_agent = null where account_id = ${theAccount} and role <> 'Satıcı' and ${his}`);
  await db.exec(sql`update signing_codes set address = null where account_id = ${theAccount} and address is not null
    and recipient_id in (select id from ${own('document_recipients')} where role <> 'Satıcı' and ${his})`);
  await db.exec(sql`update document_events set recipient_name = ${ERASED_WORDS}
    where account_id = ${theAccount} and recipient_name is not null and ${his}`);
}
