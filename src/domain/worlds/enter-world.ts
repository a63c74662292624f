// A write in a world holds the row of the world until it ends: until then the clock does not move and the world is not reset.
import { type Db, sqlState, Unavailable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { World } from './world.ts';

/** The world of a write as the caller read it. */
export interface WorldRef {
  readonly id: string;
  readonly offsetMs: number;
  /** Absent: not compared. */
  readonly status?: World['status'];
  /** A write by the clock that is moving: it is not refused. */
  readonly isClock?: boolean;
}

/** The world is not as the caller read it. The caller reads it again and repeats the write (http/api/worlds.ts). */
export class WorldChanged extends Unavailable {
  /** Reset or removed. */
  readonly isRemoved: boolean;
  constructor(isRemoved: boolean, options?: ErrorOptions) {
    super(isRemoved ? 'the sandbox was reset' : 'the clock of the sandbox moves', options);
    this.isRemoved = isRemoved;
  }
}

/** In a read by a request: SQL uses the time that the request has read (business_now). */
export const readAt = (db: Db, { now }: Pick<World, 'now'>): void =>
  db.send(sql`select set_config('app.world_now', ${now.toISOString()}, true)`);

interface Entered {
  readonly offsetMs: number;
  readonly status: World['status'];
  readonly isRemoved: boolean;
}

/** The first statement of every write in a world, on the connection of one of its dealers. */
export async function enterWorld(db: Db, { offsetMs, status, isClock = false }: WorldRef): Promise<void> {
  const [now] = await db
    .rows<Entered>(sql`select offset_ms::float8 as "offsetMs", status, is_removed as "isRemoved" from enter_world()`)
    .catch((error) => {
      // A reset or a clock that starts to move holds the row.
      throw sqlState(error) === '55P03' ? new WorldChanged(false, { cause: error }) : error;
    });
  if (now === undefined || now.isRemoved) throw new WorldChanged(true);
  if (isClock) return;
  const isSame = now.offsetMs === offsetMs && (status === undefined || status === now.status);
  if (now.status === 'advancing' || !isSame) throw new WorldChanged(false);
}
