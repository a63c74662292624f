// Erases the personal data of enquiries after 24 months without activity, data set by data set, in batches.
import { KEPT_MONTHS } from '../domain/enquiries/enquiry-states.ts';
import { eraseOldEnquiries } from '../domain/enquiries/enquiry-writes.ts';
import { SYSTEM, type Writer } from '../domain/writes/write.ts';
import { sql } from '../kit/sql.ts';

const BATCH = 100;

interface Candidate {
  readonly dataSet: string;
  readonly id: string;
  readonly timezone: string;
}

/** Returns how many were erased. A data set that fails does not delay the others. */
export async function eraseEnquiries(writer: Writer, now: Date, stopping?: AbortSignal): Promise<number> {
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - KEPT_MONTHS);
  const candidates = await writer.database.onPlatform('read', (db) =>
    db.rows<Candidate>(sql`select d.id as "dataSet", a.id, a.timezone from data_sets d join accounts a on a.id = d.account_id
      where d.id in (select account_id from enquiries where erased_at is null and last_activity_at < ${before}) order by d.id`),
  );
  let erased = 0;
  let failure: unknown = null;
  for (const { dataSet, id, timezone } of candidates) {
    if (stopping?.aborted) break;
    const call = { dataSet, account: { id, timezone }, actor: SYSTEM, now };
    try {
      for (let count = BATCH; count === BATCH && !stopping?.aborted; erased += count)
        count = await writer.write(call, (work) => eraseOldEnquiries(work, before, BATCH));
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
  return erased;
}
