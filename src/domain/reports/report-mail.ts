// One report as a mail: its due day, its period, its text and its workbook. Checked again when it is sent.
import { dayIn, startOfDay } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Locale } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import { addDays, addMonths } from '../clock/days.ts';
import { unlinked } from '../formats/unlinked.ts';
import { writtenDay } from '../formats/written.ts';
import { writeXlsx, XLSX_TYPE } from '../formats/xlsx-write.ts';
import type { Mail } from '../mail/mail-queue.ts';
import type { Attachment } from '../mail/smtp.ts';
import { fixedTables, type ReportTables, reportFileName, reportSheets } from './report-tables.ts';
import { type DaySpan, monthOf, spanBefore } from './reports-states.ts';
import { MAIL_HOUR, type MailFrequency, REPORT_SHAPES } from './shapes-states.ts';
import type { FixedReport } from './words-states.ts';

/** One day of one schedule. */
export interface ReportMailKey {
  readonly schedule_id: string;
  readonly day: string;
}

interface Scheduled {
  readonly id: string;
  readonly report: FixedReport;
  readonly frequency: MailFrequency;
  readonly email: string;
  readonly sent_on: string;
  readonly timezone: string;
  readonly locale: Locale;
  readonly name: string;
}

const DAY_MS = 86_400_000;

/** The last Monday, or first of a month, whose morning has come in the dealer's time zone. */
export function dueDay(frequency: MailFrequency, now: Date, timezone: string): string {
  const reached = dayIn(new Date(now.getTime() - MAIL_HOUR * 3_600_000), timezone);
  if (frequency === 'Aylık') return monthOf(reached).from;
  const at = Date.parse(`${reached}T00:00:00Z`);
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** The week or the month that ended the day before. */
export function spanOf(frequency: MailFrequency, day: string): DaySpan {
  if (frequency === 'Aylık') return spanBefore(monthOf(day));
  const at = Date.parse(`${day}T00:00:00Z`);
  const [from, to] = [at - 7 * DAY_MS, at - DAY_MS].map((one) => new Date(one).toISOString().slice(0, 10)) as [string, string];
  return { from, to };
}

/** Mail is sent for a real dealer who is not suspended. */
const readScheduled = (db: Db): Promise<Scheduled[]> =>
  db.rows<Scheduled>(sql`select schedule.id, report, frequency, schedule.email, sent_on, timezone, locale, account.name
    from (select * from ${own('report_schedules')}) schedule, (select * from ${own('accounts')}) account
    where status = 'Aktif' and not is_demo order by schedule.created_at, schedule.id`);

const isDue = ({ frequency, sent_on, timezone }: Scheduled, now: Date): boolean => dueDay(frequency, now, timezone) > sent_on;

/** The morning of the first day after the last sent one, of the schedules whose ids are not in `skip`. */
export async function nextReportMail(db: Db, timezone: string, skip: readonly string[]): Promise<Date | null> {
  const days = (await readScheduled(db))
    .filter(({ id }) => !skip.includes(id))
    .map(({ frequency, sent_on }) => dayAfter(frequency, sent_on))
    .sort();
  return days[0] === undefined ? null : new Date(startOfDay(days[0], timezone).getTime() + MAIL_HOUR * 3_600_000);
}

/** The first Monday, or first of a month, after a day. */
function dayAfter(frequency: MailFrequency, day: string): string {
  if (frequency === 'Aylık') return addMonths(`${day.slice(0, 7)}-01`, 1);
  const at = Date.parse(`${day}T00:00:00Z`);
  return addDays(day, 7 - ((new Date(at).getUTCDay() + 6) % 7));
}

export interface DueReport {
  readonly key: ReportMailKey;
  readonly mail: Mail;
}

export async function readDueReports(db: Db, now: Date): Promise<DueReport[]> {
  const due = (await readScheduled(db)).filter((one) => isDue(one, now));
  return due.map(({ id, frequency, timezone, email, name }) => ({
    key: { schedule_id: id, day: dueDay(frequency, now, timezone) },
    mail: { to: email, subject: name, text: '' },
  }));
}

export interface MadeReport {
  readonly mail: Mail;
  readonly attachments: readonly Attachment[];
}

/** Null if it is no longer due: removed, sent, or replaced by a later one. */
export async function makeReportMail(db: Db, { schedule_id, day }: ReportMailKey, now: Date): Promise<MadeReport | null> {
  const found = (await readScheduled(db)).find(({ id }) => id === schedule_id);
  if (found === undefined || !isDue(found, now) || dueDay(found.frequency, now, found.timezone) !== day) return null;
  const { report, frequency, timezone, locale, email, name } = found;
  // Checked again before it is sent, although such a schedule cannot be stored.
  if (REPORT_SHAPES[report].isSensitive) return null;
  const { from, to } = spanOf(frequency, day);
  const range = REPORT_SHAPES[report].isOfToday ? {} : { from: { day: from }, to: { day: to } };
  const made = await fixedTables(db, report, range, { now, timezone }, locale);
  const content = Buffer.concat(await Array.fromAsync(writeXlsx(reportSheets(made, locale))));
  const attachments = [{ name: `${reportFileName(made)}.xlsx`, type: XLSX_TYPE, content }];
  return { mail: { to: email, ...wordsOf(made, unlinked(name), locale) }, attachments };
}

export async function logReportSent(db: Db, { schedule_id, day }: ReportMailKey, now: Date): Promise<void> {
  await db.exec(sql`update report_schedules set sent_on = ${day}, sent_at = ${now} where account_id = ${theAccount}
    and id = ${schedule_id} and sent_on < ${day}`);
}

function wordsOf({ title, span, as_of }: ReportTables, dealer: string, locale: Locale): Pick<Mail, 'subject' | 'text'> {
  const shown = (day: string) => writtenDay(day)[locale];
  const days = span === null ? shown(as_of) : `${shown(span.from)} – ${shown(span.to)}`;
  return { subject: `${dealer}: ${title}, ${days}`, text: TEXTS[locale](dealer, title, days) };
}

const TEXTS: Readonly<Record<Locale, (dealer: string, title: string, days: string) => string>> = {
  tr: (dealer, title, days) =>
    `Merhaba,\n\n${dealer} için ${title} raporu (${days}) Excel dosyası olarak ektedir.\n\nBu e-posta, panelde Raporlar › E-postayla gönder bölümünde kurulduğu için gönderildi; oradan kaldırılabilir.\n`,
  en: (dealer, title, days) =>
    `Hello,\n\nThe ${title} report of ${dealer} (${days}) is attached as an Excel file.\n\nYou receive it because it was set up in the panel under Reports › Send by e-mail; it can be removed there.\n`,
};
