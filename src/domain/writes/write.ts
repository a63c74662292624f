// One write, one transaction: the effect, its events and their deliveries. Whoever writes a dealer's data (a row of
// the API, the panel, the sweeper) comes through here.
import { type Clock, dayIn } from '../../kit/clock.ts';
import { allAnswers, type Database, type Db, type Finish, sqlState, Unavailable } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Actor, CallingAccount, Consequences, NewEvent, Work } from '../../kit/work.ts';
import type { Files } from '../files/file-store.ts';
import type { Secrets } from '../vault/secrets.ts';
import { sealingKeys } from '../vault/vault.ts';
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
  /** Where this service is on the web. */
  readonly publicUrl?: () => string;
  /** Where files that a write makes are stored; opened when the first one is. */
  readonly files?: () => Promise<Files>;
}

/** Whose data, who acts, when (in business time). */
export interface WriteCall {
  readonly dataSet: string;
  readonly account: CallingAccount;
  readonly actor: Actor;
  /** Of the request that asked for it, where one did. */
  readonly requestId?: string;
  readonly now: Date;
  /** Writes of the same name wait for each other here rather than in the database. */
  readonly serializedBy?: string | undefined;
}

/** Made once for a process. */
export interface Writer {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  write<T>(call: WriteCall, run: (work: Work) => Promise<T>): Promise<T>;
}

/** What happens by itself. */
export const SYSTEM: Actor = { type: 'system', name: 'Galeri' };

/** Other writes were in the way: the record's own fault at most, not the database's. */
export const isContention = (error: unknown): boolean =>
  isClash(error) || sqlState(error) === '55P03' || (error instanceof Unavailable && isClash(error.cause));

export function createWriter(parts: WriterParts): Writer {
  const { database, secrets, clock } = parts;
  const stamps = createStamps();
  const lines = createQueues();
  return {
    database,
    secrets,
    clock,
    write: async (call, run) => {
      const made = createGeneratedFiles(parts, call.dataSet);
      let isWritten = false;
      const leave = call.serializedBy === undefined ? null : await lines.enter(call.serializedBy);
      try {
        for (let tries = 1; ; tries += 1) {
          try {
            made.begin();
            const value = await attemptWrite({ ...parts, stamps, made, mayPropose: tries === 1 }, call, run);
            isWritten = true;
            return value;
          } catch (error) {
            if (error instanceof FileNotGenerated) {
              await made.make(error);
              continue;
            }
            if (!isClash(error)) throw error;
            if (tries >= MAX_TRIES) throw new Unavailable('other writes were in the way every time', { cause: error });
            if (!(error instanceof StampPassed)) await waitAfter(tries);
          }
        }
      } finally {
        leave?.();
        await made.close(isWritten);
      }
    },
  };
}

/** What is said about one data set while a write is under way. */
interface WriteState {
  readonly account: WriteCall['account'];
  readonly db: Db;
  readonly events: NewEvent[];
  due: Date | null;
  /** What its records are stamped with, where that is to be checked at the end. */
  proposed: Date | null;
  /** Its row is locked, or will be by what is on its way. */
  isHeld: boolean;
  /** Its version is raised by what is on its way. */
  isRaised: boolean;
  stamp: Promise<Date> | null;
}

const newWriteState = (account: WriteCall['account'], db: Db): WriteState => ({
  account,
  db,
  events: [],
  due: null,
  proposed: null,
  isHeld: false,
  isRaised: false,
  stamp: null,
});

interface WriteAttempt extends WriterParts {
  readonly stamps: Stamps;
  readonly mayPropose: boolean;
  readonly made: GeneratedFiles;
}

function attemptWrite<T>(parts: WriteAttempt, call: WriteCall, run: (work: Work) => Promise<T>): Promise<T> {
  const { dataSet, now } = call;
  const realNow = parts.clock.realNow();
  const states = new Map<string, WriteState>();
  const steps = { open: 0 };
  const workOn = (dataSetId: string, actor: Actor, inAccounts: Work['inAccounts']): Work => {
    const state = states.get(dataSetId)!;
    const { db } = state;
    const stamp = () => stampOf(parts.stamps, states, dataSetId, now);
    return {
      db,
      account: state.account,
      ...{ now, realNow, requestId: call.requestId ?? null },
      today: dayIn(now, state.account.timezone),
      actor,
      keys: sealingKeys(parts.secrets, dataSetId),
      ...{ loopbackTargets: parts.loopbackTargets, publicUrl: parts.publicUrl?.() ?? '', consequences: parts.consequences },
      emit: (event) => state.events.push(event),
      step: (run) => inSavepoint(states, steps, db, run),
      endsAt: (at) => {
        if (state.due === null || at < state.due) state.due = at;
      },
      generateFile: (key, make) => parts.made.find(dataSetId, key, make),
      holdDataSet: () => {
        if (!lockOutOfOrder(states, dataSetId)) db.send(sql`select from ${own('data_sets')} for no key update`);
        state.isHeld = true;
      },
      raisesVersion: () => void Object.assign(state, { isRaised: true }),
      stamp,
      proposeStamp: () => {
        // A write of many rows is not to be undone for one that came in between.
        if (state.stamp !== null || !parts.mayPropose || steps.open > 0) return stamp();
        state.proposed ??= parts.stamps.propose(dataSetId, now);
        return state.proposed;
      },
      inAccounts,
    };
  };
  /** Of another dealer, as the service itself: neither learns who acts for the other, nor from where. */
  const others = new Map<string, Work>();
  const open = async (other: string, inDataSet: (other: string) => Db, inAccounts: Work['inAccounts']): Promise<Work> => {
    const db = inDataSet(other);
    states.set(other, newWriteState(await db.one(sql`select id, timezone from ${own('accounts')}`), db));
    return workOn(other, SYSTEM, inAccounts);
  };
  return parts.database.inTenant(
    dataSet,
    'write',
    async (db, inDataSet) => {
      states.set(dataSet, newWriteState(call.account, db));
      // What follows on another's side may concern a third: the buyer who takes a car closes the offers of others on it.
      const inAccounts: Work['inAccounts'] = async (ids, run) => {
        const works = new Map<string, Work>();
        const named = inIdOrder(ids);
        // Asked together: however many dealers hear of something, it takes one round trip.
        const unknown = named.filter((id) => id !== dataSet && !others.has(id));
        await allAnswers(unknown.map(async (id) => others.set(id, await open(id, inDataSet, inAccounts))));
        for (const id of named) works.set(id, id === dataSet ? mine : others.get(id)!);
        return run(works);
      };
      const mine: Work = workOn(dataSet, call.actor, inAccounts);
      const value = await run(mine);
      for (const [id, work] of others) auditEvents(work, states.get(id)!.events);
      for (const id of inIdOrder(states.keys())) lockOutOfOrder(states, id);
      return value;
    },
    // In one order everywhere, so that no two wait for each other.
    () => inIdOrder(states.keys()).map((dataSetId) => finishOf({ ...call, realNow }, dataSetId, states.get(dataSetId)!)),
  );
}

function finishOf(call: WriteCall & { readonly realNow: Date }, dataSet: string, state: WriteState): Finish {
  const { requestId = null, now, realNow } = call;
  const statement = finishWrite({ accountId: state.account.id, requestId, now, realNow }, state);
  return { dataSet, statement, explain: refuseOldStamp };
}

const inIdOrder = (ids: Iterable<string>): string[] => [...new Set(ids)].sort();

async function inSavepoint<T>(
  states: ReadonlyMap<string, WriteState>,
  steps: { open: number },
  db: Db,
  run: () => Promise<T>,
): Promise<T> {
  const before = new Map(
    [...states].map(([dataSetId, { events, stamp, proposed, isHeld, isRaised }]) => [
      dataSetId,
      { count: events.length, stamp, proposed, isHeld, isRaised },
    ]),
  );
  steps.open += 1;
  try {
    return await inStep(db, run);
  } catch (error) {
    for (const [dataSetId, state] of states) {
      const { count, ...had } = before.get(dataSetId) ?? {
        count: 0,
        stamp: null,
        proposed: null,
        isHeld: false,
        isRaised: false,
      };
      state.events.length = count;
      // Locks that the step took have gone with it.
      Object.assign(state, had);
    }
    throw error;
  } finally {
    steps.open -= 1;
  }
}

/** The other side's own log says what became of its data. */
function auditEvents({ db, actor, account }: Work, events: readonly NewEvent[]): void {
  for (const { kind, id } of events) audit(db, actor, kind, id, { accountId: account.id });
}

/** One for the whole write. What was proposed before is checked here, and no longer at the end. */
function stampOf(stamps: Stamps, states: ReadonlyMap<string, WriteState>, dataSetId: string, now: Date): Promise<Date> {
  const state = states.get(dataSetId)!;
  const { db, proposed } = state;
  lockOutOfOrder(states, dataSetId);
  state.isHeld = true;
  state.proposed = null;
  state.stamp ??= proposed === null ? giveStamp(db, now) : takeProposed(db, proposed);
  void state.stamp.then(
    (at) => stamps.note(dataSetId, at),
    () => {},
  );
  return state.stamp;
}

/**
 * A data set that comes, in the order of locks, before another that this write holds already is not waited for, or two such writes could
 * wait for each other: it is tried again instead. True where that was so, and it is taken.
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

/** A part of a transaction that can fail by itself: what it did is undone, the rest stands. */
export async function inStep<T>(db: Db, work: () => Promise<T>): Promise<T> {
  db.send(sql`savepoint step`);
  try {
    const value = await work();
    // Waited for, so that whatever the step sent has been answered within it.
    await db.exec(sql`release savepoint step`);
    return value;
  } catch (error) {
    // Released too: a step within a step has the same name, and the outer one must find its own.
    db.send(sql`rollback to savepoint step`);
    db.send(sql`release savepoint step`);
    throw error;
  }
}
