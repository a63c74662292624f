// Erases the documents of sales after their retention period, data set by data set, in batches.
import { eraseOldPapers, hasOldPapers } from '../domain/documents/uploaded/document-erase.ts';
import { SYSTEM, type Writer } from '../domain/writes/write.ts';
import { dayIn } from '../kit/clock.ts';
import { sql } from '../kit/sql.ts';

const BATCH = 100;

interface Candidate {
  readonly dataSet: string;
  readonly id: string;
  readonly timezone: string;
}

/** Returns how many documents and notes were erased. A data set that fails does not delay the others. */
export async function erasePapers(writer: Writer, now: Date, stopping?: AbortSignal): Promise<number> {
  const { database } = writer;
  const candidates = await database.onPlatform('read', (db) =>
    db.rows<Candidate>(sql`select d.id as "dataSet", a.id, a.timezone from data_sets d join accounts a on a.id = d.account_id
      where exists (select from documents where account_id = d.id and erased_at is null and sale_id is not null)
        or exists (select from promissory_notes where account_id = d.id and erased_at is null) order by d.id`),
  );
  let erased = 0;
  let failure: unknown = null;
  for (const candidate of candidates) {
    if (stopping?.aborted) break;
    erased += await eraseIn(writer, candidate, now, stopping).catch((error) => {
      failure ??= error;
      return 0;
    });
  }
  if (failure !== null) throw failure;
  return erased;
}

/** Queried before the write, because a write invalidates every cached reply. */
async function eraseIn(writer: Writer, { dataSet, id, timezone }: Candidate, now: Date, stopping?: AbortSignal): Promise<number> {
  const today = dayIn(now, timezone);
  if (!(await writer.database.inTenant(dataSet, 'read', (db) => hasOldPapers(db, today)))) return 0;
  for (let erased = 0; ; ) {
    const count = await writer.write({ dataSet, account: { id, timezone }, actor: SYSTEM, now }, (work) =>
      eraseOldPapers(work, BATCH),
    );
    erased += count;
    if (count < BATCH || stopping?.aborted) return erased;
  }
}
