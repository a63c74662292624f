// Timed transitions of installments: due soon and overdue. Each is emitted once for a due date.
import { startOfDay } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addDays } from '../clock/days.ts';
import { addNotification } from '../notifications/notification.ts';
import type { Look } from '../writes/timed-transition.ts';
import { idsOf, without } from '../writes/transition-failures.ts';
import { emitInstallmentEvent, IS_OPEN, readInstallments } from './installment.ts';

const SOON_DAYS = 3;
/** The maximum number in one write; the next one follows at once. */
const MAX_AT_ONCE = 500;

/** The next of an installment's days. */
export function watchInstallments(work: Work, installments: readonly { readonly due_date: string }[]): void {
  for (const { due_date } of installments) {
    work.endsAt(startOfDay(addDays(due_date, -SOON_DAYS), work.account.timezone));
    work.endsAt(startOfDay(addDays(due_date, 1), work.account.timezone));
  }
}

interface PendingInstallment {
  readonly id: string;
  readonly due_date: string;
}

// Bounded by due date first, so that the index skips installments of later years.
const IS_UNTOLD = (today: string) => sql`${IS_OPEN} and not (is_due_soon_told and is_overdue_told)
  and due_date <= ${addDays(today, SOON_DAYS)}::date and (not is_due_soon_told or due_date < ${today}::date)`;

/** Oldest first. */
export const dueInstallments = ({ db, today }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${own('installments')} where ${IS_UNTOLD(today)} and ${without(skip)} order by due_date, id limit ${MAX_AT_ONCE}`,
  );

/** For an installment that is due already, only the overdue event is emitted. */
export async function notifyDueInstallments(work: Work, ids: readonly string[]): Promise<void> {
  const { db, today } = work;
  // Locked by sale and seq, like writes that collect money: in another order the two could deadlock.
  const locked = await db.rows<PendingInstallment>(sql`select id, due_date from ${own('installments')} where ${IS_UNTOLD(today)}
    and id = any(${ids}::uuid[]) order by sale_id, seq for update`);
  if (locked.length === 0) return;
  const due = locked.toSorted((a, b) => (`${a.due_date} ${a.id}` < `${b.due_date} ${b.id}` ? -1 : 1));
  const overdue = due.filter(({ due_date }) => due_date < today).map(({ id }) => id);
  const soon = due.filter(({ due_date }) => due_date >= today).map(({ id }) => id);
  db.send(sql`update installments set is_due_soon_told = true, is_overdue_told = is_overdue_told or due_date < ${today}::date
    where account_id = ${theAccount} and id = any(${[...overdue, ...soon]}::uuid[])`);
  const shown = new Map(
    (await readInstallments(db, [...overdue, ...soon], today)).map((installment) => [installment.id, installment]),
  );
  for (const id of overdue) emitInstallmentEvent(work, 'overdue', shown.get(id)!);
  for (const id of soon) emitInstallmentEvent(work, 'due_soon', shown.get(id)!);
  if (overdue.length > 0) await notifyOverdue(work, overdue.length);
}

const notifyOverdue = (work: Work, count: number): Promise<string> =>
  addNotification(work, {
    kind: 'installment.overdue',
    title: { en: 'Installments are overdue', tr: 'Geciken taksitler var' },
    body: {
      en: count === 1 ? '1 installment became overdue.' : `${count} installments became overdue.`,
      tr: `${count} taksit gecikti.`,
    },
  });

export async function nextInstallmentDay(db: Db, timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { soon, over } = await db.one<{ soon: string | null; over: string | null }>(sql`select
      (select min(due_date) from ${own('installments')} where ${IS_OPEN} and not is_due_soon_told and ${without(skip)}) as soon,
      (select min(due_date) from ${own('installments')} where ${IS_OPEN} and not is_overdue_told and ${without(skip)}) as over`);
  const days = [...(soon === null ? [] : [addDays(soon, -SOON_DAYS)]), ...(over === null ? [] : [addDays(over, 1)])].sort();
  return days.length === 0 ? null : startOfDay(days[0]!, timezone);
}
