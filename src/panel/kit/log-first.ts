// For endpoints with the database role `none` that read the log before dealers' data, over all accounts.
import { type Database, type Db, isUnavailable, logOf } from '../../kit/db.ts';

/** Null while the log's own database cannot be read. */
export async function readLogFirst<T>(database: Database, read: (log: Db) => Promise<T>): Promise<T | null> {
  try {
    return await logOf(database).onPlatform('read', read);
  } catch (error) {
    if (database.log === null || !isUnavailable(error)) throw error;
    return null;
  }
}
