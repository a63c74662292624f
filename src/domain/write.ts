// One write, one transaction: the effect, its events and their deliveries. Whoever writes a dealer's data (a row of
// the API, the panel, the sweeper) comes through here.
import { setTimeout as wait } from 'node:timers/promises';
import { dayIn } from '../kit/clock.ts';
import { type Database, type Db, inStep, sqlState } from '../kit/db.ts';
import type { NewEvent, SealingKeys, Work } from '../kit/work.ts';
import type { Actor } from './audit.ts';
import { finishWrite } from './outbox.ts';

export interface WriteCall {
  readonly dataSet: string;
  readonly account: { readonly id: string; readonly timezone: string };
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly now: Date;
  readonly keys: SealingKeys;
  readonly loopbackTargets?: boolean;
}

const MOST_TRIES = 5;
/** Serialization failure and deadlock: nothing happened, and trying again may well succeed. Nothing else is tried again. */
const isClash = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

export async function inWrite<T>(database: Database, call: WriteCall, run: (work: Work) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryWrite(database, call, run);
    } catch (error) {
      if (tries >= MOST_TRIES || !isClash(error)) throw error;
      await wait(2 ** tries * 5 * (0.5 + Math.random()));
    }
  }
}

function tryWrite<T>(database: Database, call: WriteCall, run: (work: Work) => Promise<T>): Promise<T> {
  const { dataSet, account, actor, now, keys } = call;
  const events: NewEvent[] = [];
  let due: Date | null = null;
  const workOn = (db: Db): Work => ({
    db,
    account,
    now,
    today: dayIn(now, account.timezone),
    actor,
    keys,
    loopbackTargets: call.loopbackTargets ?? false,
    emit: (event) => events.push(event),
    step: (run) => {
      const said = events.length;
      return inStep(db, run).catch((error) => {
        events.length = said;
        throw error;
      });
    },
    endsAt: (at) => {
      if (due === null || at < due) due = at;
    },
  });
  return database.inTenant(
    dataSet,
    'write',
    (db) => run(workOn(db)),
    () => finishWrite({ dataSet, accountId: account.id, requestId: call.requestId, now }, events, due),
  );
}
