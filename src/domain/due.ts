// What ends by itself. A data set says when it has to be looked at next; then the sweeper looks, or the first request that would
// otherwise be shown a state the clock has already ended.
import type { Database, Db } from '../kit/db.ts';
import { sql, theAccount } from '../kit/sql.ts';
import type { SealingKeys, Work } from '../kit/work.ts';
import { inWrite } from './write.ts';

/** A kind of thing that ends: how the ended ones are ended, and when the next one does. */
export interface Ending {
  run(work: Work): Promise<void>;
  next(db: Db, timezone: string): Promise<Date | null>;
}

export interface DueDataSet {
  readonly dataSet: string;
  readonly account: { readonly id: string; readonly timezone: string };
  readonly keys: SealingKeys;
  readonly now: Date;
}

/** Ends what has ended, once however many ask: whoever comes second finds nothing left to do. */
export async function catchUp(
  database: Database,
  { dataSet, account, keys, now }: DueDataSet,
  endings: readonly Ending[],
): Promise<void> {
  const actor = { type: 'system', name: 'Galeri' } as const;
  await inWrite(database, { dataSet, account, actor, requestId: null, now, keys }, async (work) => {
    for (const ending of endings) await ending.run(work);
    // Locked before it is asked what comes next: a write that adds something earlier is either seen here or comes after.
    await work.db.exec(sql`update data_sets set next_due_at = null where id = ${theAccount}`);
    for (const ending of endings) {
      const next = await ending.next(work.db, account.timezone);
      if (next !== null) work.endsAt(next);
    }
  });
}
