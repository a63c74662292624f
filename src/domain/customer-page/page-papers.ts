// The papers that wait for the customer's signature.
import type { Db } from '../../kit/db.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';

export interface PagePaper {
  readonly id: string;
  readonly title: string;
  readonly sale_no: string;
}

/** With the recipient as whom the customer signs: a guarantor signs by a link of their own. */
export const waitingPapers = (
  customerId: string,
  now: Date,
): Sql => sql`select distinct on (documents.id) documents.id, documents.title,
    sale_no, documents.sent_at, document_recipients.id as recipient_id
  from ${own('documents')} join ${own('sales')} on sales.id = documents.sale_id
    join ${own('document_recipients')} on document_recipients.document_id = documents.id
  where sales.customer_id = ${customerId} and documents.deleted_at is null and documents.status in ('Gönderildi', 'Görüntülendi')
    and (documents.expires_at is null or documents.expires_at > ${now})
    and document_recipients.role = 'Müşteri' and document_recipients.status in ('Bekliyor', 'Görüntüledi')
  order by documents.id, document_recipients."position"`;

export const listWaitingPapers = (db: Db, customerId: string, now: Date): Promise<PagePaper[]> =>
  db.rows<PagePaper>(sql`select id, title, sale_no from (${waitingPapers(customerId, now)}) waiting order by sent_at desc, id`);
