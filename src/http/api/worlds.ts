// The worlds of the isolated sandbox as requests use them (SANDBOX=isolated). A world is read from the database for every request,
// because a reset and a move of its clock take effect at once; requests of production never come here.
import { setTimeout as pause } from 'node:timers/promises';
import { createSemaphore } from '../../domain/sharing/semaphore.ts';
import { takesTurnOf } from '../../domain/sharing/turn-owners.ts';
import { WorldChanged } from '../../domain/worlds/enter-world.ts';
import {
  findOpenWorld,
  findWorldOfDealer,
  isUseOld,
  type OpenWorld,
  openWorldsOf,
  touchWorld,
} from '../../domain/worlds/open-world.ts';
import type { Clock, Times } from '../../kit/clock.ts';
import type { Database, Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';

export interface Worlds {
  /** The world of an account of production, which is created if there is none. */
  of(ownerId: string): Promise<OpenWorld>;
  /** The world of an account of production; null if it has none. */
  find(ownerId: string): Promise<OpenWorld | null>;
  /** The world of a dealer that a link names. Refused with 410 if it was reset or removed. */
  ofDealer(accountId: string): Promise<OpenWorld>;
  /** Those of the worlds that were neither reset nor removed. */
  openOf(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Runs a write in a world. It waits while the clock moves, and is repeated with the new time if the clock has moved; a write whose
   * world was reset is refused.
   */
  write<T>(first: OpenWorld, run: (world: OpenWorld) => Promise<T>): Promise<T>;
}

export interface WorldsParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Creates the world of an account that has none. */
  readonly ensure: (ownerId: string, times: Times) => Promise<unknown>;
}

/** How long a write waits for the clock. */
const WAIT_MS = 2000;
const PAUSE_MS = 50;

/** Of the three platform connections, which also serve keys and sessions of everyone, one is left for those. */
const LOOKS_AT_ONCE = 2;

export function createWorlds({ database, clock, ensure }: WorldsParts): Worlds {
  const turns = createSemaphore({ atOnce: LOOKS_AT_ONCE, what: 'requests of sandboxes' });
  const opened = (account: string, find: (db: Db) => Promise<OpenWorld | null>): Promise<OpenWorld | null> =>
    turns.take(account, async () => {
      const found = await database.onPlatform('read', find);
      const realNow = clock.realNow();
      if (found !== null && isUseOld(found, realNow))
        await database.onPlatform('write', (db) => touchWorld(db, found.id, realNow));
      if (found === null) return null;
      takesTurnOf(found.account.id, found.ownerId);
      return found;
    });
  const ofOwner = (ownerId: string) => opened(ownerId, (db) => findOpenWorld(db, ownerId));
  const ofAccount = (accountId: string) => opened(accountId, (db) => findWorldOfDealer(db, accountId));
  return {
    of: async (ownerId) => {
      const found = await ofOwner(ownerId);
      if (found !== null) return found;
      await ensure(ownerId, clock.times());
      return (await ofOwner(ownerId)) ?? fail('sandbox_reset');
    },
    find: ofOwner,
    ofDealer: async (accountId) => (await ofAccount(accountId)) ?? fail('gone'),
    openOf: async (ids) => new Set(await database.onPlatform('read', (db) => openWorldsOf(db, ids))),
    write: async (first, run) => {
      const until = performance.now() + WAIT_MS;
      for (let world = first; ; ) {
        try {
          if (world.status !== 'advancing') return await run(world);
        } catch (error) {
          if (!(error instanceof WorldChanged)) throw error;
        }
        if (performance.now() >= until) fail('clock_moving', { headers: { 'Retry-After': '1' } });
        if (world.status === 'advancing') await pause(PAUSE_MS);
        world = (await ofAccount(first.account.id)) ?? fail('sandbox_reset');
      }
    },
  };
}

/** The world of a dealer that a link names. Sandboxes are closed with SANDBOX=shared, and links of a reset one are gone. */
export async function requireWorld(worlds: Worlds | null, accountId: string): Promise<OpenWorld> {
  return worlds === null ? fail('not_found') : worlds.ofDealer(accountId);
}
