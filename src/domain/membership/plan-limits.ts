// The limits of a dealer's plan, and the refusal of one more.
import type { Db } from '../../kit/db.ts';
import { fail, type Text } from '../../kit/errors.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import type { AccountSettings, Work } from '../../kit/work.ts';

/** What a plan limits, as the refusal names it. */
const LIMITED = {
  vehicles: { en: 'vehicles in stock', tr: 'stok aracı' },
  listings: { en: 'listings', tr: 'ilan' },
  staff: { en: 'staff', tr: 'çalışan' },
  branches: { en: 'branches', tr: 'şube' },
  keys: { en: 'API keys', tr: 'API anahtarı' },
} as const satisfies Readonly<Record<string, Text>>;

const refusePlan = (limit: number, what: keyof typeof LIMITED): never =>
  fail('plan_limit_reached', { words: { limit, what: LIMITED[what] } });

/** The cached settings, or those of the database. */
export const settingsOf = ({ db, account }: Work): AccountSettings | Promise<AccountSettings> =>
  account.settings ?? db.one<AccountSettings>(sql`select country, default_currency, vehicle_limit from ${own('accounts')}`);

export async function requireRoom({ db }: Work): Promise<void> {
  requireRoomLeft(await vehicleRoom(db));
}

/**
 * How many more cars the plan allows; null without a limit. Cars that are neither deleted nor sold count. The data set's row is
 * locked, so that two concurrent writes cannot both add the last allowed car.
 */
export async function vehicleRoom(db: Db): Promise<Room | null> {
  const { vehicle_limit } = await db.one<{ vehicle_limit: number | null }>(sql`select vehicle_limit from ${own('accounts')}`);
  return roomWithin(db, vehicle_limit);
}

/** Listings that are not closed count. Locked like vehicleRoom, so that two concurrent writes cannot both add the last one. */
export async function requireListingRoom(work: Work): Promise<void> {
  const { db } = work;
  const [limited] = await db.rows<{ listing_limit: number }>(
    sql`select listing_limit from ${own('accounts')} where listing_limit is not null`,
  );
  if (limited === undefined) return;
  work.holdDataSet();
  const { count } = await db.one<{ count: bigint }>(sql`select count(*) from ${own('listings')} where status <> 'Kapandı'`);
  if (count >= limited.listing_limit) refusePlan(limited.listing_limit, 'listings');
}

interface Room {
  readonly limit: number;
  readonly left: number;
}

export function requireRoomLeft(room: Room | null): void {
  if (room !== null && room.left <= 0) refusePlan(room.limit, 'vehicles');
}

export async function roomWithin(db: Db, limit: number | null): Promise<Room | null> {
  if (limit === null) return null;
  db.send(sql`select from ${own('data_sets')} for no key update`);
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from ${own('vehicles')} where deleted_at is null and status <> 'Satıldı'`,
  );
  return { limit, left: limit - Number(count) };
}

export interface Counted {
  readonly what: keyof typeof LIMITED;
  readonly limit: Sql;
  readonly account: Sql;
  readonly rows: Sql;
}

/** Records that are edited in the panel. Former staff do not count. */
const COUNTED = {
  staff: { what: 'staff', limit: rawSql('staff_limit'), account: own('accounts'), rows: sql`${own('members')} where active` },
  branches: { what: 'branches', limit: rawSql('branch_limit'), account: own('accounts'), rows: own('branches') },
} as const;

/**
 * One more member of staff or branch, with the tenant role. The account is locked, so that two concurrent writes cannot both add
 * the last one.
 */
export const requirePlace = (db: Db, of: keyof typeof COUNTED): Promise<void> => requireOneMore(db, COUNTED[of]);

/** The rule of every such limit; each role passes its account and rows. */
export async function requireOneMore(db: Db, { what, limit, account, rows }: Counted): Promise<void> {
  const [limited] = await db.rows<{ allowed: number }>(
    sql`select ${limit} as allowed from ${account} where ${limit} is not null for no key update`,
  );
  if (limited === undefined) return;
  const { count } = await db.one<{ count: bigint }>(sql`select count(*) from ${rows}`);
  if (count >= limited.allowed) refusePlan(limited.allowed, what);
}
