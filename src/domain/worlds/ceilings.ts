// How much a world may hold. Counted before and after each write of a world: a write is refused if it adds to what is full.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';

export const CEILINGS = {
  vehicles: 1000,
  customers: 2000,
  sales: 500,
  documents: 500,
  file_bytes: 200_000_000,
  webhooks: 20,
} as const;

export type Ceiling = keyof typeof CEILINGS;
export type WorldCounts = Readonly<Record<Ceiling, number>>;

/** Deleted vehicles and customers still take room until the next reset; deleted webhooks do not. */
const COUNTS: Sql = sql`(select count(*)::int from ${own('vehicles')}) as vehicles,
  (select count(*)::int from ${own('customers')}) as customers,
  (select count(*)::int from ${own('sales')}) as sales,
  (select count(*)::int from ${own('documents')}) as documents,
  (select coalesce(sum(size_bytes), 0)::float8 from ${own('stored_files')} where state = 'kept') as file_bytes,
  (select count(*)::int from ${own('webhooks')} where deleted_at is null) as webhooks`;

/** On the connection of the world's dealer. */
export const countWorld = (db: Db): Promise<WorldCounts> => db.one<WorldCounts>(sql`select ${COUNTS}`);

/** Writes at the same time do not see each other's records: one that adds to what is nearly full has to count again, alone. */
export const isNearlyFull = (before: WorldCounts, after: WorldCounts): boolean =>
  (Object.keys(CEILINGS) as Ceiling[]).some((one) => after[one] > before[one] && after[one] > CEILINGS[one] * 0.9);

/** Refuses a write that has added to what is full. */
export function requireWithinCeilings(before: WorldCounts, after: WorldCounts): void {
  for (const ceiling of Object.keys(CEILINGS) as Ceiling[]) {
    const limit = CEILINGS[ceiling];
    if (after[ceiling] > limit && after[ceiling] > before[ceiling]) fail('sandbox_full', { words: { limit, ceiling } });
  }
}
