// Queues today's reminders by mail. It queries due reminders instead of waiting for a moment, so that a rule, a sale or an
// address of the same day counts too; reminders that are queued or sent are not queued again by any process.
import { queueReminders as queueMails } from '../domain/mail/mail-queue.ts';
import { mailIdOf, readDueMails } from '../domain/reminders/reminder-mail.ts';
import { vaultKeys } from '../domain/vault/vault.ts';
import type { Writer } from '../domain/writes/write.ts';
import type { Times } from '../kit/clock.ts';
import { sql } from '../kit/sql.ts';

/** Returns how many were queued. */
export async function queueReminders(
  { database, secrets }: Pick<Writer, 'database' | 'secrets'>,
  { now, realNow }: Times,
  stopping?: AbortSignal,
): Promise<number> {
  const dealers = await database.onPlatform('read', (db) =>
    db.rows<{ id: string }>(sql`select id from accounts where status = 'Aktif' and not is_demo
      and reminders::jsonb @> '[{"channel": "E-posta", "active": true}]' order by id`),
  );
  let queued = 0;
  for (const { id: dataSet } of dealers) {
    if (stopping?.aborted) break;
    const due = await database.inTenant(dataSet, 'read', (db) => readDueMails(db, now));
    if (due.length === 0) continue;
    const mails = due.map(({ key, mail }) => ({ id: mailIdOf(dataSet, key), dataSet, reminder: JSON.stringify(key), mail }));
    queued += await database.onPlatform('write', (db) => queueMails(db, vaultKeys(secrets), mails, realNow));
  }
  return queued;
}
