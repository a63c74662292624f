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
  /**
   * Writes of this process end in the order of their proposals, so that none is overtaken by another. Null if no earlier one is under
   * way. If none of the earlier ones ends for a while, it ends before them: they may wait for a record that this write holds.
   */
  turn(dataSet: string, stamp: Date): Promise<unknown> | null;
  /** The write with this proposal has ended. */
  end(dataSet: string, stamp: Date): void;
}

/** Longer than a commit takes. */
const LONGEST_TURN_MS = 100;

/** Waits until there is none of these, or none has ended for a while. */
async function whileOneEnds(open: () => Promise<void>[]): Promise<void> {
  for (let left = open(); left.length > 0; left = open()) {
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(true), LONGEST_TURN_MS);
    const isLate = await Promise.race([late, ...left.map((one) => one.then(() => false))]);
    clearTimeout(timer);
    if (isLate) return;
  }
}

/** Proposals of writes under way. */
type Open = Map<number, PromiseWithResolvers<void>>;

const MAX_KNOWN = 10_000;

export function createStamps(): Stamps {
  const latest = new Map<string, number>();
  const open = new Map<string, Open>();
  const note = (dataSet: string, stamp: Date): void => {
    if (latest.size >= MAX_KNOWN) latest.clear();
    latest.set(dataSet, Math.max(stamp.getTime(), latest.get(dataSet) ?? 0));
  };
  return {
    note,
    propose: (dataSet, now) => {
      const stamp = new Date(Math.max(now.getTime(), (latest.get(dataSet) ?? 0) + 1));
      note(dataSet, stamp);
      const others: Open = open.get(dataSet) ?? new Map();
      open.set(dataSet, others.set(stamp.getTime(), Promise.withResolvers()));
      return stamp;
    },
    turn: (dataSet, stamp) => {
      const earlier = () =>
        [...(open.get(dataSet) ?? [])].flatMap(([at, { promise }]) => (at < stamp.getTime() ? [promise] : []));
      return earlier().length === 0 ? null : whileOneEnds(earlier);
    },
    end: (dataSet, stamp) => {
      const others = open.get(dataSet);
      others?.get(stamp.getTime())?.resolve();
      others?.delete(stamp.getTime());
      if (others?.size === 0) open.delete(dataSet);
    },
  };
}
