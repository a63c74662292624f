// Reminders by mail in a world: by the dealer's rules, on their days, into the world's drop instead of a mail server.
import type { Reminder as Rule } from '../domain/accounts/accounts-states.ts';
import { addDays } from '../domain/clock/days.ts';
import { logMail } from '../domain/reminders/reminder-log.ts';
import { type DueMail, readDueMails } from '../domain/reminders/reminder-mail.ts';
import { FIRST_HOUR } from '../domain/reminders/reminders-states.ts';
import { IS_OPEN } from '../domain/sales/installment.ts';
import type { Look } from '../domain/writes/timed-transition.ts';
import { without } from '../domain/writes/transition-failures.ts';
import { civilIn, startOfDay } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { own, sql } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';
import { dropMail } from './drop-mail.ts';

const HOUR_MS = 3_600_000;

/** What `due` has read in the transaction of `run`: the texts are not written twice. */
const read = new WeakMap<Db, readonly DueMail[]>();

export async function dueReminders({ db, now }: Look, skip: readonly string[]): Promise<string[]> {
  const mails = await readDueMails(db, now);
  read.set(db, mails);
  return installmentsOf(mails, skip);
}

const installmentsOf = (mails: readonly DueMail[], skip: readonly string[]): string[] =>
  [...new Set(mails.map(({ key }) => key.installment_id))].filter((id) => !skip.includes(id));

/** The text and the log entry are those of a mail that a server has accepted. */
export async function dropReminders(work: Work, ids: readonly string[]): Promise<void> {
  for (const { mail, installment, to, settings } of read.get(work.db) ?? (await readDueMails(work.db, work.now))) {
    if (!ids.includes(installment.installment_id)) continue;
    await dropMail(work, mail, { kind: 'installment', id: installment.installment_id });
    await logMail(work, installment, to, settings);
  }
}

/** The first hour of the next day on which a rule reminds of an open installment. */
export async function nextReminder(db: Db, timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { rules, now } = await db.one<{ rules: readonly Rule[]; now: Date }>(
    sql`select reminders::json as rules, business_now() as now from ${own('accounts')}`,
  );
  const days = rules.filter(({ active, channel }) => active && channel === 'E-posta').map(({ day }) => day);
  if (days.length === 0) return null;
  const today = civilIn(now, timezone);
  const passed = Number(today.slice(11, 13)) >= FIRST_HOUR ? today.slice(0, 10) : addDays(today.slice(0, 10), -1);
  const { day } = await db.one<{ day: string | null }>(sql`select min(due_date + rule.day) as day
    from unnest(${days}::int[]) as rule(day), ${own('installments')}
    where ${IS_OPEN} and due_date > ${passed}::date - rule.day and ${without(skip)}`);
  return day === null ? null : firstHourOf(day, timezone);
}

/** By the clocks of the zone, also on a day on which they change. */
function firstHourOf(day: string, timezone: string): Date {
  const at = startOfDay(day, timezone).getTime() + FIRST_HOUR * HOUR_MS;
  const shown = Number(civilIn(new Date(at), timezone).slice(11, 13));
  return new Date(at + (FIRST_HOUR - shown) * HOUR_MS);
}
