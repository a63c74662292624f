// The receipt (Dekont) of a top-up request: a scan that the dealer attaches for the administrator who decides. It is in no list
// of documents, because only people who see the wallet may see it.
import type { Db } from '../../../kit/db.ts';
import { fail } from '../../../kit/errors.ts';
import type { NewFile } from '../../../kit/file.ts';
import { newId } from '../../../kit/ids.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { keepFiles } from '../../files/stored-files.ts';
import { audit } from '../../writes/audit.ts';

/** The maximum number of pages of a receipt. */
export const MAX_RECEIPTS = 5;

export interface TopupReceipt {
  readonly id: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly created_at: string;
}

/** As a select list's column of `wallet_topups`, oldest first. */
export const RECEIPTS_OF_TOPUP = sql`(select coalesce(json_agg(json_build_object('id', documents.id, 'content_type', content_type,
    'size_bytes', size_bytes, 'created_at', utc_text(documents.created_at)) order by documents.created_at, documents.id), '[]')
  from ${own('documents')} where topup_id = wallet_topups.id and deleted_at is null)`;

/** Only while the request is pending, so that the basis of the decision does not change. */
export async function attachReceipt(work: Work, topupId: string, [file]: readonly NewFile[]): Promise<{ id: string }> {
  const { db, now, actor, account } = work;
  const topup = await db.one<{ status: string }>(
    sql`select status from ${own('wallet_topups')} where id = ${topupId} for no key update`,
  );
  if (topup.status !== 'Beklemede') fail('decided_meanwhile');
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from ${own('documents')} where topup_id = ${topupId} and deleted_at is null`,
  );
  if (count >= MAX_RECEIPTS) fail('conflict');
  const id = newId(now.getTime());
  await keepFiles(work, [file!.id]);
  await db.exec(sql`update stored_files set is_sensitive = true where account_id = ${theAccount} and id = ${file!.id}`);
  await db.exec(sql`insert into documents (account_id, id, origin, kind, title, topup_id, file_id, content_type, size_bytes, sha256,
      uploaded_by, created_at, updated_at)
    values (${theAccount}, ${id}, 'Yüklendi', 'Dekont', 'Dekont', ${topupId}, ${file!.id}, ${file!.contentType}, ${file!.sizeBytes},
      ${Buffer.from(file!.sha256, 'hex')}, (select id from ${own('members')} where person_id = ${actor.personId ?? null}::uuid limit 1),
      ${now}, ${now})`);
  await audit(db, actor, 'wallet_topup.receipt_added', topupId, { accountId: account.id, after: { document_id: id } });
  return { id };
}

/** The file of a receipt; the caller audits the download. */
export async function receiptFile(db: Db, topupId: string, documentId: string): Promise<string> {
  const { file_id } = await db.one<{ file_id: string }>(sql`select file_id from ${own('documents')}
    where id = ${documentId} and topup_id = ${topupId} and deleted_at is null and file_id is not null`);
  return file_id;
}
