// The audit log of what was read: nothing that a dealer sees of its data changes, so the data version stays, and caches with it.
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
