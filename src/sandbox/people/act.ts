// What the simulated side of a world will do: stored in the data set of the world's dealer, with the business time at which it happens.
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';

export const SECOND = 1000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface NewAct {
  readonly kind: string;
  /** The offer, listing, auction, request or document. */
  readonly recordId: string;
  /** The dealer of the world who acts; absent for consumers, recipients of documents and the platform. */
  readonly dealerId?: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly dueAt: Date;
}

export interface Act {
  readonly id: string;
  readonly recordId: string;
  readonly dealerId: string | null;
  readonly details: Readonly<Record<string, string>>;
}

/** Null: it has happened. A text: why it was not possible any more. A time: it has to wait until then. */
export type ActResult = string | Date | null;

/** `work` is that of the world's dealer. */
export type RunAct = (work: Work, act: Act) => Promise<ActResult>;

export const after = ({ now }: Pick<Work, 'now'>, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

/** Stores acts in the given order: of those that are due at the same time, the first is done first. */
export async function addActs(work: Work, acts: readonly NewAct[]): Promise<void> {
  if (acts.length === 0) return;
  const { db, now } = work;
  const each = <T>(pick: (act: NewAct) => T): T[] => acts.map(pick);
  await db.exec(sql`insert into sandbox_acts (account_id, id, kind, dealer_id, record_id, details, due_at, created_at)
    select ${theAccount}, id, kind, dealer, record, details, due, ${now}
    from unnest(${each(() => newId(now.getTime()))}::uuid[], ${each(({ kind }) => kind)}::text[],
      ${each(({ dealerId }) => dealerId ?? null)}::uuid[], ${each(({ recordId }) => recordId)}::uuid[],
      ${each(({ details = {} }) => JSON.stringify(details))}::text[], ${each(({ dueAt }) => dueAt.toISOString())}::timestamptz[])
      with ordinality as act(id, kind, dealer, record, details, due, place) order by place`);
  for (const { dueAt } of acts) work.endsAt(dueAt);
}

/** The simulated dealers of the world, always in the same order. */
export async function simulatedDealers({ db }: Work): Promise<string[]> {
  const found = await db.rows<{ id: string }>(
    sql`select account_id as id from dealer_parties where account_id <> ${theAccount} order by name, account_id`,
  );
  return found.map(({ id }) => id);
}

/** Does something as a dealer of the world. */
export const asDealer = <T>(work: Work, dealerId: string, run: (dealer: Work) => Promise<T>): Promise<T> =>
  work.inAccounts([dealerId], (works) => run(works.get(dealerId)!));

/** Whether something of the world has to happen by now. */
export async function hasDueActs({ db, now }: Pick<Work, 'db' | 'now'>): Promise<boolean> {
  const { isDue } = await db.one<{ isDue: boolean }>(
    sql`select exists (select from ${own('sandbox_acts')} where done_at is null and due_at <= ${now}) as "isDue"`,
  );
  return isDue;
}
