// One write, one transaction: the effect, its events and their deliveries. Whoever writes a dealer's data (a row of
// the API, the panel, the sweeper) comes through here.
import { setTimeout as wait } from 'node:timers/promises';
import { dayIn } from '../../kit/clock.ts';
import { type Database, type Db, type Finish, sqlState, Undone } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Actor, CallingAccount, Consequences, NewEvent, Work } from '../../kit/work.ts';
import type { Secrets } from '../vault/secrets.ts';
import { sealingKeys } from '../vault/vault.ts';
import { audit } from './audit.ts';
import { finishWrite } from './outbox.ts';

export interface WriterParts {
  readonly database: Database;
  readonly secrets: Secrets;
  /** Whether addresses on this machine itself may be called (ALLOW_LOOPBACK_TARGETS). */
  readonly loopbackTargets: boolean;
  readonly consequences: Consequences;
}

/** Whose data, who acts, when. */
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
  write<T>(call: WriteCall, run: (work: Work) => Promise<T>): Promise<T>;
}

/** What happens by itself. */
export const SYSTEM: Actor = { type: 'system', name: 'Galeri' };

const MAX_TRIES = 5;
/** Serialization failure and deadlock: nothing happened, and trying again may well succeed. Nothing else is tried again. */
const isClash = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '') || error instanceof OutOfOrder;

export function createWriter(parts: WriterParts): Writer {
  const { database, secrets } = parts;
  return {
    database,
    secrets,
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
  readonly events: NewEvent[];
  due: Date | null;
}

function tryWrite<T>(parts: WriterParts, call: WriteCall, run: (work: Work) => Promise<T>): Promise<T> {
  const { dataSet, now, requestId = null } = call;
  const said = new Map<string, Said>([[dataSet, { account: call.account, events: [], due: null }]]);
  let isHeld = false;
  const workOn = (whose: string, db: Db, actor: Actor, inAccounts: Work['inAccounts']): Work => {
    const about = said.get(whose)!;
    return {
      db,
      account: about.account,
      now,
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
        isHeld ||= whose === dataSet;
        db.send(sql`select from ${own('data_sets')} for no key update`);
      },
      inAccounts,
    };
  };
  /** Of another dealer, as the service itself: neither learns who acts for the other, nor from where. */
  const others = new Map<string, Work>();
  const open = async (other: string, inDataSet: (other: string) => Db): Promise<Work> => {
    const db = inDataSet(other);
    said.set(other, { account: await db.one(sql`select id, timezone from ${own('accounts')}`), events: [], due: null });
    return workOn(other, db, SYSTEM, refuseFurther);
  };
  const finish = (whose: string): Finish => {
    const { account, events, due } = said.get(whose)!;
    return { dataSet: whose, statement: finishWrite({ accountId: account.id, requestId, now }, events, due) };
  };
  return parts.database.inTenant(
    dataSet,
    'write',
    async (db, inDataSet) => {
      const mine: Work = workOn(dataSet, db, call.actor, async (ids, run) => {
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
      if (isHeld) await takeBefore(dataSet, others);
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
  const before = new Map([...said].map(([whose, { events }]) => [whose, events.length]));
  return inStep(db, run).catch((error) => {
    for (const [whose, { events }] of said) events.length = before.get(whose) ?? 0;
    throw error;
  });
}

/** The other side's own log says what became of its data. */
function auditEvents({ db, actor, account }: Work, events: readonly NewEvent[]): void {
  for (const { kind, id } of events) audit(db, actor, kind, id, { accountId: account.id });
}

/**
 * This write holds its own data set already. Those that come before it in the order of locks are not waited for, or two such writes
 * could wait for each other: it is tried again instead.
 */
async function takeBefore(dataSet: string, others: ReadonlyMap<string, Work>): Promise<void> {
  for (const id of inIdOrder(others.keys()).filter((id) => id < dataSet))
    await others
      .get(id)!
      .db.exec(sql`select from ${own('data_sets')} for no key update nowait`)
      .catch((error) => {
        throw sqlState(error) === '55P03' ? new OutOfOrder('a data set is held by another write') : error;
      });
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
