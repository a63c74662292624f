// Records whose timed transition failed: the error, the number of tries, and the time of the next try.
import type { Db } from '../../kit/db.ts';
import { sqlState } from '../../kit/db.ts';
import { Failure, messageOf } from '../../kit/errors.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';

export interface Failed {
  readonly kind: string;
  readonly record_id: string;
  readonly next_try_at: Date;
  /** The kind as a whole failed: its due records could not be found. */
  readonly is_whole_kind: boolean;
}

export const failuresOf = (db: Db): Promise<Failed[]> =>
  db.rows<Failed>(sql`select kind, record_id, next_try_at, record_id = account_id as is_whole_kind
    from ${own('transition_failures')} order by next_try_at, kind, record_id limit 1000`);

export const idsOf = async (db: Db, found: Sql): Promise<string[]> => (await db.rows<{ id: string }>(found)).map(({ id }) => id);

/** A value that no record has as its `id`. */
export const without = (skip: readonly string[]): Sql => (skip.length === 0 ? sql`true` : sql`id <> all(${skip}::uuid[])`);

const MINUTE = 60_000;
/** The last pause is repeated. */
const PAUSES_MS = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 60 * MINUTE] as const;
const pauseAfter = (tries: number): number => PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1]!;

/** Two processes may find the same failure: the second one within its pause counts as the same try. */
export async function recordFailure(
  db: Db,
  { kind, record_id }: Pick<Failed, 'kind' | 'record_id'>,
  error: unknown,
  now: Date,
): Promise<void> {
  const [known] = await db.rows<{ tries: number; next_try_at: Date }>(sql`select tries, next_try_at
    from ${own('transition_failures')} where kind = ${kind} and record_id = ${record_id} for update`);
  if (known !== undefined && known.next_try_at > now) return;
  const tries = (known?.tries ?? 0) + 1;
  const next = new Date(now.getTime() + pauseAfter(tries));
  await db.exec(sql`insert into transition_failures (account_id, kind, record_id, error, tries, first_failed_at, failed_at, next_try_at)
    values (${theAccount}, ${kind}, ${record_id}, ${wordsOf(error)}, ${tries}, ${now}, ${now}, ${next})
    on conflict (account_id, kind, record_id) do update set error = excluded.error, tries = excluded.tries,
      failed_at = excluded.failed_at, next_try_at = excluded.next_try_at`);
}

export const clearFailure = (db: Db, { kind, record_id }: Pick<Failed, 'kind' | 'record_id'>): void =>
  db.send(sql`delete from transition_failures where account_id = ${theAccount} and kind = ${kind} and record_id = ${record_id}`);

function wordsOf(error: unknown): string {
  if (error instanceof Failure) return `${error.code}: ${messageOf(error.code, error.facts, 'en')}`.slice(0, 500);
  const text = error instanceof Error ? error.message : String(error);
  return `${sqlState(error) ?? ''} ${text}`.trim().slice(0, 500) || 'unknown';
}
