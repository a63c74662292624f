// Reports that the owner receives by mail: which report, how often, and to which address. Each has one address.
import { dayIn } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import { oneOfField, required, type Values } from '../records/fields.ts';
import { emailField } from '../records/person-fields.ts';
import { violatedConstraint } from '../records/record.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { MAIL_FREQUENCIES, MAILED_REPORTS, MAX_SCHEDULES, type MailFrequency } from './shapes-states.ts';
import type { FixedReport } from './words-states.ts';

export const SCHEDULE_FIELDS = {
  report: required(oneOfField(MAILED_REPORTS)),
  frequency: required(oneOfField(MAIL_FREQUENCIES)),
  email: required(emailField),
} as const;

export interface ReportSchedule {
  readonly id: string;
  readonly report: FixedReport;
  readonly frequency: MailFrequency;
  readonly email: string;
  /** The time of the last one; null before the first. */
  readonly sent_at: string | null;
}

export const listSchedules = (db: Db): Promise<ReportSchedule[]> =>
  db.rows<ReportSchedule>(sql`select id, report, frequency, email, utc_text(sent_at) as sent_at from ${own('report_schedules')}
    order by created_at, id`);

interface By {
  readonly actor: Actor;
  readonly account: { readonly id: string; readonly timezone: string };
  readonly now: Date;
}

export async function addSchedule(
  db: Db,
  { report, frequency, email }: Values<typeof SCHEDULE_FIELDS>,
  { actor, account, now, locale }: By & { readonly locale: Locale },
): Promise<ReportSchedule[]> {
  // Concurrent requests are counted one after another; writes that only refer to the account do not wait.
  await db.one(sql`select id from ${own('accounts')} for no key update`);
  const { length } = await listSchedules(db);
  if (length >= MAX_SCHEDULES) fail('validation_failed', { details: [TOO_MANY[locale]] });
  const id = newId(now.getTime());
  const insert = db.exec(sql`insert into report_schedules (account_id, id, report, frequency, email, sent_on, created_at)
    values (${theAccount}, ${id}, ${report}, ${frequency}, ${email}, ${dayIn(now, account.timezone)}, ${now})`);
  await insert.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'report_schedules_once') throw error;
    fail('validation_failed', { details: [TWICE[locale]] });
  });
  await audit(db, actor, 'report_schedule.added', id, { accountId: account.id, after: { report, frequency, email } });
  return listSchedules(db);
}

export async function removeSchedule(db: Db, id: string, { actor, account }: By): Promise<ReportSchedule[]> {
  const { report, frequency, email } = await db.one<ReportSchedule>(
    sql`select report, frequency, email from ${own('report_schedules')} where id = ${id} for update`,
  );
  await db.exec(sql`delete from report_schedules where account_id = ${theAccount} and id = ${id}`);
  await audit(db, actor, 'report_schedule.removed', id, { accountId: account.id, before: { report, frequency, email } });
  return listSchedules(db);
}

const TOO_MANY = {
  en: { field: 'report', code: 'too_many', message: `At most ${MAX_SCHEDULES} reports go out by mail; remove one first` },
  tr: { field: 'report', code: 'too_many', message: `En çok ${MAX_SCHEDULES} rapor e-postayla gönderilir; önce birini kaldırın` },
};
const TWICE = {
  en: { field: 'email', code: 'in_use', message: 'This report already goes to this address as often' },
  tr: { field: 'email', code: 'in_use', message: 'Bu rapor bu adrese aynı sıklıkta zaten gönderiliyor' },
};
