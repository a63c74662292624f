// A world: the isolated sandbox of an account (SANDBOX=isolated). Its dealers are accounts of their own, which see only each other; the
// dealer's own account in it has the id of the world.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { WorldData } from './world-states.ts';

export interface World {
  /** Also the id of the dealer's own account and data set in the world. */
  readonly id: string;
  /** The account of production that it belongs to. */
  readonly ownerId: string;
  readonly data: WorldData;
  readonly dataVersion: number;
  readonly createdAt: Date;
  /** Real time at which it took the place of the one before; filling it takes seconds. */
  readonly openedAt: Date;
  /** Business time at which it began. */
  readonly startedAt: Date;
  readonly offsetMs: number;
  readonly status: 'ready' | 'advancing' | 'failed';
  /** The time the clock has reached while it moves, or at which it failed. */
  readonly reachedAt: Date | null;
  readonly targetAt: Date | null;
  readonly failure: string | null;
  /**
   * Business time in the world when it was read, by the clock of the database. No process computes it: an estimate could be ahead, and the
   * next reading would go back.
   */
  readonly now: Date;
}

/** Accounts of worlds are hidden from the platform's connection; this shows them to the rest of the transaction. */
export const showWorlds = (db: Db): void => db.send(sql`select set_config('app.worlds', 'on', true)`);

export const WORLD_COLUMNS = sql`worlds.id, worlds.owner_id as "ownerId", worlds.data, worlds.data_version as "dataVersion",
  worlds.created_at as "createdAt", coalesce(worlds.opened_at, worlds.created_at) as "openedAt", worlds.started_at as "startedAt", worlds.offset_ms::float8 as "offsetMs", worlds.status,
  worlds.reached_at as "reachedAt", worlds.target_at as "targetAt", worlds.failure, world_now(worlds.id) as now`;

/** On the platform's connection: the world of an account, or null if it has none. */
export async function findWorldOf(db: Db, ownerId: string): Promise<World | null> {
  const [world] = await db.rows<World>(
    sql`select ${WORLD_COLUMNS} from worlds where owner_id = ${ownerId} and removed_at is null`,
  );
  return world ?? null;
}

/** On the platform's connection: a world that has not been removed. */
export async function findWorld(db: Db, id: string): Promise<World | null> {
  const [world] = await db.rows<World>(sql`select ${WORLD_COLUMNS} from worlds where id = ${id} and removed_at is null`);
  return world ?? null;
}
