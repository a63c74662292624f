// The document of a signing link as pictures of its pages, with its day and amount. Each view is audited, as the file's download is.
import { logOpening } from '../../domain/documents/file-openings.ts';
import { readSentPaper } from '../../domain/documents/signing/signed-copy.ts';
import type { Signing } from '../../domain/documents/signing/signing.ts';
import { drawPages } from '../../domain/papers/drawing/paper-drawing.ts';
import { amount, day } from '../../domain/papers/paper-words.ts';
import type { Secrets } from '../../domain/vault/secrets.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import type { Database } from '../../kit/db.ts';
import type { Actor } from '../../kit/work.ts';
import { createDrawnPages } from './drawn-pages.ts';
import type { ShownDocument } from './signing-page.ts';
import type { Visit } from './signing-visit.ts';

/** A stored paper does not change, and nothing is shown of one that was erased. */
const drawnPages = createDrawnPages(8_000_000);

/** The recipient can still approve or decline. */
export const isUndecided = ({ isOver, isSuspended, status }: Signing): boolean =>
  !isOver && !isSuspended && (status === 'Gönderildi' || status === 'Görüntülendi');

/** Null once the document was decided, withdrawn or erased: then nothing of it is shown. */
export async function showDocument(
  { database, secrets }: { readonly database: Database; readonly secrets: Secrets },
  { dataSet, linked, signing }: Visit,
  actor: Actor,
): Promise<ShownDocument | null> {
  if (!isUndecided(signing) || signing.decided === 'İmzaladı' || signing.file_id === null) return null;
  const paper = await database.inTenant(dataSet, 'read', (db) =>
    readSentPaper(db, sealingKeys(secrets, dataSet), linked.document_id),
  );
  if (paper === null) return null;
  await logOpening(database, dataSet, signing.file_id, actor);
  const sale = 'sale' in paper ? paper.sale : null;
  const sum = sale && amount(sale.total_receivable, sale.currency);
  const pages = await drawnPages(`${dataSet} ${linked.document_id}`, () => drawPages(paper, dataSet));
  return { day: day(paper.day), sum, pages };
}
