// Sends queued mails. Several processes may do it at once, because each claims its own.
import { claimMails, type DueMail, deleteMail, mailFailed, mailSent } from '../domain/mail/mail-queue.ts';
import { sendMail } from '../domain/mail/smtp.ts';
import { noteMail } from '../domain/reminders/reminder-log.ts';
import { type ReminderKey, readDueMail } from '../domain/reminders/reminder-mail.ts';
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
      sent += await (mail.about === null ? sendPlain(parts, mail, times) : sendReminder(parts, mail, times));
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

/** It is written down as sent before it leaves the queue: a process that ends in between finds it sent and does not send it again. */
async function sendReminder({ writer, smtpUrl }: MailParts, mail: DueMail, { now, realNow }: Times): Promise<number> {
  const { dataSet, reminder } = mail.about!;
  const key = JSON.parse(reminder) as ReminderKey;
  const due = await writer.database.inTenant(dataSet, 'read', (db) => readDueMail(db, key, now));
  if (due !== null) {
    await sendMail(smtpUrl, { ...due.mail, id: mail.id, at: realNow });
    const account = { id: dataSet, timezone: due.settings.timezone };
    await writer.write({ dataSet, account, actor: SYSTEM, now }, (work) => noteMail(work, due.row, due.to, due.settings));
  }
  await writer.database.onPlatform('write', (db) => deleteMail(db, mail.id));
  return due === null ? 0 : 1;
}
