// One write, one transaction: the effect, its events and their deliveries. Whoever writes a dealer's data (a row of
// the API, the panel, the sweeper) comes through here.
import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, dayIn } from '../../kit/clock.ts';
import { type Database, type Db, type Finish, sqlState, Undone } from '../../kit/db.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Actor, CallingAccount, Consequences, NewEvent, Work } from '../../kit/work.ts';
import type { Secrets } from '../vault/secrets.ts';
import { sealingKeys } from '../vault/vault.ts';
import { audit } from './audit.ts';
import { finishWrite } from './outbox.ts';

export interface WriterParts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Whether addresses on this machine itself may be called (ALLOW_LOOPBACK_TARGETS). */
  readonly loopbackTargets: boolean;
  readonly consequences: Consequences;
}

/** Whose data, who acts, when (in business time). */
export interface WriteCall {
  readonly dataSet: string;
  readonly account: CallingAccount;
  readonly actor: Actor;
  /** Of the request that asked for it, where one did. */
  readonly requestId?: string;
  readonly now: Date;
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

const MAX_TRIES = 5;
/** Serialization failure and deadlock: nothing happened, and trying again may well succeed. Nothing else is tried again. */
const isClash = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '') || error instanceof OutOfOrder;

export function createWriter(parts: WriterParts): Writer {
  const { database, secrets, clock } = parts;
  return {
    database,
    secrets,
    clock,
    write: async (call, run) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await tryWrite(parts, call, run);
        } catch (error) {
          if (tries >= MAX_TRIES || !isClash(error)) throw error;
          await wait(2 ** tries * 5 * (0.5 + Math.random()));
        }
      }
    },
  };
}

/** What is said about one data set while a write is under way. */
interface Said {
  readonly account: WriteCall['account'];
  readonly db: Db;
  readonly events: NewEvent[];
  due: Date | null;
  /** Its row is locked, or will be by what is on its way. */
  isHeld: boolean;
  stamp: Promise<Date> | null;
}

const saidOf = (account: WriteCall['account'], db: Db): Said => ({
  account,
  db,
  events: [],
  due: null,
  isHeld: false,
  stamp: null,
});

function tryWrite<T>(parts: WriterParts, call: WriteCall, run: (work: Work) => Promise<T>): Promise<T> {
  const { dataSet, now, requestId = null } = call;
  const realNow = parts.clock.realNow();
  const said = new Map<string, Said>();
  const workOn = (whose: string, actor: Actor, inAccounts: Work['inAccounts']): Work => {
    const about = said.get(whose)!;
    const { db } = about;
    return {
      db,
      account: about.account,
      now,
      realNow,
      today: dayIn(now, about.account.timezone),
      actor,
      keys: sealingKeys(parts.secrets, whose),
      loopbackTargets: parts.loopbackTargets,
      consequences: parts.consequences,
      emit: (event) => about.events.push(event),
      step: (run) => undoably(said, db, run),
      endsAt: (at) => {
        if (about.due === null || at < about.due) about.due = at;
      },
      holdDataSet: () => {
        if (!takeIfLate(said, whose)) db.send(sql`select from ${own('data_sets')} for no key update`);
        about.isHeld = true;
      },
      stamp: () => {
        takeIfLate(said, whose);
        about.isHeld = true;
        about.stamp ??= giveStamp(db, now);
        return about.stamp;
      },
      inAccounts,
    };
  };
  /** Of another dealer, as the service itself: neither learns who acts for the other, nor from where. */
  const others = new Map<string, Work>();
  const open = async (other: string, inDataSet: (other: string) => Db): Promise<Work> => {
    const db = inDataSet(other);
    said.set(other, saidOf(await db.one(sql`select id, timezone from ${own('accounts')}`), db));
    return workOn(other, SYSTEM, refuseFurther);
  };
  const finish = (whose: string): Finish => {
    const { account, events, due } = said.get(whose)!;
    return { dataSet: whose, statement: finishWrite({ accountId: account.id, requestId, now, realNow }, events, due) };
  };
  return parts.database.inTenant(
    dataSet,
    'write',
    async (db, inDataSet) => {
      said.set(dataSet, saidOf(call.account, db));
      const mine: Work = workOn(dataSet, call.actor, async (ids, run) => {
        const works = new Map<string, Work>();
        for (const id of inIdOrder(ids)) {
          const work = id === dataSet ? mine : (others.get(id) ?? (await open(id, inDataSet)));
          if (id !== dataSet) others.set(id, work);
          works.set(id, work);
        }
        return run(works);
      });
      const value = await run(mine);
      for (const [id, work] of others) auditEvents(work, said.get(id)!.events);
      for (const id of inIdOrder(said.keys())) takeIfLate(said, id);
      return value;
    },
    // In one order everywhere, so that no two wait for each other.
    () => inIdOrder(said.keys()).map(finish),
  );
}

const inIdOrder = (ids: Iterable<string>): string[] => [...new Set(ids)].sort();

const refuseFurther = (): never => {
  throw new Error('only the write itself names other accounts');
};

function undoably<T>(said: ReadonlyMap<string, Said>, db: Db, run: () => Promise<T>): Promise<T> {
  const before = new Map([...said].map(([whose, { events, stamp, isHeld }]) => [whose, { count: events.length, stamp, isHeld }]));
  return inStep(db, run).catch((error) => {
    for (const [whose, about] of said) {
      const { count, stamp, isHeld } = before.get(whose) ?? { count: 0, stamp: null, isHeld: false };
      about.events.length = count;
      // Locks that the step took have gone with it.
      Object.assign(about, { stamp, isHeld });
    }
    throw error;
  });
}

/** The other side's own log says what became of its data. */
function auditEvents({ db, actor, account }: Work, events: readonly NewEvent[]): void {
  for (const { kind, id } of events) audit(db, actor, kind, id, { accountId: account.id });
}

/** The clock of this write, or a millisecond past the last one given out: whoever comes next waits here until this write has ended. */
const giveStamp = async (db: Db, now: Date): Promise<Date> =>
  (
    await db.one<{ at: Date }>(sql`update data_sets set stamped_at = greatest(${now}, stamped_at + interval '1 ms')
      where id = ${theAccount} returning stamped_at as at`)
  ).at;

/**
 * A data set that comes, in the order of locks, before another that this write holds already is not waited for, or two such writes could
 * wait for each other: it is tried again instead. True where that was so, and it is taken.
 */
function takeIfLate(said: ReadonlyMap<string, Said>, whose: string): boolean {
  const about = said.get(whose)!;
  const isLate = !about.isHeld && [...said].some(([other, { isHeld }]) => isHeld && other > whose);
  if (!isLate) return false;
  about.isHeld = true;
  about.db.send(sql`select from ${own('data_sets')} for no key update nowait`, (error) => {
    throw sqlState(error) === '55P03' ? new OutOfOrder('a data set is held by another write') : error;
  });
  return true;
}

class OutOfOrder extends Undone {}

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
