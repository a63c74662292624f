// Erasure of documents: a sale's papers when their years are over, and what a person's erasure takes at once.
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { dropFiles } from '../files/stored-files.ts';
import { ERASED_WORDS } from '../records/record.ts';
import { audit } from '../writes/audit.ts';

interface Erasable {
  readonly id: string;
  readonly file_id: string | null;
  readonly signed_file_id: string | null;
}

/** The files and what they were drawn from go; that there was a document stays, with its hash. */
async function eraseFiles(work: Work, found: readonly Erasable[]): Promise<void> {
  const { db, now, actor, account } = work;
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  await db.exec(sql`update documents set file_id = null, signed_file_id = null, paper_encrypted = null, note = null,
      erased_at = coalesce(erased_at, ${now}), updated_at = ${now} where account_id = ${theAccount} and id = any(${ids}::uuid[])`);
  await dropFiles(
    work,
    found.flatMap(({ file_id, signed_file_id }) => [file_id, signed_file_id].filter((one) => one !== null)),
  );
  for (const id of ids) await audit(db, actor, 'document.erased', id, { accountId: account.id });
}

/** When a sale ended: it was cancelled, or its last money came in. */
const ENDED_ON = sql`case sales.status when 'İptal' then sales.cancelled_at::date else coalesce((select max(collected_on)
  from ${own('collections')} where collections.sale_id = sales.id and collections.status = 'Geçerli'), sales.created_at::date) end`;

/** Documents of sales that ended so many years ago. Returns how many were erased. */
export async function eraseOldDocuments(work: Work, limit: number): Promise<number> {
  const { db, today } = work;
  const found = await db.rows<Erasable>(sql`select documents.id, file_id, signed_file_id from ${own('documents')}
    join ${own('sales')} on sales.id = documents.sale_id, ${own('accounts')}
    where documents.erased_at is null and sales.status in ('Tamamlandı', 'İptal')
      and (${ENDED_ON} + make_interval(years => accounts.document_retention_years))::date <= ${today}::date
    order by documents.created_at limit ${limit} for update of documents`);
  await eraseFiles(work, found);
  return found.length;
}

/**
 * Consequence of a customer's erasure: their scans go unless they belong to a sale, whose papers are kept as long as the law asks; who
 * signed is no longer named outside of the papers.
 */
export async function eraseCustomerDocuments(work: Work, customerId: string): Promise<void> {
  const { db } = work;
  const found = await db.rows<Erasable>(sql`select id, file_id, signed_file_id from ${own('documents')}
    where customer_id = ${customerId} and sale_id is null and erased_at is null for update`);
  await eraseFiles(work, found);
  await db.exec(
    sql`update documents set title = kind where account_id = ${theAccount} and customer_id = ${customerId} and origin = 'Yüklendi'`,
  );
  const his = sql`document_id in (select id from ${own('documents')} where customer_id = ${customerId} and origin = 'Üretildi')`;
  await db.exec(sql`update document_recipients set name = ${ERASED_WORDS}, email = null, phone = null, evidence_address = null,
      evidence_user_agent = null where account_id = ${theAccount} and role <> 'Satıcı' and ${his}`);
  await db.exec(sql`update document_events set recipient_name = ${ERASED_WORDS}
    where account_id = ${theAccount} and recipient_name is not null and ${his}`);
}
