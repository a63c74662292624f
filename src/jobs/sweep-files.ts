// Deletes what files have left behind: those of writes that never ended, those whose record is deleted, uploads that broke off. The
// table names them all (domain/files/stored-files.ts), so no store is ever listed.
import type { Files } from '../domain/files/file-store.ts';
import { clearIncoming, OLD_UPLOAD_MS } from '../domain/files/open-files.ts';
import type { Database } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

export interface FileAges {
  /** No write takes as long: one that is pending still was never ended. */
  readonly pendingMs: number;
  /** By then a store has finished whatever it was told before it was told to delete. */
  readonly goneMs: number;
  readonly uploadMs: number;
}

const AGES: FileAges = { pendingMs: 3_600_000, goneMs: 600_000, uploadMs: OLD_UPLOAD_MS };
const BATCH = 100;

/** How many files were deleted, and whatever was left of uploads. */
export async function sweepFiles(database: Database, files: Files, now: Date, ages: FileAges = AGES): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  // Uploads are written by this machine's clock, not by the database's.
  let swept = await clearIncoming(files.incoming, Date.now() - ages.uploadMs);
  for (;;) {
    const due = await takeBatch(database, before(ages.pendingMs), before(ages.goneMs));
    const deleted: Due[] = [];
    const failures: unknown[] = [];
    // One that cannot be deleted keeps no other from it.
    for (const one of due)
      await files.store.delete(one.name).then(
        () => deleted.push(one),
        (error) => failures.push(error),
      );
    await forget(database, deleted);
    if (failures.length > 0) throw failures[0];
    swept += due.length;
    if (due.length < BATCH) return swept;
  }
}

interface Due {
  readonly account_id: string;
  readonly id: string;
  readonly name: string;
}

/** Marked before they are deleted: a write that is late after all finds that it can no longer keep them. */
function takeBatch(database: Database, pendingBefore: Date, goneBefore: Date): Promise<Due[]> {
  return database.onPlatform('write', async (db) => {
    await db.exec(sql`update stored_files set state = 'gone', state_at = ${goneBefore} where (account_id, id) in (
      select account_id, id from stored_files where state = 'pending' and state_at <= ${pendingBefore}
      order by state_at limit ${BATCH} for update skip locked)`);
    return db.rows<Due>(sql`select account_id, id, name from stored_files
      where state = 'gone' and state_at <= ${goneBefore} order by state_at limit ${BATCH}`);
  });
}

/** Last: until its row is gone, whoever sweeps next deletes the file again. */
async function forget(database: Database, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return;
  const [accounts, ids] = [due.map(({ account_id }) => account_id), due.map(({ id }) => id)];
  await database.onPlatform('write', (db) =>
    db.exec(sql`delete from stored_files where state = 'gone'
      and (account_id, id) in (select * from unnest(${accounts}::uuid[], ${ids}::uuid[]))`),
  );
}
