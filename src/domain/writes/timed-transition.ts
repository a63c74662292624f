// Timed transitions. A data set stores the time of its next one; then the sweeper runs it, or the first request that would
// otherwise see an outdated state. A record whose transition fails is set aside (transition-failures.ts): it does not stop the
// others and does not fail a request.
import { dayIn } from '../../kit/clock.ts';
import { allAnswers, type Db, isUnavailable, sqlState } from '../../kit/db.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { clearFailure, type Failed, failuresOf, recordFailure } from './transition-failures.ts';
import { isContention, SYSTEM, type WriteCall, type Writer } from './write.ts';

/** One kind of record with timed transitions. */
export interface TimedTransition {
  /** The name under which failures are recorded. */
  readonly kind: string;
  /** Ids of due records, except those in `skip`; a bounded number, the rest is due again at once. */
  due(look: Look, skip: readonly string[]): Promise<string[]>;
  /** Changes the records that are still due under their lock. */
  run(work: Work, ids: readonly string[]): Promise<void>;
  /** When the next record is due, except those in `skip`. */
  next(db: Db, timezone: string, skip: readonly string[]): Promise<Date | null>;
}

/** Parameters for finding due records. */
export type Look = Pick<Work, 'db' | 'now' | 'today'>;

type Due = Omit<WriteCall, 'actor'>;

/** A day ends at another instant in another time zone, so the data set's next time is computed again. */
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

/** Runs due transitions, once for any number of concurrent callers. Throws only if the database cannot be reached. */
export async function runTransitions(writer: Writer, due: Due, transitions: readonly TimedTransition[]): Promise<void> {
  const run = { writer, due, transitions };
  const { failed, found } = await lookForAll(run);
  for (const { transition, ids } of found) await runSome(run, transition, ids, false);
  for (const failure of failed.filter(({ next_try_at }) => next_try_at <= due.now)) await tryAgain(run, failure);
  await write(run, ({ db }) => setNextTransition(db, due.account.timezone, transitions));
}

interface Run {
  readonly writer: Writer;
  readonly due: Due;
  readonly transitions: readonly TimedTransition[];
}

interface DueTransition {
  readonly transition: TimedTransition;
  readonly ids: readonly string[];
}

const write = <T>({ writer, due }: Run, act: (work: Work) => Promise<T>): Promise<T> =>
  writer.write({ ...due, actor: SYSTEM }, act);

const read = <T>({ writer, due }: Run, ask: (look: Look) => Promise<T>): Promise<T> =>
  writer.database.inTenant(due.dataSet, 'read', (db) => ask({ db, now: due.now, today: dayIn(due.now, due.account.timezone) }));

/** All kinds in one round trip; if one of them fails, each separately. */
async function lookForAll(run: Run): Promise<{ failed: readonly Failed[]; found: readonly DueTransition[] }> {
  const failed = await read(run, ({ db }) => failuresOf(db));
  const open = run.transitions.filter((one) => !isSetAside(failed, one));
  const lookFor = (some: readonly TimedTransition[]) =>
    read(run, (look) => allAnswers(some.map((one) => findDue(run, look, one, skipOf(failed, one)))));
  try {
    return { failed, found: await lookFor(open) };
  } catch (error) {
    if (isAway(error)) throw error;
  }
  const found: DueTransition[] = [];
  for (const one of open)
    try {
      found.push(...(await lookFor([one])));
    } catch (error) {
      await setAside(run, { kind: one.kind, record_id: run.due.dataSet }, error);
    }
  return { failed, found };
}

/** Both queries of every kind, so that a kind is set aside as a whole if either fails. */
async function findDue({ due }: Run, look: Look, transition: TimedTransition, skip: readonly string[]): Promise<DueTransition> {
  const [ids] = await allAnswers([transition.due(look, skip), transition.next(look.db, due.account.timezone, skip)]);
  return { transition, ids };
}

/**
 * One kind in one transaction, which locks its records before the data set, like every write. If it fails, its halves are tried,
 * until the failing records are isolated.
 */
async function runSome(run: Run, transition: TimedTransition, ids: readonly string[], isAgain: boolean): Promise<void> {
  if (ids.length === 0) return;
  try {
    await write(run, (work) => {
      if (isAgain) waitLess(work);
      return transition.run(work, ids);
    });
  } catch (error) {
    if (ids.length === 1) return setAside(run, { kind: transition.kind, record_id: ids[0]! }, error);
    if (isAway(error)) throw error;
    const half = Math.ceil(ids.length / 2);
    await runSome(run, transition, ids.slice(0, half), true);
    await runSome(run, transition, ids.slice(half), true);
  }
}

/** The second wait for a record that another write holds is shorter. */
const waitLess = ({ db }: Work): void => db.send(sql`set local lock_timeout = '200ms'`);

async function setAside(run: Run, failed: Pick<Failed, 'kind' | 'record_id'>, error: unknown): Promise<void> {
  if (isAway(error)) throw error;
  await write(run, ({ db, now }) => recordFailure(db, failed, error, now));
}

async function tryAgain(run: Run, failure: Failed): Promise<void> {
  const transition = run.transitions.find(({ kind }) => kind === failure.kind);
  const isWhole = failure.record_id === run.due.dataSet;
  try {
    await write(run, async (work) => {
      waitLess(work);
      clearFailure(work.db, failure);
      // A kind that is set aside is retried by the next run; failures of a kind that no longer exists are deleted.
      if (transition === undefined) return;
      if (isWhole) await findDue(run, work, transition, []);
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

/** The database is at fault, not the record. A statement timeout is the record's fault. */
export const isAway = (error: unknown): boolean => isUnavailable(error) && !isContention(error) && sqlState(error) !== '57014';
