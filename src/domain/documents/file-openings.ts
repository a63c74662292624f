// Audits every download of a file that contains personal data.
import type { Database } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Actor } from '../../kit/work.ts';
import { auditQuietly } from '../writes/audit-quietly.ts';

export const logOpening = (database: Database, dataSet: string, fileId: string, actor: Actor): Promise<void> =>
  auditQuietly(database, dataSet, actor, 'file.opened', async (db) => {
    const [record] = await db.rows<{ id: string }>(sql`
      select id from ${own('documents')} where file_id = ${fileId} or signed_file_id = ${fileId}
      union all select id from ${own('promissory_notes')} where file_id = ${fileId} limit 1`);
    return record?.id ?? fileId;
  });
