// What an endpoint still needs from the request log or usage, after its own transaction.
import { type Db, InLog, isUnavailable } from '../../kit/db.ts';

/** `open` is a transaction in the log's own database. */
export async function readInLog(found: unknown, open: (read: InLog<unknown>['read']) => Promise<unknown>): Promise<unknown> {
  if (!(found instanceof InLog)) return found;
  try {
    return await open(found.read);
  } catch (error) {
    if (found.without === null || !isUnavailable(error)) throw error;
    return found.without();
  }
}

/** If the log has no database of its own, its part is read in the same transaction. */
export const withLogHere =
  (isHere: boolean, run: (db: Db) => Promise<unknown>) =>
  async (db: Db): Promise<unknown> => {
    const found = await run(db);
    return isHere && found instanceof InLog ? found.read(db) : found;
  };
