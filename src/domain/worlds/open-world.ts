// The world of a call, and the dealer of it whose data the call uses. Read on the platform's connection.
import type { Db } from '../../kit/db.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import type { AccountSettings } from '../../kit/work.ts';
import { showWorlds, WORLD_COLUMNS, type World } from './world.ts';

export interface WorldAccount {
  readonly id: string;
  readonly timezone: string;
  readonly settings: AccountSettings;
}

/** A world as a request found it. */
export interface OpenWorld extends World {
  readonly lastUsedAt: Date;
  readonly account: WorldAccount;
}

type WorldRow = World & AccountSettings & { readonly lastUsedAt: Date; readonly accountId: string; readonly timezone: string };

/** The world of an account of production, as its own dealer; null if the account has none. */
export const findOpenWorld = (db: Db, ownerId: string): Promise<OpenWorld | null> =>
  find(db, sql`worlds.owner_id = ${ownerId} and accounts.id = worlds.id`);

/** The world that a dealer belongs to, also a simulated one; null if it was reset or removed. */
export const findWorldOfDealer = (db: Db, accountId: string): Promise<OpenWorld | null> =>
  find(db, sql`accounts.id = ${accountId} and worlds.id = accounts.world_id`);

async function find(db: Db, condition: Sql): Promise<OpenWorld | null> {
  showWorlds(db);
  const [row] =
    await db.rows<WorldRow>(sql`select ${WORLD_COLUMNS}, worlds.last_used_at as "lastUsedAt", accounts.id as "accountId",
      accounts.timezone, accounts.country, accounts.default_currency, accounts.vehicle_limit
    from worlds join accounts on ${condition} where worlds.removed_at is null`);
  if (row === undefined) return null;
  const { accountId, timezone, country, default_currency, vehicle_limit, ...world } = row;
  return { ...world, account: { id: accountId, timezone, settings: { country, default_currency, vehicle_limit } } };
}

export async function openWorldsOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const open = await db.rows<{ id: string }>(sql`select id from worlds where id = any(${ids}::uuid[]) and removed_at is null`);
  return open.map(({ id }) => id);
}

/** Precise to an hour, so that requests write nothing most of the time. */
const USED_AGAIN_MS = 3_600_000;

export const isUseOld = ({ lastUsedAt }: OpenWorld, realNow: Date): boolean =>
  realNow.getTime() - lastUsedAt.getTime() >= USED_AGAIN_MS;

/** A world in use is not removed, also if its removal was announced. */
export const touchWorld = (db: Db, id: string, realNow: Date): Promise<number> =>
  db.exec(sql`update worlds set last_used_at = ${realNow}, noticed_at = null where id = ${id} and last_used_at < ${realNow}`);
