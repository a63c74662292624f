// Sends queued mails. Several processes may do it at once, because each claims its own.
import { claimMails, type DueMail, deleteMail, mailFailed, mailSent } from '../domain/mail/mail-queue.ts';
import { sendMail } from '../domain/mail/smtp.ts';
import { logMail } from '../domain/reminders/reminder-log.ts';
import { type ReminderKey, readDueMail } from '../domain/reminders/reminder-mail.ts';
import { logReportSent, makeReportMail, type ReportMailKey } from '../domain/reports/report-mail.ts';
import { vaultKeys } from '../domain/vault/vault.ts';
import { SYSTEM, type Writer } from '../domain/writes/write.ts';
import type { Times } from '../kit/clock.ts';

export interface MailParts {
  readonly writer: Writer;
  readonly smtpUrl: string;
}

/** Returns how many were sent and how many failed. */
export async function sendMails(parts: MailParts, times: Times): Promise<{ sent: number; failed: number }> {
  const { database, secrets } = parts.writer;
  const due = await database.onPlatform('write', (db) => claimMails(db, vaultKeys(secrets), times.realNow));
  let sent = 0;
  let failed = 0;
  for (const mail of due) {
    try {
      sent += await (mail.about === null ? sendPlain(parts, mail, times) : sendAbout(parts, mail, mail.about, times));
    } catch (error) {
      failed += 1;
      await database.onPlatform('write', (db) => mailFailed(db, mail.id, (error as Error).message));
    }
  }
  return { sent, failed };
}

async function sendPlain({ writer, smtpUrl }: MailParts, mail: DueMail, { realNow }: Times): Promise<number> {
  await sendMail(smtpUrl, { ...mail, at: realNow });
  await writer.database.onPlatform('write', (db) => mailSent(db, mail.id, realNow));
  return 1;
}

/** It is recorded as sent before it leaves the queue: a process that ends in between finds it sent and does not send it again. */
async function sendAbout(parts: MailParts, mail: DueMail, { dataSet, reminder }: About, times: Times): Promise<number> {
  const key = JSON.parse(reminder) as ReminderKey | ReportMailKey;
  const sent =
    'schedule_id' in key
      ? await sendReport(parts, mail.id, dataSet, key, times)
      : await sendReminder(parts, mail.id, dataSet, key, times);
  await parts.writer.database.onPlatform('write', (db) => deleteMail(db, mail.id));
  return sent ? 1 : 0;
}

type About = NonNullable<DueMail['about']>;

async function sendReminder(
  { writer, smtpUrl }: MailParts,
  id: string,
  dataSet: string,
  key: ReminderKey,
  { now, realNow }: Times,
): Promise<boolean> {
  const due = await writer.database.inTenant(dataSet, 'read', (db) => readDueMail(db, key, now));
  if (due === null) return false;
  await sendMail(smtpUrl, { ...due.mail, id, at: realNow });
  const account = { id: dataSet, timezone: due.settings.timezone };
  await writer.write({ dataSet, account, actor: SYSTEM, now }, (work) => logMail(work, due.installment, due.to, due.settings));
  return true;
}

async function sendReport(
  { writer: { database }, smtpUrl }: MailParts,
  id: string,
  dataSet: string,
  key: ReportMailKey,
  { now, realNow }: Times,
): Promise<boolean> {
  const made = await database.inTenant(dataSet, 'read', (db) => makeReportMail(db, key, now));
  if (made === null) return false;
  await sendMail(smtpUrl, { ...made.mail, attachments: made.attachments, id, at: realNow });
  await database.inTenant(dataSet, 'write', (db) => logReportSent(db, key, now));
  return true;
}
