// A document that was sent for signature expires.
import type { Db } from '../../../kit/db.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import type { Look } from '../../writes/timed-transition.ts';
import { idsOf, without } from '../../writes/transition-failures.ts';
import { emitDocumentEvent, lockGenerated } from '../document.ts';
import { logDocument } from '../document-events.ts';

const OUT = sql`status in ('Gönderildi', 'Görüntülendi')`;

const MAX_AT_ONCE = 200;

export const dueDocuments = ({ db, now }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${own('documents')} where origin = 'Üretildi' and ${OUT} and expires_at <= ${now} and ${without(skip)}
      order by created_at, id limit ${MAX_AT_ONCE}`,
  );

/** Timed transition: documents whose time has passed. */
export async function expireDocuments(work: Work, ids: readonly string[]): Promise<void> {
  const { db, now } = work;
  for (const document of await lockGenerated(db, sql`id = any(${ids}::uuid[]) and ${OUT} and expires_at <= ${now}`)) {
    await db.exec(sql`update documents set status = 'Süresi Doldu', updated_at = ${work.updatedAt()}
      where account_id = ${theAccount} and id = ${document.id}`);
    logDocument(work, document.id, 'expired');
    emitDocumentEvent(work, 'sale_document.expired', document);
  }
}

export async function nextDocumentEnd(db: Db, _timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(
    sql`select min(expires_at) as at from ${own('documents')} where ${OUT} and ${without(skip)}`,
  );
  return at;
}
