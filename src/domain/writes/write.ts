// A write is one transaction: the change, its events and their deliveries. Every change of a dealer's data (API, panel, sweeper) runs here.
// An attempt that conflicts with another write is rolled back and repeated; one that needs a generated file (generated-files.ts) is rolled
// back, the file is generated outside the transaction, and the write is repeated with it.
import { type Clock, dayIn } from '../../kit/clock.ts';
import { allAnswers, type Database, type Db, type Finish, sqlState, Unavailable } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Actor, CallingAccount, Consequences, NewEvent, Work } from '../../kit/work.ts';
import type { Files } from '../files/file-store.ts';
import { currentSpan } from '../tracing/spans.ts';
import type { Secrets } from '../vault/secrets.ts';
import { sealingKeys } from '../vault/vault.ts';
import { countWorld, isNearlyFull, requireWithinCeilings } from '../worlds/ceilings.ts';
import { enterWorld, type WorldRef } from '../worlds/enter-world.ts';
import { audit } from './audit.ts';
import { isClash, MAX_TRIES, waitAfter } from './clash.ts';
import { createGeneratedFiles, FileNotGenerated, type GeneratedFiles } from './generated-files.ts';
import { finishWrite } from './outbox.ts';
import { createQueues } from './queues.ts';
import { createStamps, giveStamp, OutOfOrder, refuseOldStamp, StampPassed, type Stamps, takeProposed } from './stamps.ts';

export interface WriterParts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Whether addresses on this machine itself may be called (ALLOW_LOOPBACK_TARGETS). */
  readonly loopbackTargets: boolean;
  readonly consequences: Consequences;
  /** The service's own address. */
  readonly publicUrl?: () => string;
  /** The store for generated files, opened for the first one. */
  readonly files?: () => Promise<Files>;
  /** Absent: no one answers in worlds. */
  readonly worldPeople?: WorldPeople;
}

/** The data set, the actor and the business time of a write. */
export interface WriteCall {
  readonly dataSet: string;
  readonly account: CallingAccount;
  readonly actor: Actor;
  /** The id of the API or panel request, if there is one. */
  readonly requestId?: string;
  readonly now: Date;
  /** Writes with the same name run one after another in this process, so that they do not wait in the database. */
  readonly serializedBy?: string | undefined;
  /** The isolated sandbox that the data set belongs to; absent in production. */
  readonly world?: WorldRef | undefined;
}

/** The simulated side of worlds (src/sandbox/people). */
export interface WorldPeople {
  /** In the transaction of a write by the world's dealer, with its events. Returns whether something has to happen at once. */
  plan(work: Work, events: readonly NewEvent[]): Promise<boolean>;
  /** After the commit of such a write: what has to happen at once. */
  act(writer: Writer, call: WriteCall): Promise<void>;
}

/** One per process. */
export interface Writer {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  write<T>(call: WriteCall, run: (work: Work) => Promise<T>): Promise<T>;
}

/** The actor of everything that no person and no key asked for. */
export const SYSTEM: Actor = { type: 'system', name: 'Galeri' };

/** True for an error that other writes caused: the database itself works. */
export const isContention = (error: unknown): boolean =>
  isClash(error) || sqlState(error) === '55P03' || (error instanceof Unavailable && isClash(error.cause));

export function createWriter(parts: WriterParts): Writer {
  const { database, secrets, clock } = parts;
  const stamps = createStamps();
  const queues = createQueues();
  const commit = async <T>(call: WriteCall, run: (work: Work) => Promise<T>, plan: PlanActs | null): Promise<T> => {
    const generated = createGeneratedFiles(parts, call.dataSet);
    let isWritten = false;
    const leave = call.serializedBy === undefined ? null : await queues.enter(call.serializedBy);
    try {
      let passed = 0;
      for (let tries = 1; ; tries += 1) {
        try {
          generated.begin();
          const value = await attemptWrite({ ...parts, stamps, generated, mayPropose: tries === 1, passed, plan }, call, run);
          isWritten = true;
          return value;
        } catch (error) {
          if (error instanceof FileNotGenerated) {
            await generated.make(error);
            continue;
          }
          if (!isClash(error) && !(passed > 1 && sqlState(error) === '55P03')) throw error;
          if (tries >= MAX_TRIES) throw new Unavailable('other writes were in the way every time', { cause: error });
          if (error instanceof StampPassed) passed += 1;
          else await waitAfter(tries);
        }
      }
    } finally {
      leave?.();
      await generated.close(isWritten);
    }
  };
  const writer: Writer = {
    database,
    secrets,
    clock,
    write: (call, run) => {
      const { worldPeople: people } = parts;
      return people !== undefined && call.world?.id === call.dataSet
        ? writeThenAct(people, writer, call, (plan) => commit(call, run, plan))
        : commit(call, run, null);
    },
  };
  return writer;
}

type PlanActs = (work: Work, events: readonly NewEvent[]) => Promise<void>;

/** The reply follows what the simulated side does at once. Timed transitions do not wait for it: their caller runs what is due next. */
async function writeThenAct<T>(
  people: WorldPeople,
  writer: Writer,
  call: WriteCall,
  commit: (plan: PlanActs) => Promise<T>,
): Promise<T> {
  let isAtOnce = false;
  const value = await commit(async (work, events) => {
    isAtOnce = await people.plan(work, events);
  });
  // The write is committed, so a failure does not change its reply: what is due stays due, and the worker runs it.
  if (isAtOnce && call.actor !== SYSTEM) await people.act(writer, call).catch(() => {});
  return value;
}

/** What an attempt has collected for one data set. Its stamp is the `updated_at` of the write, which increases in commit order. */
interface WriteState {
  readonly account: WriteCall['account'];
  readonly db: Db;
  readonly events: NewEvent[];
  /** Events that a statement of the write stores itself. */
  readonly stored: NewEvent[];
  due: Date | null;
  /** A stamp that records already have and that the last statement of the transaction has to check. */
  proposed: Date | null;
  /** The row of the data set is locked, or a statement that locks it has been sent. */
  isHeld: boolean;
  /** A statement that raises the version of the data set has been sent. */
  isRaised: boolean;
  stamp: Promise<Date> | null;
  /** The stamp, once it is known. */
  given: Date | null;
  /** What was proposed, also if it has been checked or rolled back since. */
  offered: Date | null;
}

const newWriteState = (account: WriteCall['account'], db: Db): WriteState => ({
  account,
  db,
  events: [],
  stored: [],
  due: null,
  proposed: null,
  isHeld: false,
  isRaised: false,
  stamp: null,
  given: null,
  offered: null,
});

interface AttemptParts extends WriterParts {
  readonly stamps: Stamps;
  readonly mayPropose: boolean;
  /** How many attempts ended because a later stamp had been given out. */
  readonly passed: number;
  readonly generated: GeneratedFiles;
  /** Only in a world, for its dealer. */
  readonly plan: PlanActs | null;
}

interface Attempt {
  readonly parts: AttemptParts;
  readonly call: WriteCall;
  readonly realNow: Date;
  readonly states: Map<string, WriteState>;
  /** How many savepoints are open. */
  readonly steps: { open: number };
}

function attemptWrite<T>(parts: AttemptParts, call: WriteCall, run: (work: Work) => Promise<T>): Promise<T> {
  const { dataSet } = call;
  const realNow = parts.clock.realNow();
  const states = new Map<string, WriteState>();
  const attempt: Attempt = { parts, call, realNow, states, steps: { open: 0 } };
  /** Works of other dealers. Their actor is the service, so that a dealer does not learn which person acts for another. */
  const others = new Map<string, Work>();
  const open = async (other: string, inDataSet: (other: string) => Db, inAccounts: Work['inAccounts']): Promise<Work> => {
    const db = inDataSet(other);
    const account = db.one<WriteCall['account']>(sql`select id, timezone from ${own('accounts')}`);
    if (parts.passed > 0) await learnStamp(parts.stamps, other, db);
    states.set(other, newWriteState(await account, db));
    return workOn(attempt, other, SYSTEM, inAccounts);
  };
  const ended = () => {
    for (const [id, { offered }] of states) if (offered !== null) parts.stamps.end(id, offered);
  };
  const done = parts.database.inTenant(
    dataSet,
    'write',
    async (db, inDataSet) => {
      states.set(dataSet, newWriteState(call.account, db));
      // A change for one dealer may affect a third: when a buyer takes a car, the offers of other dealers on it are closed.
      const inAccounts: Work['inAccounts'] = async (ids, run) => {
        const works = new Map<string, Work>();
        const named = inIdOrder(ids);
        // All at once, so that any number of dealers takes one round trip.
        const unknown = named.filter((id) => id !== dataSet && !others.has(id));
        await allAnswers(unknown.map(async (id) => others.set(id, await open(id, inDataSet, inAccounts))));
        for (const id of named) works.set(id, id === dataSet ? mine : others.get(id)!);
        return run(works);
      };
      const mine: Work = workOn(attempt, dataSet, call.actor, inAccounts);
      if (parts.passed === 1) await learnStamp(parts.stamps, dataSet, db);
      const value = await runInWorld(call.world, mine, async () => {
        if (parts.passed > 1) await stampFirst(mine);
        return run(mine);
      });
      const { events, stored } = states.get(dataSet)!;
      await parts.plan?.(mine, [...events, ...stored]);
      for (const [id, work] of others) auditEvents(work, states.get(id)!.events);
      for (const [id, { proposed }] of states) if (proposed !== null) await parts.stamps.turn(id, proposed);
      for (const id of inIdOrder(states.keys())) lockOutOfOrder(states, id);
      return value;
    },
    // Every write locks data sets in the order of their ids, so that two writes cannot deadlock.
    () => inIdOrder(states.keys()).map((dataSetId) => finishOf({ ...call, realNow }, dataSetId, states.get(dataSetId)!)),
  );
  return done.finally(ended);
}

/** In a world: waits for its clock, and refuses what goes beyond its ceilings. The clock's own writes are counted by no ceiling. */
async function runInWorld<T>(world: WorldRef | undefined, { db, holdDataSet }: Work, run: () => Promise<T>): Promise<T> {
  if (world === undefined) return run();
  await enterWorld(db, world);
  if (world.isClock) return run();
  const before = await countWorld(db);
  const value = await run();
  let after = await countWorld(db);
  if (isNearlyFull(before, after)) {
    holdDataSet();
    after = await countWorld(db);
  }
  requireWithinCeilings(before, after);
  return value;
}

/** The `Work` of one data set in an attempt. */
function workOn(attempt: Attempt, dataSetId: string, actor: Actor, inAccounts: Work['inAccounts']): Work {
  const { parts, call, realNow, states, steps } = attempt;
  const { now } = call;
  const state = states.get(dataSetId)!;
  const { db } = state;
  const stamp = () => stampOf(parts.stamps, states, dataSetId, now);
  const propose = () => {
    state.offered ??= parts.stamps.propose(dataSetId, now);
    return state.offered;
  };
  return {
    db,
    account: state.account,
    now,
    realNow,
    requestId: call.requestId ?? null,
    today: dayIn(now, state.account.timezone),
    actor,
    keys: sealingKeys(parts.secrets, dataSetId),
    loopbackTargets: parts.loopbackTargets,
    publicUrl: parts.publicUrl?.() ?? '',
    consequences: parts.consequences,
    emit: (event) => state.events.push(event),
    step: (run) => runStep(states, steps, db, run),
    endsAt: (at) => {
      if (state.due === null || at < state.due) state.due = at;
    },
    generateFile: (key, make) => parts.generated.find(dataSetId, key, make),
    holdDataSet: () => {
      if (!lockOutOfOrder(states, dataSetId)) db.send(sql`select from ${own('data_sets')} for no key update`);
      state.isHeld = true;
    },
    raisesVersion: (event) => {
      state.isRaised = true;
      state.stored.push(event);
    },
    stamp,
    proposeStamp: () => {
      // A bulk write must not be rolled back because another write got a later stamp.
      if (state.stamp !== null || !parts.mayPropose || steps.open > 0) return stamp();
      state.proposed ??= propose();
      return state.proposed;
    },
    updatedAt: () => {
      state.proposed ??= state.given === null ? propose() : null;
      return state.proposed ?? state.given!;
    },
    inAccounts,
  };
}

function finishOf(call: WriteCall & { readonly realNow: Date }, dataSet: string, state: WriteState): Finish {
  const { requestId = null, now, realNow } = call;
  const traceparent = currentSpan()?.traceparent ?? null;
  const statement = finishWrite({ accountId: state.account.id, requestId, traceparent, now, realNow }, state);
  return { dataSet, statement, explain: refuseOldStamp };
}

const inIdOrder = (ids: Iterable<string>): string[] => [...new Set(ids)].sort();

/** A savepoint that also restores what the attempt has collected, except `due`: an extra look at the data set is harmless. */
async function runStep<T>(
  states: ReadonlyMap<string, WriteState>,
  steps: { open: number },
  db: Db,
  run: () => Promise<T>,
): Promise<T> {
  const before = new Map(
    [...states].map(([dataSetId, { events, stored, stamp, given, proposed, isHeld, isRaised }]) => [
      dataSetId,
      { count: events.length, storedCount: stored.length, stamp, given, proposed, isHeld, isRaised },
    ]),
  );
  steps.open += 1;
  try {
    return await inSavepoint(db, run);
  } catch (error) {
    for (const [dataSetId, state] of states) {
      const { count, storedCount, ...had } = before.get(dataSetId) ?? {
        count: 0,
        storedCount: 0,
        stamp: null,
        given: null,
        proposed: null,
        isHeld: false,
        isRaised: false,
      };
      state.events.length = count;
      state.stored.length = storedCount;
      // The rollback has released the locks that the step took.
      Object.assign(state, had);
    }
    throw error;
  } finally {
    steps.open -= 1;
  }
}

/** Audits the change in the log of the other dealer too. */
function auditEvents({ db, actor, account }: Work, events: readonly NewEvent[]): void {
  for (const { kind, id } of events) audit(db, actor, kind, id, { accountId: account.id });
}

/**
 * Of a write that was overtaken twice: no other write can come in between any more. The data set is locked before the records here, so
 * this write gives up, and is repeated, before PostgreSQL looks for a deadlock (after a second).
 */
async function stampFirst(work: Work): Promise<void> {
  work.db.send(sql`set local lock_timeout = '200ms'`);
  await work.stamp();
}

/** The next proposal comes after the stamps that other processes gave out. */
const learnStamp = async (stamps: Stamps, dataSetId: string, db: Db): Promise<void> => {
  const { at } = await db.one<{ at: Date }>(sql`select stamped_at as at from ${own('data_sets')}`);
  stamps.note(dataSetId, at);
};

/** One stamp per write. A stamp that was proposed before is checked here instead of in the last statement. */
function stampOf(stamps: Stamps, states: ReadonlyMap<string, WriteState>, dataSetId: string, now: Date): Promise<Date> {
  const state = states.get(dataSetId)!;
  const { db, proposed } = state;
  lockOutOfOrder(states, dataSetId);
  state.isHeld = true;
  if (state.stamp !== null) return state.stamp;
  state.proposed = null;
  state.given = proposed;
  const stamp = proposed === null ? giveStamp(db, now) : takeProposed(db, proposed);
  state.stamp = stamp;
  void stamp.then(
    (at) => {
      if (state.stamp === stamp) state.given = at;
      stamps.note(dataSetId, at);
    },
    () => {},
  );
  return state.stamp;
}

/**
 * Locks a data set that comes, in id order, before one that this write holds already. Waiting for it could deadlock, so the lock is taken
 * with NOWAIT, and the write is repeated if another write holds it. Returns false if the data set is not out of order.
 */
function lockOutOfOrder(states: ReadonlyMap<string, WriteState>, dataSetId: string): boolean {
  const state = states.get(dataSetId)!;
  const isLate = !state.isHeld && [...states].some(([other, { isHeld }]) => isHeld && other > dataSetId);
  if (!isLate) return false;
  state.isHeld = true;
  state.db.send(sql`select from ${own('data_sets')} for no key update nowait`, (error) => {
    throw sqlState(error) === '55P03' ? new OutOfOrder('a data set is held by another write') : error;
  });
  return true;
}

/** Runs a part of a transaction in a savepoint: if it fails, only its own changes are rolled back. */
export async function inSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  db.send(sql`savepoint step`);
  try {
    const value = await work();
    // Awaited, so that errors of everything the step sent arrive inside it.
    await db.exec(sql`release savepoint step`);
    return value;
  } catch (error) {
    // Nested steps use the same savepoint name, so the inner savepoint has to be released for the outer one to be found.
    db.send(sql`rollback to savepoint step`);
    db.send(sql`release savepoint step`);
    throw error;
  }
}
