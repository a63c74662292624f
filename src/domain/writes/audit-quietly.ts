// Audit entries of reads: the dealer's data does not change, so the data version stays, and caches stay valid.
import { type Database, type Db, keepsVersion } from '../../kit/db.ts';
import { type Actor, audit } from './audit.ts';

export async function auditQuietly(
  database: Database,
  dataSet: string,
  actor: Actor,
  action: string,
  targetIn: (db: Db) => Promise<string>,
): Promise<void> {
  await database.inTenant(
    dataSet,
    'write',
    async (db) => audit(db, actor, action, await targetIn(db), { accountId: dataSet }),
    keepsVersion,
  );
}
