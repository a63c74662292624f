// One write, one transaction: the effect, its events and their deliveries. Whoever writes a dealer's data (a row of
// the API, the panel, the sweeper) comes through here.
import { setTimeout as wait } from 'node:timers/promises';
import { dayIn } from '../kit/clock.ts';
import { type Database, type Db, inStep, sqlState } from '../kit/db.ts';
import type { Actor, Consequences, NewEvent, Work } from '../kit/work.ts';
import { finishWrite } from './outbox.ts';
import type { Secrets } from './secrets.ts';
import { sealingKeys } from './vault.ts';

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
  readonly account: { readonly id: string; readonly timezone: string };
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
const isClash = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

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

function tryWrite<T>(parts: WriterParts, call: WriteCall, run: (work: Work) => Promise<T>): Promise<T> {
  const { dataSet, account, actor, now, requestId = null } = call;
  const events: NewEvent[] = [];
  let due: Date | null = null;
  const workOn = (db: Db): Work => ({
    db,
    account,
    now,
    today: dayIn(now, account.timezone),
    actor,
    keys: sealingKeys(parts.secrets, dataSet),
    loopbackTargets: parts.loopbackTargets,
    consequences: parts.consequences,
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
  return parts.database.inTenant(
    dataSet,
    'write',
    (db) => run(workOn(db)),
    () => finishWrite({ accountId: account.id, requestId, now }, events, due),
  );
}
