// What happened to a generated document, oldest first. Entries are never changed or deleted.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { listPage, type Page, type Paging, type WalkKey } from '../../kit/page.ts';
import { nullable as maybe, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, rawSql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { DOCUMENT_EVENT_KINDS, type DocumentEventKind, EVENT_CHANNELS, type EventChannel } from './documents-states.ts';

export const DocumentEvent = object({
  id: uuid(),
  document_id: uuid(),
  kind: oneOf(DOCUMENT_EVENT_KINDS),
  recipient_name: maybe(text('Ayşe Yılmaz')),
  channel: maybe(oneOf(EVENT_CHANNELS)),
  occurred_at: timestamp(),
});

const OLDEST_FIRST = rawSql('number');
const BY_NUMBER: WalkKey = { columns: { number: 'integer' }, direction: 'asc' };

export async function listDocumentEvents(db: Db, documentId: string, page: Paging): Promise<Page> {
  await db.one(sql`select id from ${own('documents')} where id = ${documentId} and origin = 'Üretildi'`);
  const where = [sql`document_id = ${documentId}`];
  return listPage(db, { table: 'document_events', shows: DocumentEvent, where, order: OLDEST_FIRST, walkedBy: BY_NUMBER }, page);
}

/** The document is locked, so the next number is unique. Sent without waiting. */
export function logDocument(
  { db, now }: Work,
  documentId: string,
  kind: DocumentEventKind,
  details: { readonly recipient_name?: string; readonly channel?: EventChannel } = {},
): void {
  db.send(sql`insert into document_events (account_id, id, document_id, number, kind, recipient_name, channel, occurred_at)
    select ${theAccount}, ${newId(now.getTime())}, ${documentId}, coalesce(max(number), 0) + 1, ${kind}, ${details.recipient_name ?? null},
      ${details.channel ?? null}, ${now} from ${own('document_events')} where document_id = ${documentId}`);
}
