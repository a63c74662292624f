// Deletes files of writes that never finished, files whose record was deleted, and broken uploads. A table names them all
// (domain/files/stored-files.ts), so a store never has to be listed.
import type { Files } from '../domain/files/file-store.ts';
import { clearIncoming, OLD_UPLOAD_MS } from '../domain/files/open-files.ts';
import type { Database } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

export interface FileAges {
  /** Longer than any write: a file that is still pending after this time was abandoned. */
  readonly pendingMs: number;
  /** For how long a file whose record was deleted stays; at least until a store has finished any earlier put of it. */
  readonly goneMs: number;
  readonly uploadMs: number;
}

const DAY_MS = 86_400_000;
const AGES: FileAges = { pendingMs: 3_600_000, goneMs: 600_000, uploadMs: OLD_UPLOAD_MS };
/** `recoveryDays`: a database restored to a moment of these days finds the files that its records name. */
export const fileAges = (recoveryDays = 0): FileAges => ({ ...AGES, goneMs: Math.max(AGES.goneMs, recoveryDays * DAY_MS) });

const BATCH = 100;

/** Returns how many files and abandoned uploads were deleted. */
export async function sweepFiles(database: Database, files: Files, realNow: Date, ages: FileAges = fileAges()): Promise<number> {
  const before = (ms: number) => new Date(realNow.getTime() - ms);
  // The files of uploads have this machine's time, not the database's.
  let swept = await clearIncoming(files.incoming, Date.now() - ages.uploadMs);
  for (;;) {
    const due = await takeBatch(database, before(ages.pendingMs), before(ages.goneMs));
    const deleted: Due[] = [];
    const failures: unknown[] = [];
    // A file that cannot be deleted does not stop the others.
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

/** Marks the rows before the files are deleted, so that a late write can no longer keep them. */
function takeBatch(database: Database, pendingBefore: Date, goneBefore: Date): Promise<Due[]> {
  return database.onPlatform('write', async (db) => {
    await db.exec(sql`update stored_files set state = 'gone', state_at = ${goneBefore} where (account_id, id) in (
      select account_id, id from stored_files where state = 'pending' and state_at <= ${pendingBefore} and not is_closed(account_id)
      order by state_at limit ${BATCH} for update skip locked)`);
    return db.rows<Due>(sql`select account_id, id, name from stored_files
      where state = 'gone' and state_at <= ${goneBefore} and not is_closed(account_id) order by state_at limit ${BATCH}`);
  });
}

/** Deletes the rows last: while a row exists, the next sweep deletes the file again. */
async function forget(database: Database, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return;
  const [accounts, ids] = [due.map(({ account_id }) => account_id), due.map(({ id }) => id)];
  await database.onPlatform('write', (db) =>
    db.exec(sql`delete from stored_files where state = 'gone'
      and (account_id, id) in (select * from unnest(${accounts}::uuid[], ${ids}::uuid[]))`),
  );
}
