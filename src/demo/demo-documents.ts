// The documents of the demonstration's first dealer, with the same ids at every load: a scan, a draft, and one that was signed by hand.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTemplate, signatureOf, type Template } from '../domain/documents/document-templates.ts';
import type { TemplateCode } from '../domain/documents/documents-states.ts';
import { verificationOf } from '../domain/documents/drawn-file.ts';
import { paperCell } from '../domain/documents/paper-cell.ts';
import { fillPaper, readPaperDealer } from '../domain/documents/sale-paper.ts';
import type { Files } from '../domain/files/file-store.ts';
import { announceFiles, newFile } from '../domain/files/stored-files.ts';
import { drawPaper } from '../domain/papers/drawing/paper-drawing.ts';
import { type Paper, paperText } from '../domain/papers/paper.ts';
import { demoVerification, keepVerification } from '../domain/papers/verification.ts';
import { type Columns, insertRecords } from '../domain/records/record.ts';
import { lockSaleWithInstallments } from '../domain/sales/sale-money.ts';
import { seal } from '../domain/vault/vault.ts';
import type { Database, Db } from '../kit/db.ts';
import type { NewFile } from '../kit/file.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { SealingKeys } from '../kit/work.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { idOf } from './demo-random.ts';

export interface DemoDocumentIds {
  /** Uploaded. */
  readonly document_id: string;
  /** Generated, not sent yet. */
  readonly draft_document_id: string;
  readonly signed_document_id: string;
}

export function demoDocumentIds({ scope }: DemoDealer): DemoDocumentIds {
  const office = (name: string): string => idOf('office', scope, name);
  return {
    document_id: office('document'),
    draft_document_id: office('draft document'),
    signed_document_id: office('signed document'),
  };
}

interface Names extends DemoDocumentIds {
  readonly sale_id: string;
  readonly customer_id: string;
  readonly vehicle_id: string;
}

interface Parts {
  readonly database: Database;
  readonly files: Files;
  readonly keys: SealingKeys;
  readonly now: Date;
  /** The address that the codes on papers lead to. */
  readonly publicUrl: string;
}

export interface FilledPaper {
  readonly template: Template;
  readonly paper: Paper;
  readonly sale: Columns;
}

/** For the installment sale; without one, nothing is added. */
export async function loadDemoDocuments(parts: Parts, dealer: DemoDealer, ids: Names): Promise<void> {
  const { database, files, keys, now } = parts;
  const filled = await database.inTenant(dealer.id, 'write', (db) => fillBoth(db, parts, ids));
  if (filled === null) return;
  const folder = await mkdtemp(join(files.incoming, 'demo-'));
  try {
    const [draft, signed] = await Promise.all(filled.map(({ paper }) => drawPaper(paper, dealer.id, folder)));
    const again = await drawPaper(filled[1]!.paper, dealer.id, folder);
    const scan = await scanIn(folder);
    const made = [draft!, signed!, again, scan];
    await database.inTenant(dealer.id, 'write', (db) => announceFiles(db, made, now));
    for (const file of made) await files.store.put(file.name, file.path, file);
    await database.inTenant(dealer.id, 'write', async (db) => {
      await keepSensitive(db, made, now);
      await addScan(db, ids, scan, now);
      await addGenerated(db, keys, { id: ids.draft_document_id, file: draft!, filled: filled[0]!, state: DRAFT }, now);
      await addGenerated(
        db,
        keys,
        { id: ids.signed_document_id, file: signed!, filled: filled[1]!, state: signedOnPaper(now) },
        now,
      );
      await addSignedScan(db, dealer, ids, again, now);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillBoth(db: Db, parts: Parts, ids: Names): Promise<FilledPaper[] | null> {
  const known = await db.rows(sql`select id from ${own('documents')} where id = ${ids.document_id}`);
  if (known.length > 0) return null;
  const both = [
    { code: 'teslim_tutanagi', id: ids.draft_document_id, saleId: ids.sale_id },
    { code: 'kvkk_aydinlatma', id: ids.signed_document_id, saleId: ids.sale_id },
  ] as const;
  const filled = await fillPapers(db, parts, both);
  return filled.length < both.length ? null : filled;
}

export interface DemoPaper {
  readonly code: TemplateCode;
  /** Of the document. */
  readonly id: string;
  readonly saleId: string;
}

/** Papers of sales that do not exist are left out. */
export async function fillPapers(
  db: Db,
  { keys, now, publicUrl }: Pick<Parts, 'keys' | 'now' | 'publicUrl'>,
  papers: readonly DemoPaper[],
): Promise<FilledPaper[]> {
  const dealer = await readPaperDealer(db);
  const work = { db, keys, now, today: now.toISOString().slice(0, 10) };
  const filled: FilledPaper[] = [];
  for (const { code, id, saleId } of papers) {
    const locked = await lockSaleWithInstallments(db, saleId);
    if (locked === null) continue;
    const template = findTemplate(dealer.country, { code })!;
    const paper = await fillPaper(work, { dealer, template, locked, version: 1, note: null });
    filled.push({ template, paper: { ...paper, verification: demoVerification(publicUrl, id) }, sale: { ...locked.sale } });
  }
  return filled;
}

/** A grey card in place of a scanned document. */
const CARD =
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAABUAgMAAAA0ZBsMAAAADFBMVEWwsLDY2NjExMSbm5sZnH2GAAAACXBIWXMAAAsTAAALEwEAmpwYAAAAPElEQVRIx2MIxQsYhrB0GANOMBUoHXIAlyyzKEhaFJfJIaPSo9Kj0qPSo9Kj0qPSw1Maf+OAQNNimDapADy9AmCzRs9AAAAAAElFTkSuQmCC';

export async function scanIn(folder: string): Promise<NewFile> {
  const path = join(folder, 'scan.png');
  await writeFile(path, Buffer.from(CARD, 'base64'));
  return newFile(path, 'image/png');
}

export async function keepSensitive(db: Db, files: readonly NewFile[], now: Date): Promise<void> {
  const ids = files.map(({ id }) => id);
  await db.exec(sql`update stored_files set state = 'kept', is_sensitive = true, state_at = ${now}
    where account_id = ${theAccount} and id = any(${ids}::uuid[])`);
}

const fileColumns = ({ id, contentType, sizeBytes, sha256 }: NewFile): Columns => ({
  file_id: id,
  content_type: contentType,
  size_bytes: sizeBytes,
  sha256: Buffer.from(sha256, 'hex'),
});

const addScan = (db: Db, { document_id, customer_id, vehicle_id }: Names, file: NewFile, now: Date): Promise<number> =>
  insertRecords(db, 'documents', [
    {
      id: document_id,
      origin: 'Yüklendi',
      kind: 'Ruhsat',
      title: 'Ruhsat, ön yüz',
      customer_id,
      vehicle_id,
      ...fileColumns(file),
      created_at: now,
      updated_at: now,
    },
  ]);

interface Generated {
  readonly id: string;
  readonly file: NewFile;
  readonly filled: FilledPaper;
  /** The status, and what belongs to it. */
  readonly state: Columns;
}

export const DRAFT: Columns = { status: 'Taslak' };
export const signedOnPaper = (now: Date): Columns => ({ status: 'İmzalandı', signature_method: 'Islak', completed_at: now });

export async function addGenerated(db: Db, keys: SealingKeys, { id, file, filled, state }: Generated, now: Date): Promise<void> {
  const { template, paper, sale } = filled;
  const { id: template_id, code, kind, name } = template;
  await insertRecords(db, 'documents', [
    {
      id,
      origin: 'Üretildi',
      kind,
      title: name,
      customer_id: sale.customer_id,
      sale_id: sale.id,
      vehicle_id: sale.vehicle_id,
      ...fileColumns(file),
      template_id,
      template_code: code,
      version: 1,
      signature: signatureOf(template, true),
      paper_encrypted: seal(keys.ring, paperCell(keys.account, id), paperText(paper)),
      ...state,
      created_at: now,
      updated_at: now,
    },
  ]);
  await addDocumentEvent(db, id, 1, { kind: 'created' }, now);
  await keepVerification({ db, now }, paper.verification!.code, verificationOf(paper, id), file.sha256);
}

export const addDocumentEvent = (db: Db, id: string, number: number, columns: Columns, now: Date): Promise<number> =>
  insertRecords(db, 'document_events', [
    {
      id: idOf('event of', number, id),
      document_id: id,
      number,
      recipient_name: null,
      channel: null,
      ...columns,
      occurred_at: now,
    },
  ]);

/** Signed on paper by the customer: the recipient, the scan that proves it, and the events. */
export async function addSignedScan(
  db: Db,
  dealer: DemoDealer,
  ids: Pick<Names, 'signed_document_id' | 'customer_id' | 'sale_id'>,
  file: NewFile,
  now: Date,
): Promise<void> {
  const { signed_document_id: signs, customer_id, sale_id } = ids;
  const { name, phone } = await db.one<{ name: string; phone: string }>(
    sql`select first_name || ' ' || last_name as name, phone from ${own('customers')} where id = ${customer_id}`,
  );
  const person = { id: idOf('office', dealer.scope, 'signer'), document_id: signs, position: 1, role: 'Müşteri', name, phone };
  await insertRecords(db, 'document_recipients', [{ ...person, status: 'İmzaladı', decided_at: now }]);
  await addDocumentEvent(db, signs, 2, { kind: 'signed', recipient_name: name, channel: 'Kâğıt' }, now);
  await addDocumentEvent(db, signs, 3, { kind: 'completed' }, now);
  await insertRecords(db, 'documents', [
    {
      id: idOf('office', dealer.scope, 'signed scan'),
      origin: 'Yüklendi',
      kind: 'KVKK Aydınlatma',
      customer_id,
      sale_id,
      title: 'KVKK aydınlatma metni (imzalı)',
      signs_document_id: signs,
      ...fileColumns(file),
      created_at: now,
      updated_at: now,
    },
  ]);
}
