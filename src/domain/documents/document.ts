// A document, uploaded or generated: its fields, its database row, its API representation and its list filters.
import type { Db } from '../../kit/db.ts';
import type { FileLink } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { changedSince, deletedOrNot, type Page, type Paging, stepOf } from '../../kit/page.ts';
import { arrayOf, integer, nullable as maybe, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type Fields, nullable, oneOfField, textField, uuidField, withDefault } from '../records/fields.ts';
import {
  DOCUMENT_KINDS,
  DOCUMENT_ORIGINS,
  type DocumentKind,
  type DocumentOrigin,
  RECIPIENT_ROLES,
  RECIPIENT_STATUSES,
  type RecipientStatus,
  SALE_DOCUMENT_STATUSES,
  type SaleDocumentStatus,
  SIGNATURE_METHODS,
  SIGNATURES,
} from './documents-states.ts';

/** The text parts of an upload. */
export const DOCUMENT_FIELDS = {
  kind: withDefault(oneOfField(DOCUMENT_KINDS), 'that of the document it signs', 'imzaladığı belgeninki'),
  title: withDefault(nullable(textField(200)), 'its kind', 'türü'),
  customer_id: nullable(uuidField),
  sale_id: nullable(uuidField),
  vehicle_id: nullable(uuidField),
  signs_document_id: nullable(uuidField),
} as const satisfies Fields;

/** A caller who sees masked personal data gets no link, because papers show personal data. */
export const DocumentFile = object({
  url: maybe(text('https://galeri.example.com/files/AZqL3kQ…')),
  expires_at: maybe(timestamp()),
  content_type: text('application/pdf'),
  size_bytes: integer(),
  sha256: text('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
});
export type DocumentFile = Of<typeof DocumentFile>;

const Recipient = object({
  role: oneOf(RECIPIENT_ROLES),
  name: text('Ayşe Yılmaz'),
  email: maybe(text('ayse@example.com')),
  phone: maybe(text('+905338765432')),
  status: oneOf(RECIPIENT_STATUSES),
  signed_at: maybe(timestamp()),
});

const common = {
  id: uuid(),
  origin: oneOf(DOCUMENT_ORIGINS),
  kind: oneOf(DOCUMENT_KINDS),
  title: text('Satış sözleşmesi'),
  customer_id: maybe(uuid()),
  sale_id: maybe(uuid()),
  vehicle_id: maybe(uuid()),
  file: maybe(DocumentFile),
  uploaded_by: maybe(uuid()),
  signs_document_id: maybe(uuid()),
};
const dates = {
  sent_at: maybe(timestamp()),
  expires_at: maybe(timestamp()),
  completed_at: maybe(timestamp()),
  void_reason: maybe(text('Yanlış araç')),
  superseded_at: maybe(timestamp()),
};
const times = { created_at: timestamp(), updated_at: timestamp() };

/** Of either origin: fields that only generated documents have are null for uploaded ones. */
export const Document = object({
  ...common,
  template_id: maybe(uuid()),
  version: maybe(integer()),
  status: maybe(oneOf(SALE_DOCUMENT_STATUSES)),
  signature: maybe(oneOf(SIGNATURES)),
  signature_method: maybe(oneOf(SIGNATURE_METHODS)),
  recipients: arrayOf(Recipient),
  ...dates,
  ...times,
});
export type Document = Of<typeof Document>;

export const SaleDocument = object({
  ...common,
  template_id: uuid(),
  version: integer(),
  status: oneOf(SALE_DOCUMENT_STATUSES),
  signature: oneOf(SIGNATURES),
  signature_method: maybe(oneOf(SIGNATURE_METHODS)),
  recipients: arrayOf(Recipient),
  ...dates,
  ...times,
});
export type SaleDocument = Of<typeof SaleDocument>;

/** The representation, with its file as the database knows it. */
export interface StoredDocument extends Omit<Document, 'file'> {
  readonly file_id: string | null;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

const RECIPIENTS = sql`(select coalesce(json_agg(json_build_object('role', role, 'name', name, 'email', email, 'phone', phone,
      'status', document_recipients.status, 'signed_at', case when document_recipients.status = 'İmzaladı' then utc_text(decided_at) end) order by "position"), '[]')
    from ${own('document_recipients')} where document_id = documents.id)`;

const STORED = sql`id, origin, kind, title, customer_id, sale_id, vehicle_id, file_id, content_type, size_bytes,
  encode(sha256, 'hex') as sha256, uploaded_by, signs_document_id, template_id, version, status, signature, signature_method,
  ${RECIPIENTS} as recipients, utc_text(sent_at) as sent_at, utc_text(expires_at) as expires_at, utc_text(completed_at) as completed_at,
  void_reason, utc_text(superseded_at) as superseded_at, utc_text(created_at) as created_at, utc_text(updated_at) as updated_at`;

/** How a caller can open files. */
export interface Reader {
  readonly linkTo: (fileId: string) => FileLink;
  readonly masked: boolean;
}

const NO_LINK = { url: null, expires_at: null };

export const shownFile = (
  { linkTo, masked }: Reader,
  fileId: string,
  { content_type, size_bytes, sha256 }: Pick<StoredDocument, 'content_type' | 'size_bytes' | 'sha256'>,
): DocumentFile => ({ ...(masked ? NO_LINK : linkTo(fileId)), content_type, size_bytes, sha256 });

export function shownDocument(stored: StoredDocument, reader: Reader): Document {
  const { file_id, content_type, size_bytes, sha256, ...rest } = stored;
  const { id, origin, kind, title, customer_id, sale_id, vehicle_id, ...more } = rest;
  const file = file_id === null ? null : shownFile(reader, file_id, { content_type, size_bytes, sha256 });
  return { id, origin, kind, title, customer_id, sale_id, vehicle_id, file, ...more };
}

export const shownSaleDocument = (stored: StoredDocument, reader: Reader): SaleDocument =>
  shownDocument(stored, reader) as SaleDocument;

export async function findDocument(db: Db, id: string): Promise<StoredDocument> {
  return db.one<StoredDocument>(
    sql`select ${STORED} from ${own('documents')} where id = ${id} and deleted_at is null and topup_id is null`,
  );
}

/** Includes a document that has just been deleted. */
export const findAnyDocument = (db: Db, id: string): Promise<StoredDocument> =>
  db.one<StoredDocument>(sql`select ${STORED} from ${own('documents')} where id = ${id}`);

export interface DocumentFilter {
  readonly customer_id?: string | undefined;
  readonly sale_id?: string | undefined;
  readonly vehicle_id?: string | undefined;
  readonly kind?: DocumentKind | undefined;
  readonly origin?: DocumentOrigin | undefined;
  readonly status?: SaleDocumentStatus | undefined;
  readonly template_id?: string | undefined;
  readonly deleted?: true | undefined;
}

/** Sent, and neither signed by everyone nor withdrawn. */
export const WAITS_FOR_SIGNATURE = sql`status in ('Gönderildi', 'Görüntülendi')`;

const FILTERS = ['customer_id', 'sale_id', 'vehicle_id', 'kind', 'origin', 'status', 'template_id'] as const;
const NEWEST_FIRST = { where: [], order: rawSql('created_at desc, id desc'), position: rawSql('null') };

export async function listDocuments(
  db: Db,
  filter: DocumentFilter,
  page: Paging,
  reader: Reader,
  also: readonly Sql[] = [],
): Promise<Page> {
  const { where, order, position } = page.walk === undefined ? NEWEST_FIRST : stepOf(page.walk);
  const conditions = FILTERS.filter((name) => filter[name] !== undefined).map((name) => sql`${rawSql(name)} = ${filter[name]}`);
  const found = await db.rows<StoredDocument & { last: string | null }>(sql`select ${STORED}, ${position} as last
    from (select * from ${own('documents')} where ${deletedOrNot(filter.deleted)} and topup_id is null${allOf([...conditions, ...also, ...changedSince(page), ...where])}
      order by ${order} limit ${page.limit + 1} offset ${page.offset}) documents order by ${order}`);
  const hasMore = found.length > page.limit;
  const shown = found.slice(0, page.limit).map(({ last: _, ...one }) => shownDocument(one, reader));
  const last = hasMore && page.walk !== undefined ? JSON.parse(found[page.limit - 1]!.last!) : null;
  return { json: JSON.stringify(shown), count: shown.length, hasMore, last, version: null };
}

/** Linked to the customer or to one of their sales. */
export async function listCustomerDocuments(
  db: Db,
  customerId: string,
  filter: DocumentFilter,
  page: Paging,
  reader: Reader,
): Promise<Page> {
  await db.one(sql`select id from ${own('customers')} where id = ${customerId} and deleted_at is null`);
  const his = sql`(customer_id = ${customerId} or sale_id in (select id from ${own('sales')} where customer_id = ${customerId}))`;
  return listDocuments(db, filter, page, reader, [his]);
}

export async function listSaleDocuments(
  db: Db,
  saleId: string,
  filter: DocumentFilter,
  page: Paging,
  reader: Reader,
): Promise<Page> {
  await db.one(sql`select id from ${own('sales')} where id = ${saleId}`);
  return listDocuments(db, { ...filter, sale_id: saleId }, page, reader);
}

/** Events of documents carry ids only; receivers read the record for more. */
export function emitDocumentEvent(
  { emit }: Work,
  kind: `document.${string}` | `sale_document.${string}`,
  document: Pick<StoredDocument, 'id' | 'customer_id' | 'sale_id' | 'vehicle_id'>,
): void {
  const { id, customer_id, sale_id, vehicle_id } = document;
  emit({ kind, id, path: `documents/${id}`, object: { id, customer_id, sale_id, vehicle_id } });
}

/** The locked row of a generated document, with the columns that its transitions depend on. */
export interface LockedDocument {
  readonly id: string;
  readonly customer_id: string | null;
  readonly sale_id: string;
  readonly vehicle_id: string | null;
  readonly title: string;
  readonly kind: DocumentKind;
  readonly template_code: string;
  readonly version: number;
  readonly status: SaleDocumentStatus;
  readonly signature: (typeof SIGNATURES)[number];
  readonly channel: string | null;
  readonly sha256: string;
  readonly expires_at: Date | null;
  readonly superseded_at: Date | null;
  readonly paper_encrypted: Buffer | null;
}

export const lockGenerated = (db: Db, where: Sql): Promise<LockedDocument[]> =>
  db.rows<LockedDocument>(sql`select id, customer_id, sale_id, vehicle_id, title, kind, template_code, version, status, signature, channel,
      encode(sha256, 'hex') as sha256, expires_at, superseded_at, paper_encrypted
    from ${own('documents')} where origin = 'Üretildi' and ${where} order by created_at, id for update`);

export async function lockSaleDocument(db: Db, id: string): Promise<LockedDocument> {
  const [found] = await lockGenerated(db, sql`id = ${id}`);
  return found ?? fail('not_found');
}

export interface StoredRecipient {
  readonly id: string;
  readonly position: number;
  readonly role: (typeof RECIPIENT_ROLES)[number];
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly status: RecipientStatus;
}

export const lockRecipients = (db: Db, documentId: string): Promise<StoredRecipient[]> =>
  db.rows<StoredRecipient>(sql`select id, "position", role, name, email, phone, status from ${own('document_recipients')}
    where document_id = ${documentId} order by "position" for update`);
