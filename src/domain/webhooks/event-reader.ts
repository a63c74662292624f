// An account's events in the order of their sequence. Numbers are given under the data set's lock, which is held until the write has
// committed: whoever sees one has seen, or can see, every one before it. So a number is the whole position of a reader.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';

/** After this number, or from this moment on. */
export type Since = { readonly sequence: bigint } | { readonly at: Date };

export interface Start {
  /** The last number that the reader has, or does not want. */
  readonly position: bigint;
  /** What was asked for and is no longer kept. */
  readonly missed: { readonly from: bigint; readonly to: bigint } | null;
}

/** null: only what is still to come. `param` is named where the number is none of this account's. */
export async function findStart(db: Db, since: Since | null, param: string): Promise<Start> {
  const { last, first } = await db.one<{ last: bigint; first: bigint | null }>(sql`select sequence as last,
    (select min(sequence) from ${own('events')} where sequence is not null) as first from ${own('data_sets')}`);
  if (since === null) return { position: last, missed: null };
  if ('at' in since) return { position: await sequenceBefore(db, since.at, last), missed: null };
  const { sequence } = since;
  if (sequence > last) {
    const allowed = { en: `a sequence of this account, up to ${last}`, tr: `bu hesabın bir sıra numarası, en çok ${last}` };
    fail('invalid_parameter', { param, words: { allowed } });
  }
  const position = first === null ? last : first - 1n;
  if (sequence >= position) return { position: sequence, missed: null };
  return { position, missed: { from: sequence + 1n, to: position } };
}

/** An event has the time its request began, so of those around the moment one with a later time may have the lower number. */
const LOOKED_AT = 1000;

async function sequenceBefore(db: Db, at: Date, last: bigint): Promise<bigint> {
  const { first } = await db.one<{ first: bigint | null }>(sql`select min(sequence) as first from (
    select sequence from ${own('events')} where created_at >= ${at} and sequence is not null
    order by created_at, id limit ${LOOKED_AT}) oldest`);
  return first === null ? last : first - 1n;
}

export interface EventBatch {
  /** In order; each is the very text that webhooks are sent. */
  readonly events: readonly { readonly sequence: bigint; readonly payload: string }[];
  /** Where the next batch goes on. */
  readonly position: bigint;
  /** Whether there is nothing behind it yet. */
  readonly isLast: boolean;
}

/** At 20 kB an event, as much as is held for one reader. */
const MAX_EVENTS = 20;
/** Numbers that one reading goes through in search of the kinds that are wanted. */
const MAX_NUMBERS = 1000n;

export async function readEvents(db: Db, after: bigint, kinds: readonly string[]): Promise<EventBatch> {
  const found = await db.rows<{ last: bigint; sequence: bigint | null; payload: string }>(sql`
    select data_sets.sequence as last, event.sequence, event.payload from ${own('data_sets')} left join lateral (
      select sequence, payload from ${own('events')}
      where sequence > ${after} and sequence <= ${after + MAX_NUMBERS}${wanted(kinds)}
      order by sequence limit ${MAX_EVENTS}) event on true order by event.sequence`);
  const { last } = found[0]!;
  const events = found.flatMap(({ sequence, payload }) => (sequence === null ? [] : [{ sequence, payload }]));
  const isWhole = events.length < MAX_EVENTS;
  if (isWhole && last <= after + MAX_NUMBERS) return { events, position: last, isLast: true };
  const position = isWhole ? after + MAX_NUMBERS : events.at(-1)!.sequence;
  return { events, position, isLast: position >= last };
}

/** As webhooks ask for them: `*`, a kind by its name, or every kind of a resource. */
const wanted = (kinds: readonly string[]): Sql =>
  kinds.includes('*') ? sql`` : sql` and array[kind, split_part(kind, '.', 1) || '.*'] && ${kinds}::text[]`;
