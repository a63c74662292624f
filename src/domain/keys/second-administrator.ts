// Decisions that need two administrators: when they do, and who can be the second.
import type { Db } from '../../kit/db.ts';
import { type Sql, sql } from '../../kit/sql.ts';

/** The demonstration's administrator does not count, because signing in as them from another machine is impossible. */
export async function countAdmins(db: Db, except: string | null = null): Promise<number> {
  const { admins } = await db.one<{ admins: number }>(
    sql`select count(*)::int as admins from people where is_admin and disabled_at is null and not is_demo
      and id is distinct from ${except}`,
  );
  return admins;
}

/**
 * The rule applies once there are two administrators. One who was disabled by another in the panel still counts; otherwise the
 * first could disable the second and decide alone.
 */
export async function twoAdministratorsDecide(db: Db, fourEyes: boolean): Promise<boolean> {
  if (!fourEyes) return false;
  const { admins } = await db.one<{ admins: number }>(
    sql`select count(*)::int as admins from people where is_admin and not is_demo
      and (disabled_at is null or disabled_by is not null)`,
  );
  return admins > 1;
}

/** The administrator who handed over a password link may have used it, so they and everyone they created count as one person. */
export const mayBeOnePerson = (one: Sql, other: Sql): Sql => sql`may_be_one_person(${one}, ${other})`;

export async function canBeSecond(db: Db, first: string, second: string): Promise<boolean> {
  const { one } = await db.one<{ one: boolean }>(sql`select ${mayBeOnePerson(sql`${first}::uuid`, sql`${second}::uuid`)} as one`);
  return !one;
}
