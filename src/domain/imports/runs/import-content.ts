// The content of a run, stored encrypted in parts until the run ends, so that any worker can start it or continue after another
// one was killed.
import type { Database, Db } from '../../../kit/db.ts';
import { newId } from '../../../kit/ids.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { SealingKeys } from '../../../kit/work.ts';
import { type CellAddress, seal, unsealBytes } from '../../vault/vault.ts';

const PART_BYTES = 256 * 1024;

const sealedCell = (keys: SealingKeys, id: string): CellAddress => ({
  account: keys.account,
  table: 'import_contents',
  column: 'bytes_encrypted',
  row: id,
});

/** Returns the number of bytes. */
export async function keepContent(
  db: Db,
  keys: SealingKeys,
  runId: string,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<number> {
  let size = 0;
  let part = 0;
  let waiting: Buffer[] = [];
  let held = 0;
  const put = async () => {
    const id = newId();
    const sealed = seal(keys.ring, sealedCell(keys, id), Buffer.concat(waiting));
    [waiting, held] = [[], 0];
    await db.exec(sql`insert into import_contents (account_id, id, run_id, part, bytes_encrypted)
      values (${theAccount}, ${id}, ${runId}, ${part}, ${sealed})`);
    part += 1;
  };
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PART_BYTES) {
      const piece = chunk.subarray(at, at + PART_BYTES);
      size += piece.length;
      waiting.push(piece);
      held += piece.length;
      if (held >= PART_BYTES) await put();
    }
  }
  if (held > 0) await put();
  return size;
}

/** Reads the content from its beginning, with one part in memory at a time. */
export async function* readContent(
  database: Database,
  keys: SealingKeys,
  { dataSet, runId }: { readonly dataSet: string; readonly runId: string },
): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const [found] = await database.inTenant(dataSet, 'read', (db) =>
      db.rows<{ id: string; bytes: Buffer }>(sql`select id, bytes_encrypted as bytes from ${own('import_contents')}
        where run_id = ${runId} and part = ${part}`),
    );
    if (found === undefined) return;
    yield unsealBytes(keys.ring, sealedCell(keys, found.id), found.bytes);
  }
}

export async function dropContent(db: Db, runId: string): Promise<void> {
  await db.exec(sql`delete from import_contents where account_id = ${theAccount} and run_id = ${runId}`);
}
