// Fields of a sale that its generated documents lock: sent or signed documents lock the terms, a contract its own fields, a
// signed guarantee the guarantors.
import type { Db } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';

export interface DocumentLocks {
  readonly fixesTerms: boolean;
  readonly fixesContract: boolean;
  readonly bound: readonly string[];
}

export const readDocumentLocks = (db: Db, saleId: string): Promise<DocumentLocks> =>
  db.one<DocumentLocks>(sql`select
      coalesce(bool_or(status not in ('Taslak', 'İptal')), false) as "fixesTerms",
      coalesce(bool_or(template_code = 'satis_sozlesmesi' and status in ('Gönderildi', 'Görüntülendi', 'İmzalandı')), false) as "fixesContract",
      coalesce((select array_agg(distinct guarantor) from (select * from ${own('documents')}) signed, unnest(signed.guarantor_ids) guarantor
        where signed.sale_id = ${saleId} and signed.template_code = 'kefaletname' and signed.status = 'İmzalandı'), '{}') as bound
    from ${own('documents')} where sale_id = ${saleId} and origin = 'Üretildi'`);
