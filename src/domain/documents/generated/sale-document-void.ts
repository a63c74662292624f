// A generated document becomes void: by hand, with its sale, or because its content is outdated.
import { fail } from '../../../kit/errors.ts';
import { sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { voidVerifications } from '../../papers/verification.ts';
import { type Fields, required, textField } from '../../records/fields.ts';
import {
  emitDocumentEvent,
  findDocument,
  type LockedDocument,
  lockGenerated,
  lockSaleDocument,
  type StoredDocument,
} from '../document.ts';
import { logDocument } from '../document-events.ts';

export const VOID_FIELDS = { reason: required(textField(500)) } as const satisfies Fields;

export async function voidSaleDocument(work: Work, id: string, reason: string): Promise<StoredDocument> {
  const document = await lockSaleDocument(work.db, id);
  if (document.status === 'İmzalandı') fail('document_already_signed');
  if (document.status === 'İptal') fail('document_already_void');
  await voidDocument(work, document, reason);
  return findDocument(work.db, id);
}

/** The document is locked and neither signed nor void. */
export async function voidDocument(work: Work, document: LockedDocument, reason: string): Promise<void> {
  const { db } = work;
  await db.exec(sql`update documents set status = 'İptal', void_reason = ${reason}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${document.id}`);
  await voidVerifications(work, [document.id]);
  logDocument(work, document.id, 'voided');
  emitDocumentEvent(work, 'sale_document.voided', document);
}

/** Consequence: the documents of a cancelled sale become void unless they were signed. */
export async function voidSaleDocuments(work: Work, { id }: { readonly id: string }): Promise<void> {
  const open = await lockGenerated(work.db, sql`sale_id = ${id} and status not in ('İmzalandı', 'İptal')`);
  for (const document of open) await voidDocument(work, document, 'satış iptal');
}

/** Consequence: the content of a draft is outdated. */
export async function voidDrafts(work: Work, { id }: { readonly id: string }): Promise<void> {
  const drafts = await lockGenerated(work.db, sql`sale_id = ${id} and status = 'Taslak'`);
  for (const document of drafts) await voidDocument(work, document, 'koşullar değişti');
}
