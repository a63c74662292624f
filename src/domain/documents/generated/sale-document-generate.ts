// Generating a sale's document: its requirements, the draft that it replaces, the file, the record.
import { type Detail, fail } from '../../../kit/errors.ts';
import { newId } from '../../../kit/ids.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { type Paper, paperText } from '../../papers/paper.ts';
import type { CreateBody } from '../../records/body.ts';
import { type Fields, nullable, required, textField, uuidField } from '../../records/fields.ts';
import { type LockedSale, lockSaleWithInstallments } from '../../sales/sale-money.ts';
import { seal } from '../../vault/vault.ts';
import { emitDocumentEvent, findDocument, type LockedDocument, lockGenerated, type StoredDocument } from '../document.ts';
import { logDocument } from '../document-events.ts';
import { findTemplate, signatureOf, type Template } from '../document-templates.ts';
import { storePaper } from '../drawn-file.ts';
import { paperCell } from '../paper-cell.ts';
import { type Dealer, fillPaper, LIVE_NOTES, readPaperDealer, readTerms } from '../sale-paper.ts';
import { voidDocument } from './sale-document-void.ts';

export const GENERATE_FIELDS = {
  template_id: required(uuidField),
  note: nullable(textField(1000, { lines: true })),
} as const satisfies Fields;

export async function generateDocument(
  work: Work,
  saleId: string,
  { template_id, note = null }: CreateBody<typeof GENERATE_FIELDS>,
): Promise<StoredDocument> {
  const { db } = work;
  const locked = (await lockSaleWithInstallments(db, saleId)) ?? fail('not_found');
  const dealer = await readPaperDealer(db);
  const template = findTemplate(dealer.country, { id: template_id }) ?? fail('unknown_template', { details: [UNKNOWN] });
  if (locked.sale.status === 'İptal') fail('sale_cancelled');
  const standing = await lockLive(work, saleId, template);
  if (standing !== undefined && standing.status !== 'Taslak') fail('document_exists');
  await requireContents(work, locked, dealer, template);
  return draft(work, { dealer, template, locked, note, standing });
}

const UNKNOWN: Detail = {
  field: 'template_id',
  code: 'unknown_template',
  message: { en: 'template_id names no template of this country', tr: 'template_id bu ülkenin bir şablonunu göstermiyor' },
};

async function lockLive({ db }: Work, saleId: string, { code }: Template): Promise<LockedDocument | undefined> {
  const live = sql`status in ('Taslak', 'Gönderildi', 'Görüntülendi', 'İmzalandı') and superseded_at is null`;
  return (await lockGenerated(db, sql`sale_id = ${saleId} and template_code = ${code} and ${live}`))[0];
}

/** A template's requirements on the sale and the dealer. */
async function requireContents(
  work: Work,
  { sale, installments }: LockedSale,
  dealer: Dealer,
  template: Template,
): Promise<void> {
  const { db } = work;
  if (template.requires_guarantor && sale.guarantor_ids.length === 0) fail('guarantor_required');
  const isPlanned = installments.some(({ seq, status }) => seq > 0 && status !== 'Yapılandırıldı');
  if (template.requires_installments && !isPlanned) fail('installments_required');
  if (template.code === 'senet') {
    const notes = await db.rows(
      sql`select id from ${own('promissory_notes')} where sale_id = ${sale.id} and ${LIVE_NOTES} limit 1`,
    );
    if (notes.length === 0) fail('notes_required');
  }
  if (template.code === 'ibraname' && sale.status !== 'Tamamlandı') fail('sale_not_completed');
  if (template.code !== 'satis_sozlesmesi') return;
  if (dealer.legal_name === null) fail('legal_name_missing');
  if (dealer.country === 'TR' && sale.payment_type === 'Taksitli') await requireConsumerTerms(work, sale.id, sale.customer_id);
}

/** Fields that the contract of a consumer who pays by installments must have (Türkiye). */
async function requireConsumerTerms({ db }: Work, saleId: string, customerId: string): Promise<void> {
  const { kind } = await db.one<{ kind: string }>(sql`select kind from ${own('customers')} where id = ${customerId}`);
  if (kind !== 'Bireysel') return;
  const { delivered_at, delivery_due_on, late_rate_yearly: late, yearly_rate: yearly } = await readTerms(db, saleId);
  const missing: Detail[] = [];
  if (delivered_at === null && delivery_due_on === null) missing.push(requiredOf('delivery_due_on'));
  if (late === null) missing.push(requiredOf('late_rate_yearly'));
  else if (yearly !== null && yearly > 0 && late * 10 > yearly * 13) missing.push(TOO_HIGH);
  if (missing.length > 0) fail('contract_incomplete', { details: missing });
}

const requiredOf = (field: string): Detail => ({
  field,
  code: 'required',
  message: { en: `${field} must be on the sale`, tr: `Satışta ${field} bulunmalı` },
});

const TOO_HIGH: Detail = {
  field: 'late_rate_yearly',
  code: 'too_high',
  message: {
    en: 'late_rate_yearly must not exceed 1.3 times yearly_rate',
    tr: 'late_rate_yearly, yearly_rate değerinin en çok 1,3 katı olur',
  },
};

interface Draft {
  readonly dealer: Dealer;
  readonly template: Template;
  readonly locked: LockedSale;
  readonly note: string | null;
  /** The draft that it replaces. */
  readonly standing: LockedDocument | undefined;
}

/** The sale is locked, so no other draft of it can be created at the same time. */
export async function draft(work: Work, { dealer, template, locked, note, standing }: Draft): Promise<StoredDocument> {
  const { db, now } = work;
  const { sale } = locked;
  const { version } = await db.one<{ version: number }>(sql`select coalesce(max(version), 0)::int + 1 as version
    from ${own('documents')} where sale_id = ${sale.id} and template_code = ${template.code} and origin = 'Üretildi'`);
  const id = newId(now.getTime());
  const file = await storePaper(work, id, await fillPaper(work, { dealer, template, locked, version, note }));
  if (standing !== undefined) await voidDocument(work, standing, `Yeni sürüm: ${version}`);
  const signature = signatureOf(template, sale.payment_type === 'Taksitli');
  await db.exec(sql`insert into documents (account_id, id, origin, kind, title, customer_id, sale_id, vehicle_id, file_id, content_type, size_bytes,
      sha256, template_id, template_code, version, status, signature, guarantor_ids, note, paper_encrypted, created_at, updated_at)
    values (${theAccount}, ${id}, 'Üretildi', ${template.kind}, ${template.name}, ${sale.customer_id}, ${sale.id}, ${sale.vehicle_id}, ${file.id},
      ${file.contentType}, ${file.sizeBytes}, ${Buffer.from(file.sha256, 'hex')}, ${template.id}, ${template.code}, ${version}, 'Taslak',
      ${signature}, ${sale.guarantor_ids}::uuid[], ${note}, ${sealedPaper(work, id, file.paper)}, ${now}, ${work.updatedAt()})`);
  logDocument(work, id, 'created');
  const document = await findDocument(db, id);
  emitDocumentEvent(work, 'sale_document.generated', document);
  return document;
}

/** The signed copy is drawn from this stored paper, even if the sale has changed since. */
const sealedPaper = ({ keys }: Work, id: string, paper: Paper): Buffer =>
  seal(keys.ring, paperCell(keys.account, id), paperText(paper));
