// All papers of a sale in one act: generated, sent for signature, and read for one file to print.
import type { Db } from '../../../kit/db.ts';
import { Failure, fail, type Locale, messageOf } from '../../../kit/errors.ts';
import { own, sql } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { type Paper, readPaperText } from '../../papers/paper.ts';
import { unseal } from '../../vault/vault.ts';
import { audit } from '../../writes/audit.ts';
import { findTemplate, type Template } from '../document-templates.ts';
import { type Channel, isRequiredPaper, TEMPLATE_CODES } from '../documents-states.ts';
import { paperCell } from '../paper-cell.ts';
import { readPaperDealer } from '../sale-paper.ts';
import { sendDocument } from '../signing/sale-document-send.ts';
import { generateDocument } from './sale-document-generate.ts';

interface SaleFacts {
  readonly status: string;
  readonly payment_type: string;
  readonly guarantor_ids: readonly string[];
}

interface LivePaper {
  readonly id: string;
  readonly title: string;
  readonly template_code: string;
  readonly status: string;
  readonly signature: string;
  readonly paper_encrypted: Buffer | null;
}

const readSale = async (db: Db, saleId: string): Promise<SaleFacts> =>
  (await db.rows<SaleFacts>(sql`select status, payment_type, guarantor_ids from ${own('sales')} where id = ${saleId}`))[0] ??
  fail('not_found');

/** In the order of the templates. */
const readLive = (db: Db, saleId: string): Promise<LivePaper[]> =>
  db.rows<LivePaper>(sql`select id, title, template_code, status, signature, paper_encrypted from ${own('documents')}
    where sale_id = ${saleId} and origin = 'Üretildi' and superseded_at is null
      and status in ('Taslak', 'Gönderildi', 'Görüntülendi', 'İmzalandı')
    order by array_position(${[...TEMPLATE_CODES]}::text[], template_code), created_at, id`);

export interface RefusedPaper {
  readonly title: string;
  readonly code: string;
  readonly message: string;
}

export interface PreparedPapers {
  readonly prepared: readonly { readonly id: string; readonly title: string }[];
  /** What the sale or the account still lacks for a paper. */
  readonly refused: readonly RefusedPaper[];
}

/** Each on its own: what one paper lacks does not hold up the others. */
export async function preparePapers(work: Work, saleId: string, locale: Locale): Promise<PreparedPapers> {
  const { db } = work;
  const sale = await readSale(db, saleId);
  if (sale.status === 'İptal') fail('sale_cancelled');
  const { country } = await readPaperDealer(db);
  const live = new Set((await readLive(db, saleId)).map(({ template_code }) => template_code));
  const missing = TEMPLATE_CODES.filter((code) => isRequiredPaper(code, sale) && !live.has(code));
  const prepared: PreparedPapers['prepared'][number][] = [];
  const refused: RefusedPaper[] = [];
  for (const code of missing) {
    const template = findTemplate(country, { code })!;
    const made = await prepareOne(work, saleId, template, locale);
    if ('id' in made) prepared.push(made);
    else refused.push(made);
  }
  return { prepared, refused };
}

async function prepareOne(
  work: Work,
  saleId: string,
  { id: template_id, name: title }: Template,
  locale: Locale,
): Promise<{ readonly id: string; readonly title: string } | RefusedPaper> {
  try {
    const { id } = await work.step(() => generateDocument(work, saleId, { template_id }));
    return { id, title };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { title, code: error.code, message: messageOf(error.code, error.facts, locale) };
  }
}

export interface SentPapers {
  readonly sent: readonly string[];
  readonly links: readonly { readonly title: string; readonly role: string; readonly name: string; readonly url: string }[];
  readonly refused: readonly RefusedPaper[];
}

/** Every draft that may be approved by link, to the customer and the guarantors. */
export async function sendPapers(
  work: Work,
  saleId: string,
  channel: Channel,
  { canMail, locale }: { readonly canMail: boolean; readonly locale: Locale },
): Promise<SentPapers> {
  await readSale(work.db, saleId);
  const drafts = (await readLive(work.db, saleId)).filter(
    ({ status, signature }) => status === 'Taslak' && signature !== 'Islak',
  );
  const sent: string[] = [];
  const links: SentPapers['links'][number][] = [];
  const refused: RefusedPaper[] = [];
  for (const { id, title } of drafts) {
    try {
      const { signing_links } = await work.step(() => sendDocument(work, id, { channel }, canMail));
      sent.push(title);
      links.push(...signing_links.map((link) => ({ title, ...link })));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused.push({ title, code: error.code, message: messageOf(error.code, error.facts, locale) });
    }
  }
  return { sent, links, refused };
}

/** The papers that are still to be signed, or all of them once they are. They name people, so each is audited as opened. */
export async function openPapers({ db, keys, actor, account }: Work, saleId: string): Promise<readonly Paper[]> {
  await readSale(db, saleId);
  const live = (await readLive(db, saleId)).filter(({ paper_encrypted }) => paper_encrypted !== null);
  const unsigned = live.filter(({ status }) => status !== 'İmzalandı');
  const opened = unsigned.length > 0 ? unsigned : live;
  if (opened.length === 0) fail('not_found');
  for (const { id } of opened) await audit(db, actor, 'file.opened', id, { accountId: account.id });
  return opened.map(({ id, paper_encrypted }) => readPaperText(unseal(keys.ring, paperCell(keys.account, id), paper_encrypted!)));
}
