// Writes on uploaded documents: a scan is added, also as the signed copy of a generated document, and deleted.

import { type Detail, fail } from '../../../kit/errors.ts';
import type { NewFile } from '../../../kit/file.ts';
import { newId } from '../../../kit/ids.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import { cutText } from '../../../kit/text.ts';
import type { Work } from '../../../kit/work.ts';
import { dropFiles, keepFiles } from '../../files/stored-files.ts';
import type { CreateBody } from '../../records/body.ts';
import { requireReferences } from '../../records/references.ts';
import { badField, unknownReference } from '../../sales/sale.ts';
import {
  type DOCUMENT_FIELDS,
  emitDocumentEvent,
  findAnyDocument,
  type LockedDocument,
  lockGenerated,
  type StoredDocument,
} from '../document.ts';
import { isOpen } from '../documents-states.ts';
import { markSignedByHand } from '../signing/sale-document-sign.ts';

type CreateDocumentBody = CreateBody<typeof DOCUMENT_FIELDS>;

export async function addScan(work: Work, body: CreateDocumentBody, [file]: readonly NewFile[]): Promise<StoredDocument> {
  const { db, now, actor } = work;
  const links = await requireLinks(work, body);
  const signed = body.signs_document_id ? await lockSigned(work, body.signs_document_id, body) : null;
  const kind = body.kind ?? signed?.kind;
  if (kind === undefined) return badField('kind', 'required', 'kind is required', 'kind zorunludur');
  const { customer_id, sale_id, vehicle_id } = signed === null ? links : { ...linksOf(signed), ...withoutNull(links) };
  if (customer_id === null && sale_id === null && vehicle_id === null) fail('no_link', { details: [NO_LINK] });
  const id = newId(now.getTime());
  const title = body.title ?? (signed === null ? kind : `${signed.title} (imzalı)`);
  await keepFiles(work, [file!.id]);
  await db.exec(sql`update stored_files set is_sensitive = true where account_id = ${theAccount} and id = ${file!.id}`);
  await db.exec(sql`insert into documents (account_id, id, origin, kind, title, customer_id, sale_id, vehicle_id, file_id, content_type,
      size_bytes, sha256, uploaded_by, signs_document_id, created_at, updated_at)
    values (${theAccount}, ${id}, 'Yüklendi', ${kind}, ${cutText(title, 200)}, ${customer_id}, ${sale_id}, ${vehicle_id}, ${file!.id},
      ${file!.contentType}, ${file!.sizeBytes}, ${Buffer.from(file!.sha256, 'hex')},
      (select id from ${own('members')} where person_id = ${actor.personId ?? null}::uuid limit 1), ${signed?.id ?? null}, ${now}, ${work.updatedAt()})`);
  const document = await findAnyDocument(db, id);
  emitDocumentEvent(work, 'document.created', document);
  if (signed !== null) await markSignedByHand(work, signed);
  return document;
}

type Links = Pick<StoredDocument, 'customer_id' | 'sale_id' | 'vehicle_id'>;

async function requireLinks(
  { db }: Work,
  { customer_id = null, sale_id = null, vehicle_id = null }: CreateDocumentBody,
): Promise<Links> {
  await requireReferences(db, [
    ['vehicle_id', 'vehicles', vehicle_id],
    ['sale_id', 'sales', sale_id],
    ['customer_id', 'customers', customer_id],
  ]);
  return { customer_id, sale_id, vehicle_id };
}

const linksOf = ({ customer_id, sale_id, vehicle_id }: LockedDocument): Links => ({ customer_id, sale_id, vehicle_id });

const withoutNull = (links: Links): Partial<Links> => Object.fromEntries(Object.entries(links).filter(([, id]) => id !== null));

/** The generated document that this scan is the signed copy of: of the same sale, and not ended. */
async function lockSigned({ db }: Work, id: string, { sale_id }: CreateDocumentBody): Promise<LockedDocument> {
  const [found] = await lockGenerated(db, sql`id = ${id}`);
  if (found === undefined || (sale_id && sale_id !== found.sale_id)) return unknownReference('signs_document_id');
  if (!isOpen(found.status)) fail('invalid_transition', { words: { from: found.status, to: 'İmzalandı' } });
  return found;
}

const NO_LINK: Detail = {
  field: 'customer_id',
  code: 'no_link',
  message: {
    en: 'Name a customer, a sale or a vehicle',
    tr: 'Bir müşteri, satış ya da araç belirtin',
  },
};

/** It cannot be restored, so its file is deleted too. */
export async function removeDocument(work: Work, id: string): Promise<StoredDocument> {
  const { db, now } = work;
  const found = await db.one<{ origin: string; signs_document_id: string | null; file_id: string | null }>(sql`
    select origin, signs_document_id, file_id from ${own('documents')} where id = ${id} and deleted_at is null and topup_id is null for update`);
  if (found.origin === 'Üretildi') fail('generated_document');
  if (found.signs_document_id !== null) fail('document_is_signed_copy');
  await db.exec(sql`update documents set deleted_at = ${now}, erased_at = coalesce(erased_at, ${now}), file_id = null, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  if (found.file_id !== null) await dropFiles(work, [found.file_id]);
  const document = await findAnyDocument(db, id);
  emitDocumentEvent(work, 'document.deleted', document);
  return document;
}
