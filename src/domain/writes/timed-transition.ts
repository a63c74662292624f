// What the clock ends. A data set names the time at which it must be looked at next; then the sweeper looks, or the first request that would
// otherwise be shown a state that has ended. A record whose transition fails is set aside (transition-failures.ts): it never stops the
// others, and never becomes the answer to a request.
import { allAnswers, type Db, isUnavailable, sqlState } from '../../kit/db.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { clearFailure, type Failed, failuresOf, recordFailure } from './transition-failures.ts';
import { isContention, SYSTEM, type WriteCall, type Writer } from './write.ts';

/** One kind of record that the clock moves. */
export interface TimedTransition {
  /** The name under which failures are recorded. */
  readonly kind: string;
  /** Ids of the records that are due, except those in `skip`; a bounded number, the rest is due again at once. */
  due(work: Work, skip: readonly string[]): Promise<string[]>;
  /** Moves those of the records that are still due under their lock. */
  run(work: Work, ids: readonly string[]): Promise<void>;
  /** When the next record is due, except those in `skip`. */
  next(db: Db, timezone: string, skip: readonly string[]): Promise<Date | null>;
}

type Due = Omit<WriteCall, 'actor'>;

/** A day ends at another moment in another time zone: what the data set waits for is computed again. */
export async function setNextTransition(db: Db, timezone: string, transitions: readonly TimedTransition[]): Promise<void> {
  // Locked before the next times are read: a write that adds an earlier one is either seen here or comes after.
  db.send(sql`update data_sets set next_due_at = null where id = ${theAccount}`);
  const failed = await failuresOf(db);
  const ends = await allAnswers(
    transitions.filter((one) => !isSetAside(failed, one)).map((one) => one.next(db, timezone, skipOf(failed, one))),
  );
  const times = [...ends.filter((at) => at !== null), ...failed.map(({ next_try_at }) => next_try_at)];
  const soonest = times.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
  await db.exec(sql`update data_sets set next_due_at = ${soonest}::timestamptz where id = ${theAccount}`);
}

/** Ends what has ended, once however many ask. Throws only where the database itself cannot be reached. */
export async function runTransitions(writer: Writer, due: Due, transitions: readonly TimedTransition[]): Promise<void> {
  const run = { writer, due, transitions };
  const failed = await runTogether(run).catch((error) => {
    if (isAway(error)) throw error;
    return runApart(run);
  });
  const again = failed.filter(({ next_try_at }) => next_try_at <= due.now);
  if (again.length === 0) return;
  for (const failure of again) await tryAgain(run, failure);
  await write(run, () => Promise.resolve());
}

interface Run {
  readonly writer: Writer;
  readonly due: Due;
  readonly transitions: readonly TimedTransition[];
}

/** One transaction of the system; it ends by naming the time of the next look. */
const write = <T>({ writer, due, transitions }: Run, act: (work: Work) => Promise<T>): Promise<T> =>
  writer.write({ ...due, actor: SYSTEM }, async (work) => {
    const value = await act(work);
    await setNextTransition(work.db, due.account.timezone, transitions);
    return value;
  });

/** The usual case: everything that is due in one transaction. */
const runTogether = (run: Run): Promise<Failed[]> =>
  write(run, async (work) => {
    const failed = await failuresOf(work.db);
    const open = run.transitions.filter((one) => !isSetAside(failed, one));
    const due = await allAnswers(open.map((one) => one.due(work, skipOf(failed, one))));
    for (const [index, one] of open.entries()) if (due[index]!.length > 0) await one.run(work, due[index]!);
    return failed;
  });

/** Something fails: each kind by itself, and of a kind that fails its halves, until the records that fail are alone. */
async function runApart(run: Run): Promise<Failed[]> {
  for (const transition of run.transitions)
    try {
      const ids = await run.writer.write({ ...run.due, actor: SYSTEM }, async (work) => {
        const failed = await failuresOf(work.db);
        return isSetAside(failed, transition) ? [] : lookFor(work, transition, skipOf(failed, transition));
      });
      await runSome(run, transition, ids);
    } catch (error) {
      await setAside(run, { kind: transition.kind, record_id: run.due.dataSet }, error);
    }
  await write(run, () => Promise.resolve());
  return [];
}

/** Both questions that are asked of every kind: where one of them fails, the kind as a whole is set aside. */
async function lookFor(work: Work, transition: TimedTransition, skip: readonly string[]): Promise<string[]> {
  await transition.next(work.db, work.account.timezone, skip);
  return transition.due(work, skip);
}

async function runSome(run: Run, transition: TimedTransition, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    await alone(run, (work) => transition.run(work, ids));
  } catch (error) {
    if (ids.length === 1) return setAside(run, { kind: transition.kind, record_id: ids[0]! }, error);
    if (isAway(error)) throw error;
    const half = Math.ceil(ids.length / 2);
    await runSome(run, transition, ids.slice(0, half));
    await runSome(run, transition, ids.slice(half));
  }
}

/** A record that another write holds is not waited for again: the first attempt did. */
const alone = <T>({ writer, due }: Run, act: (work: Work) => Promise<T>): Promise<T> =>
  writer.write({ ...due, actor: SYSTEM }, (work) => {
    work.db.send(sql`set local lock_timeout = '200ms'`);
    return act(work);
  });

async function setAside(run: Run, failed: Pick<Failed, 'kind' | 'record_id'>, error: unknown): Promise<void> {
  if (isAway(error)) throw error;
  await run.writer.write({ ...run.due, actor: SYSTEM }, ({ db, now }) => recordFailure(db, failed, error, now));
}

async function tryAgain(run: Run, failure: Failed): Promise<void> {
  const transition = run.transitions.find(({ kind }) => kind === failure.kind);
  const isWhole = failure.record_id === run.due.dataSet;
  try {
    await alone(run, async (work) => {
      clearFailure(work.db, failure);
      // A kind that is set aside is looked for again by the next run; of a kind that no longer exists nothing is left to do.
      if (transition === undefined) return;
      if (isWhole) await lookFor(work, transition, []);
      else await transition.run(work, [failure.record_id]);
    });
  } catch (error) {
    await setAside(run, failure, error);
  }
}

const skipOf = (failed: readonly Failed[], { kind }: TimedTransition): string[] =>
  failed.filter((one) => one.kind === kind).map(({ record_id }) => record_id);

const isSetAside = (failed: readonly Failed[], { kind }: TimedTransition): boolean =>
  failed.some((one) => one.kind === kind && one.is_whole_kind);

/** Not the record but the database is at fault. A statement that takes too long is the record's. */
export const isAway = (error: unknown): boolean => isUnavailable(error) && !isContention(error) && sqlState(error) !== '57014';
