// Sends queued mails. Several processes may do it at once, because each claims its own.
import { claimMails, mailFailed, mailSent } from '../domain/mail/mail-queue.ts';
import { sendMail } from '../domain/mail/smtp.ts';
import type { KeyRing } from '../domain/vault/vault.ts';
import type { Database } from '../kit/db.ts';

/** Returns how many were sent and how many failed. */
export async function sendMails(
  database: Database,
  vault: KeyRing,
  smtpUrl: string,
  realNow: Date,
): Promise<{ sent: number; failed: number }> {
  const due = await database.onPlatform('write', (db) => claimMails(db, vault, realNow));
  let sent = 0;
  for (const mail of due) {
    try {
      await sendMail(smtpUrl, { ...mail, at: realNow });
      await database.onPlatform('write', (db) => mailSent(db, mail.id, realNow));
      sent += 1;
    } catch (error) {
      await database.onPlatform('write', (db) => mailFailed(db, mail.id, (error as Error).message));
    }
  }
  return { sent, failed: due.length - sent };
}
