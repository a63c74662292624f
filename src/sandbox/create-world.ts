// Makes the worlds of the isolated sandbox. A world is prepared out of reach, filled, and opened in the transaction that completes it:
// until then it does not exist for any caller, and a killed process leaves only what the removal of worlds clears away.

import { loadDemoBalance } from '../demo/demo-wallet.ts';
import type { Files } from '../domain/files/file-store.ts';
import { storeThen } from '../domain/files/stored-files.ts';
import { createSemaphore, type Semaphore } from '../domain/sharing/semaphore.ts';
import { takesTurnOf } from '../domain/sharing/turn-owners.ts';
import { sealingKeys } from '../domain/vault/vault.ts';
import { findWorld, findWorldOf, type World } from '../domain/worlds/world.ts';
import type { WorldData } from '../domain/worlds/world-states.ts';
import { SYSTEM, type Writer } from '../domain/writes/write.ts';
import type { Times } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { fail } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { sql } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';
import { keepWebhooks } from './keep-webhooks.ts';
import { type PreparedWorld, prepareWorld } from './prepare-world.ts';
import { loadSample, sampleAuctionId } from './sample-data.ts';
import { keepSampleFiles, withSampleFiles } from './sample-files.ts';
import { stockSimulated } from './simulated-stock.ts';

export interface WorldParts {
  readonly writer: Writer;
  /** The store for files of the sample data. */
  readonly files: () => Promise<Files>;
  /** The service's own address, on papers of the sample data. */
  readonly publicUrl?: () => string;
}

/** 5,000.00 TL. */
const BALANCE = 500_000n;
/** Sandboxes of an account that are not cleared away yet. A reset takes a tenth of a second and clearing one away twice that. */
export const MAX_UNCLEARED = 100;

/** The world of an account; it is made if the account has none. Callers at the same time get the same world. */
export async function ensureWorld(parts: WorldParts, ownerId: string, times: Times): Promise<World> {
  const { database } = parts.writer;
  const find = () => database.onPlatform('read', (db) => findWorldOf(db, ownerId));
  const found = await find();
  if (found !== null) return found;
  const { beingMade } = processOf(database);
  const making = beingMade.get(ownerId) ?? createWorld(parts, ownerId, 'sample', times).finally(() => beingMade.delete(ownerId));
  beingMade.set(ownerId, making);
  await making;
  const made = await find();
  if (made === null) throw new Error('the world was removed at once');
  return made;
}

interface Process {
  /** Worlds that it is making for accounts without one, by owner. Another process may make one too; the first to open its own wins. */
  readonly beingMade: Map<string, Promise<unknown>>;
  /**
   * A new world takes part in the turns on the connections as an account of its own, so that many at once would leave other dealers none:
   * one is made at a time, and accounts take turns.
   */
  readonly turns: Semaphore;
}

const PROCESSES = new WeakMap<object, Process>();
function processOf(database: object): Process {
  const known = PROCESSES.get(database) ?? {
    beingMade: new Map(),
    turns: createSemaphore({ atOnce: 1, waiting: 100, waitingEach: 10, waitMs: 60_000, what: 'new sandboxes' }),
  };
  PROCESSES.set(database, known);
  return known;
}

/** False if another process has opened a world for the owner first; this one is then cleared away. */
export const createWorld = (parts: WorldParts, ownerId: string, data: WorldData, times: Times): Promise<boolean> =>
  processOf(parts.writer.database).turns.take(ownerId, async () => {
    const world = await prepare(parts, ownerId, data, times);
    return fillWorld(parts, world, data, times, async (work) => (await openWorld(work, false)).is_open);
  });

export interface ResetOptions {
  readonly data: WorldData;
  readonly keepWebhooks: boolean;
}

/**
 * A new world in place of the present one, if there is any. The old one is out of reach from the moment at which the new one can be reached;
 * open_world waits for writes under way in it.
 */
export async function resetWorld(parts: WorldParts, ownerId: string, options: ResetOptions, times: Times): Promise<World> {
  const { data, keepWebhooks: keeps } = options;
  const id = await processOf(parts.writer.database).turns.take(ownerId, async () => {
    const world = await prepare(parts, ownerId, data, times);
    await fillWorld(parts, world, data, times, async (work) => {
      const { replaced_id: old } = await openWorld(work, true);
      if (old !== null && keeps) await work.inAccounts([old], (works) => keepWebhooks(works.get(old)!, work));
    });
    return world.id;
  });
  const made = await parts.writer.database.onPlatform('read', (db) => findWorld(db, id));
  // Another reset may have replaced it since.
  return made ?? (await ensureWorld(parts, ownerId, times));
}

const prepare = (parts: WorldParts, ownerId: string, data: WorldData, times: Times): Promise<PreparedWorld> => {
  const id = newId(times.realNow.getTime());
  takesTurnOf(id, ownerId);
  return parts.writer.database.onPlatform('write', async (db) => {
    await limitUncleared(db, ownerId);
    return prepareWorld(db, { id, ownerId, data }, times);
  });
};

/** Otherwise resets in a loop would fill the disk faster than it is cleared. */
async function limitUncleared(db: Db, ownerId: string): Promise<void> {
  const { uncleared } = await db.one<{ uncleared: number }>(
    sql`select count(*)::int as uncleared from worlds where owner_id = ${ownerId} and removed_at is not null`,
  );
  if (uncleared < MAX_UNCLEARED) return;
  const message = {
    en: `${MAX_UNCLEARED} earlier states of this sandbox are still being removed; retry in a minute`,
    tr: `Bu sandbox'ın önceki ${MAX_UNCLEARED} hâli hâlâ siliniyor; bir dakika sonra yeniden deneyin`,
  };
  fail('rate_limit_exceeded', { message, headers: { 'Retry-After': '60' } });
}

interface Opened {
  readonly is_open: boolean;
  readonly replaced_id: string | null;
}

/** In the transaction that completes the world. */
const openWorld = ({ db, realNow }: Work, replaces: boolean): Promise<Opened> =>
  db.one<Opened>(sql`select is_open, replaced_id from open_world(${replaces}, ${realNow})`);

/** `complete` runs in the last transaction, which opens the world. */
async function fillWorld<T>(
  parts: WorldParts,
  world: PreparedWorld,
  data: WorldData,
  { realNow }: Times,
  complete: (work: Work) => Promise<T>,
): Promise<T> {
  const { writer, publicUrl } = parts;
  const { database, secrets } = writer;
  const { id, dealers, timezone, now } = world;
  const call = { dataSet: id, account: { id, timezone }, actor: SYSTEM, now };
  if (data === 'empty') return writer.write(call, (work) => fillAll(work, world, now, () => complete(work)));
  await writer.write(call, (work) => fillAll(work, world, now, (works) => loadSample(works, dealers, now)));
  const files = await parts.files();
  const drawing = { database, files, keys: sealingKeys(secrets, id), now, publicUrl: publicUrl?.() ?? '' };
  return withSampleFiles(drawing, dealers.own, (made) =>
    storeThen(
      { database, store: files.store, dataSet: id, realNow },
      made.all,
      () =>
        writer.write(call, async (work) => {
          await keepSampleFiles(work, dealers.own, made);
          return complete(work);
        }),
      () => true,
    ),
  );
}

/** What every world has, and more. */
function fillAll<T>(
  mine: Work,
  { dealers: { own, simulated } }: PreparedWorld,
  now: Date,
  more: (works: ReadonlyMap<string, Work>) => Promise<T>,
): Promise<T> {
  return mine.inAccounts(
    [own, ...simulated].map((dealer) => dealer.id),
    async (works) => {
      await loadDemoBalance(mine.db, own, BALANCE, now);
      for (const [place, dealer] of simulated.entries())
        await stockSimulated(works.get(dealer.id)!, dealer, place === 0 ? sampleAuctionId(own, 'simulated') : null, now);
      // What falls due is found by the first look at each dealer.
      for (const work of works.values()) work.endsAt(now);
      return more(works);
    },
  );
}
