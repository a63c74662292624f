// `updated_at` in commit order (docs/decisions/0033): assigned under the data set's lock, or proposed and checked under it.
import { type Db, type Explain, Rollback, sqlState } from '../../kit/db.ts';
import { sql, theAccount } from '../../kit/sql.ts';

/** The write has to be repeated, because another one came in between. Its connection stays in use. */
export class OutOfOrder extends Rollback {}

/** The other write has ended: no pause is needed. */
export class StampPassed extends OutOfOrder {}

export const refuseOldStamp: Explain = (error) => {
  throw sqlState(error) === '40001' ? new StampPassed('a later stamp was given out', { cause: error }) : error;
};

/** The clock of this write, or a millisecond after the last stamp: the next write waits here until this one has ended. */
export const giveStamp = async (db: Db, now: Date): Promise<Date> =>
  (
    await db.one<{ at: Date }>(sql`update data_sets set stamped_at = greatest(${now}, stamped_at + interval '1 ms')
      where id = ${theAccount} returning stamped_at as at`)
  ).at;

/** Checks a proposed stamp now instead of at the end of the write. */
export async function takeProposed(db: Db, proposed: Date): Promise<Date> {
  db.send(sql`update data_sets set stamped_at = later_stamp(stamped_at, ${proposed}) where id = ${theAccount}`, refuseOldStamp);
  return proposed;
}

/** The latest stamps that this process knows: the next proposal comes after them. A forgotten one costs a second attempt. */
export interface Stamps {
  propose(dataSet: string, now: Date): Date;
  note(dataSet: string, stamp: Date): void;
}

const MAX_KNOWN = 10_000;

export function createStamps(): Stamps {
  const latest = new Map<string, number>();
  const note = (dataSet: string, stamp: Date): void => {
    if (latest.size >= MAX_KNOWN) latest.clear();
    latest.set(dataSet, Math.max(stamp.getTime(), latest.get(dataSet) ?? 0));
  };
  return {
    note,
    propose: (dataSet, now) => {
      const stamp = new Date(Math.max(now.getTime(), (latest.get(dataSet) ?? 0) + 1));
      note(dataSet, stamp);
      return stamp;
    },
  };
}
