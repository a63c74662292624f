// Reads an account's events in order of their sequence. Sequences are assigned under the data set's lock, which is held until the commit:
// when one is visible, all before it are visible too. So a sequence is enough as a reader's position.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { firstEventId } from '../../kit/ids.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';

/** After this sequence, or from this time on. */
export type Since = { readonly sequence: bigint } | { readonly at: Date };

export interface Start {
  /** Events after this sequence are to be sent. */
  readonly position: bigint;
  /** Requested events that have been deleted. */
  readonly missed: { readonly from: bigint; readonly to: bigint } | null;
}

/** `null`: only future events. `param` is named in the error for a sequence that the account does not have. */
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

/** An event has the start time of its request, so a later event may have a lower sequence: the lowest of the first ones counts. */
const MAX_COMPARED = 1000;

async function sequenceBefore(db: Db, at: Date, last: bigint): Promise<bigint> {
  const { first } = await db.one<{ first: bigint | null }>(sql`select min(sequence) as first from (
    select sequence from ${own('events')} where id >= ${firstEventId(at.getTime())} and sequence is not null
    order by id limit ${MAX_COMPARED}) oldest`);
  return first === null ? last : first - 1n;
}

export interface EventBatch {
  /** In order; `payload` is exactly the body that webhooks get. */
  readonly events: readonly { readonly sequence: bigint; readonly payload: string }[];
  /** Where the next batch starts. */
  readonly position: bigint;
  /** No further events at the moment. */
  readonly isLast: boolean;
}

/** Bounds the memory of one reader: an event has at most 20 kB. */
const MAX_EVENTS = 20;
/** Bounds the cost of one query when few events match the filter. */
const MAX_SEARCHED = 1000n;

export async function readEvents(db: Db, after: bigint, kinds: readonly string[]): Promise<EventBatch> {
  const found = await db.rows<{ last: bigint; sequence: bigint | null; payload: string }>(sql`
    select data_sets.sequence as last, event.sequence, event.payload from ${own('data_sets')} left join lateral (
      select sequence, payload from ${own('events')}
      where sequence > ${after} and sequence <= ${after + MAX_SEARCHED}${kindFilter(kinds)}
      order by sequence limit ${MAX_EVENTS}) event on true order by event.sequence`);
  const { last } = found[0]!;
  const events = found.flatMap(({ sequence, payload }) => (sequence === null ? [] : [{ sequence, payload }]));
  const isWhole = events.length < MAX_EVENTS;
  if (isWhole && last <= after + MAX_SEARCHED) return { events, position: last, isLast: true };
  const position = isWhole ? after + MAX_SEARCHED : events.at(-1)!.sequence;
  return { events, position, isLast: position >= last };
}

/** Like a webhook's subscription: `*`, a kind, or every kind of a resource. */
const kindFilter = (kinds: readonly string[]): Sql =>
  kinds.includes('*') ? sql`` : sql` and array[kind, split_part(kind, '.', 1) || '.*'] && ${kinds}::text[]`;
